import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import { defineTask, type Task } from '../../platform/queue/index.ts';
import type { ScanParts } from './context.ts';
import { performScan } from './run.ts';
import { createRun, endRun, findRun, type RunRow } from './run-store.ts';

export const scanPayload = Type.Object({ library_id: Type.String(), scan_run_id: Type.String() });

/** At most one scan of a library is queued or at work. */
export const scanLock = (libraryId: string): string => `scan_library:${libraryId}`;

/** Enqueued under this name; what it does is decided by the worker that performs it. */
export const scanTaskName = 'scan_library';

/** `partsFor` is asked at each job, so that a test can hand in its own. */
export function createScanTask(partsFor: (db: Db) => ScanParts): Task<typeof scanPayload> {
  return defineTask({
    name: scanTaskName,
    queue: 'scan',
    payload: scanPayload,
    attempts: 1,
    ageExempt: true,
    async perform({ scan_run_id }, { db, jobId, signal }) {
      const run = await takeOver(db, scan_run_id, jobId);
      if (!run) return;
      await performScan(partsFor(db), run.id, signal);
      // The queue must know when the work was broken off: it puts the job back, or ends it, by the reason.
      if (signal.aborted) throw signal.reason;
    },
  });
}

/**
 * The run this job is to perform. A job that comes back after its worker died or went away finds a run that was begun: that one ends as
 * failed, for a crashed scan must, and a new run takes its place.
 */
async function takeOver(db: Db, runId: string, jobId: string): Promise<RunRow | null> {
  // The newest run of this job: a second comeback must not revive the first.
  const { rows } = await sql<{ id: string }>`select id from scan_runs where job_id = ${jobId} order by id desc limit 1`.execute(db);
  const run = await findRun(db, rows[0]?.id ?? runId);
  if (!run) return null;
  if (run.status === 'stopping') {
    await endRun(db, run.id, { status: 'stopped', stats: run.stats });
    return null;
  }
  const leftBehind = run.status === 'failed' && run.error_code === 'worker_gone';
  if (run.status === 'running' && run.phase === 'queued') return run;
  if (run.status !== 'running' && !leftBehind) return null;
  if (run.status === 'running') {
    await endRun(db, run.id, {
      status: 'failed',
      stats: run.stats,
      error: 'The worker that ran this scan went away.',
      errorCode: 'worker_gone',
    });
  }
  const next = await createRun(db, {
    libraryId: run.library_id,
    trigger: run.trigger,
    scope: run.scope,
    recursive: run.recursive,
    forceEmpty: run.force_empty,
  });
  await sql`update scan_runs set job_id = ${jobId} where id = ${next.id}`.execute(db);
  return { ...next, job_id: jobId };
}
