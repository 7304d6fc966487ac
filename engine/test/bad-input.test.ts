import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIndex, openReader, openWriter } from '../src/index.ts';
import type { Document, Filter, IndexReader, IndexWriter, Query, Schema } from '../src/types.ts';
import { inDirectory, smallSchema, withIndex } from './temporary-index.ts';

const good: Document = { id: 'good', name: 'Quarterly report', kind: 'a', size: 1 };

/** One index shared by all cases of a group; none of them may change it. */
function sharedIndex(documents: readonly Document[]): () => { writer: IndexWriter; reader: IndexReader } {
  let opened: { writer: IndexWriter; reader: IndexReader };
  let parent = '';
  beforeAll(async () => {
    parent = await mkdtemp(join(tmpdir(), 'engine-bad-'));
    const directory = join(parent, 'index');
    await createIndex(directory, smallSchema);
    const writer = await openWriter(directory, smallSchema);
    await writer.upsert(documents);
    await writer.commit();
    opened = { writer, reader: await openReader(directory) };
  });
  afterAll(async () => {
    await opened.reader.close();
    await opened.writer.close();
    await rm(parent, { recursive: true, force: true });
  });
  return () => opened;
}

describe('a bad document is refused with its whole batch', () => {
  const bad: [string, unknown][] = [
    ['not an object', 7],
    ['no id', { name: 'x' }],
    ['an empty id', { id: '' }],
    ['an id of 129 code units', { id: 'x'.repeat(129) }],
    ['a lone surrogate in the id', { id: '\ud800' }],
    ['a number as name', { id: 'b', name: 5 }],
    ['a list with a number as body', { id: 'b', body: ['x', 5] }],
    ['a list for a single value', { id: 'b', kind: ['x'] }],
    ['a string as size', { id: 'b', size: '5' }],
    ['NaN as size', { id: 'b', size: Number.NaN }],
    ['an infinite size', { id: 'b', size: Number.POSITIVE_INFINITY }],
    ['a place off the globe', { id: 'b', place: { lat: 91, lng: 0 } }],
    ['half a place', { id: 'b', place: { lat: 1 } }],
    ['an unknown field', { id: 'b', colour: 'red' }],
    ['a long fingerprint', { id: 'b', fingerprint: 'x'.repeat(17) }],
    ['a keyword of 9,000 characters', { id: 'b', kind: 'x'.repeat(9000) }],
    ['a function', { id: 'b', name: () => 'x' }],
  ];
  const open = sharedIndex([]);
  test.each(bad)('%s', async (_, document) => {
    const { writer, reader } = open();
    await expect(writer.upsert([good, document as Document])).rejects.toMatchObject({ code: 'bad_document' });
    await writer.commit();
    await reader.refresh();
    expect((await reader.search({})).total).toBe(0);
  });
  test('a valid document is accepted afterwards', async () => {
    const { writer, reader } = open();
    await writer.upsert([good]);
    await writer.commit();
    await reader.refresh();
    expect((await reader.search({})).total).toBe(1);
  });
});

test('unusual text is indexed without errors: NUL, lone surrogates, a word of a megabyte, 70,000 words, ten thousand values', async () => {
  const documents: Document[] = [
    { id: '1', name: 'nul\0byte', body: 'lone \ud800 half' },
    { id: '2', name: 'x'.repeat(1 << 20) },
    { id: '3', body: `${'word '.repeat(70_000)}beyond` },
    { id: '4', tags: Array.from({ length: 10_000 }, (_, index) => `t${index}`), where: 'a\ud800/b' },
    { id: '5', name: [], body: '', kind: null, size: null },
  ];
  await withIndex(smallSchema, documents, async ({ reader, writer }) => {
    const found = async (query: Query) => (await reader.search({ prefix: false, ...query })).hits.map(({ id }) => id);
    for (const compacted of [false, true]) {
      if (compacted) {
        await writer.upsert([{ id: '6' }]);
        await writer.compact();
        await reader.refresh();
      }
      expect(await found({ text: 'nul byte' })).toEqual(['1']);
      expect(await found({ text: 'lone half' })).toEqual(['1']);
      expect(await found({ text: 'x'.repeat(64) })).toEqual(['2']);
      expect(await found({ text: 'x'.repeat(1000) })).toEqual(['2']);
      expect(await found({ text: 'word' })).toEqual(['3']);
      expect(await found({ text: 'beyond' })).toEqual([]);
      expect(await found({ filter: { eq: ['tags', 't9999'] } })).toEqual(['4']);
      expect(await found({ filter: { scope: ['a\ud800'] } })).toEqual(['4']);
      expect((await reader.search({ facets: ['tags'] })).facets['tags']).toHaveLength(100);
    }
  });
});

describe('a bad query is refused and the reader keeps working', () => {
  const nested = (depth: number): Filter => (depth === 0 ? { eq: ['kind', 'a'] } : { not: nested(depth - 1) });
  const bad: [string, unknown][] = [
    ['not an object', 'report'],
    ['text that is not a string', { text: 5 }],
    ['a million characters', { text: 'x'.repeat(1_000_000) }],
    ['a filter nested 1,000 deep', { filter: nested(1000) }],
    ['a filter of two keys', { filter: { eq: ['kind', 'a'], exists: 'kind' } }],
    ['an unknown filter', { filter: { like: ['kind', 'a'] } }],
    ['a range with NaN', { filter: { range: ['size', { gte: Number.NaN }] } }],
    ['a range of a keyword', { filter: { range: ['kind', { gte: 1 }] } }],
    ['an unknown field in a filter', { filter: { eq: ['colour', 'red'] } }],
    ['an unknown text field', { text: 'x', fields: ['colour'] }],
    ['an unknown facet', { facets: ['size'] }],
    ['unknown stats', { stats: ['kind'] }],
    ['sums of a field that is not a number', { stats: ['size'], sums: ['kind'] }],
    ['an unknown sort', { sort: [{ field: 'kind', order: 'asc' }] }],
    ['an unknown order', { sort: [{ field: 'size', order: 'up' }] }],
    ['nine sort keys', { sort: Array.from({ length: 9 }, () => ({ field: 'size', order: 'asc' })) }],
    ['a negative offset', { offset: -1 }],
    ['half a limit', { limit: 0.5 }],
    ['a limit of a million', { limit: 1_000_000 }],
    ['a cursor of another query', { after: 'AAAA' }],
    ['descending bounds', { histograms: [{ field: 'size', bounds: [2, 1] }] }],
    ['a radius of NaN', { filter: { geoRadius: { lat: 0, lng: 0, metres: Number.NaN } } }],
    ['vectors in an index without vectors', { vector: { near: new Float32Array(3), ratio: 0.5 } }],
    ['a function', { text: 'x', facets: [() => 'kind'] }],
  ];
  const open = sharedIndex([good]);
  test.each(bad)('%s', async (_, query) => {
    const { reader } = open();
    await expect(reader.search(query as Query)).rejects.toMatchObject({ code: 'bad_query' });
    expect((await reader.search({ text: 'report' })).total).toBe(1);
  });
});

test('a query of 10,000 words considers the first ten', async () => {
  await withIndex(smallSchema, [good], async ({ reader }) => {
    const text = Array.from({ length: 10_000 }, (_, index) => (index < 10 ? 'report' : 'missing')).join(' ');
    expect((await reader.search({ text })).total).toBe(1);
  });
});

test('documents whose phrases were not checked before the deadline do not match', async () => {
  await withIndex(smallSchema, [{ id: 'a', name: 'annual report' }], async ({ reader }) => {
    expect(await reader.search({ text: '"annual report"', deadlineMs: 0 })).toMatchObject({ total: 0, hits: [], degraded: true });
    expect(await reader.search({ text: '"annual report"' })).toMatchObject({ total: 1, degraded: false });
  });
});

test('a passed deadline marks the result as degraded', async () => {
  await withIndex(smallSchema, [good], async ({ reader }) => {
    expect((await reader.search({ text: 'report', deadlineMs: 0 })).degraded).toBe(true);
    expect((await reader.search({ text: 'report' })).degraded).toBe(false);
  });
});

describe('a bad schema is refused', () => {
  const bad: [string, Partial<Schema>][] = [
    ['no version', { version: Number.NaN }],
    ['a name twice', { number: ['size', 'size'] }],
    ['a number that is also text', { number: ['name'] }],
    ['a field called id', { number: ['id'] }],
    ['an empty name', { number: [''] }],
    ['seventeen text fields', { text: Array.from({ length: 17 }, (_, index) => ({ name: `t${index}` })) }],
    ['a vector of dimension 0', { vector: { name: 'v', dimension: 0 } }],
  ];
  test.each(bad)('%s', async (_, change) => {
    await inDirectory(async (directory) => {
      await expect(createIndex(directory, { ...smallSchema, ...change })).rejects.toMatchObject({ code: 'bad_schema' });
    });
  });
});

test('a missing index and a different schema are reported as such', async () => {
  await inDirectory(async (directory) => {
    await expect(openReader(directory)).rejects.toMatchObject({ code: 'no_index' });
    await expect(openWriter(directory, smallSchema)).rejects.toMatchObject({ code: 'no_index' });
    await createIndex(directory, smallSchema);
    await expect(createIndex(directory, smallSchema)).rejects.toMatchObject({ code: 'foreign_format' });
    await expect(openWriter(directory, { ...smallSchema, version: 2 })).rejects.toMatchObject({ code: 'schema_mismatch' });
  });
});

test('calls on a closed writer or reader fail with "closed"', async () => {
  await inDirectory(async (directory) => {
    await createIndex(directory, smallSchema);
    const writer = await openWriter(directory, smallSchema);
    const reader = await openReader(directory);
    await writer.close();
    await reader.close();
    await expect(writer.commit()).rejects.toMatchObject({ code: 'closed' });
    await expect(reader.search({})).rejects.toMatchObject({ code: 'closed' });
    await writer.close();
  });
});
