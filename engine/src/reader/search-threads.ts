import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.ts';
import { type Caller, callsTo, threadFile, startThread } from '../threads/calls.ts';
import type { ReaderOptions, Query } from '../types.ts';
import type { SharedView } from './snapshot.ts';
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

/** Below this many documents one thread is done before another has heard of the question. */
const leastDocuments = 50_000;
/** A page beyond these many hits would be handed over by every thread. */
const mostHits = 1000;

/**
 * Divides segments over threads, by their documents: the largest goes to whoever has least so far. Null when the thread with the most
 * would have nearly all the work anyway, unless `least` is 0: then whatever can be divided is.
 */
export function divide(documents: readonly number[], threads: number, least = leastDocuments): number[][] | null {
  const sum = documents.reduce((total, count) => total + count, 0);
  if (threads < 2 || documents.length < 2 || sum < least) return null;
  const shares = Array.from({ length: threads }, () => ({ segments: [] as number[], documents: 0 }));
  const largestFirst = documents.map((_, index) => index).sort((a, b) => documents[b]! - documents[a]!);
  for (const index of largestFirst) {
    const idlest = shares.reduce((best, share) => (share.documents < best.documents ? share : best));
    idlest.segments.push(index);
    idlest.documents += documents[index]!;
  }
  const most = Math.max(...shares.map((share) => share.documents));
  return least > 0 && most > sum * 0.8
    ? null
    : shares.map((share) => share.segments.sort((a, b) => a - b)).filter((segments) => segments.length > 0);
}

/** Whether a question is worth dividing: sorted pages without words or counts take less time than handing them over. */
export function divisible({ text, facets, stats, histograms, vector, likeId, offset, limit }: Query): boolean {
  if (vector !== undefined || likeId !== undefined || (offset ?? 0) + (limit ?? 0) > mostHits) return false;
  return Boolean(text?.trim()) || [facets, stats, histograms].some((list) => (list?.length ?? 0) > 0);
}
