import { expect, test } from 'vitest';
import { createIndex, openReader, openWriter } from '../src/index.ts';
import type { Document, Query, ReaderOptions, Schema } from '../src/types.ts';
import { inDirectory, withIndex } from './temporary-index.ts';

const dimension = 48;
const schemaWith = (quantise: boolean): Schema => ({
  version: 1,
  text: [{ name: 'name' }],
  keyword: [{ name: 'kind' }],
  number: [],
  sortable: [],
  vector: { name: 'meaning', dimension, quantise },
});

let state = 7;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
const vector = () => Float32Array.from({ length: dimension }, () => random() * 2 - 1);
const cosine = (a: Float32Array, b: Float32Array) => {
  let product = 0;
  let left = 0;
  let right = 0;
  for (let at = 0; at < a.length; at++) {
    product += a[at]! * b[at]!;
    left += a[at]! * a[at]!;
    right += b[at]! * b[at]!;
  }
  return product / Math.sqrt(left * right);
};

const documents: Document[] = Array.from({ length: 500 }, (_, index) => ({
  id: `v${index}`,
  name: index % 3 === 0 ? 'red boat' : 'blue car',
  kind: index % 2 === 0 ? 'even' : 'odd',
  ...(index % 10 === 9 ? {} : { meaning: vector() }),
}));
const meaning = (document: Document) => document['meaning'] as Float32Array | undefined;

for (const quantise of [false, true]) {
  test(`the nearest documents by cosine come first, without filtered ones (${quantise ? 'quantised' : 'whole'} vectors)`, async () => {
    await withIndex(schemaWith(quantise), documents, async ({ reader, writer }) => {
      for (const compacted of [false, true]) {
        if (compacted) {
          await writer.upsert([{ ...documents[0]!, meaning: documents[0]!['meaning'] as Float32Array }]);
          await writer.compact();
          await reader.refresh();
        }
        const near = vector();
        const expected = documents
          .filter((document) => meaning(document) && document['kind'] === 'odd')
          .map((document) => ({ id: document.id, score: (1 + cosine(near, meaning(document)!)) / 2 }))
          .sort((a, b) => b.score - a.score)
          .slice(0, 10);
        const { hits } = await reader.search({ vector: { near, ratio: 1 }, filter: { eq: ['kind', 'odd'] }, limit: 10 });
        expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
        hits.forEach(({ score }, index) => {
          expect(score).toBeCloseTo(expected[index]!.score, 4);
        });
      }
    });
  });
}

test('similar documents are the neighbours of a document without itself', async () => {
  await withIndex(schemaWith(false), documents, async ({ reader }) => {
    const { hits } = await reader.search({ likeId: 'v4', limit: 5 });
    const own = meaning(documents[4]!)!;
    const expected = documents
      .filter((document) => meaning(document) && document.id !== 'v4')
      .sort((a, b) => cosine(own, meaning(b)!) - cosine(own, meaning(a)!))
      .slice(0, 5);
    expect(hits.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    await expect(reader.search({ likeId: 'missing' })).rejects.toMatchObject({ code: 'bad_query' });
    await expect(reader.search({ likeId: 'v9' })).rejects.toMatchObject({ code: 'bad_query' });
  });
});

test('a ratio mixes the word score with the vector score', async () => {
  await withIndex(schemaWith(false), documents, async ({ reader }) => {
    const near = vector();
    const words = await reader.search({ text: 'boat', limit: 1000 });
    const { hits, total } = await reader.search({ text: 'boat', vector: { near, ratio: 0.25 }, limit: 20 });
    const scores = new Map(words.hits.map(({ id, score }) => [id, score]));
    for (const { id, score } of hits) {
      const own = meaning(documents.find((document) => document.id === id)!);
      const expected = 0.75 * (scores.get(id) ?? 0) + 0.25 * (own ? (1 + cosine(near, own)) / 2 : 0);
      expect(score).toBeCloseTo(expected, 4);
    }
    expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).sort((a, b) => b - a));
    expect(total).toBeGreaterThan(words.total);
    const onlyWords = await reader.search({ text: 'boat', vector: { near, ratio: 0 }, limit: 1000 });
    expect(onlyWords.hits).toEqual(words.hits);
  });
});

test.each([
  ['whole vectors', false, {}],
  ['quantised vectors', true, {}],
  ['whole vectors, compared by two threads', false, { divideFrom: 0 }],
  ['quantised vectors, compared by two threads', true, { divideFrom: 0 }],
] as [string, boolean, ReaderOptions][])('pages of equally near documents are in order of their ids (%s)', async (_, quantise, options) => {
  await inDirectory(async (directory) => {
    const schema = schemaWith(quantise);
    await createIndex(directory, schema);
    const writer = await openWriter(directory, schema);
    const same = vector();
    const ids: string[] = [];
    // The first segment has the later ids, and each has more documents than a page of neighbours.
    for (const letter of ['b', 'a']) {
      const own = Array.from({ length: 150 }, (_, index) => `${letter}${String(index).padStart(3, '0')}`);
      await writer.upsert([...own.map((id) => ({ id, meaning: same })), { id: `${letter}-far`, meaning: same.map((each) => -each) }]);
      await writer.commit();
      ids.unshift(...own);
    }
    const reader = await openReader(directory, options);
    const pagesOf = async (query: Query) => {
      const found: string[] = [];
      for (let offset = 0; offset < 300; offset += 20) {
        const { hits } = await reader.search({ ...query, offset, limit: 20 });
        found.push(...hits.map(({ id }) => id));
      }
      return found;
    };
    expect(await pagesOf({ vector: { near: same, ratio: 1 } })).toEqual(ids);
    expect((await pagesOf({ likeId: 'a007' })).slice(0, 299)).toEqual(ids.filter((id) => id !== 'a007'));
    await reader.close();
    await writer.close();
  });
});
