import { expect, test } from 'vitest';
import type { WriterSegment } from './writer-segment.ts';
import { chooseCompaction, chooseMerge, maxSegmentBytes } from './merge-policy.ts';

function held(documents: number, bytes = documents * 300, deletedCount = 0, committed = true): WriterSegment {
  const entry = { file: `s-${documents}-${bytes}.seg`, bytes, documents, deletes: null };
  return { entry, committed, deleted: new Uint8Array(0), deletedCount, pending: [], find: () => -1, close: () => undefined };
}

test('five segments of similar size are merged, four are left alone', () => {
  const four = [held(1000), held(1100), held(1200), held(1300)];
  expect(chooseMerge([...four, held(400_000)])).toEqual([]);
  expect(chooseMerge([...four, held(900), held(400_000)])).toHaveLength(5);
  expect(chooseMerge([...four, held(900, 270_000, 0, false)])).toEqual([]);
});

test('a segment with many deleted documents is rewritten alone', () => {
  const wasteful = held(10_000, 3_000_000, 5000);
  expect(chooseMerge([held(400_000), wasteful])).toEqual([wasteful]);
  expect(chooseMerge([held(400_000), held(10_000, 3_000_000, 3000)])).toEqual([]);
});

test('no merge makes a segment larger than the limit', () => {
  const many = Array.from({ length: 20 }, (_, index) => held(500_000, 150_000_000 + index));
  for (const chosen of [chooseMerge(many), chooseCompaction(many)]) {
    expect(chosen.length).toBeGreaterThan(5);
    expect(chosen.reduce((sum, { entry }) => sum + entry.bytes, 0)).toBeLessThanOrEqual(maxSegmentBytes);
  }
  const full = [held(4_000_000, 1.2e9), held(4_000_000, 1.3e9)];
  expect(chooseCompaction(full)).toEqual([]);
  expect(chooseMerge(full)).toEqual([]);
});

test('a compaction ends when no segment has a deleted document and no two fit together', () => {
  const dirty = held(4_000_000, 1.4e9, 7);
  expect(chooseCompaction([held(4_000_000, 1.3e9), dirty])).toEqual([dirty]);
  expect(chooseCompaction([held(10), held(20)])).toHaveLength(2);
  expect(chooseCompaction([held(10)])).toEqual([]);
  expect(chooseCompaction([])).toEqual([]);
});

test('uncommitted deletes do not start a merge', () => {
  const waiting = { ...held(10, 3000, 8), pending: [0, 1, 2, 3, 4, 5, 6, 7] };
  expect(chooseMerge([waiting])).toEqual([]);
  expect(chooseCompaction([waiting])).toEqual([]);
});
