import { sql } from 'kysely';
import type { Db } from '../database/index.ts';

export interface JobRetention {
  /** SVC_JOB_HISTORY_RETENTION_DAYS. */
  failedDays: number;
  /** Successes tell little: they go after two days, or sooner when failures do. */
  succeededHours?: number;
}

const rowsPerDelete = 5_000;

/** Removes the rows of jobs that ended long ago, some thousands at a time so that no lock is held for long. */
export async function purgeJobs(db: Db, { failedDays, succeededHours = 48 }: JobRetention): Promise<{ succeeded: number; failed: number }> {
  return {
    succeeded: await purge(db, 'succeeded', Math.min(succeededHours, failedDays * 24)),
    failed: await purge(db, 'failed', failedDays * 24),
  };
}

async function purge(db: Db, state: 'succeeded' | 'failed', hours: number): Promise<number> {
  let removed = 0;
  for (;;) {
    const { numAffectedRows } = await sql`
      delete from jobs where id in (
        select id from jobs where state = ${state} and finished_at < now() - ${hours} * interval '1 hour' order by finished_at limit ${rowsPerDelete} for update skip locked
      )`.execute(db);
    removed += Number(numAffectedRows ?? 0n);
    if (Number(numAffectedRows ?? 0n) < rowsPerDelete) return removed;
  }
}
