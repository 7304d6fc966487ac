import { type KyselyPlugin, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import type { Db } from '../../platform/database/index.ts';
import { allDocuments, divideByText, documentsAfter, expectedFingerprints } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('a page of a rebuild reads only its own rows', async () => {
  const library = await addLibrary(t.deps);
  await addItem(t.deps, library, 'a/first.txt');
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns)
    select i.library_id, i.folder_id, n::text, 1, 0 from items i, generate_series(1, 20000) n`.execute(t.deps.db);
  await t.deps.db.transaction().execute(async (transaction) => {
    const page = await documentsAfter(transaction as Db, null, 100);
    // Rows of the table that this transaction has read.
    const { rows } = await sql<{
      rows: number;
    }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows from pg_stat_xact_user_tables where relname = 'item_rows'`.execute(
      transaction,
    );
    expect(page).toHaveLength(100);
    expect(rows[0]!.rows).toBeLessThan(1000);
  });
}, 120_000);

test('documents with long texts are read in several pages, each once and in order', async () => {
  const library = await addLibrary(t.deps, { name: 'Books' });
  const book = await addItem(t.deps, library, 'b/book.txt');
  await sql`delete from items where library_id <> ${library}`.execute(t.deps.db);
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns, body_text)
    select i.library_id, i.folder_id, n::text, 1, 0, repeat('x', 25000000) from items i, generate_series(1, 5) n where i.id = ${book}`.execute(
    t.deps.db,
  );
  const ids = (await sql<{ id: string }>`select id from items order by id`.execute(t.deps.db)).rows.map(({ id }) => id);
  const pages: string[][] = [];
  for await (const page of allDocuments(t.deps.db, 100)) pages.push(page.map(({ id }) => id));
  expect(pages).toHaveLength(3);
  expect(pages.flat()).toEqual(ids);
  const gone = '00000000-0000-4000-8000-000000000000';
  const parts = await divideByText(t.deps.db, [...ids, gone]);
  expect(parts).toHaveLength(3);
  expect(parts.flat()).toEqual([...ids, gone]);
}, 120_000);

test('a page whose files are deleted while it is read is not the end of the list', async () => {
  const library = await addLibrary(t.deps, { name: 'Drafts' });
  const drafts = [await addItem(t.deps, library, 'one.txt'), await addItem(t.deps, library, 'two.txt')].sort();
  await sql`delete from items where library_id <> ${library}`.execute(t.deps.db);
  let deleted = false;
  const deleting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!deleted && result.rows.some((row) => 'bytes' in row)) {
        deleted = true;
        await sql`delete from items where id = ${drafts[0]}`.execute(t.deps.db);
      }
      return result;
    },
  };
  const pages: string[][] = [];
  for await (const page of allDocuments(t.deps.db.withPlugin(deleting), 1)) pages.push(page.map(({ id }) => id));
  expect(pages).toEqual([[drafts[1]]]);
});

test('comparing the index with the database reads no text', async () => {
  const library = await addLibrary(t.deps, { name: 'Letters' });
  const letter = await addItem(t.deps, library, 'letter.txt');
  await sql`update items set body_text = (select string_agg(md5(n::text), ' ') from generate_series(1, 10000) n) where id = ${letter}`.execute(
    t.deps.db,
  );
  await t.deps.db.transaction().execute(async (transaction) => {
    const textReads = async (): Promise<number> => {
      const { rows } = await sql<{ scans: number }>`select coalesce(idx_scan, 0)::int as scans from pg_stat_xact_all_tables
        where relid = (select reltoastrelid from pg_class where relname = 'item_rows')`.execute(transaction);
      return rows[0]!.scans;
    };
    // Counts of the transaction before are included until they are reported.
    const before = await textReads();
    const found = await expectedFingerprints(transaction as Db, null, 100, null);
    expect(found.map(({ id }) => id)).toContain(letter);
    expect((await textReads()) - before).toBe(0);
  });
});
