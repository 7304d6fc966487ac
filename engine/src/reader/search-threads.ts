import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.ts';
import { type Caller, callsTo } from '../threads/calls.ts';
import { threadFile } from '../threads/file.ts';
import { startThread } from '../threads/start.ts';
import { divide } from './divide.ts';
import type { SharedView } from './follow.ts';
import type { ReaderOptions } from './reader.ts';
import type { ReaderThreadData } from './reader-thread.ts';

/**
 * The threads of one reader. The first loads the index and follows it. A second is started when a question comes while the first is
 * busy, or a moment after the opening, so that a rush finds it ready; it works on the same memory and is told every new view. Questions
 * wait in one line and go to whichever thread is free first, so that a long one holds up none but itself. While more wait than there are
 * threads, each thread has its next question at hand already.
 *
 * While nothing waits and every thread is idle, a question may be divided: each thread answers for its share of the segments.
 */
export interface SearchThreads {
  first: Caller;
  /** Has a question answered by the first thread that is free. */
  ask<Answer>(name: string, argument: unknown): Promise<Answer>;
  /**
   * Has every thread answer for its share of the segments. Null when that is not worth it now: a thread is busy or not started, the
   * segments do not divide, or the threads serve different views.
   */
  askEach(query: unknown): Promise<string[] | null>;
  /** Resolves when every thread serves the newest view the first has told of. */
  settled(): Promise<void>;
  close(): Promise<void>;
}

const defaultThreads = 2;
const secondThreadAfterMs = 1000;
/** A question leaves nothing behind: a small nursery costs no time, and a large one would be held by every thread for good. */
const resourceLimits = { maxYoungGenerationSizeMb: 3 };

export async function startSearchThreads(directory: string, options: ReaderOptions): Promise<SearchThreads> {
  const most = Math.max(1, Math.min(options.threads ?? defaultThreads, availableParallelism()));
  let newest: SharedView | null = null;
  let starting: Promise<void> | null = null;
  let adopting: Promise<unknown> = Promise.resolve();
  let closed = false;
  let shares: number[][] | null = null;
  /** With each thread, how many questions it has. It may have other calls too; those do not keep it from answering. */
  const threads: { calls: Caller; asked: number }[] = [];
  const line: { name: string; argument: unknown; answer: PromiseWithResolvers<unknown> }[] = [];

  const start = async (adopt: SharedView | null): Promise<Caller> => {
    const workerData: ReaderThreadData = { directory, options, adopt };
    const worker = new Worker(threadFile('reader-thread'), { workerData, resourceLimits });
    if (!adopt) worker.on('message', ({ call, value }: { call: number; value: SharedView }) => call === -1 && spread(value));
    await startThread(worker);
    return callsTo(worker);
  };
  const spread = (view: SharedView) => {
    newest = view;
    shares = divide(
      view.segments.map(({ table }) => table.facts.documents),
      most,
      options.divideFrom,
    );
    // A thread that cannot adopt a view is told of the next one; until then it answers on its old one.
    for (const thread of threads.slice(1)) adopting = Promise.all([adopting, thread.calls.call('adopt', view).catch(() => undefined)]);
  };
  const addThread = async () => {
    let known = newest!;
    const calls = await start(known);
    // It is asked only once it serves the newest view.
    while (known !== newest && !closed) {
      known = newest!;
      await calls.call('adopt', known).catch(() => undefined);
    }
    if (closed) return calls.close();
    threads.push({ calls, asked: 0 });
    serve();
  };
  const startAnother = () => {
    if (threads.length >= most || starting || closed) return;
    // After a failure none is tried again: those that are there answer everything.
    starting = addThread().then(
      () => {
        starting = null;
      },
      () => undefined,
    );
  };
  const askEach = async (query: unknown): Promise<string[] | null> => {
    const idle = line.length === 0 && threads.every(({ asked }) => asked === 0);
    if (!shares || !idle || threads.length < shares.length) return null;
    const { generation } = newest!;
    const parts = await Promise.all(
      shares.map((share, index) => {
        const thread = threads[index]!;
        thread.asked++;
        return thread.calls.call<string | null>('part', { query, share, generation }).finally(() => {
          thread.asked--;
          serve();
        });
      }),
    );
    return parts.every((part) => part !== null) ? (parts as string[]) : null;
  };
  const serve = () => {
    while (line.length > 0) {
      const idlest = threads.reduce((best, thread) => (thread.asked < best.asked ? thread : best));
      if (idlest.asked > 0) startAnother();
      if (idlest.asked > (line.length > threads.length ? 1 : 0)) return;
      const { name, argument, answer } = line.shift()!;
      idlest.asked++;
      const done = () => {
        idlest.asked--;
        serve();
      };
      idlest.calls.call(name, argument).then(answer.resolve, answer.reject).finally(done);
    }
  };

  const first = await start(null);
  threads.push({ calls: first, asked: 0 });
  const early = setTimeout(startAnother, secondThreadAfterMs);
  early.unref();
  if (options.divideFrom !== undefined) {
    startAnother();
    await starting;
  }
  return {
    first,
    ask<Answer>(name: string, argument: unknown) {
      const answer = Promise.withResolvers<unknown>();
      line.push({ name, argument, answer });
      serve();
      return answer.promise as Promise<Answer>;
    },
    askEach,
    settled: async () => {
      await adopting;
    },
    async close() {
      closed = true;
      clearTimeout(early);
      for (const { answer } of line.splice(0)) answer.reject(new EngineError('closed', 'The index is closed.'));
      await starting;
      await Promise.all(threads.map(({ calls }) => calls.close()));
    },
  };
}
