import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, enqueue } from '../../platform/queue/index.ts';

/** The maintenance task "Outdated extractions" without its code, so that any process can enqueue it. */
const refreshJob = { name: 'refresh_extracts', queue: 'maintenance', payload: Type.Object({}), attempts: 2 } as const;

/** Reads the files of a library again whose text was not recognised, after recognition was switched on. */
export async function queueRecognition(db: Db, libraryId: string): Promise<void> {
  const task = defineTask({ ...refreshJob, perform: async () => {} });
  await enqueue(db, task, {}, { lock: `${refreshJob.name}:${libraryId}` });
}
