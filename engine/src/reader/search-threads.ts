import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { type Caller, callsTo } from '../threads/calls.ts';
import { startThread } from '../threads/start.ts';
import type { SharedView } from './follow.ts';
import type { ReaderOptions } from './reader.ts';
import type { ReaderThreadData } from './reader-thread.ts';

/**
 * The threads of one reader. The first loads the index and follows it. A second is started when a question comes while the first is
 * busy, works on the same memory, and is told every new view; from then on each question goes to the thread with the least to do.
 */
export interface SearchThreads {
  first: Caller;
  /** The thread that will answer soonest. */
  free(): Caller;
  /** Resolves when every thread serves the newest view the first has told of. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const defaultThreads = 2;

export async function startSearchThreads(directory: string, options: ReaderOptions): Promise<SearchThreads> {
  const most = Math.max(1, Math.min(options.threads ?? defaultThreads, availableParallelism()));
  let newest: SharedView | null = null;
  let starting: Promise<void> | null = null;
  let adopting: Promise<unknown> = Promise.resolve();
  let closed = false;
  const threads: Caller[] = [];

  const start = async (adopt: SharedView | null): Promise<Caller> => {
    const workerData: ReaderThreadData = { directory, options, adopt };
    const worker = new Worker(new URL('./reader-thread.ts', import.meta.url), { workerData });
    if (!adopt) worker.on('message', ({ call, value }: { call: number; value: SharedView }) => call === -1 && spread(value));
    await startThread(worker);
    return callsTo(worker);
  };
  const spread = (view: SharedView) => {
    newest = view;
    // A thread that cannot adopt a view is told of the next one; until then it answers on its old one.
    for (const thread of threads.slice(1)) adopting = Promise.all([adopting, thread.call('adopt', view).catch(() => undefined)]);
  };
  const addThread = async () => {
    const view = newest!;
    const thread = await start(view);
    threads.push(thread);
    if (closed) await thread.close();
    else if (newest !== view) await thread.call('adopt', newest!);
  };

  threads.push(await start(null));
  return {
    first: threads[0]!,
    free() {
      const idlest = threads.reduce((best, thread) => (thread.waiting() < best.waiting() ? thread : best));
      if (idlest.waiting() > 0 && threads.length < most && !starting && !closed) {
        starting = addThread().catch(() => undefined);
      }
      return idlest;
    },
    settled: async () => {
      await starting;
      await adopting;
    },
    async close() {
      closed = true;
      await starting;
      await Promise.all(threads.map((thread) => thread.close()));
    },
  };
}
