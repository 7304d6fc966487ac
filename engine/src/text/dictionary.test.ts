import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildDictionary, findTerm, prefixRange } from './dictionary.ts';

const letters = fc.constantFrom('a', 'a', 'b', 'b', 'c', 'é', '東', '𐐨');
const word = fc.string({ unit: letters, minLength: 1, maxLength: 9 });

test('a prefix matches one range and a term one index', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), word, (terms, wanted) => {
      const dictionary = buildDictionary(terms);
      const { from, to } = prefixRange(dictionary, wanted);
      expect(to - from).toBe([...new Set(terms)].filter((term) => term.startsWith(wanted)).length);
      expect(findTerm(dictionary, wanted) >= 0).toBe(terms.includes(wanted));
    }),
    { numRuns: 1000 },
  );
});
