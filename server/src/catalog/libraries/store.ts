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

export async function hasOpenRun(db: Db, libraryId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from scan_runs where library_id = ${libraryId} and status in ('running', 'stopping') limit 1`.execute(
    db,
  );
  return rows.length > 0;
}
