import { renameSync, rmSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addLibrary, tree, write } from '../../catalog/scan/library.fixture.ts';
import { createExtractionTest, job } from './extraction.fixture.ts';
import { queueExtraction, queueStale } from './queue.ts';
import { claimPending, countPending, leaveToScan, listThumbsDue, recordThumbDue, removePending } from './store.ts';

// Files that could not be opened where the catalog has them are not lost to the queue.
let x: Awaited<ReturnType<typeof createExtractionTest>>;
beforeAll(async () => {
  x = await createExtractionTest();
});
afterAll(() => x.close());

const texts = async (library: string) =>
  (
    await sql<{ rel_path: string; body_text: string | null }>`select rel_path, body_text from items where library_id = ${library}
      order by rel_path`.execute(x.t.deps.db)
  ).rows.map(({ rel_path, body_text }) => `${rel_path}: ${body_text?.trim()}`);
/** So that the daily task of another test does not find them. */
const removeItems = (library: string) => sql`delete from items where library_id = ${library}`.execute(x.t.deps.db);
const isUnread = async (library: string) => {
  const { rows } = await sql<{ id: string }>`select id from items where library_id = ${library} order by rel_path limit 1`.execute(
    x.t.deps.db,
  );
  return (await x.t.request('GET', `/items/${rows[0]?.id}`)).json().unread;
};

test('files in a folder that was renamed before they were read are read after the next scan', async () => {
  const root = tree({ 'old/1.txt': 'one', 'old/2.txt': 'two' });
  const library = await addLibrary(x.t.deps.db, root);
  await x.rescan(library);
  renameSync(path.join(root, 'old'), path.join(root, 'new'));
  expect(await x.read(library)).toEqual(['gone', 'gone']);
  expect(await countPending(x.t.deps.db, library)).toBe(0);
  expect(await isUnread(library)).toBe(true);
  // The daily task leaves them to the scan.
  expect(await queueStale(x.t.deps.db, true)).toBe(0);
  expect((await x.rescan(library)).stats).toMatchObject({ moved: 2 });
  expect(await x.read(library)).toEqual(['extracted', 'extracted']);
  expect(await texts(library)).toEqual(['new/1.txt: one', 'new/2.txt: two']);
  expect(await isUnread(library)).toBe(false);
});

test('files of a disk that was away for a moment are read after the next scan that finds it', async () => {
  const root = tree({ 'a.txt': 'sun', 'gone.txt': 'rain' });
  const library = await addLibrary(x.t.deps.db, root);
  await x.rescan(library);
  renameSync(root, `${root}-away`);
  expect(await x.read(library)).toEqual(['gone', 'gone']);
  await x.rescan(library);
  expect(await countPending(x.t.deps.db, library)).toBe(0);
  renameSync(`${root}-away`, root);
  rmSync(path.join(root, 'gone.txt'));
  await x.rescan(library);
  expect(await x.read(library)).toEqual(['extracted']);
  expect(await texts(library)).toEqual(['a.txt: sun', 'gone.txt: undefined']);
  // A file that comes back is read.
  write(root, { 'gone.txt': 'rain' });
  await x.rescan(library);
  await x.read(library);
  expect(await texts(library)).toEqual(['a.txt: sun', 'gone.txt: rain']);
  expect((await sql`select from extract_unopened`.execute(x.t.deps.db)).rows).toEqual([]);
});

test('files of a network share that does not answer are read after the next scan', async () => {
  const root = tree({ 'a.txt': 'stars' });
  const library = await addLibrary(x.t.deps.db, root);
  await x.rescan(library);
  // It cannot be had in a test.
  const opens = vi.spyOn(files, 'open').mockImplementation(async (file) => {
    throw Object.assign(new Error(`ENOTCONN: open '${file}'`), { code: 'ENOTCONN', syscall: 'open' });
  });
  syncBuiltinESMExports();
  try {
    expect(await x.read(library)).toEqual(['gone']);
    expect(opens).toHaveBeenCalled();
  } finally {
    opens.mockRestore();
    syncBuiltinESMExports();
  }
  await x.rescan(library);
  expect(await x.read(library)).toEqual(['extracted']);
});

test('a changed file whose folder is renamed before it is read again does not keep its old text', async () => {
  const root = tree({ 'old/1.txt': 'first' });
  const library = await addLibrary(x.t.deps.db, root);
  await x.rescan(library);
  await x.read(library);
  write(root, { 'old/1.txt': 'second, longer' });
  await x.rescan(library);
  renameSync(path.join(root, 'old'), path.join(root, 'new'));
  expect(await x.read(library)).toEqual(['gone']);
  await x.rescan(library);
  expect(await x.read(library)).toEqual(['extracted']);
  expect(await texts(library)).toEqual(['new/1.txt: second, longer']);
});

/** Lets the files of a library leave the queue as if their disk were away. */
async function readWithoutDisk(library: string, root: string): Promise<void> {
  renameSync(root, `${root}-away`);
  expect(new Set(await x.read(library))).toEqual(new Set(['gone']));
  renameSync(`${root}-away`, root);
}

test('a scan queues a file that cannot be opened once, also if it is left to the next scan again before the scan ends', async () => {
  const { db } = x.t.deps;
  const root = tree({ 'a.txt': 'a', 'b.txt': 'b' });
  const library = await addLibrary(db, root);
  await x.rescan(library);
  await readWithoutDisk(library, root);
  // Stands for a worker that is faster than the scan and may not open the files.
  await sql`create function give_back() returns trigger language plpgsql as $$ begin
    delete from extract_pending where item_id = new.item_id;
    insert into extract_unopened (item_id, forced) values (new.item_id, false);
    return null; end $$`.execute(db);
  await sql`create constraint trigger give_back after insert on extract_pending deferrable initially deferred for each row
    execute function give_back()`.execute(db);
  const ended = await Promise.race([x.rescan(library), sleep(15_000, 'never')]);
  await sql`drop trigger give_back on extract_pending`.execute(db);
  expect(ended).toMatchObject({ status: 'finished' });
  await x.rescan(library);
  expect(await x.read(library)).toEqual(['extracted', 'extracted']);
});

test('a scan of one folder queues only the files in it', async () => {
  const root = tree({ 'a/1.txt': 'one', 'b/2.txt': 'two' });
  const library = await addLibrary(x.t.deps.db, root);
  await x.rescan(library);
  await readWithoutDisk(library, root);
  await x.rescan(library, { scopes: [{ path: 'a', depth: 'tree' }] });
  await x.read(library);
  expect(await texts(library)).toEqual(['a/1.txt: one', 'b/2.txt: undefined']);
  await x.rescan(library, { scopes: [{ path: '', depth: 'changes' }] });
  expect(await x.read(library)).toEqual([]);
  await x.rescan(library, { scopes: [{ path: 'b', depth: 'changes' }] });
  await x.read(library);
  expect(await texts(library)).toEqual(['a/1.txt: one', 'b/2.txt: two']);
});

test('a changed file that is in the recycle bin during the next scan is read when it is restored', async () => {
  const { db } = x.t.deps;
  const root = tree({ '1.txt': 'first' });
  const library = await addLibrary(db, root);
  await x.rescan(library);
  await x.read(library);
  write(root, { '1.txt': 'second, longer' });
  await x.rescan(library);
  await readWithoutDisk(library, root);
  const set = (status: string) => sql`update items set status = ${status} where library_id = ${library}`.execute(db);
  await set('trashed');
  await x.rescan(library);
  await set('active');
  await x.rescan(library);
  await x.read(library);
  expect(await texts(library)).toEqual(['1.txt: second, longer']);
});

test('a file that is moved to another library before it is read is read after the scan of that library', async () => {
  const { db } = x.t.deps;
  const root = tree({ 'left/1.txt': 'moved', 'left/stay.txt': 'x', 'right/other.txt': 'y' });
  const left = await addLibrary(db, path.join(root, 'left'));
  const right = await addLibrary(db, path.join(root, 'right'));
  await x.rescan(right);
  await x.read(right);
  await x.rescan(left);
  renameSync(path.join(root, 'left/1.txt'), path.join(root, 'right/1.txt'));
  expect((await x.read(left)).sort()).toEqual(['extracted', 'gone']);
  expect((await x.rescan(right)).stats).toMatchObject({ cross_moved: 1 });
  expect(await x.read(right)).toEqual(['extracted']);
  expect(await texts(right)).toEqual(['1.txt: moved', 'other.txt: y']);
});

test('a file that is read at the request of a person waits for nothing more', async () => {
  const { db } = x.t.deps;
  const root = tree({ '1.txt': 'sun' });
  const library = await addLibrary(db, root);
  await x.rescan(library);
  await readWithoutDisk(library, root);
  const { rows } = await sql<{ id: string }>`select id from items where library_id = ${library}`.execute(db);
  await queueExtraction(db, library, [rows[0]!.id], true);
  expect(await x.read(library)).toEqual(['extracted']);
  expect(await isUnread(library)).toBe(false);
});

test('files that cannot be opened do not keep the place of others whose thumbnail is due', async () => {
  const { db } = x.t.deps;
  const library = await addLibrary(db, tree({ 'a.png': 'away', 'b.png': 'here' }));
  await x.rescan(library);
  const [away, here] = (await claimPending(db, job, library, 10)).sort((a, b) => (a.id < b.id ? -1 : 1));
  await leaveToScan(db, away!);
  await removePending(db, here!);
  for (const item of [away!, here!]) await recordThumbDue(db, item.id);
  expect((await listThumbsDue(db, 1)).get(library)).toEqual([here!.id]);
  await x.rescan(library);
  await sql`delete from extract_pending where library_id = ${library}`.execute(db);
  expect((await listThumbsDue(db, 1)).get(library)).toEqual([away!.id]);
  await removeItems(library);
});

test('the daily task queues files that were never read and wait for nothing', async () => {
  const root = tree({ 'a.txt': 'wind' });
  const library = await addLibrary(x.t.deps.db, root);
  await x.rescan(library);
  await sql`delete from extract_pending where library_id = ${library}`.execute(x.t.deps.db);
  await sql`update scan_runs set status = 'running' where library_id = ${library}`.execute(x.t.deps.db);
  expect(await queueStale(x.t.deps.db, true)).toBe(0);
  await sql`update scan_runs set status = 'finished' where library_id = ${library}`.execute(x.t.deps.db);
  expect(await queueStale(x.t.deps.db, true)).toBe(1);
  expect(await x.read(library)).toEqual(['extracted']);
  expect(await queueStale(x.t.deps.db, true)).toBe(0);
});
