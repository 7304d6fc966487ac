import { chmodSync, cpSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { entryFieldCount, type WalkOptions } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { checkFolderTotals } from '../counts/index.ts';
import { addLibrary, inline, items, scan, statuses, tree, write } from './library.fixture.ts';
import { settleFolderMoves, settleSome } from './settle-folder-moves.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const folderIds = async (library: string): Promise<Record<string, number>> => {
  const { rows } = await sql<{ id: number; rel_path: string }>`select id, rel_path from folders where library_id = ${library}`.execute(
    database.db,
  );
  return Object.fromEntries(rows.map(({ id, rel_path }) => [rel_path, id]));
};
const rename = (root: string, from: string, to: string): void => renameSync(path.join(root, from), path.join(root, to));
const classes = async (library: string): Promise<Record<string, number | null>> => {
  const { rows } = await sql<{ rel_path: string; access_class: number | null }>`select rel_path, access_class from items
    where library_id = ${library}`.execute(database.db);
  return Object.fromEntries(rows.map(({ rel_path, access_class }) => [rel_path, access_class]));
};

test('an unchanged folder that was renamed keeps its row, and change log, index and totals see every file move', async () => {
  const { db } = database;
  const root = tree({ 'old/a/1.txt': '1', 'old/a/2.txt': '22', 'old/3.txt': '333', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const [before, files] = [await folderIds(library), await items(db, library)];
  await sql`delete from index_outbox`.execute(db);
  const versions = async () => (await sql`select id, xmin::text from item_rows where library_id = ${library} order by id`.execute(db)).rows;
  const unwritten = await versions();
  rename(root, 'old', 'new');
  const run = await scan(db, library);
  expect(run.stats).toMatchObject({ moved: 3, new: 0, missing: 0, seen: 4, folders: 3, folders_unchanged: 2 });
  expect(await folderIds(library)).toEqual({ '': before[''], new: before['old'], 'new/a': before['old/a'] });
  expect(Object.keys(await items(db, library)).sort()).toEqual(['new/3.txt', 'new/a/1.txt', 'new/a/2.txt', 'stay.txt']);
  expect((await sql`select index_backlog() as files`.execute(db)).rows).toEqual([{ files: 3 }]);
  await settleFolderMoves(db);
  expect(await versions()).toEqual(unwritten);
  const { rows: logged } = await sql`select rel_path, from_rel_path, kind from scan_changes where run_id = ${run.id} order by 1`.execute(
    db,
  );
  expect(logged).toEqual(
    ['3.txt', 'a/1.txt', 'a/2.txt'].map((name) => ({ rel_path: `new/${name}`, from_rel_path: `old/${name}`, kind: 'moved' })),
  );
  const { rows: queued } = await sql<{ item_id: string }>`select distinct item_id from index_outbox`.execute(db);
  expect(queued.map(({ item_id }) => item_id).sort()).toEqual(
    ['old/3.txt', 'old/a/1.txt', 'old/a/2.txt'].map((name) => files[name]!.id).sort(),
  );
  expect(await checkFolderTotals(db)).toEqual([]);
  expect((await scan(db, library)).stats).toMatchObject({ folders_unchanged: 3, moved: 0 });
});

test('cleanup plans are computed again when a renamed folder gives its files new paths', async () => {
  const { db } = database;
  const root = tree({ 'old/1.txt': '1', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const planned = async () => (await sql`select last_value from plan_changes`.execute(db)).rows;
  const before = await planned();
  rename(root, 'old', 'new');
  expect((await scan(db, library)).stats).toMatchObject({ moved: 1, folders_unchanged: 1 });
  expect(await planned()).not.toEqual(before);
});

test('a kill before the move of a folder is settled loses nothing: the next scan of the library, or the projector, settles it', async () => {
  const { db } = database;
  const root = tree({ 'old/1.txt': '1', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rename(root, 'old', 'middle');
  const first = await scan(db, library);
  rename(root, 'middle', 'new');
  const second = await scan(db, library);
  // Both readers of the log wait for each other, and the second finds nothing left.
  await Promise.all([settleFolderMoves(db, library), settleFolderMoves(db)]);
  expect(await settleSome(db)).toBe(false);
  const { rows } =
    await sql`select run_id, rel_path, from_rel_path from scan_changes where kind = 'moved' and library_id = ${library} order by run_id`.execute(
      db,
    );
  expect(rows).toEqual([
    { run_id: first.id, rel_path: 'middle/1.txt', from_rel_path: 'old/1.txt' },
    { run_id: second.id, rel_path: 'new/1.txt', from_rel_path: 'middle/1.txt' },
  ]);
});

test('a later change of the same run stays what is logged, and learns where the file was', async () => {
  const { db } = database;
  const root = tree({ 'old/1.txt': '1', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rename(root, 'old', 'new');
  const run = await scan(db, library);
  await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path)
    select ${run.id}, library_id, id, 'gone', rel_path from items where library_id = ${library} and rel_path = 'new/1.txt'`.execute(db);
  await settleFolderMoves(db);
  const { rows } = await sql`select kind, rel_path, from_rel_path from scan_changes where run_id = ${run.id}`.execute(db);
  expect(rows).toEqual([{ kind: 'gone', rel_path: 'new/1.txt', from_rel_path: 'old/1.txt' }]);
});

test('missing files of a renamed folder stay where they were, and trashed ones move along in the recycle bin', async () => {
  const { db } = database;
  const root = tree({ 'old/1.txt': '1', 'old/2.txt': '2', 'old/3.txt': '3', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'old/2.txt'));
  await scan(db, library);
  await sql`update items set status = 'trashed' where library_id = ${library} and rel_path = 'old/3.txt'`.execute(db);
  await scan(db, library);
  rename(root, 'old', 'new');
  expect((await scan(db, library)).stats).toMatchObject({ moved: 1 });
  expect(await statuses(db, library)).toMatchObject({ 'new/1.txt': 'active', 'old/2.txt': 'missing', 'new/3.txt': 'trashed' });
});

test('a file that the rules exclude at the new path of its folder becomes missing', async () => {
  const { db } = database;
  const root = tree({ 'old/1.txt': '1', 'old/2.log': '2', 'stay.txt': 'x' });
  const library = await addLibrary(db, root, { exclude_globs: ['new/*.log'] });
  await scan(db, library);
  rename(root, 'old', 'new');
  await scan(db, library);
  expect(await statuses(db, library)).toEqual({ 'new/1.txt': 'active', 'old/2.log': 'missing', 'stay.txt': 'active' });
});

test('a renamed folder keeps its identities when another folder has taken its old path', async () => {
  const { db } = database;
  const root = tree({ 'b/1.txt': 'one', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  rename(root, 'b', 'c');
  write(root, { 'b/2.txt': 'two' });
  await scan(db, library);
  expect(await statuses(db, library)).toEqual({ 'b/2.txt': 'active', 'c/1.txt': 'active', 'stay.txt': 'active' });
  expect((await items(db, library))['c/1.txt']?.id).toBe(before['b/1.txt']?.id);
  expect(await checkFolderTotals(db)).toEqual([]);
  expect((await scan(db, library)).stats).toMatchObject({ new: 0, moved: 0, missing: 0, changed: 0 });
});

test('files of a folder that was moved below a closed one are no longer readable to others', async () => {
  const { db } = database;
  const root = tree({ 'open/1.txt': '1', 'closed/2.txt': '2' });
  chmodSync(root, 0o755);
  chmodSync(path.join(root, 'closed'), 0o700);
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await classes(library);
  expect(before['open/1.txt']).not.toBe(before['closed/2.txt']);
  mkdirSync(path.join(root, 'closed', 'deep'));
  rename(root, 'open', 'closed/deep/open');
  expect((await scan(db, library)).stats).toMatchObject({ moved: 1 });
  const after = await classes(library);
  expect(after['closed/deep/open/1.txt']).toBe(after['closed/2.txt']);
});

test.each(['copied', 'the same'])(
  'of two new folders with %s files, the first continues a renamed one, and later scans end',
  async (files) => {
    const { db } = database;
    const root = tree({ 'old/1.txt': '1', 'old/2.txt': '22', 'stay.txt': 'x' });
    const library = await addLibrary(db, root);
    await scan(db, library);
    const before = await items(db, library);
    rename(root, 'old', 'p');
    cpSync(path.join(root, 'p'), path.join(root, 'q'), { recursive: true });
    // As in a snapshot of a file system, or where the folder is mounted twice.
    async function* startWalk(options: WalkOptions) {
      for await (const batch of inline.startWalk!(options)) {
        const p = batch.folders.find((folder) => folder.path === 'p');
        const entriesOf = (name: string): Uint32Array => {
          const at = batch.folders.findIndex((folder) => folder.path === name);
          const start = batch.folders.slice(0, at).reduce((sum, { entries }) => sum + entries, 0);
          return batch.rows.subarray(start * entryFieldCount, (start + (batch.folders[at]?.entries ?? 0)) * entryFieldCount);
        };
        if (p && files === 'the same') entriesOf('q').set(entriesOf('p'));
        yield {
          ...batch,
          folders: batch.folders.map((folder) =>
            p && folder.path === 'q' ? { ...folder, inode: p.inode, fingerprint: p.fingerprint } : folder,
          ),
        };
      }
    }
    const { id: run } = await scan(db, library, { deps: { startWalk } });
    await settleFolderMoves(db);
    const found = await items(db, library);
    expect(Object.keys(found).sort()).toEqual(['p/1.txt', 'p/2.txt', 'q/1.txt', 'q/2.txt', 'stay.txt']);
    for (const name of ['1.txt', '2.txt']) expect(found[`p/${name}`]?.id).toBe(before[`old/${name}`]?.id);
    const { rows } = await sql`select kind, rel_path, from_rel_path from scan_changes where run_id = ${run} order by rel_path`.execute(db);
    expect(rows).toEqual([
      { kind: 'moved', rel_path: 'p/1.txt', from_rel_path: 'old/1.txt' },
      { kind: 'moved', rel_path: 'p/2.txt', from_rel_path: 'old/2.txt' },
      { kind: 'added', rel_path: 'q/1.txt', from_rel_path: null },
      { kind: 'added', rel_path: 'q/2.txt', from_rel_path: null },
    ]);
    expect(await checkFolderTotals(db)).toEqual([]);
    expect((await scan(db, library)).status).toBe('finished');
  },
);

test('a file that was recorded as moved twice in one scan is settled once', async () => {
  const { db } = database;
  const root = tree({ 'old/1.txt': '1', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rename(root, 'old', 'new');
  const { id: run } = await scan(db, library);
  const { rows: columns } = await sql<{ name: string }>`select column_name as name from information_schema.columns
    where table_name = 'folder_moves' and column_name <> 'id'`.execute(db);
  const names = sql.join(columns.map(({ name }) => sql.ref(name)));
  await sql`insert into folder_moves (${names}) select ${names} from folder_moves where run_id = ${run}`.execute(db);
  await settleFolderMoves(db);
  const { rows } = await sql`select rel_path, from_rel_path from scan_changes where run_id = ${run}`.execute(db);
  expect(rows).toEqual([{ rel_path: 'new/1.txt', from_rel_path: 'old/1.txt' }]);
});

test('totals stay right when a file goes to the trash while its folder is found renamed', async () => {
  const { db } = database;
  const root = tree({ 'old/1.txt': '1', 'old/2.txt': '22', 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rename(root, 'old', 'new');
  let scanning: Promise<unknown> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`update items set status = 'trashed', deleted_at = now() where library_id = ${library} and rel_path = 'old/1.txt'`.execute(tx);
    scanning = scan(db, library);
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%unchanged as materialized%'`.execute(db)
          ).rows.length,
        { timeout: 20_000 },
      )
      .toBe(1);
  });
  await scanning;
  expect(await statuses(db, library)).toMatchObject({ 'new/1.txt': 'trashed', 'new/2.txt': 'active' });
  expect(await checkFolderTotals(db)).toEqual([]);
});
