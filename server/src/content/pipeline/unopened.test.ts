import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addLibrary, tree, write } from '../../catalog/scan/library.fixture.ts';
import { createExtractionTest, job } from './extraction.fixture.ts';
import { queueStale, queueUnopened } from './queue.ts';
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
  expect(await queueStale(x.t.deps.db)).toBe(0);
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
  expect((await sql`select from extract_unopened`.execute(x.t.deps.db)).rows).toEqual([]);
  // A file that comes back is queued like a new one.
  write(root, { 'gone.txt': 'rain' });
  await x.rescan(library);
  await x.read(library);
  expect(await texts(library)).toEqual(['a.txt: sun', 'gone.txt: rain']);
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

test('a scan of one folder leaves files alone that could not be opened elsewhere', async () => {
  const { db } = x.t.deps;
  const root = tree({ 'away/1.txt': 'hill', 'here/2.txt': 'lake', 'here/below/3.txt': 'dune', 'hereafter/4.txt': 'reef' });
  const library = await addLibrary(db, root);
  await x.rescan(library);
  for (const item of await claimPending(db, job, library, 10)) await leaveToScan(db, item);
  await x.rescan(library, 'here');
  expect(await x.read(library)).toEqual(['extracted', 'extracted']);
  expect(await texts(library)).toEqual([
    'away/1.txt: undefined',
    'here/2.txt: lake',
    'here/below/3.txt: dune',
    'hereafter/4.txt: undefined',
  ]);
  await x.rescan(library);
  expect(await x.read(library)).toEqual(['extracted', 'extracted']);
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
  expect(await queueStale(x.t.deps.db)).toBe(0);
  await sql`update scan_runs set status = 'finished' where library_id = ${library}`.execute(x.t.deps.db);
  expect(await queueStale(x.t.deps.db)).toBe(1);
  expect(await x.read(library)).toEqual(['extracted']);
  expect(await queueStale(x.t.deps.db)).toBe(0);
});

test('a scan ends while workers find again and again that files cannot be opened', async () => {
  const { db } = x.t.deps;
  const library = await addLibrary(db, tree(Object.fromEntries(Array.from({ length: 200 }, (_, n) => [`${n}.txt`, `${n}`]))));
  await x.rescan(library);
  const giveUp = async (): Promise<void> => {
    for (const item of await claimPending(db, job, library, 2)) await leaveToScan(db, item);
  };
  while ((await countPending(db, library)) > 0) await giveUp();
  let queueing = true;
  const workers = Array.from({ length: 6 }, async () => {
    while (queueing) await giveUp();
  });
  try {
    await expect(Promise.race([queueUnopened(db, library, null), setTimeout(10_000, 'still queueing')])).resolves.toBeUndefined();
  } finally {
    queueing = false;
    await Promise.all(workers);
    // Ends a call that goes on.
    await removeItems(library);
  }
});
