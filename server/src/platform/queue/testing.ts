import { Type } from 'typebox';
import { expect, onTestFinished, vi } from 'vitest';
import type { Database } from '../database/index.ts';
import { silentLog } from '../log/index.ts';
import { createWorker, defineTask, type Task, type TaskContext, type Worker, type WorkerOptions } from './index.ts';

const numbered = Type.Object({ n: Type.Integer() }, { additionalProperties: false });

export const task = (perform: (payload: { n: number }, context: TaskContext) => Promise<void>, more: Partial<Task<typeof numbered>> = {}) =>
  defineTask({ name: 'count_it', queue: 'maintenance', payload: numbered, attempts: 1, perform, ...more });

export function startWorker(database: Database, tasks: readonly Task[], more: Partial<WorkerOptions> = {}): Worker {
  const worker = createWorker({ database, tasks, log: silentLog, pollSeconds: 0.05, ...more });
  onTestFinished(() => worker.stop());
  worker.start();
  return worker;
}

export const jobs = (database: Database) => database.db.selectFrom('jobs').selectAll().orderBy('id').execute();

export const until = (check: () => Promise<void> | void) => vi.waitFor(check, { timeout: 30_000, interval: 20 });

export const untilStates = (database: Database, expected: string[]) =>
  until(async () => expect((await jobs(database)).map(({ state }) => state)).toEqual(expected));

/** A task that runs until `release()` is called or its signal is aborted; `started` counts its runs. With `ignoresAbort` it only ends by `release()`. */
export function blockingTask(more: Partial<Task<typeof numbered>> & { ignoresAbort?: boolean } = {}) {
  const { ignoresAbort = false, ...rest } = more;
  const resolvers: (() => void)[] = [];
  const reasons: unknown[] = [];
  const blocking = task(
    (_, { signal }) =>
      new Promise((resolve, reject) => {
        resolvers.push(resolve);
        signal.addEventListener('abort', () => {
          reasons.push(signal.reason);
          if (!ignoresAbort) reject(signal.reason);
        });
      }),
    rest,
  );
  return { task: blocking, reasons, started: () => resolvers.length, release: () => resolvers.forEach((resolve) => void resolve()) };
}
