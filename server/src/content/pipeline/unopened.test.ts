import { mkdtempSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSandboxPool, ocrTaskModule, type SandboxPool, sniffTaskModule, thumbTaskModule } from '@catalog/readers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLibrary, scan, tree, write } from '../../catalog/scan/library.fixture.ts';
import { createThumbStore } from '../thumbs/index.ts';
import { type ExtractionDependencies, processItem } from './process-item.ts';
import { queueExtraction, queueStale, queueUnopened } from './queue.ts';
import { claimPending, countPending, releaseClaims } from './store.ts';

// Files that could not be opened where the catalog has them are not lost to the queue.
let t: TestApp;
let pool: SandboxPool;
let parts: ExtractionDependencies;
const thumbs = mkdtempSync(path.join(os.tmpdir(), 'catalog-unopened-'));
beforeAll(async () => {
  t = await createTestApp();
  pool = createSandboxPool({ size: 1, background: false, tasks: { thumb: thumbTaskModule, ocr: ocrTaskModule, sniff: sniffTaskModule } });
  parts = {
    db: t.deps.db,
    settings: t.deps.settings,
    pool,
    thumbs: createThumbStore({ folder: thumbs }),
    mayWriteThumbs: async () => true,
  };
});
afterAll(async () => {
  pool.close();
  await t.close();
  rmSync(thumbs, { recursive: true });
});

const job = '01a1dd25-f4f0-73a1-bb93-7c6aea54485d';
const rescan = (library: string) =>
  scan(t.deps.db, library, {
    deps: {
      queueExtraction: async (db, id, ids) => {
        await queueExtraction(db, id, ids);
      },
      queueUnopened,
    },
  });
const read = async (library: string): Promise<string[]> => {
  const outcomes: string[] = [];
  for (const item of await claimPending(t.deps.db, job, library, 100))
    outcomes.push(await processItem(parts, item, new AbortController().signal));
  await releaseClaims(t.deps.db, job);
  return outcomes;
};
const texts = async (library: string) =>
  (
    await sql<{ rel_path: string; body_text: string | null }>`select rel_path, body_text from items where library_id = ${library}
      order by rel_path`.execute(t.deps.db)
  ).rows.map(({ rel_path, body_text }) => `${rel_path}: ${body_text?.trim()}`);
const isUnread = async (library: string) => {
  const { rows } = await sql<{ id: string }>`select id from items where library_id = ${library} order by rel_path limit 1`.execute(
    t.deps.db,
  );
  return (await t.request('GET', `/items/${rows[0]?.id}`)).json().unread;
};

test('files in a folder that was renamed before they were read are read after the next scan', async () => {
  const root = tree({ 'old/1.txt': 'one', 'old/2.txt': 'two' });
  const library = await addLibrary(t.deps.db, root);
  await rescan(library);
  renameSync(path.join(root, 'old'), path.join(root, 'new'));
  expect(await read(library)).toEqual(['gone', 'gone']);
  expect(await countPending(t.deps.db, library)).toBe(0);
  expect(await isUnread(library)).toBe(true);
  // The daily task leaves them to the scan.
  expect(await queueStale(t.deps.db)).toBe(0);
  expect((await rescan(library)).stats).toMatchObject({ moved: 2 });
  expect(await read(library)).toEqual(['extracted', 'extracted']);
  expect(await texts(library)).toEqual(['new/1.txt: one', 'new/2.txt: two']);
  expect(await isUnread(library)).toBe(false);
});

test('files of a disk that was away for a moment are read after the next scan that finds it', async () => {
  const root = tree({ 'a.txt': 'sun', 'gone.txt': 'rain' });
  const library = await addLibrary(t.deps.db, root);
  await rescan(library);
  renameSync(root, `${root}-away`);
  expect(await read(library)).toEqual(['gone', 'gone']);
  await rescan(library);
  expect(await countPending(t.deps.db, library)).toBe(0);
  renameSync(`${root}-away`, root);
  rmSync(path.join(root, 'gone.txt'));
  await rescan(library);
  expect(await read(library)).toEqual(['extracted']);
  expect(await texts(library)).toEqual(['a.txt: sun', 'gone.txt: undefined']);
  expect((await sql`select from extract_unopened`.execute(t.deps.db)).rows).toEqual([]);
  // A file that comes back is new to the queue.
  write(root, { 'gone.txt': 'rain' });
  await rescan(library);
  await read(library);
  expect(await texts(library)).toEqual(['a.txt: sun', 'gone.txt: rain']);
});

test('a changed file whose folder is renamed before it is read again does not keep its old text', async () => {
  const root = tree({ 'old/1.txt': 'first' });
  const library = await addLibrary(t.deps.db, root);
  await rescan(library);
  await read(library);
  write(root, { 'old/1.txt': 'second, longer' });
  await rescan(library);
  renameSync(path.join(root, 'old'), path.join(root, 'new'));
  expect(await read(library)).toEqual(['gone']);
  await rescan(library);
  expect(await read(library)).toEqual(['extracted']);
  expect(await texts(library)).toEqual(['new/1.txt: second, longer']);
});

test('the daily task queues files that were never read and wait for nothing', async () => {
  const root = tree({ 'a.txt': 'wind' });
  const library = await addLibrary(t.deps.db, root);
  await rescan(library);
  await sql`delete from extract_pending where library_id = ${library}`.execute(t.deps.db);
  await sql`update scan_runs set status = 'running' where library_id = ${library}`.execute(t.deps.db);
  expect(await queueStale(t.deps.db)).toBe(0);
  await sql`update scan_runs set status = 'finished' where library_id = ${library}`.execute(t.deps.db);
  expect(await queueStale(t.deps.db)).toBe(1);
  expect(await read(library)).toEqual(['extracted']);
  expect(await queueStale(t.deps.db)).toBe(0);
});
