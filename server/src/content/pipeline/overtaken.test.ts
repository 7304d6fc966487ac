import { utimesSync } from 'node:fs';
import path from 'node:path';
import type { SandboxPool } from '@catalog/readers';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addLibrary, items, tree, write } from '../../catalog/scan/library.fixture.ts';
import { createExtractionTest, job } from './extraction.fixture.ts';
import { processItem } from './process-item.ts';
import { addPending, claimPending, countPending, listThumbsDue, releaseClaims } from './store.ts';

// Extraction that is stopped, or during which something else changes the item.
let x: Awaited<ReturnType<typeof createExtractionTest>>;
beforeAll(async () => {
  x = await createExtractionTest();
});
afterAll(() => x.close());

const picture = (width: number) =>
  sharp({ create: { width, height: 30, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
const thumbOf = async (id: string) =>
  (await sql<{ thumb_key: string | null }>`select thumb_key from items where id = ${id}`.execute(x.t.deps.db)).rows[0]!.thumb_key;

test('a picture whose drawing was stopped is drawn by a later pass', async () => {
  const { db } = x.t.deps;
  const library = await addLibrary(db, tree({ 'a.png': await picture(40) }));
  await x.rescan(library);
  const controller = new AbortController();
  const stopping: SandboxPool = {
    ...x.pool,
    run(task, fileJob, options, signal) {
      if (task === 'thumb') controller.abort();
      return x.pool.run(task, fileJob, options, signal);
    },
  };
  const [item] = await claimPending(db, job, library, 1);
  expect(await processItem({ ...x.parts, pool: stopping }, item!, controller.signal)).toBe('extracted');
  expect(await thumbOf(item!.id)).toBeNull();
  const due = (await listThumbsDue(db, 10)).get(library);
  expect(due).toEqual([item!.id]);
  await addPending(db, library, due!);
  await x.read(library);
  expect(await thumbOf(item!.id)).not.toBeNull();
  expect((await listThumbsDue(db, 10)).size).toBe(0);
});

test('a thumbnail of a file that was read while thumbnails were switched off is drawn once they are switched on', async () => {
  const { db } = x.t.deps;
  const library = await addLibrary(db, tree({ 'a.png': await picture(43), 'a.txt': 'no picture' }));
  await x.rescan(library);
  const settings = { ...x.parts.settings, thumbsEnabled: false };
  for (const item of await claimPending(db, job, library, 2))
    expect(await processItem({ ...x.parts, settings }, item, new AbortController().signal)).toBe('extracted');
  const due = (await listThumbsDue(db, 10)).get(library);
  expect(due).toHaveLength(1);
  expect(await thumbOf(due![0]!)).toBeNull();
  await addPending(db, library, due!);
  expect(await x.read(library)).toEqual(['unchanged']);
  expect(await thumbOf(due![0]!)).not.toBeNull();
  expect((await listThumbsDue(db, 10)).size).toBe(0);
});

test('files that changed since the scan never share a picture, even if they are equal in size and time', async () => {
  const root = tree({ 'a.png': 'was something else', 'b.png': 'was another thing' });
  const library = await addLibrary(x.t.deps.db, root);
  await x.rescan(library);
  for (const [name, width] of [
    ['a.png', 50],
    ['b.png', 60],
  ] as const) {
    write(root, { [name]: Buffer.concat([await picture(width), Buffer.alloc(1000)]).subarray(0, 1000) });
    utimesSync(path.join(root, name), 1_600_000_000, 1_600_000_000);
  }
  await x.read(library);
  const { 'a.png': a, 'b.png': b } = await items(x.t.deps.db, library);
  const [one, other] = [await thumbOf(a!.id), await thumbOf(b!.id)];
  expect([typeof one, typeof other]).toEqual(['string', 'string']);
  expect(one).not.toBe(other);
});

test('the facts of a sidecar that was read during an extraction are kept, and the file is read again', async () => {
  const { db } = x.t.deps;
  const root = tree({ 'film.png': await picture(41) });
  const library = await addLibrary(db, root);
  await x.rescan(library);
  const [item] = await claimPending(db, job, library, 1);
  write(root, { 'film.nfo': '<movie><title>Sun</title><year>1999</year></movie>' });
  await x.rescan(library);
  await processItem(x.parts, item!, new AbortController().signal);
  await releaseClaims(db, job);
  expect((await items(db, library))['film.png']).toMatchObject({ title: 'Sun', metadata: { nfo_title: 'Sun' } });
  await x.read(library);
  expect((await items(db, library))['film.png']).toMatchObject({ title: 'Sun', year: 1999, metadata: { width: 41, nfo_title: 'Sun' } });
  expect(await countPending(db, library)).toBe(0);
});
