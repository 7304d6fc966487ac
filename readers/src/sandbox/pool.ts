/**
 * The pool of sandboxed child processes. `extract` and `run` may be called any number of times; requests wait in order for a free slot. A
 * request that is aborted while it waits never starts. `close` kills the processes at once; all open requests end as stopped.
 */
import { libraryOf, removeStaleScratch } from './launch.ts';
import type { ExtractOutcome, ExtractResult, ExtractTaskOptions, FileJob, TaskOutcome } from './protocol.ts';
import { createPoolSlot, type PoolSlot, type SandboxRequest, stoppedOutcome } from './slot.ts';

export interface SandboxPoolOptions {
  /** The number of slots, each with at most one process. */
  size: number;
  /** Memory limit of each process. */
  memoryMb?: number;
  /** Requests after which a process is replaced. */
  recycleAfter?: number;
  /** Runs the processes at low priority (the default); false when a user waits for the results. */
  background?: boolean;
  /** Whether extraction also reads download origins; true by default. */
  provenance?: boolean;
  /** Further tasks by name: modules whose default export is a SandboxTask. */
  tasks?: Record<string, URL>;
}

export interface SandboxPool {
  extract(job: FileJob, signal?: AbortSignal): Promise<ExtractOutcome>;
  /** Runs one of the `tasks` passed in. */
  run<Result>(task: string, job: FileJob, options: unknown, signal?: AbortSignal): Promise<TaskOutcome<Result>>;
  stats(): { busy: number; waiting: number; memoryBytes: number; pids: number[] };
  close(): void;
}

/** The running request and the one sent ahead. */
const maxQueuePerSlot = 2;

export function createSandboxPool(options: SandboxPoolOptions): SandboxPool {
  removeStaleScratch();
  const memoryMb = options.memoryMb ?? 1024;
  const modules = new Map(Object.entries(options.tasks ?? {}).map(([name, url]) => [name, url.href]));
  modules.set('extract', new URL('../tasks/extract-task.ts', import.meta.url).href);
  const waiting: SandboxRequest[] = [];
  const extractOptions: ExtractTaskOptions = { provenance: options.provenance ?? true };
  let closed = false;

  /** Gives the slot the next waiting request; an idle slot takes over one that is queued behind another slot's running request. */
  const onCapacity = (slot: PoolSlot): void => {
    if (closed) return;
    const next = waiting.shift() ?? (slot.queueLength() === 0 ? slots.find((other) => other.queueLength() > 1)?.takeLast() : undefined);
    if (next !== undefined) slot.enqueue(next);
  };
  const settings = { memoryMb, recycleAfter: options.recycleAfter ?? 10_000, background: options.background ?? true, onCapacity };
  const slots: PoolSlot[] = Array.from({ length: Math.max(1, options.size) }, () => createPoolSlot(settings));

  const dispatch = (request: SandboxRequest): void => {
    const idle = slots.filter((slot) => slot.queueLength() === 0);
    const library = libraryOf(request.job);
    const slot =
      idle.find((one) => one.library() === library) ??
      idle.find((one) => one.library() === undefined) ??
      idle[0] ??
      slots.find((one) => one.queueLength() < maxQueuePerSlot && one.library() === library) ??
      slots.find((one) => one.queueLength() < maxQueuePerSlot);
    if (slot !== undefined) slot.enqueue(request);
    else waiting.push(request);
  };

  const run = (task: string, job: FileJob, taskOptions: unknown, signal?: AbortSignal): Promise<TaskOutcome<unknown>> => {
    const module = modules.get(task);
    if (module === undefined) throw new Error(`The pool has no task named ${task}.`);
    return new Promise((resolve) => {
      if (closed) resolve(stoppedOutcome);
      else dispatch({ task, module, job, options: taskOptions, signal, resolve });
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
      busy: slots.filter((slot) => slot.queueLength() > 0).length,
      waiting: slots.reduce((sum, slot) => sum + Math.max(0, slot.queueLength() - 1), waiting.length),
      memoryBytes: slots.reduce((sum, slot) => sum + slot.memoryBytes(), 0),
      pids: slots.flatMap((slot) => slot.pid() ?? []),
    }),
    close() {
      closed = true;
      for (const request of waiting.splice(0)) request.resolve(stoppedOutcome);
      for (const slot of slots) slot.close();
    },
  };
}
