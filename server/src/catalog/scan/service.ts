import { sql } from 'kysely';
import { Type } from 'typebox';
import { encodeCursor, decodeCursor } from '../../platform/schemas.ts';
import { problem, notFound } from '../../platform/problem.ts';
import type { Db } from '../../platform/database/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { abortJob, enqueue, type Task, deleteSchedule, type Schedule } from '../../platform/queue/index.ts';
import type { ScanStatus } from '../tables.ts';
import { presentScan, type PresentedScan } from './present.ts';
import { createScanRun, endRun, findRun, progressChannel, type RunRow, runColumns } from './run-store.ts';

export const scanPayload = Type.Object({ library_id: Type.String(), scan_run_id: Type.String() });

/** At most one scan of a library is queued or running. */
export const scanLock = (libraryId: string): string => `scan_library:${libraryId}`;

export const scanTaskName = 'scan_library';

export type ScanTrigger = 'manual' | 'schedule' | 'watch';

export interface StartedScan {
  scan_id: string;
  job_id: string | null;
  status: ScanStatus;
  /** A scan of this library was queued or running already; this is that one. */
  already_running: boolean;
}

/** Enqueues by name only: the process that asks for a scan is not the one that performs it. */
const scanJob: Task<typeof scanPayload> = {
  name: scanTaskName,
  queue: 'scan',
  payload: scanPayload,
  attempts: 1,
  ageExempt: true,
  perform: async () => {
    throw new Error('Scans are performed by a worker.');
  },
};

/** Asks for a scan. Leftover runs of the library that no job stands behind are healed first. */
export async function startScan(
  db: Db,
  libraryId: string,
  asked: { scope?: string; recursive?: boolean; forceEmpty?: boolean; trigger: ScanTrigger },
): Promise<StartedScan> {
  if (asked.trigger !== 'schedule' && (await maintenanceMode(db)).active) throw problem('maintenance_mode');
  const library = await db.selectFrom('libraries').select(['id', 'source_agent_id']).where('id', '=', libraryId).executeTakeFirst();
  if (!library) throw notFound('library');
  if (library.source_agent_id !== null) throw problem('library_agent_owned');
  const scope = normalizeScope(asked.scope ?? '');
  const recursive = asked.recursive ?? true;
  await endOrphanedRuns(db, libraryId);
  const started = await inTransaction(db, async (transaction) => {
    const run = await createScanRun(transaction, {
      libraryId,
      trigger: asked.trigger,
      scope,
      recursive,
      forceEmpty: asked.forceEmpty ?? false,
    });
    const jobId = await enqueue(transaction, scanJob, { library_id: libraryId, scan_run_id: run.id }, { lock: scanLock(libraryId) });
    if (jobId === null) {
      await sql`delete from scan_runs where id = ${run.id}`.execute(transaction);
      return null;
    }
    await sql`update scan_runs set job_id = ${jobId} where id = ${run.id}`.execute(transaction);
    return { scan_id: run.id, job_id: jobId, status: run.status, already_running: false };
  });
  if (started) return started;
  const { rows } = await sql<RunRow>`
    select ${runColumns} from scan_runs where library_id = ${libraryId} and status in ('running', 'stopping') order by id desc limit 1`.execute(
    db,
  );
  // The other one may have ended in this very moment; then there is nothing left to join.
  if (!rows[0]) throw problem('scan_running');
  await widenRun(db, rows[0], { scope, recursive, forceEmpty: asked.forceEmpty ?? false });
  return { scan_id: rows[0].id, job_id: rows[0].job_id, status: rows[0].status, already_running: true };
}

/** A run that still waits takes on what is asked now as well: it scans the nearest folder above both. */
async function widenRun(db: Db, run: RunRow, asked: { scope: string; recursive: boolean; forceEmpty: boolean }): Promise<void> {
  const { scope, recursive, forceEmpty } = asked;
  const both = commonFolder(run.scope, scope);
  const deep = run.recursive || recursive || run.scope !== scope;
  await sql`
    update scan_runs set scope = ${both}, recursive = ${deep}, force_empty = force_empty or ${forceEmpty}
    where id = ${run.id} and status = 'running' and phase = 'queued'`.execute(db);
}

/** The deepest path that both lie at or below. */
export function commonFolder(a: string, b: string): string {
  if (a === b) return a;
  const [left, right] = [a.split('/'), b.split('/')];
  let shared = 0;
  while (shared < left.length && shared < right.length && left[shared] === right[shared]) shared += 1;
  return left.slice(0, shared).join('/');
}

/** A path inside the library, without empty, `.` or `..` parts. */
export function normalizeScope(scope: string): string {
  const parts = scope.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw problem('validation_failed', 'The path must stay inside the library: it may not contain "..".');
  return parts.join('/');
}

const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** Ends runs of a library whose job is gone. */
async function endOrphanedRuns(db: Db, libraryId: string): Promise<void> {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from scan_runs r
    where library_id = ${libraryId} and status in ('running', 'stopping')
      and not exists (select from jobs j where j.id = r.job_id and j.state in ('todo', 'doing', 'aborting'))
      and (job_id is not null or ${silentFor(60)})`.execute(db);
  for (const run of rows) await endAbandoned(db, run);
}

/**
 * No sign of life for so long. A sign from the future is none either: the clock was set back after it, and a run that lives gives another
 * every second.
 */
const silentFor = (seconds: number) => sql`abs(extract(epoch from now() - heartbeat_at)) > ${seconds}`;

/** running → failed, stopping → stopped. */
async function endAbandoned(db: Db, run: RunRow): Promise<void> {
  if (run.status === 'stopping') await endRun(db, run.id, { status: 'stopped', stats: run.stats });
  else
    await endRun(db, run.id, {
      status: 'failed',
      stats: run.stats,
      error: 'The worker that ran this scan went away.',
      errorCode: 'worker_gone',
    });
}

/** The five-minute reconciler: ends runs older than the grace that no live job stands behind; answers how many. */
export async function reconcileRuns(db: Db, graceSeconds: number): Promise<number> {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from scan_runs r
    where status in ('running', 'stopping') and ${silentFor(graceSeconds)}
      and not exists (select from jobs j where j.id = r.job_id and j.state in ('todo', 'doing', 'aborting'))`.execute(db);
  for (const run of rows) await endAbandoned(db, run);
  return rows.length;
}

export async function stopScan(db: Db, runId: string): Promise<{ status: ScanStatus }> {
  const run = await requireRun(db, runId);
  if (run.status === 'stopping') return { status: 'stopping' };
  if (run.status !== 'running') throw problem('scan_ended');
  const job = await findLiveJob(db, run);
  if (job === null || job.state === 'todo') {
    if (job) await abortJob(db, run.job_id!);
    await endRun(db, run.id, { status: 'stopped', stats: run.stats });
    return { status: 'stopped' };
  }
  await sql`
    with asked as (update scan_runs set status = 'stopping' where id = ${runId} and status = 'running' returning id)
    select pg_notify(${progressChannel}, ${runId}) from asked`.execute(db);
  return { status: 'stopping' };
}

/** Ends a run by force; refused while a live worker drains it. */
export async function forceClearScan(db: Db, runId: string, liveSeconds = 60): Promise<{ status: 'stopped'; previous_status: ScanStatus }> {
  const run = await requireRun(db, runId);
  if (run.status !== 'running' && run.status !== 'stopping') throw problem('scan_ended');
  const job = await findLiveJob(db, run);
  if (job && job.state !== 'todo' && job.silent < liveSeconds) throw problem('scan_still_active');
  if (job) await abortJob(db, run.job_id!);
  await endRun(db, run.id, { status: 'stopped', stats: run.stats, error: 'Cleared by an administrator.', errorCode: 'force_cleared' });
  return { status: 'stopped', previous_status: run.status };
}

async function findLiveJob(db: Db, run: RunRow): Promise<{ state: string; silent: number } | null> {
  const { rows } = await sql<{ state: string; silent: number }>`
    select state, abs(extract(epoch from now() - coalesce(heartbeat_at, started_at, created_at)))::float8 as silent
    from jobs where id = ${run.job_id} and state in ('todo', 'doing', 'aborting')`.execute(db);
  return rows[0] ?? null;
}

async function requireRun(db: Db, runId: string): Promise<RunRow> {
  const run = await findRun(db, runId);
  if (!run) throw notFound('scan');
  return run;
}

export async function getScan(db: Db, runId: string): Promise<PresentedScan> {
  return presentScan(await requireRun(db, runId));
}

export interface ScanPage {
  items: PresentedScan[];
  total: number;
  limit: number;
  next_cursor: string | null;
}

/** Newest first. */
export async function listScans(
  db: Db,
  asked: { library_id?: string; library_ids?: readonly string[]; status?: ScanStatus; limit?: number; cursor?: string },
): Promise<ScanPage> {
  const limit = asked.limit ?? 50;
  const before = decodeCursor(asked.cursor, (value): value is string => typeof value === 'string');
  const filter = sql`
    ${asked.library_id ? sql`library_id = ${asked.library_id}` : sql`true`} and ${asked.status ? sql`status = ${asked.status}` : sql`true`}
    and ${asked.library_ids ? sql`library_id = any(${[...asked.library_ids]}::uuid[])` : sql`true`}`;
  const { rows } = await sql<RunRow>`
    select ${runColumns} from scan_runs where ${filter} and ${before ? sql`id < ${before}` : sql`true`} order by id desc limit ${limit + 1}`.execute(
    db,
  );
  const count = await sql<{ n: number }>`select count(*) as n from scan_runs where ${filter}`.execute(db);
  const page = rows.slice(0, limit);
  return {
    items: page.map((row) => presentScan(row)),
    total: count.rows[0]!.n,
    limit,
    next_cursor: rows.length > limit ? encodeCursor(page.at(-1)!.id) : null,
  };
}

interface ScanScheduleRow {
  table: 'libraries' | 'scan_paths';
  id: string;
  library_id: string;
  rel_path: string;
  scan_cron: string;
}

/**
 * The scan schedules as they are now: one a library, and one a folder with a schedule of its own. In maintenance mode there are none, so
 * their occurrences are not consumed and the latest fires when the mode is lifted.
 */
export async function scanSchedules(db: Db, options: { maxCatchupMinutes: number }): Promise<Schedule[]> {
  if ((await maintenanceMode(db)).active) return [];
  const { rows } = await sql<ScanScheduleRow>`
    select 'libraries' as table, id, id as library_id, '' as rel_path, scan_cron from libraries
    where enabled and scan_cron is not null and source_agent_id is null
    union all
    select 'scan_paths', p.id, p.library_id, p.rel_path, p.scan_cron from scan_paths p join libraries l on l.id = p.library_id
    where l.enabled and p.enabled and p.scan_cron is not null and l.source_agent_id is null`.execute(db);
  return rows.map(({ table, id, library_id, rel_path, scan_cron }) => ({
    key: scheduleKey(table, id),
    cron: scan_cron,
    maxCatchupMinutes: options.maxCatchupMinutes,
    async fire(at, occurrence) {
      await startScan(at, library_id, { scope: rel_path, trigger: 'schedule' });
      await sql`update ${sql.table(table)} set last_cron_fired_at = ${occurrence} where id = ${id}`.execute(at);
    },
  }));
}

const scheduleKey = (table: ScanScheduleRow['table'], id: string): string => `scan:${table}:${id}`;

/** A schedule that was switched off starts afresh when it is switched on again: what it missed meanwhile is not caught up. */
export async function resetScanSchedule(db: Db, table: ScanScheduleRow['table'], id: string): Promise<void> {
  await deleteSchedule(db, scheduleKey(table, id));
}
