import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database, Db } from '../../platform/database/index.ts';
import { firstItem, pageContentChanges, pageRenamed } from './run-store.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const nobody = '01a1dcfe-9952-7896-a4ba-953f2deb22a4';

test.each([
  ['contents', (db: Db) => pageContentChanges(db, nobody, { id: nobody, initial: false }, firstItem, 10)],
  ['renamed files', (db: Db) => pageRenamed(db, nobody, firstItem, 10)],
])('a page of %s is read through the index, not by sorting all rows that are left', async (_what, read) => {
  await database.db.transaction().execute(async (transaction) => {
    await read(transaction as Db);
    const { rows } = await sql<{ enable_sort: string }>`show enable_sort`.execute(transaction);
    expect(rows).toEqual([{ enable_sort: 'off' }]);
  });
});
