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
