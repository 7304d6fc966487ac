import { rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, scan, statuses, tree, write } from './library.fixture.ts';
import { findItemsBetween, findItemsIn } from './store.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

test('of the files that came and went, a scan reads only those whose names are there again', async () => {
  const { db } = database;
  const root = tree(Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`spool/${n}.msg`, `message ${n}`])));
  const library = await addLibrary(db, root);
  await scan(db, library);
  for (let n = 0; n < 39; n += 1) rmSync(path.join(root, `spool/${n}.msg`));
  await scan(db, library);
  const { rows } = await sql<{ id: number }>`select id from folders where library_id = ${library} and rel_path = 'spool'`.execute(db);
  const folder = rows[0]!.id;
  const namesOf = (items: readonly { filename: string }[]): string[] => items.map(({ filename }) => filename).sort();
  const names = ['3.msg', 'new.msg'];
  expect(namesOf(await findItemsIn(db, [folder], names))).toEqual(['3.msg', '39.msg']);
  expect(namesOf(await findItemsBetween(db, folder, { first: '3', next: '39.msg', names }))).toEqual(['3.msg']);
  write(root, { 'spool/3.msg': 'message 3', 'spool/new.msg': 'another' });
  expect((await scan(db, library)).stats).toMatchObject({ new: 1, returned: 1, missing: 0 });
  expect((await statuses(db, library))['spool/3.msg']).toBe('active');
});
