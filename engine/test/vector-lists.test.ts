import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndex, openReader, openWriter } from '../src/index.ts';
import { matchSegments } from '../src/query/match.ts';
import { nearest, normalised } from '../src/query/nearest.ts';
import { planText, startDeadline } from '../src/query/plan.ts';
import { loadNewestSnapshot } from '../src/reader/snapshot.ts';
import type { IndexSnapshot, Segment } from '../src/segment/types.ts';
import { divideIntoLists, minListedVectors } from '../src/segment/vector-lists.ts';
import type { Document, Filter, Schema } from '../src/types.ts';
import { temporaryDirectory } from './temporary-index.ts';

const dimension = 62;
const topics = 80;
/** More than a segment needs for lists, and more matches than are estimated one by one under the filter of odd documents. */
const count = minListedVectors * 2 + 4000;
const schema: Schema = {
  version: 1,
  text: [],
  keyword: [{ name: 'kind' }, { name: 'topic' }],
  number: [],
  sortable: [],
  vector: { name: 'meaning', dimension, quantise: true },
};

let state = 11;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32 - 0.5;
};
const centres = Array.from({ length: topics }, () => Float32Array.from({ length: dimension }, random));
const around = (topic: number) => normalised(centres[topic]!.map((each) => each + random() * 1.2));
const documents: (Document & { meaning: Float32Array })[] = Array.from({ length: count }, (_, index) => ({
  id: `v${String(index).padStart(6, '0')}`,
  kind: index % 2 === 0 ? 'even' : 'odd',
  topic: `t${index % topics}`,
  meaning: around(index % topics),
}));

const own = temporaryDirectory();
let snapshot: IndexSnapshot;
beforeAll(async () => {
  await createIndex(own.path, schema);
  const writer = await openWriter(own.path, schema);
  // Every tenth document has no vector.
  await writer.upsert(documents.map(({ meaning, ...document }, index) => (index % 10 === 9 ? document : { ...document, meaning })));
  await writer.commit();
  await writer.close();
  snapshot = await loadNewestSnapshot(own.path, null);
});
afterAll(async () => {
  for (const segment of snapshot.segments) segment.close();
  await own.remove();
});

/** The numbers of the documents that the engine finds nearest, comparing lists until they contain a share of the matching documents. */
function found(of: IndexSnapshot, unit: Float32Array, wanted: number, probed?: number, filter?: Filter): number[] {
  const plan = planText(schema, {});
  const matches = matchSegments(of.segments, schema, plan, filter, startDeadline(undefined));
  try {
    return nearest(matches, unit, wanted, undefined, probed).map(({ match, doc }) => Number(match.segment.ids.get(doc).slice(1)));
  } finally {
    for (const match of matches) match.release();
  }
}

function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < dimension; at++) sum += a[at]! * b[at]!;
  return sum;
}
function exact(unit: Float32Array, wanted: number, passes: (index: number) => boolean): number[] {
  return documents
    .flatMap(({ meaning }, index) => (index % 10 !== 9 && passes(index) ? [{ index, score: product(meaning, unit) }] : []))
    .sort((a, b) => b.score - a.score)
    .slice(0, wanted)
    .map(({ index }) => index);
}

test('a segment with many vectors has lists, one with few has none', () => {
  expect(snapshot.segments.map(({ vectors }) => vectors!.lists?.count)).toEqual([76]);
  expect(divideIntoLists(minListedVectors - 1, dimension, (at) => documents[at]!.meaning)).toBeNull();
});

test('every vector is in the list of its nearest centre, and equal vectors give equal lists', () => {
  const divide = () => divideIntoLists(minListedVectors, dimension, (at) => documents[at]!.meaning)!;
  const { centres: all, starts, members } = divide();
  expect(divide()).toEqual({ centres: all, starts, members });
  expect([...members].sort((a, b) => a - b)).toEqual(Array.from({ length: minListedVectors }, (_, at) => at));
  const width = Math.ceil(dimension / 4) * 4;
  const size = starts.length - 1;
  for (let list = 0; list < size; list += 7) {
    for (const member of members.subarray(starts[list]!, starts[list + 1]!).filter((_, at) => at % 50 === 0)) {
      const products = Array.from({ length: size }, (_, each) => product(documents[member]!.meaning, all.subarray(each * width)));
      expect(products[list]).toBeCloseTo(Math.max(...products), 5);
    }
  }
});

test('with every list compared, the neighbours are those of comparing all vectors by their codes', () => {
  // Without lists, the rows of a segment are one range.
  const withoutLists = snapshot.segments.map(
    (segment): Segment => Object.create(segment, { vectors: { value: { ...segment.vectors!, lists: null } } }),
  );
  const whole: IndexSnapshot = { ...snapshot, segments: withoutLists };
  for (let turn = 0; turn < 20; turn++) {
    const unit = turn % 3 === 0 ? normalised(Float32Array.from({ length: dimension }, random)) : around(turn);
    const filter: Filter | undefined = turn % 2 === 0 ? undefined : { eq: ['kind', 'odd'] };
    expect(found(snapshot, unit, 50, 1, filter)).toEqual(found(whole, unit, 50, 1, filter));
  }
});

test.each([
  ['every document', undefined, () => true],
  ['half of the documents', { eq: ['kind', 'odd'] }, (index: number) => index % 2 === 1],
  ['one topic', { eq: ['topic', 't7'] }, (index: number) => index % topics === 7],
  ['all topics but that of the query', { not: { eq: ['topic', 't7'] } }, (index: number) => index % topics !== 7],
] as [string, Filter | undefined, (index: number) => boolean][])(
  'among %s, at least nineteen of twenty of the ten nearest are found',
  (_name, filter, passes) => {
    let right = 0;
    for (let turn = 0; turn < 20; turn++) {
      const unit = around(turn % 2 === 0 ? 7 : turn);
      const wanted = new Set(exact(unit, 10, passes));
      // A search considers a hundred neighbours even for a page of ten.
      const near = found(snapshot, unit, 101, undefined, filter);
      right += near.slice(0, 10).filter((index) => wanted.has(index)).length;
    }
    expect(right / 200).toBeGreaterThanOrEqual(0.95);
  },
);

test('merged segments keep every vector with its document', async () => {
  const writer = await openWriter(own.path, schema);
  const reader = await openReader(own.path);
  try {
    const added = Array.from({ length: 50 }, (_, at) => ({ ...documents[at]!, id: `w${at}`, meaning: around(at) }));
    await writer.upsert(added);
    await writer.delete(documents.slice(100, 200).map(({ id }) => id));
    await writer.commit();
    await writer.compact();
    await reader.refresh();
    expect((await reader.stats()).segments).toBe(1);
    for (const index of [0, 98, 200, 31_111, count - 2]) {
      const { hits } = await reader.search({ vector: { near: documents[index]!.meaning, ratio: 1 }, limit: 1 });
      expect(hits[0]).toMatchObject({ id: documents[index]!.id, score: expect.closeTo(1, 4) });
      const similar = await reader.search({ likeId: documents[index]!.id, limit: 5 });
      expect(similar.hits.map(({ id }) => id)).not.toContain(documents[index]!.id);
    }
    const { hits } = await reader.search({ vector: { near: added[3]!.meaning, ratio: 1 }, limit: 1 });
    expect(hits[0]?.id).toBe('w3');
    const gone = await reader.search({ vector: { near: documents[150]!.meaning, ratio: 1 }, limit: 1 });
    expect(gone.hits[0]?.id).not.toBe(documents[150]!.id);
  } finally {
    await reader.close();
    await writer.close();
  }
});
