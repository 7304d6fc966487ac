import { sql } from 'kysely';
import { type TSchema, Type } from 'typebox';
import type { Db } from '../../../platform/database/index.ts';
import { problem } from '../../../platform/problem.ts';
import { enqueue, type Task } from '../../../platform/queue/index.ts';

export const similarJob: Task<TSchema> = {
  name: 'find_similar_photos',
  queue: 'maintenance',
  payload: Type.Object({}),
  attempts: 2,
  ageExempt: true,
  perform: () => Promise.reject(new Error('Only a worker reads photos.')),
};

export async function startSimilar(db: Db): Promise<string> {
  const job = await enqueue(db, similarJob, {}, { lock: similarJob.name });
  if (job === null) throw problem('similar_running');
  return job;
}

/** The unfinished search for similar photos. */
export async function runningSimilar(db: Db): Promise<{ job_id: string; state: string; progress: Record<string, unknown> | null } | null> {
  const { rows } = await sql<{
    job_id: string;
    state: string;
    progress: Record<string, unknown> | null;
  }>`select id as job_id, state, progress from jobs
    where lock = ${similarJob.name} and state in ('todo', 'doing', 'aborting')`.execute(db);
  return rows[0] ?? null;
}
