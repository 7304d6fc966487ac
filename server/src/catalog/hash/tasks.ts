import { problem, notFound } from '../../platform/problem.ts';
import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';

import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { defineTask, enqueue, type Task } from '../../platform/queue/index.ts';
import { backfillContentHashes, rehashLibrary } from './rehash.ts';
import { findLibrary } from './store.ts';

export interface HashTaskSettings {
  SVC_HASH_BACKFILL_RATE_MBPS: number;
  SVC_HASH_BACKFILL_MAX_BYTES: number;
  SVC_SCAN_HASH_FULL_MAX_BYTES: number;
}

const rehashPayload = Type.Object({ library_id: Type.String() });
const backfillPayload = Type.Object({});

/** Re-hash of one library, and the opt-in backfill of content hashes. Both wait out maintenance mode by doing nothing. */
export function createHashTasks(settings: () => HashTaskSettings): {
  rehash: Task<typeof rehashPayload>;
  backfill: Task<typeof backfillPayload>;
} {
  const options = () => ({ rateMbps: settings().SVC_HASH_BACKFILL_RATE_MBPS, hashFullMaxBytes: settings().SVC_SCAN_HASH_FULL_MAX_BYTES });
  return {
    rehash: defineTask({
      name: 'rehash_library',
      queue: 'maintenance',
      payload: rehashPayload,
      attempts: 1,
      ageExempt: true,
      async perform({ library_id }, { db, log, signal, progress }) {
        if ((await maintenanceMode(db)).active) return;
        const done = await rehashLibrary(db, library_id, { ...options(), signal, progress });
        if (signal.aborted) throw signal.reason;
        log.info('A library was hashed again.', { library_id, ...done });
      },
    }),
    backfill: defineTask({
      name: 'backfill_content_hashes',
      queue: 'maintenance',
      payload: backfillPayload,
      attempts: 1,
      ageExempt: true,
      async perform(_payload, { db, log, signal, progress }) {
        if ((await maintenanceMode(db)).active) return;
        const done = await backfillContentHashes(db, { ...options(), maxBytes: settings().SVC_HASH_BACKFILL_MAX_BYTES, signal, progress });
        if (signal.aborted) throw signal.reason;
        log.info('Content hashes were added.', { ...done });
      },
    }),
  };
}

const queued: Task<typeof rehashPayload> = {
  name: 'rehash_library',
  queue: 'maintenance',
  payload: rehashPayload,
  attempts: 1,
  ageExempt: true,
  perform: async () => {
    throw new Error('Libraries are hashed by a worker.');
  },
};

/** Asks for a re-hash. A library on another machine is hashed by its agent. */
export async function startRehash(db: Db, libraryId: string): Promise<{ job_id: string } | { job_id: null; already_queued: true }> {
  const library = await findLibrary(db, libraryId);
  if (!library) throw notFound('library');
  if (library.source_agent_id !== null) throw problem('library_agent_owned');
  const jobId = await enqueue(db, queued, { library_id: libraryId }, { lock: `rehash_library:${libraryId}` });
  return jobId === null ? { job_id: null, already_queued: true } : { job_id: jobId };
}
