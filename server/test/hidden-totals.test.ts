import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { similarJob } from '../src/insight/duplicates/similar/job.ts';
import { enqueue } from '../src/platform/queue/index.ts';
import { addPerson } from './catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from './indexed-app.ts';

/** What people who do not see everything are told must not change with libraries and files that they do not see. */
let t: IndexedApp;
let seen: string;
const callers: Record<string, string> = {};
let whole: string;

beforeAll(async () => {
  t = await createIndexedApp();
  seen = await t.addLibrary('Seen');
  await t.addItems(seen, [{ path: 'a.pdf' }, { path: 'b.pdf' }]);
  await addRun(seen);
  await t.waitForIndex();
  callers['a person without grants'] = (await addPerson(t.deps, [])).key;
  whole = callers['a person with one library'] = (await addPerson(t.deps, [[seen, '', 'search_metadata']])).key;
});
afterAll(() => t.close());

async function addRun(library: string, status = 'finished'): Promise<string> {
  const { rows } = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, stats)
    values (${library}, ${status}, ${status === 'finished' ? 'done' : 'walking'}, ${status === 'finished' ? sql`now()` : null},
      '{"seen": 2, "new": 2}') returning id`.execute(t.deps.db);
  return rows[0]!.id;
}

/** Everything that must stay the same, without what the machine and the queue say of themselves. */
async function reported(key: string) {
  const get = async (url: string) => (await t.request('GET', url, undefined, { as: key })).json();
  const { extract, thumbs, index, scans_running, scan_throughput } = await get('/system/jobs/summary');
  return {
    about: (await get('/system/about')).services,
    summary: { extract, thumbs, index, scans_running, scan_throughput },
    features: await get('/system/features'),
    comparing: (await get('/duplicates/plan')).comparing,
    libraries: (await get('/libraries')).map(({ last_scan }: { last_scan: { stages: unknown } }) => last_scan.stages),
    scans: (await get('/scans')).items.map(({ stages }: { stages: unknown }) => stages),
  };
}

test('totals of the whole catalog are told only to those who see all of it', async () => {
  const job = await enqueue(t.deps.db, similarJob, {}, { lock: similarJob.name });
  const before = new Map<string, unknown>();
  for (const [name, key] of Object.entries(callers)) before.set(name, await reported(key));
  const all = await reported(t.keys.read);

  const hidden = await t.addLibrary('Hidden', { passages: true });
  const ids = await t.addItems(hidden, [{ path: 'a.jpg' }, { path: 'b.jpg' }, { path: 'c.jpg' }]);
  await t.waitForIndex();
  const run = await addRun(hidden, 'running');
  const { db } = t.deps;
  await sql`insert into folder_moves (run_id, library_id, rel_path, from_rel_path, item_ids) values (${run}, ${hidden}, 'x', 'y', ${ids}::uuid[])`.execute(
    db,
  );
  await sql`insert into thumbs_due select unnest(${ids}::uuid[])`.execute(db);
  await sql`insert into extract_pending (item_id, library_id) select unnest(${ids}::uuid[]), ${hidden} on conflict do nothing`.execute(db);
  await sql`update jobs set progress = '{"hashed": 3, "photos": 3}' where id = ${job}`.execute(db);

  for (const [name, key] of Object.entries(callers)) expect(await reported(key), name).toEqual(before.get(name));
  // Whoever sees everything is told.
  const now = await reported(t.keys.read);
  expect(now.about.at(-1).detail).toMatch(/^5 documents/);
  expect(now.summary).toMatchObject({ extract: { waiting: 3 }, thumbs: { waiting: 3 }, index: { waiting: 3 }, scans_running: 1 });
  expect(now.features.features.find(({ key }: { key: string }) => key === 'chunking')).toMatchObject({ count: 1, total: 2 });
  expect(now.comparing.progress).toEqual({ hashed: 3, photos: 3 });
  expect(all).not.toEqual(now);
});

test('people without any grant are told of no files and libraries at all', async () => {
  const told = await reported(callers['a person without grants']!);
  expect(told).toMatchObject({ summary: { extract: null, thumbs: null, index: null, scans_running: 0 }, libraries: [], scans: [] });
  expect(told.about.at(-1)).toMatchObject({ detail: 'ready' });
  expect(told.features.features.find(({ key }: { key: string }) => key === 'chunking')).toMatchObject({
    enabled: false,
    count: 0,
    total: 0,
  });
  expect((await reported(whole)).libraries).toMatchObject([{ index: { done: 2, total: 2, state: 'done' } }]);
});
