/**
 * The pool of readers. `extract` and `run` may be called as often as one likes: jobs wait in order for a free reader. A job that is aborted
 * while it waits never starts. `close` stops the readers at once; jobs still waiting end as stopped.
 */
import type { ExtractOutcome, ExtractResult, ExtractTaskOptions, FileJob, TaskOutcome } from './protocol.ts';
import { createPoolSlot, type SandboxRequest, type PoolSlot, stoppedOutcome } from './slot.ts';
import { discardStaleScratch, type SandboxProtections, wrapperFor } from './launch.ts';

export interface SandboxPoolOptions {
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

export interface SandboxPool {
  extract(job: FileJob, signal?: AbortSignal): Promise<ExtractOutcome>;
  /** Runs a task handed in under `tasks`. */
  run<Result>(task: string, job: FileJob, options: unknown, signal?: AbortSignal): Promise<TaskOutcome<Result>>;
  stats(): { busy: number; waiting: number; memoryBytes: number; pids: number[] };
  /** Which fences of the sandbox this host offers. */
  fences: SandboxProtections;
  close(): void;
}

/** Files a reader knows of at once: the one it reads and the next. */
const toldAhead = 2;

export function createSandboxPool(options: SandboxPoolOptions): SandboxPool {
  discardStaleScratch();
  const memoryMb = options.memoryMb ?? 1024;
  const modules = new Map(Object.entries(options.tasks ?? {}).map(([name, url]) => [name, url.href]));
  modules.set('extract', new URL('../tasks/extract-task.ts', import.meta.url).href);
  const waiting: SandboxRequest[] = [];
  const extractOptions: ExtractTaskOptions = { provenance: options.provenance ?? true };
  let closed = false;

  /** The next in line goes to the reader that has room; a reader with nothing to do takes over what waits before another. */
  const freed = (reader: PoolSlot): void => {
    if (closed) return;
    const next = waiting.shift() ?? (reader.load() === 0 ? readers.find((other) => other.load() > 1)?.release() : undefined);
    if (next !== undefined) reader.take(next);
  };
  const settings = { memoryMb, recycleAfter: options.recycleAfter ?? 10_000, background: options.background ?? true, freed };
  const readers: PoolSlot[] = Array.from({ length: Math.max(1, options.size) }, () => createPoolSlot(settings));

  const place = (errand: SandboxRequest): void => {
    const idle = readers.filter((reader) => reader.load() === 0);
    const reader = idle.find((one) => one.pid() !== undefined) ?? idle[0] ?? readers.find((one) => one.load() < toldAhead);
    if (reader !== undefined) reader.take(errand);
    else waiting.push(errand);
  };

  const run = (task: string, job: FileJob, taskOptions: unknown, signal?: AbortSignal): Promise<TaskOutcome<unknown>> => {
    const module = modules.get(task);
    if (module === undefined) throw new Error(`The pool has no task named ${task}.`);
    return new Promise((answer) => {
      if (closed) answer(stoppedOutcome);
      else place({ task, module, job, options: taskOptions, signal, answer });
    });
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
      busy: readers.filter((reader) => reader.load() > 0).length,
      waiting: readers.reduce((sum, reader) => sum + Math.max(0, reader.load() - 1), waiting.length),
      memoryBytes: readers.reduce((sum, reader) => sum + reader.memoryBytes(), 0),
      pids: readers.flatMap((reader) => reader.pid() ?? []),
    }),
    // Asked for lazily: finding out starts processes and waits for them.
    get fences() {
      return wrapperFor(memoryMb).fences;
    },
    close() {
      closed = true;
      for (const errand of waiting.splice(0)) errand.answer(stoppedOutcome);
      for (const reader of readers) reader.close();
    },
  };
}
