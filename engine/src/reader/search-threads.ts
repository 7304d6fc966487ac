import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { EngineError } from '../errors.ts';
import { type Caller, createCaller, threadFile, waitUntilReady } from '../threads/calls.ts';
import type { Query, ReaderOptions } from '../types.ts';
import type { ReaderThreadData } from './reader-thread.ts';
import type { SharedSnapshot } from './snapshot.ts';

/**
 * The threads of one reader. The first loads the index and watches it. Others start when a query arrives while all are busy, or shortly
 * after opening, so that they are ready for a burst of queries; they use the same memory and receive every new snapshot. Queries wait in
 * one queue for the first free thread, so that a slow query delays no others. When more queries wait than there are threads, each thread
 * receives its next query in advance.
 *
 * When all threads are idle, a query may be divided: each thread searches its share of the segments, or compares its share of the vectors.
 */
interface SearchThreads {
  first: Caller;
  /** Runs a call on the first free thread. */
  run<Result>(name: string, argument: unknown): Promise<Result>;
  /**
   * Runs the query on every thread's share of the segments. Returns null when this is not possible or worthwhile: a thread is busy or not
   * started, the segments cannot be divided evenly, or the threads have different snapshots.
   */
  runOnShares(query: unknown): Promise<string[] | null>;
  /**
   * Calls every thread with its number, the number of threads and the generation of the newest snapshot. Returns null when a thread is busy
   * or not started, returned null because it has another snapshot, or the index is too small to divide the work.
   */
  runOnAll<Result>(name: string, argument: (part: number, parts: number, generation: number) => unknown): Promise<Result[] | null>;
  /** Resolves when every thread serves the newest snapshot of the first. */
  allAdopted(): Promise<void>;
  close(): Promise<void>;
}

const defaultThreads = 2;
const secondThreadAfterMs = 1000;
const retryAfterMs = 10_000;
/** Queries leave no garbage that survives, so a small young generation costs no time, and every thread would keep a large one allocated. */
const resourceLimits = { maxYoungGenerationSizeMb: 3 };

export async function startSearchThreads(directory: string, options: ReaderOptions): Promise<SearchThreads> {
  const maxThreads = Math.max(1, Math.min(options.threads ?? defaultThreads, availableParallelism()));
  let newest: SharedSnapshot | null = null;
  let starting: Promise<void> | null = null;
  let retry: NodeJS.Timeout | undefined;
  let adopting: Promise<void> = Promise.resolve();
  let closed = false;
  let shares: number[][] | null = null;
  /** Each thread with its number of running queries; other calls do not count. */
  const threads: { calls: Caller; inFlight: number }[] = [];
  const queue: { name: string; argument: unknown; reply: PromiseWithResolvers<unknown> }[] = [];

  const start = async (adopt: SharedSnapshot | null): Promise<Caller> => {
    const workerData: ReaderThreadData = { directory, options, adopt };
    const worker = new Worker(threadFile('reader-thread'), { workerData, resourceLimits });
    if (!adopt) worker.on('message', ({ call, value }: { call: number; value: SharedSnapshot }) => call === -1 && distribute(value));
    await waitUntilReady(worker);
    return createCaller(worker);
  };
  const distribute = (snapshot: SharedSnapshot) => {
    newest = snapshot;
    shares = divideSegments(
      snapshot.segments.map(({ table }) => table.facts.documents),
      maxThreads,
      options.divideFrom,
    );
    // A thread that fails to adopt a snapshot keeps serving its old one until the next arrives.
    const adopted = threads.slice(1).map((thread) => thread.calls.call<void>('adopt', snapshot).catch(() => undefined));
    // Not the results, which would contain those of all earlier snapshots.
    adopting = Promise.all([adopting, ...adopted]).then(() => undefined);
  };
  const addThread = async () => {
    // The first thread publishes a snapshot before it is ready.
    if (newest === null) return;
    let adopted: SharedSnapshot = newest;
    const calls = await start(adopted);
    // The thread receives queries only once it serves the newest snapshot.
    while (adopted !== newest && !closed) {
      adopted = newest;
      // After a failure the thread keeps its old snapshot until the next one arrives.
      await calls.call('adopt', adopted).catch(() => undefined);
    }
    if (closed) return calls.close();
    threads.push({ calls, inFlight: 0 });
    dispatch();
  };
  const startAnother = () => {
    if (threads.length >= maxThreads || starting || closed) return;
    starting = addThread().then(
      () => {
        starting = null;
      },
      // Until the next attempt, the existing threads run all queries. A merge may have removed a segment, or memory may be short.
      () => {
        retry = setTimeout(() => {
          starting = null;
          startAnother();
        }, retryAfterMs);
        retry.unref();
      },
    );
  };
  const isIdle = () => queue.length === 0 && threads.every(({ inFlight }) => inFlight === 0);
  /** Calls the first `count` threads at once; null when one of them returned null. */
  const callTogether = async <Result>(count: number, name: string, argument: (part: number) => unknown): Promise<Result[] | null> => {
    const results = await Promise.all(
      threads.slice(0, count).map((thread, index) => {
        thread.inFlight++;
        return thread.calls.call<Result | null>(name, argument(index)).finally(() => {
          thread.inFlight--;
          dispatch();
        });
      }),
    );
    return results.every((result) => result !== null) ? (results as Result[]) : null;
  };
  const runOnShares = async (query: unknown): Promise<string[] | null> => {
    if (!shares || !newest || !isIdle() || threads.length < shares.length) return null;
    const { generation } = newest;
    const current = shares;
    return callTogether<string>(current.length, 'part', (index) => ({ query, share: current[index], generation }));
  };
  const runOnAll = async <Result>(name: string, argument: (part: number, parts: number, generation: number) => unknown) => {
    const documents = newest?.segments.reduce((sum, { table }) => sum + table.facts.documents, 0) ?? 0;
    const least = options.divideFrom ?? minDocuments;
    if (!newest || !isIdle() || maxThreads < 2 || threads.length < maxThreads || documents < least) return null;
    const { generation } = newest;
    return callTogether<Result>(maxThreads, name, (part) => argument(part, maxThreads, generation));
  };
  const dispatch = () => {
    for (let [next] = queue; next !== undefined; [next] = queue) {
      const leastLoaded = threads.reduce((best, thread) => (thread.inFlight < best.inFlight ? thread : best));
      if (leastLoaded.inFlight > 0) startAnother();
      if (leastLoaded.inFlight > (queue.length > threads.length ? 1 : 0)) return;
      queue.shift();
      const { name, argument, reply } = next;
      leastLoaded.inFlight++;
      const done = () => {
        leastLoaded.inFlight--;
        dispatch();
      };
      void leastLoaded.calls.call(name, argument).then(reply.resolve, reply.reject).finally(done);
    }
  };

  const first = await start(null);
  threads.push({ calls: first, inFlight: 0 });
  const timer = setTimeout(startAnother, secondThreadAfterMs);
  timer.unref();
  if (options.divideFrom !== undefined) {
    startAnother();
    await starting;
  }
  return {
    first,
    run<Result>(name: string, argument: unknown) {
      const reply = Promise.withResolvers<unknown>();
      queue.push({ name, argument, reply });
      dispatch();
      return reply.promise as Promise<Result>;
    },
    runOnShares,
    runOnAll,
    allAdopted: () => adopting,
    async close() {
      closed = true;
      clearTimeout(timer);
      clearTimeout(retry);
      for (const { reply } of queue.splice(0)) reply.reject(new EngineError('closed', 'The index is closed.'));
      await starting;
      await Promise.all(threads.map(({ calls }) => calls.close()));
    },
  };
}

/** Below this many documents, one thread finishes before a second could start. */
const minDocuments = 50_000;
/** Every thread would have to return this many hits for a page further back. */
const maxSharedHits = 1000;

/**
 * Divides segments evenly among threads by document count, largest first. Returns null when one thread would get more than 80 % of the
 * documents, unless `least` is 0 (for tests).
 */
export function divideSegments(documents: readonly number[], threads: number, least = minDocuments): number[][] | null {
  const sum = documents.reduce((total, count) => total + count, 0);
  if (threads < 2 || documents.length < 2 || sum < least) return null;
  const shares = Array.from({ length: threads }, () => ({ segments: [] as number[], documents: 0 }));
  const largestFirst = documents.map((count, index) => ({ index, count })).sort((a, b) => b.count - a.count);
  for (const { index, count } of largestFirst) {
    const leastLoaded = shares.reduce((best, share) => (share.documents < best.documents ? share : best));
    leastLoaded.segments.push(index);
    leastLoaded.documents += count;
  }
  const maxThreads = Math.max(...shares.map((share) => share.documents));
  return least > 0 && maxThreads > sum * 0.8
    ? null
    : shares.map((share) => share.segments.sort((a, b) => a - b)).filter((segments) => segments.length > 0);
}

/** Returns whether a query is worth dividing. Sorted pages without text or counts take less time than the hand-over. */
export function isDivisible({ text, facets, stats, histograms, vector, likeId, offset, limit }: Query): boolean {
  if (vector !== undefined || likeId !== undefined || (offset ?? 0) + (limit ?? 0) > maxSharedHits) return false;
  return Boolean(text?.trim()) || [facets, stats, histograms].some((list) => (list?.length ?? 0) > 0);
}
