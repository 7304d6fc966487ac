import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { settleDuplicates } from './index.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('groups are looked up even when the planner would rather read all files, as after a first scan', async () => {
  const library = await addLibrary(t.deps, { name: 'First scan' });
  const first = await addItem(t.deps, library, 'first.txt');
  const files = 20_000;
  await sql`insert into items (library_id, folder_id, filename, extension, file_category, file_group, status, size, mtime_ns, content_hash)
    select library_id, folder_id, n || '.txt', 'txt', 'document', 'text', 'active', 1, 1, md5((n / 2)::text) || md5(n / 2 || 'b')
    from items, generate_series(1, ${files}::int) n where id = ${first}`.execute(t.deps.db);
  const read = await t.deps.db.connection().execute(async (connection) => {
    const rowsRead = async (): Promise<number> => {
      await sql`select pg_stat_force_next_flush()`.execute(connection);
      const { rows } = await sql<{ n: number }>`select seq_tup_read::int as n from pg_stat_user_tables where relname = 'item_rows'`.execute(
        connection,
      );
      return rows[0]!.n;
    };
    await sql`set random_page_cost = 1000`.execute(connection);
    const before = await rowsRead();
    expect(await settleDuplicates(connection as never, { batches: 1 })).toBe(5000);
    await sql`reset random_page_cost`.execute(connection);
    return (await rowsRead()) - before;
  });
  expect(read).toBe(0);
  while ((await settleDuplicates(t.deps.db, { batches: 1 })) > 0);
  const { rows } = await sql<{ groups: number }>`select count(*)::int as groups from duplicate_groups`.execute(t.deps.db);
  expect(rows[0]?.groups).toBe(files / 2 - 1);
});
