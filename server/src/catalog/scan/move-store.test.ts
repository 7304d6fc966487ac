import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { cloneDatabase } from '../../../test/database.ts';
import { until } from '../../../test/service.ts';
import type { Database, Db } from '../../platform/database/index.ts';
import { mergeMoved } from './move-store.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

test('a missing file that returns while another one is about to continue it keeps its item', async () => {
  const { db } = database;
  const library = await addLibrary({ db });
  const from = await addItem({ db }, library, 'old.txt', { status: 'missing', deleted_at: new Date(), tags: ['mine'] });
  const to = await addItem({ db }, library, 'new.txt');
  let merging: ReturnType<typeof mergeMoved> | undefined;
  await db.transaction().execute(async (transaction) => {
    await sql`update items set status = 'active', deleted_at = null where id = ${from}`.execute(transaction);
    merging = mergeMoved(db, [{ from, to }]);
    await until(async () => {
      const { rows } = await sql`select from pg_locks l where not l.granted and l.pid <> pg_backend_pid()
        and l.pid in (select pid from pg_stat_activity where datname = current_database())`.execute(transaction as Db);
      return rows.length > 0;
    }, 'the merge waits for the item');
  });
  expect(await merging).toEqual([]);
  const { rows } = await sql<{ id: string; rel_path: string }>`select id, rel_path from items order by rel_path`.execute(db);
  expect(rows).toEqual([
    { id: to, rel_path: 'new.txt' },
    { id: from, rel_path: 'old.txt' },
  ]);
});

test('a file that a scan did not find may be continued before it is marked as missing, unless it was put aside', async () => {
  const { db } = database;
  const library = await addLibrary({ db });
  const from = await addItem({ db }, library, 'gone.txt', { tags: ['mine'] });
  const trashed = await addItem({ db }, library, 'trashed.txt', { status: 'trashed', deleted_at: new Date() });
  const [to, other] = [await addItem({ db }, library, 'here.txt'), await addItem({ db }, library, 'there.txt')];
  const merged = await mergeMoved(db, [
    { from, to, notFound: true },
    { from: trashed, to: other, notFound: true },
  ]);
  expect(merged).toMatchObject([{ from_id: from, to_id: to, rel_path: 'here.txt' }]);
});
