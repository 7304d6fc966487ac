import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createSandboxPool, type SandboxPool, thumbTaskModule } from '@catalog/readers';
import { sql } from 'kysely';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { readBackpressure, reportBackpressure } from '../../catalog/stages/index.ts';
import { createThumbStore } from '../thumbs/index.ts';
import { queueExtraction } from './queue.ts';
import { createGate, extractTask } from './tasks.ts';

let t: TestApp;
let root: string;
let library: string;
let run: string;
let pool: SandboxPool;

beforeAll(async () => {
  t = await createTestApp();
  root = mkdtempSync(path.join(os.tmpdir(), 'catalog-stages-'));
  library = await addLibrary(t.deps, { root_path: root });
  const stats = JSON.stringify({ seen: 4, new: 4, files_per_s: 8, elapsed: 0.5, unreadable: { EACCES: 1 }, hash_errors: 1 });
  run = (
    await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, stats)
      values (${library}, 'finished', 'done', now(), ${stats}::jsonb) returning id`.execute(t.deps.db)
  ).rows[0]!.id;
  pool = createSandboxPool({ size: 1, background: false, tasks: { thumb: thumbTaskModule } });
});
afterAll(async () => {
  pool.close();
  await t.close();
  rmSync(root, { recursive: true, force: true });
});

const stages = async (id = run) =>
  (await t.request('GET', `/scans/${id}`)).json() as { stages: Record<string, unknown>; backpressure: unknown };

test('the stages of a scan continue after its walk: waiting, working, paused, done, with failures', async () => {
  expect((await stages()).stages).toEqual({
    walk: { done: 4, total: 4, failed: 1, rate: 8, state: 'done' },
    hash: { done: 3, total: 4, failed: 1, rate: 8, state: 'done' },
    extract: { done: 0, total: 0, failed: 0, rate: null, state: 'done' },
    thumbnail: { done: 0, total: 0, failed: 0, rate: null, state: 'done' },
    index: { done: 4, total: 4, failed: 0, rate: null, state: 'done' },
  });
  const files: Record<string, Buffer | string> = {
    'photo.png': await sharp({ create: { width: 40, height: 30, channels: 3, background: 'navy' } })
      .png()
      .toBuffer(),
    'broken.png': Buffer.from('\x89PNG\r\n\x1a\n\0broken', 'latin1'),
    'note.txt': 'A word.',
  };
  const ids: string[] = [];
  for (const [name, bytes] of Object.entries(files)) {
    writeFileSync(path.join(root, name), bytes);
    ids.push(await addItem(t.deps, library, name, { size: bytes.length, content_hash: `hash of ${name}` }));
  }
  await sql`delete from index_outbox`.execute(t.deps.db);
  expect(await queueExtraction(t.deps.db, library, ids)).toBe(3);
  expect(await queueExtraction(t.deps.db, library, ids)).toBe(0);
  expect((await stages()).stages['extract']).toEqual({ done: 0, total: 3, failed: 0, rate: null, state: 'waiting' });

  await reportBackpressure(t.deps.db, 'one', { state: 'tripped', reason: 'Busy.' });
  await reportBackpressure(t.deps.db, 'two', { state: 'paused', reason: 'No room.' });
  expect(await readBackpressure(t.deps.db)).toEqual({ state: 'paused', reason: 'No room.' });
  await vi.waitFor(
    async () =>
      expect(await stages()).toMatchObject({
        stages: { extract: { state: 'paused' } },
        backpressure: { state: 'paused', reason: 'No room.' },
      }),
    { timeout: 10_000, interval: 200 },
  );
  await reportBackpressure(t.deps.db, 'two', null);
  expect(await readBackpressure(t.deps.db)).toEqual({ state: 'tripped', reason: 'Busy.' });
  await sql`update service_state set updated_at = now() - interval '5 minutes' where key like 'extract_pressure:%'`.execute(t.deps.db);
  expect(await readBackpressure(t.deps.db)).toBeNull();

  const thumbs = createThumbStore({ folder: path.join(t.configDir, 'thumbs') });
  const parts = (db: TestApp['deps']['db']) => ({ db, settings: t.deps.settings, pool, thumbs, mayWriteThumbs: async () => true });
  const gate = createGate({ ceiling: () => 1, open: async () => true });
  await performTask(t.deps, extractTask(parts, gate), { library_id: library });
  const after = await stages();
  expect(after.stages).toMatchObject({
    extract: { done: 3, total: 3, failed: 1, state: 'done' },
    thumbnail: { done: 1, total: 2, failed: 1, state: 'done' },
  });
  const { last_scan } = (await t.request('GET', `/libraries/${library}`)).json();
  expect(last_scan.stages.extract).toEqual(after.stages['extract']);
});

test('per-stage progress is visible in the events of a scan, after its walk too, until contents are read', async () => {
  await sql`delete from extract_pending`.execute(t.deps.db);
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, stats)
    values (${library}, 'finished', 'done', now(), '{"seen": 2, "new": 2}') returning id`.execute(t.deps.db);
  const scanId = rows[0]!.id;
  const ids: string[] = [];
  for (const [name, bytes] of [
    ['one.txt', 'A word.'],
    ['two.png', Buffer.from('\x89PNG\r\n\x1a\n\0broken', 'latin1')],
  ] as const) {
    writeFileSync(path.join(root, name), bytes);
    ids.push(await addItem(t.deps, library, name, { size: bytes.length, content_hash: `hash of ${name}` }));
  }
  await queueExtraction(t.deps.db, library, ids);
  // Backpressure is cached for a second and shown while files wait: here that of the test above is still seen at first.
  await vi.waitFor(async () => expect((await stages(scanId)).backpressure).toBeNull(), { timeout: 20_000, interval: 200 });

  await t.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.server.address() as AddressInfo;
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/scans/${scanId}/events`, {
    headers: { authorization: `Bearer ${t.keys.read}` },
  });
  let text = '';
  const ended = (async () => {
    for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>) text += chunk;
  })();
  const told = () =>
    [...text.matchAll(/event: (.*)\ndata: (.*)\n/g)].map(([, event, data]) => ({
      event,
      data: JSON.parse(data!) as Record<string, unknown>,
    }));
  await vi.waitFor(() => expect(told().map(({ event }) => event)).toEqual(['done', 'stages']), { timeout: 20_000 });
  expect(told()[1]!.data).toMatchObject({ scan_id: scanId, stages: { extract: { done: 0, total: 2, state: 'waiting' } } });

  const thumbs = createThumbStore({ folder: path.join(t.configDir, 'thumbs') });
  const parts = (db: TestApp['deps']['db']) => ({ db, settings: t.deps.settings, pool, thumbs, mayWriteThumbs: async () => true });
  await performTask(t.deps, extractTask(parts, createGate({ ceiling: () => 1, open: async () => true })), { library_id: library });
  await ended;
  expect(told().at(-1)).toMatchObject({
    event: 'stages',
    data: {
      stages: {
        walk: { state: 'done' },
        extract: { done: 2, total: 2, failed: 1, state: 'done' },
        thumbnail: { done: 0, total: 1, failed: 1, state: 'done' },
      },
    },
  });
});

test('a second scan does not hide the files that the first one left unread', async () => {
  const files = await addLibrary(t.deps, { root_path: path.join(root, 'second') });
  const addRun = async () =>
    (
      await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, stats)
        values (${files}, 'finished', 'done', now(), '{"seen": 2}'::jsonb) returning id`.execute(t.deps.db)
    ).rows[0]!.id;
  const first = await addRun();
  const items = [await addItem(t.deps, files, 'a.txt'), await addItem(t.deps, files, 'b.txt')];
  expect(await queueExtraction(t.deps.db, files, items)).toBe(2);
  const second = await addRun();
  const extractOf = async (id: string) =>
    ((await t.request('GET', `/scans/${id}`)).json() as { stages: Record<string, unknown> }).stages['extract'];
  expect(await extractOf(second)).toMatchObject({ done: 0, total: 2, state: 'waiting' });
  expect(await extractOf(first)).toMatchObject({ done: 0, total: 2, state: 'waiting' });
  await sql`delete from extract_pending where library_id = ${files}`.execute(t.deps.db);
  expect(await extractOf(second)).toMatchObject({ done: 0, total: 0, state: 'done' });
});

test('a job that has a slot goes on with further batches until it has to leave', async () => {
  const folder = path.join(root, 'many');
  mkdirSync(folder);
  const many = await addLibrary(t.deps, { root_path: folder });
  const ids: string[] = [];
  for (let n = 0; n < 100; n += 1) {
    writeFileSync(path.join(folder, `${n}.txt`), `Text ${n}.`);
    ids.push(await addItem(t.deps, many, `${n}.txt`, { size: 8, content_hash: `hash of ${n}` }));
  }
  await queueExtraction(t.deps.db, many, ids);
  const thumbs = createThumbStore({ folder: path.join(t.configDir, 'thumbs') });
  const parts = (db: TestApp['deps']['db']) => ({ db, settings: t.deps.settings, pool, thumbs, mayWriteThumbs: async () => true });
  const waiting = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from extract_pending where library_id = ${many}`.execute(
      t.deps.db,
    );
    return rows[0]!.n;
  };
  // The ceiling comes down while the first batch is read.
  let ceiling = 1;
  const lowered = createGate({
    ceiling: () => ceiling,
    open: async () => {
      ceiling = 0;
      return true;
    },
  });
  await performTask(t.deps, extractTask(parts, lowered), { library_id: many });
  expect(await waiting()).toBe(60);
  // Without a slot a job comes back later, unless nothing is left for it.
  await expect(performTask(t.deps, extractTask(parts, lowered), { library_id: many })).rejects.toThrow('Rescheduled');
  await performTask(t.deps, extractTask(parts, createGate({ ceiling: () => 1, open: async () => true })), { library_id: many });
  expect(await waiting()).toBe(0);
  await performTask(t.deps, extractTask(parts, lowered), { library_id: many });
});

test('many waiting files have a bounded number of jobs, and new ones always get one', async () => {
  const large = await addLibrary(t.deps, { root_path: path.join(root, 'large') });
  const ids: string[] = [];
  for (let n = 0; n < 1400; n += 1) ids.push(await addItem(t.deps, large, `${n}.txt`));
  const jobs = async () => {
    const { rows } = await sql<{ n: number }>`select count(*)::integer as n from jobs where place = ${large} and state = 'todo'`.execute(
      t.deps.db,
    );
    return rows[0]!.n;
  };
  await queueExtraction(t.deps.db, large, ids.slice(0, 1390));
  expect(await jobs()).toBe(32);
  await queueExtraction(t.deps.db, large, ids);
  expect(await jobs()).toBe(33);
});
