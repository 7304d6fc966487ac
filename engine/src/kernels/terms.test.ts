import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildDictionary } from '../text/index.ts';
import { createMemory, loadKernels } from './index.ts';

/** Optimal string alignment with the full table, as in textbooks. */
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

const letters = fc.constantFrom('a', 'a', 'b', 'b', 'c', 'é', '東', '𐐨');
const word = fc.string({ unit: letters, minLength: 1, maxLength: 9 });
const long = fc.string({ unit: letters, minLength: 28, maxLength: 32 });

/** Returns the results of a kernel, fetched a few at a time, as pairs of term and distance. */
function nearOnes(terms: readonly string[], wanted: string, budget: number, prefix: boolean, reference: boolean): [string, number][] {
  const at = { terms: 1024, offsets: 16_384, shares: 20_480, letters: 24_576, work: 28_672, out: 36_864 };
  const memory = createMemory(65_536);
  const u8 = new Uint8Array(memory.buffer);
  const u32 = new Uint32Array(memory.buffer);
  const { bytes, offsets, size } = buildDictionary(terms);
  const sorted = Array.from({ length: size }, (_, index) => Buffer.from(bytes.subarray(offsets[index], offsets[index + 1])));
  u8.fill(255, at.shares, at.shares + size + 32);
  u8.set(bytes, at.terms);
  u32.set(offsets, at.offsets / 4);
  sorted.forEach((term, index) => {
    const before = sorted[index - 1] ?? Buffer.alloc(0);
    const parts = term.findIndex((byte, place) => before[place] !== byte);
    u8[at.shares + index] = parts < 0 ? term.length : parts;
  });
  const points = Array.from(wanted, (character) => character.codePointAt(0)!);
  u32.set(points, at.letters / 4);
  const { nearTerms } = loadKernels(memory, { reference });
  const most = 3;
  const found: [string, number][] = [];
  let from = 0;
  for (let count = most; count === most; ) {
    count = nearTerms(
      ...([at.terms, at.offsets, at.shares, from, size, at.letters, points.length, budget] as const),
      ...([prefix ? 1 : 0, at.work, at.out, most] as const),
    );
    for (let range = 0; range < count; range++) {
      const [start, end, distance] = u32.subarray(at.out / 4 + range * 3) as unknown as [number, number, number];
      expect(start).toBeGreaterThanOrEqual(from);
      expect(end).toBeGreaterThan(start);
      for (let index = start; index < end; index++) found.push([sorted[index]!.toString(), distance]);
      from = end;
    }
  }
  return found;
}

test.each(['with', 'without'])('terms near a word are exactly those within the budget, %s SIMD', (how) => {
  const check = (terms: string[], wanted: string, budget: number, prefix: boolean) => {
    const expected = [...new Set(terms)].flatMap((term): [string, number][] => {
      const steps = nearest(wanted, term, prefix);
      return steps > 0 && steps <= budget ? [[term, steps]] : [];
    });
    expect(nearOnes(terms, wanted, budget, prefix, how === 'without').sort()).toEqual(expected.sort());
  };
  const budgets = fc.constantFrom(1, 2);
  fc.assert(fc.property(fc.array(word, { maxLength: 40 }), word, budgets, fc.boolean(), check), { numRuns: 1500 });
  fc.assert(fc.property(fc.array(word, { maxLength: 150, size: 'max' }), word, budgets, fc.boolean(), check), { numRuns: 50 });
});

test.each(['with', 'without'])('words of the maximum term length are compared completely, %s SIMD', (how) => {
  fc.assert(
    fc.property(long, long, fc.nat(60), letters, fc.boolean(), (left, right, place, letter, prefix) => {
      const wanted = Array.from(left + right)
        .concat(Array.from({ length: 64 }, () => 'a'))
        .slice(0, 64);
      const changed = wanted.with(place, letter);
      const swapped = wanted.with(place, wanted[place + 1]!).with(place + 1, wanted[place]!);
      const shorter = wanted.toSpliced(place, 1);
      const terms = [wanted, changed, swapped, shorter].map((each) => each.join(''));
      const expected = [...new Set(terms)].map((term): [string, number] => [term, nearest(wanted.join(''), term, prefix)]);
      const found = nearOnes(terms, wanted.join(''), 2, prefix, how === 'without');
      expect(found.sort()).toEqual(expected.filter(([, steps]) => steps > 0 && steps <= 2).sort());
    }),
    { numRuns: 60 },
  );
});

test.each(['with', 'without'])('terms that contain a word are found in the groups selected by the trigram index, %s SIMD', (how) => {
  const narrow = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 1, maxLength: 20 });
  const needles = fc.string({ unit: fc.constantFrom('a', 'b', 'é'), minLength: 3, maxLength: 5 });
  fc.assert(
    fc.property(fc.array(narrow, { maxLength: 200, size: 'max' }), needles, fc.array(fc.nat(255)), (terms, wanted, rows) => {
      const at = { terms: 256, offsets: 16_384, trigramIndex: 20_480, rows: 24_576, out: 28_672 };
      const memory = createMemory(65_536);
      const u8 = new Uint8Array(memory.buffer);
      const u32 = new Uint32Array(memory.buffer);
      const { bytes, offsets, size } = buildDictionary(terms);
      const needle = Buffer.from(wanted);
      u8.set(needle);
      u8.set(bytes, at.terms);
      u8.set(needle, at.terms + bytes.length);
      u32.set(offsets, at.offsets / 4);
      // One bit per group of sixteen terms; every row has one word.
      u32.set(rows, at.trigramIndex / 4);
      u32.set(
        rows.map((_, row) => row),
        at.rows / 4,
      );
      const { termsWith } = loadKernels(memory, { reference: how === 'without' });
      const found: number[] = [];
      for (let from = 0, count = -1; count !== 0 && from < size; from = (Math.floor(found.at(-1)! / 16) + 1) * 16) {
        count = termsWith(
          ...([at.terms, at.offsets, size, at.trigramIndex, 1, at.rows, rows.length] as const),
          ...([0, needle.length, from, at.out, 40] as const),
        );
        found.push(...u32.subarray(at.out / 4, at.out / 4 + count));
        if (found.length === 0) break;
      }
      const expected = Array.from({ length: size }, (_, term) => term).filter((term) => {
        const promising = rows.every((row) => ((row >>> Math.floor(term / 16)) & 1) === 1);
        return promising && Buffer.from(bytes.subarray(offsets[term], offsets[term + 1])).includes(needle);
      });
      expect(found).toEqual(expected);
    }),
    { numRuns: 400 },
  );
});
