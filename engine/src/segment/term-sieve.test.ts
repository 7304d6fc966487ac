import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dictionaryOf, encodeTerm } from '../text/index.ts';
import { fillSieve, groupTerms, nextGroup, rowWords, sieveBytes, sieveRows } from './term-sieve.ts';

const letters = fc.constantFrom(...'abcdeé東');
const term = fc.array(letters, { minLength: 1, maxLength: 12 }).map((list) => list.join(''));

/** The groups that have a bit in every row of the word. */
function groupsFor(terms: readonly string[], word: string) {
  const dictionary = dictionaryOf(terms);
  const rows = new Uint32Array(sieveBytes(dictionary.size) / 4);
  fillSieve(dictionary, rows);
  const words = rowWords(dictionary.size);
  const wanted = sieveRows(encodeTerm(word));
  const isPromising = (group: number) => wanted.every((row) => ((rows[row * words + (group >>> 5)]! >>> (group & 31)) & 1) === 1);
  return { dictionary, isPromising };
}

test('every term that holds the word lies in a group with all its trigrams', () => {
  fc.assert(
    fc.property(
      fc.array(term, { minLength: 1, maxLength: 400, size: 'max' }),
      fc.array(letters, { minLength: 3, maxLength: 25 }),
      (terms, word) => {
        const wanted = word.join('');
        const { dictionary, isPromising } = groupsFor([...terms, `x${wanted}y`], wanted);
        let held = 0;
        for (let place = 0; place < dictionary.size; place++) {
          const text = Buffer.from(dictionary.bytes).toString('utf8', dictionary.offsets[place]!, dictionary.offsets[place + 1]!);
          if (!text.includes(wanted)) continue;
          held++;
          expect(isPromising(nextGroup(place) / groupTerms - 1)).toBe(true);
        }
        expect(held).toBeGreaterThan(0);
      },
    ),
  );
});

test('groups without the trigrams of the word are left out', () => {
  const terms = Array.from({ length: 6400 }, (_, index) => `${String.fromCharCode(97 + Math.floor(index / 320))}${index.toString(36)}`);
  const { dictionary, isPromising } = groupsFor([...terms, 'zzzquarterly'], 'quarterly');
  const groups = Array.from({ length: Math.ceil(dictionary.size / groupTerms) }, (_, group) => group);
  const read = groups.filter(isPromising).length;
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(groups.length / 10);
});
