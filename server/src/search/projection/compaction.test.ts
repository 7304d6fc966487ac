import { sql } from 'kysely';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { until } from '../../../test/service.ts';
import { openSearchWriter, type SearchWriter } from '../engines/index.ts';
import { createProjector, outboxDepth, type Projector } from './index.ts';
import { readRebuild, requestNewRebuild } from './store.ts';
import { projectionTasks } from './tasks.ts';

// The embedded engine allows one writer, which a running projector holds.
let t: TestApp;
let projector: Projector;
beforeEach(async () => {
  t = await createTestApp();
});
afterEach(async () => {
  await projector.stop();
  await t.close();
});

const indexed = () => until(async () => (await outboxDepth(t.deps.db)) === 0, 'the outbox to be drained');
async function startProjector(change: (writer: SearchWriter) => SearchWriter = (writer) => writer): Promise<void> {
  projector = createProjector(t.deps, change(openSearchWriter(t.deps.settings)));
  projector.start();
  await addItem(t.deps, await addLibrary(t.deps), 'a.txt');
  await indexed();
}
const compact = () => {
  const reader = { stats: async () => ({ storeBytes: 900_000, usedBytes: 1 }), close: async () => {} } as never;
  return performTask(t.deps, projectionTasks(t.deps, { openReader: () => reader, writer: openSearchWriter(t.deps.settings) }).compact, {});
};

test('a running projector compacts the index and goes on indexing, and so does the next one', async () => {
  let compactions = 0;
  await startProjector((writer) => ({
    ...writer,
    compact() {
      compactions += 1;
      return writer.compact();
    },
  }));
  await compact();
  expect(compactions).toBe(1);
  const library = await addLibrary(t.deps);
  await addItem(t.deps, library, 'b.txt');
  await indexed();
  await projector.stop();
  projector = createProjector(t.deps, openSearchWriter(t.deps.settings));
  projector.start();
  await addItem(t.deps, library, 'c.txt');
  await indexed();
  expect(compactions).toBe(1);
});

test('a compaction that fails fails its job, and indexing goes on without repeating it', async () => {
  let attempts = 0;
  await startProjector((writer) => ({
    ...writer,
    compact() {
      attempts += 1;
      return Promise.reject(new Error('The disk is full.'));
    },
  }));
  await expect(compact()).rejects.toThrow('The disk is full.');
  await addItem(t.deps, await addLibrary(t.deps), 'b.txt');
  await indexed();
  expect(attempts).toBe(1);
});

test('a compaction that was interrupted by a crash is done by the next projector', async () => {
  const id = await requestNewRebuild(t.deps.db, 'index_compaction');
  await sql`update service_state set value = value || '{"status": "running"}' where key = 'index_compaction'`.execute(t.deps.db);
  await startProjector();
  await until(async () => (await readRebuild(t.deps.db, 'index_compaction'))?.status === 'done', 'the compaction to be done');
  expect(await readRebuild(t.deps.db, 'index_compaction')).toMatchObject({ id, error: null });
});
