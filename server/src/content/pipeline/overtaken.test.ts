import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createSandboxPool, ocrTaskModule, type SandboxPool, sniffTaskModule, thumbTaskModule } from '@catalog/readers';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLibrary, items, scan, tree, write } from '../../catalog/scan/library.fixture.ts';
import { createThumbStore } from '../thumbs/index.ts';
import { type ExtractionDependencies, processItem } from './process-item.ts';
import { queueExtraction } from './queue.ts';
import { addPending, claimPending, countPending, listThumbsDue, releaseClaims } from './store.ts';

// Extraction that is stopped, or during which something else changes the item.
let t: TestApp;
let pool: SandboxPool;
let parts: ExtractionDependencies;
const thumbs = mkdtempSync(path.join(os.tmpdir(), 'catalog-overtaken-'));
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
const picture = (width: number) =>
  sharp({ create: { width, height: 30, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
const rescan = (library: string) =>
  scan(t.deps.db, library, {
    deps: {
      queueExtraction: async (db, id, ids) => {
        await queueExtraction(db, id, ids);
      },
    },
  });
const read = async (library: string): Promise<string[]> => {
  const outcomes: string[] = [];
  for (const item of await claimPending(t.deps.db, job, library, 10))
    outcomes.push(await processItem(parts, item, new AbortController().signal));
  await releaseClaims(t.deps.db, job);
  return outcomes;
};
const thumbOf = async (id: string) =>
  (await sql<{ thumb_key: string | null }>`select thumb_key from items where id = ${id}`.execute(t.deps.db)).rows[0]!.thumb_key;

test('a picture whose drawing was stopped is drawn by a later pass', async () => {
  const { db } = t.deps;
  const library = await addLibrary(db, tree({ 'a.png': await picture(40) }));
  await rescan(library);
  const controller = new AbortController();
  const stopping: SandboxPool = {
    ...pool,
    run(task, fileJob, options, signal) {
      if (task === 'thumb') controller.abort();
      return pool.run(task, fileJob, options, signal);
    },
  };
  const [item] = await claimPending(db, job, library, 1);
  expect(await processItem({ ...parts, pool: stopping }, item!, controller.signal)).toBe('extracted');
  expect(await thumbOf(item!.id)).toBeNull();
  const due = (await listThumbsDue(db, 10)).get(library);
  expect(due).toEqual([item!.id]);
  await addPending(db, library, due!);
  await read(library);
  expect(await thumbOf(item!.id)).not.toBeNull();
  expect((await listThumbsDue(db, 10)).size).toBe(0);
});

test('the facts of a sidecar that was read during an extraction are kept, and the file is read again', async () => {
  const { db } = t.deps;
  const root = tree({ 'film.png': await picture(41) });
  const library = await addLibrary(db, root);
  await rescan(library);
  const [item] = await claimPending(db, job, library, 1);
  write(root, { 'film.nfo': '<movie><title>Sun</title><year>1999</year></movie>' });
  await rescan(library);
  await processItem(parts, item!, new AbortController().signal);
  await releaseClaims(db, job);
  expect((await items(db, library))['film.png']).toMatchObject({ title: 'Sun', metadata: { nfo_title: 'Sun' } });
  await read(library);
  expect((await items(db, library))['film.png']).toMatchObject({ title: 'Sun', year: 1999, metadata: { width: 41, nfo_title: 'Sun' } });
  expect(await countPending(db, library)).toBe(0);
});
