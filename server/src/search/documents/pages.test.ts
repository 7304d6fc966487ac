import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import type { Db } from '../../platform/database/index.ts';
import { documentsAfter } from './index.ts';

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
