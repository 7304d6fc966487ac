import { expect, test, vi } from 'vitest';
import { inDirectory, smallSchema } from '../../test/temporary-index.ts';
import { createIndex } from '../index.ts';
import { startSearchThreads } from './search-threads.ts';

/** Numbers of the threads that fail to start, counted from the opening of the reader. */
const start = vi.hoisted(() => ({ count: 0, failing: new Set<number>() }));
vi.mock('node:worker_threads', async (original) => {
  const threads = await original<typeof import('node:worker_threads')>();
  class Worker extends threads.Worker {
    constructor(...[file, options]: ConstructorParameters<typeof threads.Worker>) {
      if (start.failing.has(++start.count)) super('throw new Error("no memory left")', { eval: true });
      else super(file, options);
    }
  }
  return { ...threads, Worker };
});

test('a search thread that fails to start is started again later', async () => {
  await inDirectory(async (directory) => {
    await createIndex(directory, smallSchema);
    Object.assign(start, { count: 0, failing: new Set([2, 3]) });
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const threads = await startSearchThreads(directory, { threads: 2, divideFrom: 0 });
    try {
      expect(start.count).toBe(2);
      expect(await threads.runOnAll('stats', () => undefined)).toBeNull();
      await vi.advanceTimersByTimeAsync(5_000);
      expect(start.count).toBe(2);
      await vi.advanceTimersByTimeAsync(6_000);
      expect(start.count).toBe(3);
      await vi.waitFor(async () => {
        await vi.advanceTimersByTimeAsync(11_000);
        expect(await threads.runOnAll('stats', () => undefined)).toHaveLength(2);
      });
    } finally {
      vi.useRealTimers();
      await threads.close();
    }
  });
});
