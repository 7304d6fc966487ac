import fc from 'fast-check';
import { expect, test } from 'vitest';
import { dictionaryOf, encodeTerm } from '../text/index.ts';
import { createSieve, promisingStretches } from './term-sieve.ts';

const letters = fc.constantFrom(...'abcdeé東');
const term = fc.array(letters, { minLength: 1, maxLength: 12 }).map((list) => list.join(''));

test('every term that holds the word lies in a stretch, and stretches ascend without touching', () => {
  fc.assert(
    fc.property(fc.array(term, { minLength: 1, maxLength: 400 }), fc.array(letters, { minLength: 3, maxLength: 5 }), (terms, word) => {
      const dictionary = dictionaryOf(terms);
      const wanted = word.join('');
      const stretches = promisingStretches(createSieve(dictionary), dictionary, encodeTerm(wanted));
      for (let place = 0; place < dictionary.size; place++) {
        const from = dictionary.offsets[place]!;
        const to = dictionary.offsets[place + 1]!;
        const text = Buffer.from(dictionary.bytes).toString('utf8', from, to);
        if (text.includes(wanted)) expect(stretches.some((stretch) => stretch.from <= from && to <= stretch.to)).toBe(true);
      }
      stretches.slice(1).forEach(({ from }, index) => {
        expect(from).toBeGreaterThan(stretches[index]!.to);
      });
    }),
  );
});

test('groups without the trigrams of the word are left out', () => {
  const terms = Array.from({ length: 6400 }, (_, index) => `${String.fromCharCode(97 + Math.floor(index / 320))}${index.toString(36)}`);
  const dictionary = dictionaryOf([...terms, 'zzzquarterly']);
  const stretches = promisingStretches(createSieve(dictionary), dictionary, encodeTerm('quarterly'));
  const read = stretches.reduce((sum, { from, to }) => sum + to - from, 0);
  expect(read).toBeGreaterThan(0);
  expect(read).toBeLessThan(dictionary.bytes.length / 10);
});
