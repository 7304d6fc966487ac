import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { enqueue, type Task } from '../../platform/queue/index.ts';
import { findHashedLibrary } from './hash-store.ts';

export const rehashPayload = Type.Object({ library_id: Type.String() });

export const rehashJob = { name: 'rehash_library', queue: 'maintenance', payload: rehashPayload, attempts: 1, ageExempt: true } as const;

const rehashTask: Task<typeof rehashPayload> = {
  ...rehashJob,
  perform: async () => {
    throw new Error('Libraries are hashed by a worker.');
  },
};

/** Queues a re-hash. A library on another machine is hashed by its agent. */
export async function startRehash(db: Db, libraryId: string): Promise<{ job_id: string } | { job_id: null; already_queued: true }> {
  const library = await findHashedLibrary(db, libraryId);
  if (!library) throw notFound('library');
  if (library.source_agent_id !== null) throw problem('library_agent_owned');
  const jobId = await enqueue(db, rehashTask, { library_id: libraryId }, { lock: `rehash_library:${libraryId}` });
  return jobId === null ? { job_id: null, already_queued: true } : { job_id: jobId };
}
