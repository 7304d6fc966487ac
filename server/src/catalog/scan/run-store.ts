import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import { notFound } from '../../platform/problem.ts';
import type { ScanStatus } from '../tables.ts';
import { type ScanScope, type StoredScopes, storeScopes, wholeLibrary } from './scopes.ts';
import { plainArray } from './store.ts';

export const progressChannel = 'scan_progress';

export interface RunRow extends StoredScopes {
  id: string;
  library_id: string;
  job_id: string | null;
  status: ScanStatus;
  trigger: string;
  scope: string;
  recursive: boolean;
  scopes: ScanScope[] | null;
  force_empty: boolean;
  phase: string;
  started_at: Date;
  finished_at: Date | null;
  heartbeat_at: Date;
  error: string | null;
  error_code: string | null;
  stats: Record<string, unknown>;
}

export const runColumns = sql`id, library_id, job_id, status, trigger, scope, recursive, scopes, force_empty, phase, started_at, finished_at, heartbeat_at, error,
  error_code, stats`;

interface NewRun {
  libraryId: string;
  trigger: string;
  /** The whole library when absent. */
  scopes?: readonly ScanScope[];
  forceEmpty: boolean;
}

export async function createScanRun(db: Db, { libraryId, trigger, scopes = [wholeLibrary], forceEmpty }: NewRun): Promise<RunRow> {
  const stored = storeScopes(scopes);
  const { rows } = await sql<RunRow>`
    insert into scan_runs (library_id, status, trigger, scope, recursive, scopes, force_empty)
    values (${libraryId}, 'running', ${trigger}, ${stored.scope}, ${stored.recursive}, ${stored.scopes && JSON.stringify(stored.scopes)}::jsonb, ${forceEmpty})
    returning ${runColumns}`.execute(db);
  return one(rows);
}

export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select ${runColumns} from scan_runs where id = ${id}`.execute(db);
  return rows[0];
}

/** Marks an open run as begun, after which its scopes no longer change, and returns it as it is now; undefined when it has ended. */
export async function beginRun(db: Db, id: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`
    update scan_runs set phase = 'checking' where id = ${id} and status in ('running', 'stopping') returning ${runColumns}`.execute(db);
  return rows[0];
}

/** How many files the guard of the newest run kept from being marked missing; null if no guard stopped it. */
export async function filesAtRisk(db: Db, libraryId: string): Promise<number | null> {
  const { rows } = await sql<{ files: number | null }>`select (stats -> 'guard' ->> 'would_vanish')::int as files from scan_runs
    where library_id = ${libraryId} order by id desc limit 1`.execute(db);
  return rows[0]?.files ?? null;
}

export async function requireRun(db: Db, id: string): Promise<RunRow> {
  const run = await findRun(db, id);
  if (!run) throw notFound('scan');
  return run;
}

/** Stores progress, notifies listeners and returns the current status; undefined when another process has ended the run. */
export async function reportProgress(db: Db, id: string, phase: string, stats: object): Promise<ScanStatus | undefined> {
  const { rows } = await sql<{ status: ScanStatus }>`
    with updated as (
      update scan_runs set phase = ${phase}, stats = ${JSON.stringify(stats)}::jsonb, heartbeat_at = now()
      where id = ${id} and status in ('running', 'stopping') returning status)
    select status, pg_notify(${progressChannel}, ${id}) from updated`.execute(db);
  return rows[0]?.status;
}

interface RunEnd {
  status: 'finished' | 'stopped' | 'failed';
  stats: object;
  error?: string;
  errorCode?: string;
}

/** Ends a run that is still open. A run that another process ended is not changed. */
export async function endRun(db: Db, id: string, end: RunEnd): Promise<void> {
  await sql`
    with ended as (
      update scan_runs set status = ${end.status}, phase = 'done', finished_at = now(), heartbeat_at = now(), stats = ${JSON.stringify(end.stats)}::jsonb,
        error = ${end.error ?? null}, error_code = ${end.errorCode ?? null}
      where id = ${id} and status in ('running', 'stopping') returning id)
    select pg_notify(${progressChannel}, ${id}) from ended`.execute(db);
}

export interface OpenRun {
  id: string;
  initial: boolean;
}

/** Runs whose additions have not been checked for moves and queued for extraction: the current one and those that were interrupted. */
export async function unsettledRuns(db: Db, libraryId: string): Promise<OpenRun[]> {
  const { rows } =
    await sql<OpenRun>`select id, initial from scan_runs where library_id = ${libraryId} and not settled order by id`.execute(db);
  return rows;
}

export async function settleRuns(db: Db, runs: readonly OpenRun[]): Promise<void> {
  await sql`update scan_runs set settled = true where id = any(${plainArray(runs.map(({ id }) => id))}::uuid[])`.execute(db);
}

/** Stores whether this is the first run of its library, because later runs need to know it. */
export async function recordFirstRun(db: Db, runId: string, libraryId: string): Promise<boolean> {
  const { rows } = await sql<{ initial: boolean }>`
    update scan_runs set initial = not exists (select from scan_runs r where r.library_id = ${libraryId} and r.id <> ${runId})
      and not exists (select from items where library_id = ${libraryId})
    where id = ${runId} returning initial`.execute(db);
  return one(rows).initial;
}

/** Files and duration of the last complete scan of a library, used as an estimate for the next. */
export async function lastFullRun(db: Db, libraryId: string): Promise<{ seen: number; seconds: number } | undefined> {
  const { rows } = await sql<{ seen: number; seconds: number }>`
    select coalesce((stats->>'seen')::float8, 0) as seen, greatest(0, extract(epoch from finished_at - started_at))::float8 as seconds
    from scan_runs where library_id = ${libraryId} and status = 'finished' and scope = '' and recursive order by id desc limit 1`.execute(
    db,
  );
  return rows[0];
}

export async function clearMissing(db: Db, libraryId: string): Promise<void> {
  await sql`delete from scan_missing g using scan_runs r where r.id = g.run_id and r.library_id = ${libraryId}`.execute(db);
}

/** Smaller than every item id, as the start of the first page. */
export const firstItem = '00000000-0000-0000-0000-000000000000';

/**
 * Sorting is switched off because the rows of a run are too new to have statistics, and the planner would sort all remaining ones for every
 * page.
 */
function withoutSorting<T>(db: Db, read: (db: Db) => Promise<T>): Promise<T> {
  const page = async (at: Db): Promise<T> => {
    await sql`set local enable_sort = off`.execute(at);
    return read(at);
  };
  return db.isTransaction ? page(db) : db.transaction().execute((transaction) => page(transaction as Db));
}

/** A page of items whose content is new in a run, for extraction. */
export async function pageContentChanges(db: Db, libraryId: string, run: OpenRun, after: string, limit: number): Promise<string[]> {
  return withoutSorting(db, async (at) => {
    const { rows } = await (run.initial
      ? sql<{ id: string }>`
          select id from items where library_id = ${libraryId} and id > ${after} and status = 'active' order by id limit ${limit}`
      : sql<{ id: string }>`
          select item_id as id from scan_changes
          where run_id = ${run.id} and item_id > ${after} and kind in ('added', 'changed', 'returned') order by item_id limit ${limit}`
    ).execute(at);
    return rows.map(({ id }) => id);
  });
}

interface RenamedFile {
  id: string;
  rel_path: string;
  from_rel_path: string;
}

/** A page of files that a run found under another name, by id; files whose folder alone was renamed are left out. */
export async function pageRenamed(db: Db, runId: string, after: string, limit: number): Promise<RenamedFile[]> {
  return withoutSorting(db, async (at) => {
    const { rows } = await sql<RenamedFile>`
      select item_id as id, rel_path, from_rel_path from scan_changes
      where run_id = ${runId} and item_id > ${after} and kind = 'moved'
        and substring(rel_path from '[^/]*$') <> substring(from_rel_path from '[^/]*$')
      order by item_id limit ${limit}`.execute(at);
    return rows;
  });
}

/**
 * Waits until no statement of an earlier scan of this library is running, whether its process is alive or dead. The earlier run must have
 * been ended first, so that its later statements are refused.
 */
export async function waitForEarlierWrites(db: Db, libraryId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('scan writes ' || ${libraryId}::text, 0))`.execute(transaction);
  });
}

/** Whether a transaction of this run may write. It blocks the next scan until the transaction ends. */
export async function mayWrite(transaction: Db, runId: string, libraryId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`select scan_may_write(${runId}, ${libraryId}) as open`.execute(transaction);
  return one(rows).open;
}

/** Ends runs of a library that dead workers left open. The caller holds the lock of the library, so none of them is running. */
export async function endEarlierRuns(db: Db, libraryId: string, runId: string): Promise<void> {
  await sql`
    update scan_runs set status = case when status = 'stopping' then 'stopped' else 'failed' end, phase = 'done', finished_at = now(),
      error = case when status = 'running' then 'The worker that ran this scan stopped before it was done.' end,
      error_code = case when status = 'running' then 'worker_gone' end
    where library_id = ${libraryId} and id <> ${runId} and status in ('running', 'stopping') and phase <> 'queued'`.execute(db);
}

/**
 * Lets this transaction commit without waiting for the disk. The write-ahead log is written in order, so a crash loses whole batches from
 * the end together with the marks of their folders. The end of the run is committed synchronously, so such a run counts as interrupted and
 * the next one repeats the work.
 */
export async function commitAsynchronously(transaction: Db): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(transaction);
}
