/**
 * The pool of readers. `extract` and `run` may be called as often as one likes: jobs wait in order for a free reader. A job that is aborted
 * while it waits never starts. `close` stops the readers at once; jobs still waiting end as stopped.
 */
import type { ExtractOutcome, ExtractResult, ExtractTaskOptions, FileJob, TaskOutcome } from './protocol.ts';
import { createReader, type Reader, stopped } from './reader.ts';
import { discardStaleScratch, type Fences, wrapperFor } from './launch.ts';

export interface ExtractPoolOptions {
  /** Readers, each one process. */
  size: number;
  /** Ceiling on the data of one reader. */
  memoryMb?: number;
  /** Files after which a reader is replaced. */
  recycleAfter?: number;
  /** Readers yield the processor to others, unless somebody waits for what they do. */
  background?: boolean;
  /** Read download origins during extraction; on unless told otherwise. */
  provenance?: boolean;
  /** Further tasks by name: modules whose default export is a SandboxTask. */
  tasks?: Record<string, URL>;
}

export interface ExtractPool {
  extract(job: FileJob, signal?: AbortSignal): Promise<ExtractOutcome>;
  /** Runs a task handed in under `tasks`. */
  run<Result>(task: string, job: FileJob, options: unknown, signal?: AbortSignal): Promise<TaskOutcome<Result>>;
  stats(): { busy: number; waiting: number; memoryBytes: number; pids: number[] };
  /** Which fences of the sandbox this host offers. */
  fences: Fences;
  close(): void;
}

export function createExtractPool(options: ExtractPoolOptions): ExtractPool {
  discardStaleScratch();
  const memoryMb = options.memoryMb ?? 1024;
  const settings = { memoryMb, recycleAfter: options.recycleAfter ?? 2000, background: options.background ?? true };
  const modules = new Map(Object.entries(options.tasks ?? {}).map(([name, url]) => [name, url.href]));
  modules.set('extract', new URL('./extract-task.ts', import.meta.url).href);
  const readers: Reader[] = Array.from({ length: Math.max(1, options.size) }, () => createReader(settings));
  const free = [...readers];
  const waiting: ((reader: Reader | null) => void)[] = [];
  const extractOptions: ExtractTaskOptions = { provenance: options.provenance ?? true };
  let closed = false;

  const take = (): Promise<Reader | null> => {
    const reader = free.pop();
    if (reader !== undefined) return Promise.resolve(reader);
    return new Promise((resolve) => waiting.push(resolve));
  };
  const give = (reader: Reader): void => {
    const next = waiting.shift();
    if (next !== undefined) next(reader);
    else free.push(reader);
  };

  const run = async (task: string, job: FileJob, taskOptions: unknown, signal?: AbortSignal): Promise<TaskOutcome<unknown>> => {
    const module = modules.get(task);
    if (module === undefined) throw new Error(`The pool has no task named ${task}.`);
    if (closed) return stopped;
    const reader = await take();
    if (reader === null) return stopped;
    try {
      if (closed || signal?.aborted) return stopped;
      return await reader.run(task, module, job, taskOptions, signal);
    } finally {
      give(reader);
    }
  };

  return {
    async extract(job, signal) {
      const outcome = await run('extract', job, extractOptions, signal);
      if (!outcome.ok) return outcome;
      const result = outcome.result as ExtractResult;
      return { ok: true, ...result };
    },
    run: <Result>(task: string, job: FileJob, taskOptions: unknown, signal?: AbortSignal) =>
      run(task, job, taskOptions, signal) as Promise<TaskOutcome<Result>>,
    stats: () => ({
      busy: readers.length - free.length,
      waiting: waiting.length,
      memoryBytes: readers.reduce((sum, reader) => sum + reader.memoryBytes(), 0),
      pids: readers.flatMap((reader) => reader.pid() ?? []),
    }),
    // Asked for lazily: finding out starts processes and waits for them.
    get fences() {
      return wrapperFor(memoryMb).fences;
    },
    close() {
      closed = true;
      for (const resolve of waiting.splice(0)) resolve(null);
      for (const reader of readers) reader.close();
    },
  };
}
