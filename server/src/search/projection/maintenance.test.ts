import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { performTask } from '../../../test/perform.ts';
import { openSearchReader, openSearchWriter } from '../engines/index.ts';
import { queryMaintenance } from '../query/tasks.ts';
import { indexChecks } from './checks.ts';
import { findDrift, repairDrift } from './index.ts';
import { readRebuild, writeRebuild } from './store.ts';
import { indexMaintenance, projectionTasks } from './tasks.ts';

let t: IndexedApp;
let ids: string[];

beforeAll(async () => {
  t = await createIndexedApp();
  const library = await t.addLibrary('Docs');
  ids = await t.addItems(library, [{ path: 'a/ledger one.pdf' }, { path: 'a/ledger two.pdf' }]);
  await t.waitForIndex();
});
afterAll(() => t.close());

const taskOf = (key: string) => [...indexMaintenance(t.deps), ...queryMaintenance].find((each) => each.key === key)!.task;
const check = () => indexChecks[0]!.run(t.deps);

test('POST /system/rebuild-index needs admin, returns 202 with a job, runs once at a time, and the job ends after the swap', async () => {
  expect((await t.request('POST', '/system/rebuild-index', undefined, { as: 'write' })).statusCode).toBe(403);
  const asked = await t.request('POST', '/system/rebuild-index');
  expect(asked.statusCode).toBe(202);
  expect((await t.request('GET', `/system/jobs/${asked.json().job_id}`)).json()).toMatchObject({ task: 'rebuild_index' });
  expect((await t.request('POST', '/system/rebuild-index')).json()).toMatchObject({ status: 409, code: 'already_queued' });
  const seen: unknown[] = [];
  await performTask(t.deps, taskOf('rebuild_index'), {}, { progress: (counts) => seen.push(counts) });
  expect(await readRebuild(t.deps.db)).toMatchObject({ status: 'done', documents: 2, total: 2 });
  expect((await t.request('GET', '/search?q=ledger')).json().total).toBe(2);
  expect(await check()).toEqual([]);
});

test('POST /system/maintenance/reconcile_meili/run queues it; it finds drift, repairs it and never writes an item', async () => {
  expect((await t.request('POST', '/system/maintenance/reconcile_meili/run')).statusCode).toBe(202);
  const before = (await sql`select id, xmin::text from item_rows order by id`.execute(t.deps.db)).rows;
  // A change that is not in the outbox, as after restoring an older database.
  await sql`alter table item_rows disable trigger items_updated`.execute(t.deps.db);
  await sql`update items set title = 'renamed quietly' where id = ${ids[0]}`.execute(t.deps.db);
  await sql`alter table item_rows enable trigger items_updated`.execute(t.deps.db);
  expect(await check()).toEqual([`The search index has an old version of item ${ids[0]}.`]);
  const counts: Record<string, unknown>[] = [];
  await performTask(t.deps, taskOf('reconcile_meili'), {}, { progress: (each) => counts.push(each as Record<string, unknown>) });
  expect(counts.at(-1)).toMatchObject({ compared: 2, stale: 1, mended: 1 });
  await t.waitForIndex();
  await expect.poll(check, { timeout: 30_000 }).toEqual([]);
  // The app sees a written index a moment later.
  await expect.poll(async () => (await t.request('GET', '/search?q=quietly')).json().total, { timeout: 30_000 }).toBe(1);
  const after = (await sql`select id, xmin::text from item_rows order by id`.execute(t.deps.db)).rows;
  expect(after[1]).toEqual(before[1]);
});

test('items of a removed library are not drift: they leave the index with their rows', async () => {
  const library = await t.addLibrary('Going');
  await t.addItems(library, [{ path: 'x/last one.pdf' }]);
  await t.waitForIndex();
  await sql`update all_libraries set removed_at = now() where id = ${library}`.execute(t.deps.db);
  expect(await check()).toEqual([]);
  await sql`delete from all_libraries where id = ${library}`.execute(t.deps.db);
  await t.waitForIndex();
  await expect.poll(check, { timeout: 30_000 }).toEqual([]);
});

test('repairs are capped', async () => {
  const reader = openSearchReader(t.deps.settings);
  await sql`alter table item_rows disable trigger items_updated`.execute(t.deps.db);
  await sql`update items set title = 'again'`.execute(t.deps.db);
  await sql`alter table item_rows enable trigger items_updated`.execute(t.deps.db);
  const drift = await findDrift(t.deps.db, reader, 10);
  expect(drift.stale).toHaveLength(2);
  expect(await repairDrift(t.deps.db, drift, 1)).toBe(1);
  await reader.close();
});

test('compaction and reaping run and do not change the content of the index', async () => {
  for (const key of ['compact_meili', 'reap_shadow_indexes']) {
    expect((await t.request('POST', `/system/maintenance/${key}/run`)).statusCode).toBe(202);
    await performTask(t.deps, taskOf(key), {});
  }
  expect((await t.request('GET', '/search?q=ledger')).json().total).toBe(2);
});

test('the comparison closes the index again, whose memory the worker would otherwise keep', async () => {
  let open = 0;
  let opened = 0;
  const { reconcile } = projectionTasks(t.deps, {
    openReader: () => {
      const reader = openSearchReader(t.deps.settings);
      open += 1;
      opened += 1;
      return {
        ...reader,
        close: async () => {
          open -= 1;
          await reader.close();
        },
      };
    },
    writer: openSearchWriter(t.deps.settings),
  });
  await performTask(t.deps, reconcile, {});
  expect([opened, open]).toEqual([1, 0]);
});

test('an index that is still being built is not reaped, however old it is', async () => {
  const quiet = await createTestApp();
  let reaped = 0;
  const writer = {
    reapShadows: async () => {
      reaped += 1;
      return 1;
    },
  };
  const { reap } = projectionTasks(quiet.deps, { writer } as never);
  try {
    for (const [status, times] of [
      ['running', 0],
      // Somebody has requested another rebuild while this one runs.
      ['requested', 0],
      ['done', 1],
    ] as const) {
      await writeRebuild(quiet.deps.db, { id: 'a', status, documents: 0, total: 0, error: null });
      await performTask(quiet.deps, reap, {});
      expect(reaped, status).toBe(times);
    }
  } finally {
    await quiet.close();
  }
});

test('interest older than 90 days is deleted, and large counts are halved', async () => {
  const [subject, other] = ['00000000-0000-7000-8000-00000000000a', '00000000-0000-7000-8000-00000000000b'];
  await sql`insert into item_touches (subject, item_id, count, last_at) values (${subject}, ${ids[0]}, 5, now() - interval '91 days'),
    (${subject}, ${ids[1]}, 10001, now()), (${other}, ${ids[1]}, 7, now())`.execute(t.deps.db);
  await performTask(t.deps, taskOf('prune_frecency'), {});
  const { rows } = await sql`select subject, item_id, count from item_touches order by subject`.execute(t.deps.db);
  expect(rows).toEqual([
    { subject, item_id: ids[1], count: 5000 },
    { subject: other, item_id: ids[1], count: 7 },
  ]);
});

test('an unreachable engine is a 503 on every route that needs it; routes that use the database only still work', async () => {
  const away = await createTestApp({ SVC_SEARCH_URL: 'http://127.0.0.1:9' });
  try {
    for (const url of ['/search?q=x', '/search/federated?q=x', '/search/tags?q=x', '/search/principals'])
      expect((await away.request('GET', url)).json(), url).toMatchObject({ status: 503, code: 'search_unavailable' });
    expect((await away.request('POST', '/query/preview', { query: 'x' })).statusCode).toBe(200);
  } finally {
    await away.close();
  }
});

/** Runs the compaction task with an index of the given sizes on the real disk; returns whether it was compacted. */
async function compacted(sizes: { storeBytes: number; usedBytes: number }, changed: Partial<TestApp['deps']['settings']> = {}) {
  let done = false;
  const writer = {
    setSchema: async () => {},
    compact: async () => {
      done = true;
      return sizes;
    },
  };
  const settings = { ...t.deps.settings, searchUrl: 'http://127.0.0.1:9', searchDataPath: t.configDir, ...changed };
  const parts = { openReader: () => ({ stats: async () => sizes, close: async () => {} }), writer } as never;
  await performTask(t.deps, projectionTasks({ settings } as never, parts).compact, {} as never);
  return done;
}

test('the weekly compaction waits until the index stores more than the threshold times what it uses', async () => {
  const threshold = t.deps.settings.searchCompactionThreshold;
  expect(await compacted({ storeBytes: 1000 * threshold, usedBytes: 1000 })).toBe(false);
  expect(await compacted({ storeBytes: 1000 * threshold + 1, usedBytes: 1000 })).toBe(true);
  expect(await compacted({ storeBytes: 9000, usedBytes: 1000 }, { searchCompactionEnabled: false })).toBe(false);
});

test('it is skipped when the disk has less than twice the index size, or less than one of the minimums, free', async () => {
  expect(await compacted({ storeBytes: 1e18, usedBytes: 1 })).toBe(false);
  expect(await compacted({ storeBytes: 9000, usedBytes: 1000 }, { diskMinFreeGb: 1e9 })).toBe(false);
  expect(await compacted({ storeBytes: 9000, usedBytes: 1000 }, { diskCritPctFree: 101 })).toBe(false);
});
