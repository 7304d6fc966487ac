import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { ScanStatus } from '../tables.ts';
import { plainArray } from './store.ts';

export const progressChannel = 'scan_progress';

export interface RunRow {
  id: string;
  library_id: string;
  job_id: string | null;
  status: ScanStatus;
  trigger: string;
  scope: string;
  recursive: boolean;
  force_empty: boolean;
  phase: string;
  started_at: Date;
  finished_at: Date | null;
  heartbeat_at: Date;
  error: string | null;
  error_code: string | null;
  stats: Record<string, unknown>;
}

export const runColumns = sql`id, library_id, job_id, status, trigger, scope, recursive, force_empty, phase, started_at, finished_at, heartbeat_at, error,
  error_code, stats`;

export interface NewRun {
  libraryId: string;
  trigger: string;
  scope: string;
  /** False: only what lies in the scope itself, not in its folders. */
  recursive?: boolean;
  forceEmpty: boolean;
}

export async function createScanRun(db: Db, { libraryId, trigger, scope, recursive = true, forceEmpty }: NewRun): Promise<RunRow> {
  const { rows } = await sql<RunRow>`
    insert into scan_runs (library_id, status, trigger, scope, recursive, force_empty)
    values (${libraryId}, 'running', ${trigger}, ${scope}, ${recursive}, ${forceEmpty})
    returning ${runColumns}`.execute(db);
  return rows[0]!;
}

export async function findRun(db: Db, id: string): Promise<RunRow | undefined> {
  const { rows } = await sql<RunRow>`select ${runColumns} from scan_runs where id = ${id}`.execute(db);
  return rows[0];
}

/** Stores progress, tells listeners, and answers the status as it is now; undefined when the run is over for others. */
export async function reportProgress(db: Db, id: string, phase: string, stats: object): Promise<ScanStatus | undefined> {
  const { rows } = await sql<{ status: ScanStatus }>`
    with told as (
      update scan_runs set phase = ${phase}, stats = ${JSON.stringify(stats)}::jsonb, heartbeat_at = now()
      where id = ${id} and status in ('running', 'stopping') returning status)
    select status, pg_notify(${progressChannel}, ${id}) from told`.execute(db);
  return rows[0]?.status;
}

export interface RunEnd {
  status: 'finished' | 'stopped' | 'failed';
  stats: object;
  error?: string;
  errorCode?: string;
}

/** Ends a run that is still open; a run that someone else ended keeps its end. */
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

/** Runs whose additions still wait for their moves and their extraction: this one and those that ended too early. */
export async function unsettledRuns(db: Db, libraryId: string): Promise<OpenRun[]> {
  const { rows } =
    await sql<OpenRun>`select id, initial from scan_runs where library_id = ${libraryId} and not settled order by id`.execute(db);
  return rows;
}

export async function settleRuns(db: Db, runs: readonly OpenRun[]): Promise<void> {
  await sql`update scan_runs set settled = true where id = any(${plainArray(runs.map(({ id }) => id))}::uuid[])`.execute(db);
}

/** Is this the first run there ever was of its library? Written down: a later run must know it too. */
export async function recordFirstRun(db: Db, runId: string, libraryId: string): Promise<boolean> {
  const { rows } = await sql<{ initial: boolean }>`
    update scan_runs set initial = not exists (select from scan_runs r where r.library_id = ${libraryId} and r.id <> ${runId})
      and not exists (select from items where library_id = ${libraryId})
    where id = ${runId} returning initial`.execute(db);
  return rows[0]!.initial;
}

/** What the last complete scan of a library counted: the estimate for the next. */
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

/** Where a page of new content ended: an id of the change log, or a path of the library for its first run. */
export interface ContentPage {
  ids: string[];
  after: string;
}

export const firstContentPage: Readonly<Record<'logged' | 'initial', string>> = {
  logged: '00000000-0000-0000-0000-000000000000',
  initial: '',
};

/**
 * A page of items whose content is new in a run, for extraction. The rows have just been written and the database has no figures about
 * them yet: left alone it would sort all of the rest for every page.
 */
export async function pageContentChanges(db: Db, libraryId: string, run: OpenRun, after: string, limit: number): Promise<ContentPage> {
  const page = async (at: Db): Promise<ContentPage> => {
    await sql`set local enable_sort = off`.execute(at);
    const { rows } = await (run.initial
      ? sql<{ id: string; place: string }>`
          select id, rel_path as place from items where library_id = ${libraryId} and rel_path > ${after} and status = 'active'
          order by rel_path limit ${limit}`
      : sql<{ id: string; place: string }>`
          select item_id as id, item_id as place from scan_changes
          where run_id = ${run.id} and item_id > ${after} and kind in ('added', 'changed', 'returned') order by item_id limit ${limit}`
    ).execute(at);
    return { ids: rows.map(({ id }) => id), after: rows.at(-1)?.place ?? after };
  };
  return db.isTransaction ? page(db) : db.transaction().execute((transaction) => page(transaction as Db));
}

/**
 * Waits until no statement of an earlier scan of this library is under way, be its process alive or dead. Its run must have ended before:
 * what comes later is then refused.
 */
export async function waitForEarlierWrites(db: Db, libraryId: string): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(hashtextextended('scan writes ' || ${libraryId}::text, 0))`.execute(transaction);
  });
}

/** Whether a transaction of this run may write; holds off the next scan until it ends. */
export async function mayWrite(transaction: Db, runId: string, libraryId: string): Promise<boolean> {
  const { rows } = await sql<{ open: boolean }>`select scan_may_write(${runId}, ${libraryId}) as open`.execute(transaction);
  return rows[0]!.open;
}

/** Ends what earlier runs of a library left open: the caller holds the library, so nobody is behind them any more. */
export async function endEarlierRuns(db: Db, libraryId: string, runId: string): Promise<void> {
  await sql`
    update scan_runs set status = case when status = 'stopping' then 'stopped' else 'failed' end, phase = 'done', finished_at = now(),
      error = case when status = 'running' then 'The worker that ran this scan went away.' end,
      error_code = case when status = 'running' then 'worker_gone' end
    where library_id = ${libraryId} and id <> ${runId} and status in ('running', 'stopping') and phase <> 'queued'`.execute(db);
}

/**
 * For this transaction: do not wait for the disk at its end. The log is written in order, so a database that loses its last moments loses
 * whole batches from the end, each with the marks of its folders, and the run, which ends only when its own end is on disk, is then
 * found broken off and done again.
 */
export async function commitAsynchronously(transaction: Db): Promise<void> {
  await sql`set local synchronous_commit = off`.execute(transaction);
}
