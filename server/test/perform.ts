import type { Static, TSchema } from 'typebox';
import type { Dependencies } from '../src/platform/dependencies.ts';
import type { Task, TaskContext } from '../src/platform/queue/index.ts';

/** Runs a task once like a worker, but without a queue. */
export async function performTask<Payload extends TSchema>(
  { db, log, clock }: Dependencies,
  task: Task<Payload>,
  payload: Static<Payload>,
  overrides: Partial<TaskContext> = {},
): Promise<void> {
  await task.perform(payload, {
    db,
    log,
    clock,
    jobId: '00000000-0000-7000-8000-000000000000',
    attempt: 1,
    signal: new AbortController().signal,
    progress: () => {},
    ...overrides,
  });
}
