import { copyFileSync, mkdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { createInlineHasher, type HashFileSystem, systemHashFileSystem } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, statuses, tree, write } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const many = (folder: string, count: number): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`${folder}/f${String(n).padStart(3, '0')}.txt`, `${folder} ${n}`]));
const tag = (id: string, ...tags: string[]) => sql`update items set tags = ${tags} where id = ${id}`.execute(database.db);
const ids = async (library: string, from: string, to: string) =>
  Object.fromEntries(Object.values(await items(database.db, library)).map((item) => [item.rel_path.replace(from, to), item.id]));

test('a renamed tree keeps every identity without reading a file and without a statement per file', async () => {
  const { db } = database;
  const root = tree({ ...many('old/a', 120), ...many('old/a/b', 80), 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await ids(library, 'old/', 'new/');
  renameSync(path.join(root, 'old'), path.join(root, 'new'));
  const opened: string[] = [];
  const files: HashFileSystem = {
    ...systemHashFileSystem,
    open(file) {
      opened.push(file);
      return systemHashFileSystem.open(file);
    },
  };
  const run = await scan(db, library, { deps: { createHasher: () => createInlineHasher(files) } });
  expect(run.stats).toMatchObject({ moved: 200, new: 0, missing: 0, seen: 201 });
  expect(opened).toEqual([]);
  expect(await ids(library, '', '')).toEqual(before);
  const folders = await sql`select rel_path from folders where library_id = ${library} order by 1`.execute(db);
  expect(folders.rows).toEqual([{ rel_path: '' }, { rel_path: 'new' }, { rel_path: 'new/a' }, { rel_path: 'new/a/b' }]);
  expect((await scan(db, library)).stats).toMatchObject({ moved: 0, new: 0, changed: 0, missing: 0, seen: 201 });
});

test('a reader never sees an old and a new path active at once', async () => {
  const { db } = database;
  const root = tree({ ...many('old', 60), 'one.txt': 'renamed alone', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  renameSync(path.join(root, 'old'), path.join(root, 'new'));
  renameSync(path.join(root, 'one.txt'), path.join(root, 'two.txt'));
  await sql`create table active_seen (files bigint, old_files bigint, new_files bigint)`.execute(db);
  await sql`create function note_active() returns trigger language plpgsql as $$ begin
    insert into active_seen select count(*), count(*) filter (where rel_path like 'old/%'), count(*) filter (where rel_path like 'new/%')
    from items where status = 'active' and library_id = (select library_id from new_rows limit 1) having exists (select from new_rows);
    return null; end $$`.execute(db);
  const triggers = [
    ['seen_insert', 'insert', 'item_rows'],
    ['seen_update', 'update', 'item_rows'],
    ['seen_rename', 'update', 'folders'],
  ] as const;
  for (const [name, event, table] of triggers)
    await sql`create trigger ${sql.ref(name)} after ${sql.raw(event)} on ${sql.table(table)} referencing new table as new_rows for each statement execute function note_active()`.execute(
      db,
    );
  expect((await scan(db, library, { options: { batchSize: 7 } })).stats).toMatchObject({ moved: 61, new: 0, missing: 0 });
  const { rows } = await sql<{ files: number; old_files: number; new_files: number }>`select * from active_seen`.execute(db);
  for (const [name, , table] of triggers) await sql`drop trigger ${sql.ref(name)} on ${sql.table(table)}`.execute(db);
  expect(rows.length).toBeGreaterThan(0);
  for (const row of rows) {
    expect(row.files).toBe(62);
    // The folder flips in one step.
    expect([0, 60]).toContain(row.new_files);
  }
});

test('files added to, removed from and changed in a renamed folder are told apart from moved ones', async () => {
  const { db } = database;
  const root = tree({ 'old/same.txt': 'same', 'old/edited.txt': 'before', 'old/gone.txt': 'gone', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  renameSync(path.join(root, 'old'), path.join(root, 'new'));
  rmSync(path.join(root, 'new/gone.txt'));
  write(root, { 'new/edited.txt': 'edited after', 'new/added.txt': 'added' });
  await scan(db, library);
  expect(await statuses(db, library)).toMatchObject({ 'new/same.txt': 'active', 'new/added.txt': 'active', 'old/gone.txt': 'missing' });
  expect((await items(db, library))['new/same.txt']!.id).toBe(before['old/same.txt']!.id);
});

test('a folder moved to another library keeps its identities, also when the target is scanned before its source', async () => {
  const { db } = database;
  const base = tree({ 'left/trip/1.txt': 'one', 'left/trip/2.txt': 'two', 'left/stay.txt': 'x', 'right/here.txt': 'y' });
  const left = await addLibrary(db, path.join(base, 'left'));
  const right = await addLibrary(db, path.join(base, 'right'));
  await scan(db, left);
  await scan(db, right);
  const { id } = (await items(db, left))['trip/1.txt']!;
  await tag(id, 'kept');
  renameSync(path.join(base, 'left/trip'), path.join(base, 'right/trip'));
  expect((await scan(db, right)).stats).toMatchObject({ moved: 2, cross_moved: 2, new: 0 });
  expect((await scan(db, left)).stats).toMatchObject({ missing: 0 });
  expect((await items(db, right))['trip/1.txt']).toMatchObject({ id, tags: ['kept'], status: 'active' });
});

test('a hard link, and a copy with the same time, do not take the identity of a file that is still there', async () => {
  const { db } = database;
  const root = tree({ 'a/one.txt': 'bytes of one', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const { id } = (await items(db, library))['a/one.txt']!;
  mkdirSync(path.join(root, 'b'));
  copyFileSync(path.join(root, 'a/one.txt'), path.join(root, 'b/one.txt'));
  const { atime, mtime } = statSync(path.join(root, 'a/one.txt'));
  utimesSync(path.join(root, 'b/one.txt'), atime, mtime);
  expect((await scan(db, library)).stats).toMatchObject({ moved: 0, new: 1 });
  expect((await items(db, library))['a/one.txt']!.id).toBe(id);
});
