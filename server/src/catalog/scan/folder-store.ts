import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { plainArray, textArray } from './array-literal.ts';
import { ltreePath } from './tree-path.ts';

export interface FolderRow {
  id: number;
  rel_path: string;
  fingerprint: string | null;
  seen: number;
  excluded_gate: number;
  excluded_filtered: number;
  bytes_seen: number;
}

/** A folder whose rows agree with the disk: its fingerprint and its share of the counters. */
export type FolderMark = Omit<FolderRow, 'rel_path'> & { fingerprint: string };

export async function findFolders(db: Db, libraryId: string, paths: readonly string[]): Promise<Map<string, FolderRow>> {
  const { rows } = await sql<FolderRow>`
    select id, rel_path, fingerprint, seen, excluded_gate, excluded_filtered, bytes_seen
    from folders where library_id = ${libraryId} and rel_path = any(${textArray(paths)}::text[])`.execute(db);
  return new Map(rows.map((row) => [row.rel_path, row]));
}

export async function addFolders(db: Db, libraryId: string, paths: readonly string[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: number; rel_path: string }>`
    insert into folders (library_id, rel_path, path)
    select ${libraryId}, p.rel_path, p.path::ltree
    from unnest(${textArray(paths)}::text[], ${textArray(paths.map((path) => ltreePath(libraryId, path)))}::text[]) as p (rel_path, path)
    on conflict (library_id, rel_path) do update set path = excluded.path
    returning id, rel_path`.execute(db);
  return new Map(rows.map(({ id, rel_path }) => [rel_path, id]));
}

export async function markFolders(db: Db, marks: readonly FolderMark[]): Promise<void> {
  if (marks.length > 0) await markStatement(marks).execute(db);
}

/** For the end of a statement that stores other things as well. */
export function markStatement(marks: readonly FolderMark[]): RawBuilder<unknown> {
  const column = (pick: (mark: FolderMark) => number): string => plainArray(marks.map(pick));
  return sql`
    update folders f set fingerprint = m.fingerprint, seen = m.seen, excluded_gate = m.gate, excluded_filtered = m.filtered, bytes_seen = m.bytes
    from unnest(${column(({ id }) => id)}::bigint[], ${textArray(marks.map(({ fingerprint }) => fingerprint))}::text[], ${column(({ seen }) => seen)}::int[],
      ${column(({ excluded_gate }) => excluded_gate)}::int[], ${column(({ excluded_filtered }) => excluded_filtered)}::int[],
      ${column(({ bytes_seen }) => bytes_seen)}::bigint[]) as m (id, fingerprint, seen, gate, filtered, bytes)
    where f.id = m.id`;
}

/** Folders below a scope ('' for all), in byte order, after a path: one page. */
export async function pageFolders(
  db: Db,
  libraryId: string,
  scope: string,
  after: string | null,
  limit: number,
): Promise<{ id: number; rel_path: string }[]> {
  const from = after ?? '';
  const { rows } = await sql<{ id: number; rel_path: string }>`
    select id, rel_path from folders
    where library_id = ${libraryId}
      and ${after === null ? sql`rel_path >= ${from}` : sql`rel_path > ${from}`}
      and ${scope === '' ? sql`true` : sql`(rel_path = ${scope} or (rel_path >= ${`${scope}/`} and rel_path < ${`${scope}0`}))`}
    order by rel_path limit ${limit}`.execute(db);
  return rows;
}

/** Forgets folders that are gone and hold no rows. */
export async function dropEmptyFolders(db: Db, ids: readonly number[]): Promise<void> {
  await sql`delete from folders f where f.id = any(${plainArray(ids)}::bigint[]) and not exists (select from items i where i.folder_id = f.id)`.execute(
    db,
  );
}
