import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dictionaryOf, findTerm, prefixRange } from './dictionary.ts';
import { matchInfix } from './match-infix.ts';
import { matchTypos } from './match-typos.ts';

/** Optimal string alignment with the whole table, as the textbook has it. */
function distance(left: string, right: string): number {
  const a = Array.from(left);
  const b = Array.from(right);
  const table = a.map(() => [] as number[]);
  const at = (i: number, j: number) => (i < 0 ? j + 1 : j < 0 ? i + 1 : table[i]![j]!);
  for (let i = 0; i < a.length; i++) {
    for (let j = 0; j < b.length; j++) {
      let value = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (a[i] === b[j] ? 0 : 1));
      if (i > 0 && j > 0 && a[i] === b[j - 1] && a[i - 1] === b[j]) value = Math.min(value, at(i - 2, j - 2) + 1);
      table[i]![j] = value;
    }
  }
  return at(a.length - 1, b.length - 1);
}

function nearest(word: string, term: string, prefix: boolean): number {
  if (!prefix) return distance(word, term);
  const letters = Array.from(term);
  return Math.min(...letters.map((_, length) => distance(word, letters.slice(0, length + 1).join(''))));
}

const decoder = new TextDecoder();
const letters = fc.constantFrom('a', 'a', 'b', 'b', 'c', 'é', '東', '𐐨');
const word = fc.string({ unit: letters, minLength: 1, maxLength: 9 });

test('typo matches are exactly the terms within the budget that begin alike', () => {
  fc.assert(
    fc.property(fc.array(word, { maxLength: 40 }), word, fc.constantFrom(1, 2), fc.boolean(), (terms, wanted, budget, prefix) => {
      const dictionary = dictionaryOf(terms);
      const found = new Map<string, number>();
      matchTypos(dictionary, wanted, budget, prefix, (from, to, level) => {
        expect(from).toBeLessThan(to);
        for (let index = from; index < to; index++) {
          const term = decoder.decode(dictionary.bytes.subarray(dictionary.offsets[index], dictionary.offsets[index + 1]));
          expect(found.has(term)).toBe(false);
          found.set(term, level);
        }
      });
      const expected = new Map<string, number>();
      for (const term of terms) {
        const steps = nearest(wanted, term, prefix);
        if (term.codePointAt(0) === wanted.codePointAt(0) && steps > 0 && steps <= budget) expected.set(term, steps);
      }
      expect(new Map([...found].sort())).toEqual(new Map([...expected].sort()));
    }),
    { numRuns: 3000 },
  );
});

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
