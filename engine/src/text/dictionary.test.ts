import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dictionaryOf, findTerm, prefixRange } from './dictionary.ts';
import { matchInfix } from './match-infix.ts';

const decoder = new TextDecoder();
const letters = fc.constantFrom('a', 'a', 'b', 'b', 'c', 'é', '東', '𐐨');
const word = fc.string({ unit: letters, minLength: 1, maxLength: 9 });

test('infix matches are exactly the terms that contain the word', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), fc.string({ unit: letters, minLength: 1, maxLength: 4 }), (terms, wanted) => {
      const dictionary = dictionaryOf(terms);
      const found: string[] = [];
      matchInfix(dictionary, wanted, (from) => {
        found.push(decoder.decode(dictionary.bytes.subarray(dictionary.offsets[from], dictionary.offsets[from + 1])));
      });
      const expected = Array.from(wanted).length < 3 ? [] : [...new Set(terms)].filter((term) => term.includes(wanted));
      expect(found.sort()).toEqual(expected.sort());
    }),
    { numRuns: 1000 },
  );
});

test('a prefix names one range and a term one place', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), word, (terms, wanted) => {
      const dictionary = dictionaryOf(terms);
      const { from, to } = prefixRange(dictionary, wanted);
      expect(to - from).toBe([...new Set(terms)].filter((term) => term.startsWith(wanted)).length);
      expect(findTerm(dictionary, wanted) >= 0).toBe(terms.includes(wanted));
    }),
    { numRuns: 1000 },
  );
});
