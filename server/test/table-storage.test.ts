import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseForTest } from './database.ts';

test('the fingerprints that a scan writes into folders are updated in place', async () => {
  const { db } = await databaseForTest();
  await sql`insert into libraries (name, root_path) values ('L', '/l')`.execute(db);
  await sql`insert into folders (library_id, rel_path, path, inode)
    select l.id, 'folder ' || n, 'x', n from libraries l, generate_series(1, 2000) n`.execute(db);
  const hot = await db.transaction().execute(async (trx) => {
    await sql`update folders set fingerprint = md5(rel_path), inode = inode, seen = 100 where id % 10 = 0`.execute(trx);
    const { rows } = await sql<{
      share: number;
    }>`select n_tup_hot_upd::float8 / n_tup_upd as share from pg_stat_xact_user_tables where relname = 'folders'`.execute(trx);
    return rows[0]!.share;
  });
  expect(hot).toBeGreaterThan(0.95);
});

test('tables that grow with the catalog are vacuumed long before a fifth of them has changed', async () => {
  const { db } = await databaseForTest();
  const grown = ['item_rows', 'folders', 'folder_totals', 'jobs', 'index_outbox', 'passage_outbox', 'extract_pending', 'embed_pending'];
  const { rows } = await sql<{ name: string; factor: number }>`select c.relname as name, o.option_value::float8 as factor
    from pg_class c cross join pg_options_to_table(c.reloptions) o
    where c.relnamespace = 'public'::regnamespace and o.option_name = 'autovacuum_vacuum_scale_factor'`.execute(db);
  const factors = new Map(rows.map(({ name, factor }) => [name, factor]));
  expect(grown.filter((name) => !((factors.get(name) ?? 0.2) <= 0.02))).toEqual([]);
});
