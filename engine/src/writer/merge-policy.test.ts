import { expect, test } from 'vitest';
import { chooseCompaction, chooseMerge, maxSegmentBytes } from './merge-policy.ts';
import type { WriterSegment } from './writer-segment.ts';

function segmentWith(documents: number, bytes = documents * 300, deletedCount = 0, committed = true): WriterSegment {
  const entry = { file: `s-${documents}-${bytes}.seg`, bytes, documents, deletes: null };
  return { entry, committed, deleted: new Uint8Array(0), deletedCount, pending: [], find: () => -1, close: () => undefined };
}

test('five segments of similar size are merged, four are left alone', () => {
  const four = [segmentWith(1000), segmentWith(1100), segmentWith(1200), segmentWith(1300)];
  expect(chooseMerge([...four, segmentWith(400_000)])).toEqual([]);
  expect(chooseMerge([...four, segmentWith(900), segmentWith(400_000)])).toHaveLength(5);
  expect(chooseMerge([...four, segmentWith(900, 270_000, 0, false)])).toEqual([]);
});

test('a segment with many deleted documents is rewritten alone', () => {
  const wasteful = segmentWith(10_000, 3_000_000, 5000);
  expect(chooseMerge([segmentWith(400_000), wasteful])).toEqual([wasteful]);
  expect(chooseMerge([segmentWith(400_000), segmentWith(10_000, 3_000_000, 3000)])).toEqual([]);
});

test('no merge makes a segment larger than the limit', () => {
  const many = Array.from({ length: 20 }, (_, index) => segmentWith(500_000, 150_000_000 + index));
  for (const chosen of [chooseMerge(many), chooseCompaction(many)]) {
    expect(chosen.length).toBeGreaterThan(5);
    expect(chosen.reduce((sum, { entry }) => sum + entry.bytes, 0)).toBeLessThanOrEqual(maxSegmentBytes);
  }
  const full = [segmentWith(4_000_000, 1.2e9), segmentWith(4_000_000, 1.3e9)];
  expect(chooseCompaction(full)).toEqual([]);
  expect(chooseMerge(full)).toEqual([]);
});

test('a compaction ends when no segment has a deleted document and no two fit together', () => {
  const dirty = segmentWith(4_000_000, 1.4e9, 7);
  expect(chooseCompaction([segmentWith(4_000_000, 1.3e9), dirty])).toEqual([dirty]);
  expect(chooseCompaction([segmentWith(10), segmentWith(20)])).toHaveLength(2);
  expect(chooseCompaction([segmentWith(10)])).toEqual([]);
  expect(chooseCompaction([])).toEqual([]);
});

test('uncommitted deletes do not start a merge', () => {
  const waiting = { ...segmentWith(10, 3000, 8), pending: [0, 1, 2, 3, 4, 5, 6, 7] };
  expect(chooseMerge([waiting])).toEqual([]);
  expect(chooseCompaction([waiting])).toEqual([]);
});
