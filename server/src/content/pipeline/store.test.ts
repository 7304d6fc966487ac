import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addPending, claimPending, countPending, releaseClaims, removePending, writeExtractionResult } from './store.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const job = '01a1dd25-f4f0-73a1-bb93-7c6aea54485d';
const result = {
  metadata: { pages: 2 },
  title: 'Old',
  year: null,
  archive_members: null,
  thumb_key: null,
  extracted_key: 'key',
  body_text: 'old',
};

async function claimed(fields: Parameters<typeof addItem>[3] = {}) {
  const { db } = database;
  const library = await addLibrary({ db });
  const id = await addItem({ db }, library, 'a.txt', { content_hash: 'a'.repeat(64), quick_hash: 'a'.repeat(16), ...fields });
  await addPending(db, library, [id]);
  const [item] = await claimPending(db, job, library, 1);
  return { library, id, item: item! };
}
const textOf = async (id: string) =>
  (await sql<{ body_text: string | null }>`select body_text from items where id = ${id}`.execute(database.db)).rows[0]!.body_text;

test('a fact that looks like an escape sequence of JSON is stored as it is', async () => {
  const { db } = database;
  const { library, id, item } = await claimed();
  await writeExtractionResult(db, item, { ...result, metadata: { title: 'What \\u0000 means', note: 'a\0b\ud83d' } });
  const { rows } = await sql<{ metadata: object }>`select metadata from items where id = ${id}`.execute(db);
  expect(rows[0]?.metadata).toEqual({ title: 'What \\u0000 means', note: 'a\ufffdb\ufffd' });
  expect(await countPending(db, library)).toBe(0);
});

test('names of facts and titles that cannot be stored as they are do not stop the file from being read', async () => {
  const { db } = database;
  const { library, id, item } = await claimed();
  const metadata = { tags: { 'a\0b': 1, 'cut \ud83d': [{ '\udc00': 'x' }] } };
  await writeExtractionResult(db, item, { ...result, title: 'half\0way', metadata });
  const { rows } = await sql<{ metadata: object; title: string }>`select metadata, title from items where id = ${id}`.execute(db);
  expect(rows[0]).toEqual({ title: 'half way', metadata: { tags: { 'a\ufffdb': 1, 'cut \ufffd': [{ '\ufffd': 'x' }] } } });
  expect(await countPending(db, library)).toBe(0);
});

test.each([
  ['is replaced by a symbolic link', sql`symlink_target = 'elsewhere'`],
  ['changes', sql`mtime_ns = mtime_ns + 1`],
  ['grows', sql`size = size + 1`],
  ['is found to have other bytes', sql`content_hash = ${'b'.repeat(64)}`],
])('what was read from a file that %s meanwhile is dropped, and the file stays queued', async (_how, change) => {
  const { db } = database;
  const { library, id, item } = await claimed();
  await sql`update items set ${change} where id = ${id}`.execute(db);
  await writeExtractionResult(db, item, result);
  expect(await textOf(id)).toBeNull();
  const { rows } = await sql`select from item_history where item_id = ${id}`.execute(db);
  expect(rows).toEqual([]);
  await removePending(db, item);
  expect(await countPending(db, library)).toBe(1);
  await releaseClaims(db, job);
  const [again] = await claimPending(db, job, library, 1);
  await removePending(db, again!);
  expect(await countPending(db, library)).toBe(0);
});

test.each([
  ['gets a sidecar', {}, { nfo_title: 'Sun' }],
  ['gets another sidecar', { nfo_title: 'Sun' }, { jr_name: 'Moon' }],
  ['loses its sidecar', { nfo_title: 'Sun' }, {}],
])('what was read from a file that %s meanwhile is dropped, and the file stays queued', async (_how, before, after) => {
  const { db } = database;
  const { library, id, item } = await claimed({ metadata: before });
  await sql`update items set metadata = ${JSON.stringify(after)}::jsonb where id = ${id}`.execute(db);
  await writeExtractionResult(db, item, result);
  expect(await textOf(id)).toBeNull();
  expect(await countPending(db, library)).toBe(1);
  await releaseClaims(db, job);
  const [again] = await claimPending(db, job, library, 1);
  await writeExtractionResult(db, again!, result);
  expect(await textOf(id)).toBe('old');
  expect(await countPending(db, library)).toBe(0);
});

test('unusual values of an unchanged sidecar do not keep a file queued', async () => {
  const { db } = database;
  const metadata = { nfo_plot: 'C:\\u0000', nfo_rating: 7.3, nfo_votes: 1e21, nfo_genre: ['a', { b: null }], width: 3 };
  const { library, id, item } = await claimed({ metadata });
  await sql`update items set metadata = metadata || '{"width": 4}' where id = ${id}`.execute(db);
  await writeExtractionResult(db, item, result);
  expect(await textOf(id)).toBe('old');
  expect(await countPending(db, library)).toBe(0);
});

test('what was read from an unchanged file is kept, also when its hash was added meanwhile', async () => {
  const { db } = database;
  for (const fields of [{}, { content_hash: null }]) {
    const { library, id, item } = await claimed(fields);
    await sql`update items set content_hash = ${'a'.repeat(64)} where id = ${id}`.execute(db);
    await writeExtractionResult(db, item, result);
    expect(await textOf(id)).toBe('old');
    expect(await countPending(db, library)).toBe(0);
  }
});
