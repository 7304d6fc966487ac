import { type Selectable, sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { notFound, problem } from '../../platform/problem.ts';
import type { LibrariesTable } from '../tables.ts';

export type LibraryRow = Selectable<LibrariesTable>;

export async function allLibraries(db: Db): Promise<LibraryRow[]> {
  return db.selectFrom('libraries').selectAll().orderBy(sql`lower(name)`).execute();
}

export async function libraryById(db: Db, id: string): Promise<LibraryRow | undefined> {
  return db.selectFrom('libraries').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A library the caller may see. Others are reported as not found. */
export async function readableLibrary(db: Db, visibility: Visibility, id: string): Promise<LibraryRow> {
  const row = visibility.mayEnter(id) ? await libraryById(db, id) : undefined;
  if (!row) throw notFound('library');
  return row;
}

/** A library of which the caller sees this folder and everything below it, as jobs that read it all require. */
export async function wholeLibrary(db: Db, visibility: Visibility, id: string, folder = ''): Promise<LibraryRow> {
  const row = await readableLibrary(db, visibility, id);
  if (!visibility.seesWhole(id, folder))
    throw problem('action_denied', 'This covers folders that you cannot see. Choose a folder of which you see everything.');
  return row;
}

export interface LastRunRow {
  id: string;
  library_id: string;
  status: string;
  trigger: string;
  scope: string;
  recursive: boolean;
  phase: string;
  started_at: Date;
  finished_at: Date | null;
  error: string | null;
  error_code: string | null;
  stats: Record<string, unknown>;
}

export async function newestScanRuns(db: Db, libraryIds: readonly string[]): Promise<Map<string, LastRunRow>> {
  const { rows } = await sql<LastRunRow>`
    select r.id, r.library_id, r.status, r.trigger, r.scope, r.recursive, r.phase, r.started_at, r.finished_at, r.error, r.error_code, r.stats
    from unnest(${[...libraryIds]}::uuid[]) l (id)
    cross join lateral (select * from scan_runs where library_id = l.id order by id desc limit 1) r`.execute(db);
  return new Map(rows.map((row) => [row.library_id, row]));
}

export interface ThroughputRow {
  library_id: string;
  /** Of the newest finished scans of the whole library. */
  median_files_per_s: number;
  throughput_runs: number;
}

/** How many scans the usual rate of a library is taken from. */
const throughputRuns = 10;

export async function scanThroughput(db: Db, libraryIds: readonly string[]): Promise<Map<string, ThroughputRow>> {
  const { rows } = await sql<ThroughputRow>`
    select r.library_id, percentile_cont(0.5) within group (order by (r.stats ->> 'files_per_s')::float8) as median_files_per_s, count(*)::integer as throughput_runs
    from unnest(${[...libraryIds]}::uuid[]) l (id)
    cross join lateral (
      select library_id, stats from scan_runs where library_id = l.id and status = 'finished' and scope = '' and jsonb_typeof(stats -> 'files_per_s') = 'number'
      order by id desc limit ${throughputRuns}) r
    group by 1`.execute(db);
  return new Map(rows.map((row) => [row.library_id, row]));
}

export interface SourceAgentRow {
  id: string;
  name: string;
  status: 'pending' | 'active' | 'revoked';
  last_seen_at: Date | null;
  last_reconcile_at: Date | null;
  /** What it says about each of its folders, unchecked. */
  roots: unknown;
}

/** The agents on whose machines the files are. */
export async function sourceAgents(db: Db, agentIds: readonly string[]): Promise<Map<string, SourceAgentRow>> {
  if (agentIds.length === 0) return new Map();
  const { rows } = await sql<SourceAgentRow>`select id, name, last_seen_at, last_reconcile_at, health -> 'roots' as roots,
      case when revoked_at is not null then 'revoked' when cert_fingerprint is not null then 'active' else 'pending' end as status
    from agents where id = any(${[...agentIds]}::uuid[])`.execute(db);
  return new Map(rows.map((row) => [row.id, row]));
}

export async function hasOpenRun(db: Db, libraryId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from scan_runs where library_id = ${libraryId} and status in ('running', 'stopping') limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
