import { afterAll, beforeAll, expect, test } from 'vitest';
import { smallSchema, temporaryDirectory } from '../../test/temporary-index.ts';
import { createIndex, openWriter } from '../index.ts';
import { loadNewestSnapshot } from '../reader/snapshot.ts';
import type { IndexSnapshot, Segment } from '../segment/types.ts';
import type { Query } from '../types.ts';
import { searchShare, searchSnapshot } from './execute.ts';
import { matchSegments } from './match.ts';
import { planText } from './plan.ts';

const own = temporaryDirectory();
let snapshot: IndexSnapshot;
beforeAll(async () => {
  await createIndex(own.path, smallSchema);
  const writer = await openWriter(own.path, smallSchema);
  for (const [id, name] of [
    ['one', 'gamma middle delta alpha beta'],
    ['two', 'other alpha beta'],
  ] as const) {
    await writer.upsert([{ id, name, kind: 'k' }]);
    await writer.commit();
  }
  await writer.close();
  snapshot = await loadNewestSnapshot(own.path, null);
});
afterAll(async () => {
  for (const segment of snapshot.segments) segment.close();
  await own.remove();
});

/** The documents of a phrase that no document contains; marks left by an earlier query make some match. */
const falseMatches = () => searchSnapshot(snapshot, { text: '"gamma delta"' }).hits.map(({ id }) => id);
const marked = ({ u16, marks, dictionary }: Segment) =>
  u16.subarray(marks >>> 1, (marks >>> 1) + dictionary.size + 2).some((mark) => mark > 0);

test('a query that fails in the second segment does not change the results of the next', () => {
  const { strings } = snapshot.segments[1]!.keywords[0]!;
  const { get } = strings;
  const query: Query = { text: '"alpha beta"', filter: { eq: ['kind', 'k'] } };
  for (const search of [() => searchSnapshot(snapshot, query), () => searchShare(snapshot, query, [0, 1])]) {
    strings.get = () => {
      throw new Error('EIO');
    };
    expect(search).toThrow('EIO');
    strings.get = get;
    expect(falseMatches()).toEqual([]);
  }
});

test('a query without memory leaves no marks, whichever allocation fails', () => {
  const query: Query = { text: '"alpha beta" alpah -"middle other"', matches: ['name'] };
  // The first query creates the lists of terms that all later queries share. Its allocations are not those under test.
  expect(searchSnapshot(snapshot, query).total).toBe(2);
  for (const segment of snapshot.segments) {
    const { bytes } = segment.scratch;
    let allowed = 0;
    for (let failed = true; failed; allowed++) {
      let left = allowed;
      segment.scratch.bytes = (size) => {
        if (left-- === 0) throw new Error('out of memory');
        return bytes(size);
      };
      try {
        searchSnapshot(snapshot, query);
        failed = false;
      } catch (error) {
        expect(error).toMatchObject({ message: 'out of memory' });
      }
      segment.scratch.bytes = bytes;
      expect(snapshot.segments.map(marked)).toEqual([false, false]);
    }
    expect(allowed).toBeGreaterThan(10);
  }
});

test('a failure while phrases are checked leaves no marks', () => {
  const plan = planText(snapshot.schema, { text: '"alpha beta"' });
  const passed = () => {
    throw new Error('failed');
  };
  expect(() => matchSegments(snapshot.segments, snapshot.schema, plan, undefined, { passed })).toThrow('failed');
  expect(snapshot.segments.map(marked)).toEqual([false, false]);
});
