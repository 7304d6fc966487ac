import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, enqueue } from '../../platform/queue/index.ts';

/**
 * Reads the files of a library that have no extension, after the detection of their types was switched on. The job without its code, so
 * that any process can enqueue it.
 */
export const sniffLibraryJob = {
  name: 'sniff_library',
  queue: 'maintenance',
  payload: Type.Object({ library_id: Type.String({ format: 'uuid' }) }),
  attempts: 5,
  ageExempt: true,
} as const;

export async function queueSniffing(db: Db, libraryId: string): Promise<void> {
  const task = defineTask({ ...sniffLibraryJob, perform: async () => {} });
  await enqueue(db, task, { library_id: libraryId }, { lock: `${sniffLibraryJob.name}:${libraryId}` });
}
