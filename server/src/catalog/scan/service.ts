import { sql } from 'kysely';
import { Type } from 'typebox';
import { type Db, one } from '../../platform/database/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { notFound, problem } from '../../platform/problem.ts';
import {
  abortJob,
  deleteSchedule,
  enqueue,
  nextFirings,
  noteSchedule,
  notYet,
  parseCron,
  type Schedule,
  type Task,
} from '../../platform/queue/index.ts';
import { decodeCursor, encodeCursor } from '../../platform/schemas.ts';
import type { ScanStatus } from '../tables.ts';
import { abortedCode, clearedCode } from './heartbeat.ts';
import { type PresentedScan, presentScan } from './present.ts';
import { createScanRun, endRun, progressChannel, type RunRow, requireRun, runColumns } from './run-store.ts';
import { mergeScopes, type ScanScope, scopesOf, storeScopes, wholeLibrary } from './scopes.ts';

export const scanPayload = Type.Object({ library_id: Type.String(), scan_run_id: Type.String() });

/** At most one scan of a library is queued or running. */
const scanLock = (libraryId: string): string => `scan_library:${libraryId}`;

export const scanTaskName = 'scan_library';

export type ScanTrigger = 'manual' | 'schedule' | 'watch';

export interface StartedScan {
  scan_id: string;
  job_id: string | null;
  status: ScanStatus;
  /** True when a scan of this library was already queued or running; the other fields describe that one. */
  already_running: boolean;
}

/** Used only to enqueue: the process that requests a scan does not perform it. */
const scanJob: Task<typeof scanPayload> = {
  name: scanTaskName,
  queue: 'scan',
  payload: scanPayload,
  attempts: 1,
  ageExempt: true,
  placeField: 'library_id',
  perform: async () => {
    throw new Error('Only a worker performs scans.');
  },
};

interface ScanRequest {
  scopes?: readonly ScanScope[];
  forceEmpty?: boolean;
  trigger: ScanTrigger;
}

/** Queues a scan. Runs of the library that have no live job are ended first. */
export async function startScan(db: Db, libraryId: string, request: ScanRequest): Promise<StartedScan> {
  const { covered: _, ...started } = await requestScan(db, libraryId, request);
  return started;
}

/** `covered`: whether the scan, or the one that was running already, covers everything that was requested. */
async function requestScan(db: Db, libraryId: string, request: ScanRequest): Promise<StartedScan & { covered: boolean }> {
  if (request.trigger !== 'schedule' && (await maintenanceMode(db)).active) throw problem('maintenance_mode');
  const library = await db.selectFrom('libraries').select(['id', 'source_agent_id']).where('id', '=', libraryId).executeTakeFirst();
  if (!library) throw notFound('library');
  if (library.source_agent_id !== null) throw problem('library_agent_owned');
  const scopes = mergeScopes((request.scopes ?? [wholeLibrary]).map(({ path, depth }) => ({ path: normalizeScope(path), depth })));
  await endOrphanedRuns(db, libraryId);
  const started = await inTransaction(db, async (transaction) => {
    const run = await createScanRun(transaction, { libraryId, trigger: request.trigger, scopes, forceEmpty: request.forceEmpty ?? false });
    const jobId = await enqueue(transaction, scanJob, { library_id: libraryId, scan_run_id: run.id }, { lock: scanLock(libraryId) });
    if (jobId === null) {
      await sql`delete from scan_runs where id = ${run.id}`.execute(transaction);
      return null;
    }
    await sql`update scan_runs set job_id = ${jobId} where id = ${run.id}`.execute(transaction);
    return { scan_id: run.id, job_id: jobId, status: run.status, already_running: false, covered: true };
  });
  if (started) return started;
  const { rows } = await sql<RunRow>`
    select ${runColumns} from scan_runs where library_id = ${libraryId} and status in ('running', 'stopping') order by id desc limit 1`.execute(
    db,
  );
  // The other scan may have ended in the meantime.
  if (!rows[0]) throw problem('scan_running');
  const covered = await inTransaction(db, (transaction) => widenRun(transaction, one(rows).id, scopes, request.forceEmpty ?? false));
  return { scan_id: rows[0].id, job_id: rows[0].job_id, status: rows[0].status, already_running: true, covered };
}

/** Widens a run that is still queued so that it also covers these scopes. Returns whether the run covers them. */
async function widenRun(transaction: Db, runId: string, scopes: readonly ScanScope[], forceEmpty: boolean): Promise<boolean> {
  const { rows } = await sql<RunRow>`select ${runColumns} from scan_runs where id = ${runId} for update`.execute(transaction);
  const run = one(rows);
  const wider = mergeScopes([...scopesOf(run), ...scopes]);
  if (run.status !== 'running' || run.phase !== 'queued')
    return run.status === 'running' && JSON.stringify(wider) === JSON.stringify(mergeScopes(scopesOf(run)));
  const stored = storeScopes(wider);
  await sql`
    update scan_runs set scope = ${stored.scope}, recursive = ${stored.recursive}, scopes = ${stored.scopes && JSON.stringify(stored.scopes)}::jsonb,
      force_empty = force_empty or ${forceEmpty}
    where id = ${runId}`.execute(transaction);
  return true;
}

/** A path below the root without empty or `.` segments. Refuses `..`. */
export function normalizeScope(scope: string): string {
  const parts = scope.split('/').filter((part) => part !== '' && part !== '.');
  if (parts.includes('..')) throw problem('validation_failed', 'The path must be inside the library. Remove ".." from it.');
  return parts.join('/');
}

const inTransaction = <T>(db: Db, work: (db: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? work(db) : db.transaction().execute(work);

/** Ends open runs of a library that have no live job. */
async function endOrphanedRuns(db: Db, libraryId: string): Promise<void> {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from scan_runs r
    where library_id = ${libraryId} and status in ('running', 'stopping')
      and not exists (select from jobs j where j.id = r.job_id and j.state in ('todo', 'doing', 'aborting'))
      and (job_id is not null or ${silentFor(60)})`.execute(db);
  for (const run of rows) await endAbandoned(db, run);
}

/** No heartbeat for this long. A heartbeat in the future is stale too: the clock was set back, and a live run writes one every second. */
const silentFor = (seconds: number) => sql`abs(extract(epoch from now() - heartbeat_at)) > ${seconds}`;

/** running → failed, stopping → stopped. */
async function endAbandoned(db: Db, run: RunRow): Promise<void> {
  if (run.status === 'stopping') await endRun(db, run.id, { status: 'stopped', stats: run.stats });
  else
    await endRun(db, run.id, {
      status: 'failed',
      stats: run.stats,
      error: 'The worker that ran this scan stopped before it was done.',
      errorCode: 'worker_gone',
    });
}

/** Ends runs without a live job whose last heartbeat is older than the grace period; returns how many. Runs every five minutes. */
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
    if (job) await abortJob(db, job.id);
    await endRun(db, run.id, { status: 'stopped', stats: run.stats, errorCode: abortedCode });
    return { status: 'stopped' };
  }
  await sql`
    with stopping as (update scan_runs set status = 'stopping' where id = ${runId} and status = 'running' returning id)
    select pg_notify(${progressChannel}, ${runId}) from stopping`.execute(db);
  return { status: 'stopping' };
}

/** Ends the open run of a job that was aborted while it waited: no worker will. */
export async function endAbortedScan(db: Db, jobId: string): Promise<void> {
  const { rows } = await sql<RunRow>`
    select ${runColumns} from scan_runs r where job_id = ${jobId} and status in ('running', 'stopping')
      and exists (select from jobs j where j.id = r.job_id and j.state = 'failed')`.execute(db);
  for (const { id, stats } of rows) await endRun(db, id, { status: 'stopped', stats, errorCode: abortedCode });
}

/** Ends a run whose worker no longer responds; refused while a live worker performs it. */
export async function forceClearScan(db: Db, runId: string, liveSeconds = 60): Promise<{ status: 'stopped'; previous_status: ScanStatus }> {
  const run = await requireRun(db, runId);
  if (run.status !== 'running' && run.status !== 'stopping') throw problem('scan_ended');
  const job = await findLiveJob(db, run);
  if (job && job.state !== 'todo' && job.silent_seconds < liveSeconds) throw problem('scan_still_active');
  if (job) await abortJob(db, job.id);
  await endRun(db, run.id, { status: 'stopped', stats: run.stats, error: 'Cleared by an administrator.', errorCode: clearedCode });
  return { status: 'stopped', previous_status: run.status };
}

async function findLiveJob(db: Db, run: RunRow): Promise<{ id: string; state: string; silent_seconds: number } | null> {
  const { rows } = await sql<{ id: string; state: string; silent_seconds: number }>`
    select id, state, abs(extract(epoch from now() - coalesce(heartbeat_at, started_at, created_at)))::float8 as silent_seconds
    from jobs where id = ${run.job_id} and state in ('todo', 'doing', 'aborting')`.execute(db);
  return rows[0] ?? null;
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

export async function listScans(
  db: Db,
  filter: { library_id?: string; library_ids?: readonly string[]; status?: ScanStatus; limit?: number; cursor?: string },
): Promise<ScanPage> {
  const limit = filter.limit ?? 50;
  const before = decodeCursor(filter.cursor, (value): value is string => typeof value === 'string');
  const conditions = sql`
    ${filter.library_id ? sql`library_id = ${filter.library_id}` : sql`true`} and ${filter.status ? sql`status = ${filter.status}` : sql`true`}
    and ${filter.library_ids ? sql`library_id = any(${[...filter.library_ids]}::uuid[])` : sql`true`}`;
  const { rows } = await sql<RunRow>`
    select ${runColumns} from scan_runs where ${conditions} and ${before ? sql`id < ${before}` : sql`true`} order by id desc limit ${limit + 1}`.execute(
    db,
  );
  const count = await sql<{ n: number }>`select count(*) as n from scan_runs where ${conditions}`.execute(db);
  const page = rows.slice(0, limit);
  const last = rows.length > limit ? page.at(-1) : undefined;
  return {
    items: page.map((row) => presentScan(row)),
    total: one(count.rows).n,
    limit,
    next_cursor: last ? encodeCursor(last.id) : null,
  };
}

interface ScanScheduleRow {
  table: 'libraries' | 'scan_paths';
  id: string;
  library_id: string;
  rel_path: string;
  scan_cron: string;
}

/** Those that are switched on, of one library or of all. */
async function enabledSchedules(db: Db, libraryId: string | null = null): Promise<ScanScheduleRow[]> {
  const { rows } = await sql<ScanScheduleRow>`
    select 'libraries' as table, id, id as library_id, '' as rel_path, scan_cron from libraries
    where enabled and scan_cron is not null and source_agent_id is null and (${libraryId}::uuid is null or id = ${libraryId})
    union all
    select 'scan_paths', p.id, p.library_id, p.rel_path, p.scan_cron from scan_paths p join libraries l on l.id = p.library_id
    where l.enabled and p.enabled and p.scan_cron is not null and l.source_agent_id is null
      and (${libraryId}::uuid is null or l.id = ${libraryId})`.execute(db);
  return rows;
}

/**
 * The current scan schedules of libraries and of folders with their own schedule. In maintenance mode the list is empty, so that no
 * occurrence is consumed and the latest one fires when the mode ends.
 */
export async function scanSchedules(db: Db, options: { maxCatchupMinutes: number }): Promise<Schedule[]> {
  if ((await maintenanceMode(db)).active) return [];
  return (await enabledSchedules(db)).map(({ table, id, library_id, rel_path, scan_cron }) => ({
    key: scheduleKey(table, id),
    cron: scan_cron,
    maxCatchupMinutes: options.maxCatchupMinutes,
    async fire(at, occurrence) {
      const { covered } = await requestScan(at, library_id, { scopes: [{ path: rel_path, depth: 'tree' }], trigger: 'schedule' });
      // A scan of other folders is running. Libraries that are watched would otherwise miss their full scan.
      if (!covered) throw notYet();
      await sql`update ${sql.table(table)} set last_cron_fired_at = ${occurrence} where id = ${id}`.execute(at);
    },
  }));
}

const scheduleKey = (table: ScanScheduleRow['table'], id: string): string => `scan:${table}:${id}`;

/** When the enabled schedules of the rows fire next, by id of the row, on the clock that fires them. */
export async function nextScans(
  db: Db,
  table: ScanScheduleRow['table'],
  rows: readonly { id: string; scan_cron: string | null; enabled: boolean }[],
): Promise<Map<string, string>> {
  const schedules = rows.flatMap(({ id, scan_cron, enabled }) =>
    enabled && scan_cron !== null && isCron(scan_cron) ? [{ id, key: scheduleKey(table, id), cron: scan_cron }] : [],
  );
  const times = await nextFirings(db, schedules);
  return new Map(
    schedules.flatMap(({ id, key }): [string, string][] => {
      const time = times.get(key);
      return time ? [[id, time.toISOString()]] : [];
    }),
  );
}

/** A stored schedule that no longer parses never fires. */
function isCron(text: string): boolean {
  try {
    parseCron(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Called after a library, or a schedule of one of its folders, was saved, so that a first time that comes at once is not missed. Not in that
 * transaction: a schedule that fires locks its own row first and that of the library last.
 */
export async function noteScanSchedules(db: Db, libraryId: string): Promise<void> {
  for (const { table, id, scan_cron } of await enabledSchedules(db, libraryId))
    if (isCron(scan_cron)) await noteSchedule(db, scheduleKey(table, id), scan_cron);
}

/** Called when a schedule is switched off, so that missed occurrences are not caught up when it is switched on again. */
export async function resetScanSchedule(db: Db, table: ScanScheduleRow['table'], id: string): Promise<void> {
  await deleteSchedule(db, scheduleKey(table, id));
}

/** The same for a library that is disabled or deleted, and for its folders. */
export async function resetScanSchedules(db: Db, libraryId: string): Promise<void> {
  await resetScanSchedule(db, 'libraries', libraryId);
  const { rows } = await sql<{ id: string }>`select id from scan_paths where library_id = ${libraryId}`.execute(db);
  for (const { id } of rows) await resetScanSchedule(db, 'scan_paths', id);
}
