import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, enqueue } from '../../platform/queue/index.ts';

/**
 * Divides the texts of items into passages where passages are missing, outdated or no longer wanted. The job without its code, so that any
 * process can enqueue it.
 */
export const passagesJob = {
  name: 'chunk_missing',
  queue: 'maintenance',
  payload: Type.Object({}),
  attempts: 2,
  ageExempt: true,
} as const;

/** Queues the job unless an unfinished one has this lock. */
export async function queuePassages(db: Db, lock: string = passagesJob.name): Promise<void> {
  await enqueue(db, defineTask({ ...passagesJob, perform: async () => {} }), {}, { lock });
}
