import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, enqueue } from '../../platform/queue/index.ts';

/** The name and payload of the task, for those who queue it. tasks.ts performs it. */
export const embedMissing = defineTask({
  name: 'embed_missing',
  queue: 'embed',
  payload: Type.Object({}),
  // The schedule tries again.
  attempts: 1,
  ageExempt: true,
  perform: () => Promise.reject(new Error('This task is performed by a worker.')),
});

/** Starts the embedding of waiting items unless it is queued already. Returns the id of the job, or null. */
export function requestEmbedding(db: Db): Promise<string | null> {
  return enqueue(db, embedMissing, {}, { lock: embedMissing.name });
}
