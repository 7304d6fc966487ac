import { Worker } from 'node:worker_threads';
import { checkQueryShape } from '../check-query.ts';
import { EngineError } from '../errors.ts';
import { callsTo } from '../threads/calls.ts';
import { startThread } from '../threads/start.ts';
import type { Answer, IndexStats, Query, Reader } from '../types.ts';

/** For tests: ways through the engine that small indexes would not take by themselves. */
export interface ReaderOptions {
  /** Cells up to this size are ordered by comparing documents (default 200). */
  smallCell?: number;
}

export async function openReader(directory: string, options: ReaderOptions = {}): Promise<Reader> {
  const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), { workerData: { directory, options } });
  await startThread(worker);
  const caller = callsTo(worker);
  return {
    async search(query: Query) {
      checkQueryShape(query);
      return caller.call<Answer>('search', query).catch(explainClone);
    },
    async suggest(word, limit = 10) {
      if (typeof word !== 'string' || !Number.isSafeInteger(limit))
        throw new EngineError('bad_query', 'Suggestions need a word and a whole number as limit.');
      return caller.call<string[]>('suggest', { word: word.slice(0, 1000), limit: Math.min(limit, 1000) });
    },
    stats: () => caller.call<IndexStats>('stats'),
    async *list() {
      const listing = await caller.call<number>('openListing');
      try {
        for (;;) {
          const page = await caller.call<{ id: string; fingerprint: string }[]>('pageListing', listing);
          if (page.length === 0) return;
          yield page;
        }
      } finally {
        await caller.call('closeListing', listing).catch(() => undefined);
      }
    },
    refresh: () => caller.call('refresh'),
    close: () => caller.close(),
  };
}

function explainClone(error: unknown): never {
  if (error instanceof Error && error.name === 'DataCloneError')
    throw new EngineError('bad_query', `The query holds something that is no data: ${error.message}`);
  throw error;
}
