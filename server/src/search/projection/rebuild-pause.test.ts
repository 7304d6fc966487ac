import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { until } from '../../../test/service.ts';
import { createLog } from '../../platform/log/index.ts';
import { openPassageWriter, openSearchWriter, type SearchWriter } from '../engines/index.ts';
import { createPassageProjector } from '../passages/index.ts';
import { createProjector, type Projector, requestNewRebuild } from './index.ts';
import { type RebuildKey, readPause, readRebuild, requestRebuild, writeRebuild } from './store.ts';

const failed = { id: 'earlier', status: 'failed' as const, documents: 0, total: 0, error: 'ENOSPC: no space left on device, write' };

/** A projector without an index, whose disk is full. */
async function start(key: RebuildKey, pauseMs: number) {
  const t = await createTestApp();
  await sql`insert into libraries (name, root_path, chunking_enabled) values ('Docs', '/docs', true)`.execute(t.deps.db);
  await writeRebuild(t.deps.db, { ...failed, pause_ms: pauseMs }, key);
  let attempts = 0;
  const waits: string[] = [];
  const log = createLog({
    name: 'catalog.index',
    level: 'warning',
    sinks: [{ write: ({ level, message }) => void (level === 'warning' && waits.push(message)) }],
  });
  const isPassages = key === 'passage_index_rebuild';
  const real = (isPassages ? openPassageWriter : openSearchWriter)(t.deps.settings);
  const writer: SearchWriter = {
    ...real,
    async rebuild(pages) {
      attempts += 1;
      for await (const _ of pages);
      throw new Error(failed.error);
    },
  };
  const projector: Projector = (isPassages ? createPassageProjector : createProjector)({ ...t.deps, log }, writer);
  onTestFinished(async () => {
    await projector.stop();
    await t.close();
  });
  return { t, projector, waits, attempts: () => attempts };
}
const hourAgo = ({ deps }: TestApp) => sql`update service_state set updated_at = now() - interval '1 hour'`.execute(deps.db);

test.each(['index_rebuild', 'passage_index_rebuild'] as const)(
  'after a failed %s the next attempt waits, one that somebody requests does not, and neither does a stop',
  async (key) => {
    const { t, projector, waits, attempts } = await start(key, 300_000);
    projector.start();
    await until(() => waits.length > 0, 'the projector to wait');
    expect(waits).toEqual(['The index could not be built. The next attempt starts in 300 s, or when somebody requests it.']);
    expect(attempts()).toBe(0);
    const id = await requestNewRebuild(t.deps.db, key);
    await until(async () => (await readRebuild(t.deps.db, key))?.status === 'failed', 'the requested attempt to fail');
    expect([attempts(), (await readRebuild(t.deps.db, key))?.id]).toEqual([1, id]);
    await writeRebuild(t.deps.db, { ...failed, pause_ms: 300_000 }, key);
    await until(() => waits.length > 1, 'the projector to wait again');
    await projector.stop();
  },
);

test('each attempt that nobody requested doubles the pause, up to five minutes', async () => {
  const { t, projector } = await start('index_rebuild', 60_000);
  const pauseOf = async () => (await readRebuild(t.deps.db))?.pause_ms;
  await hourAgo(t);
  projector.start();
  for (const pause of [120_000, 240_000, 300_000, 300_000]) {
    const { id } = (await readRebuild(t.deps.db))!;
    await hourAgo(t);
    await sql`select pg_notify('index_outbox', '')`.execute(t.deps.db);
    await until(async () => {
      const state = (await readRebuild(t.deps.db))!;
      return state.id !== id && state.status === 'failed';
    }, 'the next attempt to fail');
    expect(await pauseOf()).toBe(pause);
  }
});

test('the dashboard says why there is no index and when it is built again; only administrators see the error', async () => {
  const { t } = await start('index_rebuild', 300_000);
  const reason = async (as: 'read' | 'admin') => (await t.request('GET', '/stats', undefined, { as })).json().degraded.meili;
  const next = 'The next attempt starts within 5 min, or when an administrator runs "Rebuild the index".';
  expect(await reason('admin')).toBe(`The search index could not be built: ${failed.error}. ${next}`);
  expect(await reason('read')).toBe(`The search index could not be built. ${next}`);
  await hourAgo(t);
  expect(await readPause(t.deps.db)).toBe(0);
  expect(await reason('admin')).toMatch(/^There is no index in /);
  await requestRebuild(t.deps.db);
  expect(await reason('admin')).toMatch(/^There is no index in /);
});
