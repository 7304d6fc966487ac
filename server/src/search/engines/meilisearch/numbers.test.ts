import { expect, test } from 'vitest';
import { numberHistograms } from './numbers.ts';
import { maxFacetValues } from './settings.ts';

const bounds = Array.from({ length: 101 }, (_, n) => n * 10);
/** More values than a server lists, so ranges must be counted with queries. */
const cut = (min: number, max: number) => ({
  facetDistribution: { size: Object.fromEntries(Array.from({ length: maxFacetValues }, (_, n) => [n, 1])) },
  facetStats: { size: { min, max } },
});

async function count(answer: ReturnType<typeof cut>, files: number[]) {
  let asked = 0;
  const { size } = await numberHistograms(answer, [{ field: 'size', bounds }], async (_, ranges) => {
    asked += ranges.length;
    return ranges.map(({ gte, lt }) => files.filter((file) => file >= gte && file < lt).length);
  });
  return { size: size!, asked, sum: size!.reduce((a, b) => a + b, 0) };
}

test('many bars need few queries, keep the total, and stay empty outside the range of values', async () => {
  const files = Array.from({ length: 300 }, (_, n) => 205 + n * 2);
  const { size, asked, sum } = await count(cut(205, 803), files);
  expect(asked).toBeLessThanOrEqual(24);
  expect(sum).toBe(300);
  expect(size.findIndex((n) => n > 0)).toBeGreaterThanOrEqual(20);
  expect(size.findLastIndex((n) => n > 0)).toBeLessThanOrEqual(80);
});

test('few bars are counted one by one', async () => {
  const { size, asked } = await count(cut(500, 519), [500, 511, 512]);
  expect(asked).toBe(2);
  expect([size[50], size[51]]).toEqual([1, 2]);
});
