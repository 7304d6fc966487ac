import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { performTask } from '../../../test/perform.ts';
import { projectionTasks } from './tasks.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

/** An index that says how large it is; whether it was compacted. The disk is a real one. */
async function compacted(sizes: { storeBytes: number; usedBytes: number }, changed: Partial<TestApp['deps']['settings']> = {}) {
  let done = false;
  const writer = {
    compact: async () => {
      done = true;
      return sizes;
    },
  };
  const settings = { ...t.deps.settings, searchUrl: 'http://127.0.0.1:9', searchDataPath: t.configDir, ...changed };
  const parts = { reader: { stats: async () => sizes }, writer } as never;
  await performTask(t.deps, projectionTasks({ settings } as never, parts).compact, {} as never);
  return done;
}

test('the weekly compaction waits until the index stores more than the threshold times what it uses', async () => {
  const threshold = t.deps.settings.searchCompactionThreshold;
  expect(await compacted({ storeBytes: 1000 * threshold, usedBytes: 1000 })).toBe(false);
  expect(await compacted({ storeBytes: 1000 * threshold + 1, usedBytes: 1000 })).toBe(true);
  expect(await compacted({ storeBytes: 9000, usedBytes: 1000 }, { searchCompactionEnabled: false })).toBe(false);
});

test('it is left alone where the disk has less than twice its size, or less than the floor', async () => {
  expect(await compacted({ storeBytes: 1e18, usedBytes: 1 })).toBe(false);
  expect(await compacted({ storeBytes: 9000, usedBytes: 1000 }, { diskMinFreeGb: 1e9 })).toBe(false);
});
