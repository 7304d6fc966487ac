import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { settingsForTests } from '../../settings/index.ts';
import { scanChecks } from '../scan/checks.ts';
import { itemChecks } from './checks.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const complaints = async () => {
  const all = [];
  for (const { name, run } of [...itemChecks, ...scanChecks])
    for (const sentence of await run({ db: database.db, database, settings: settingsForTests() })) all.push(`${name}: ${sentence}`);
  return all;
};

test('a consistent catalog passes, and each broken invariant is reported', async () => {
  const { db } = database;
  const library = await addLibrary({ db });
  const ids = [
    await addItem({ db }, library, 'a.jpg'),
    await addItem({ db }, library, 'b/c.jpg', { status: 'missing', deleted_at: new Date() }),
  ];
  await sql`insert into scan_runs (library_id, status, finished_at) values (${library}, 'finished', now()), (${library}, 'running', null)`.execute(
    db,
  );
  expect(await complaints()).toEqual([]);

  const elsewhere = await addItem({ db }, await addLibrary({ db }, { name: 'Elsewhere' }), 'x.jpg');
  await sql`update items set folder_id = (select folder_id from items where id = ${elsewhere}), file_group = 'nowhere' where id = ${ids[0]!}`.execute(
    db,
  );
  await sql`update items set deleted_at = null where id = ${ids[1]!}`.execute(db);
  await sql`insert into scan_runs (library_id, status, finished_at) values (${library}, 'stopping', now())`.execute(db);
  const told = await complaints();
  expect(told.map((text) => text.split(':')[0])).toEqual([
    'every item is in a folder of its library',
    'missing and trashed items have a deletion time, active items have none',
    'items are classified as the taxonomy says',
    'a library has at most one open scan',
    'a scan has an end time exactly when it has ended',
  ]);
});
