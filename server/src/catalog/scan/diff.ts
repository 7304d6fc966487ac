import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { decodeCursor, encodeCursor } from '../../platform/schemas.ts';
import type { ChangeKind } from '../tables.ts';
import { findRun } from './run-store.ts';
import { settleFolderMoves } from './settle-folder-moves.ts';

export interface DiffEntry {
  item_id: string;
  kind: ChangeKind;
  rel_path: string;
  /** The old path of a moved item. */
  from_rel_path: string | null;
  from_library_id: string | null;
}

export interface DiffPage {
  library_id: string;
  /** False when the change log of a run in between was deleted, so that changes may be missing. */
  complete: boolean;
  items: DiffEntry[];
  limit: number;
  next_cursor: string | null;
}

/**
 * The net changes of all runs after the older run up to the newer one. An item that was added and then went missing is not listed; one that
 * was changed and moved is listed as moved.
 */
export async function diffScans(db: Db, a: string, b: string, page: { limit?: number; cursor?: string } = {}): Promise<DiffPage> {
  const { libraryId, from, to } = await orderRuns(db, a, b);
  await settleFolderMoves(db, libraryId);
  const limit = page.limit ?? 100;
  const after = decodeCursor(page.cursor, (value): value is string => typeof value === 'string') ?? firstDiffId;
  const found = await pageDiff(db, libraryId, from, to, after, limit + 1);
  const items = found.slice(0, limit);
  const last = found.length > limit ? items.at(-1) : undefined;
  const { rows } = await sql<{ purged: boolean }>`
    select coalesce(bool_or(stats ? 'changes_purged'), false) as purged from scan_runs where library_id = ${libraryId} and id > ${from} and id <= ${to}`.execute(
    db,
  );
  return {
    library_id: libraryId,
    complete: !one(rows).purged,
    items,
    limit,
    next_cursor: last ? encodeCursor(last.item_id) : null,
  };
}

/** All changes between two runs, read page by page, for an export. */
export async function* iterateDiff(db: Db, a: string, b: string): AsyncGenerator<DiffEntry> {
  const { libraryId, from, to } = await orderRuns(db, a, b);
  await settleFolderMoves(db, libraryId);
  for (let after = firstDiffId; ; ) {
    const page = await pageDiff(db, libraryId, from, to, after, 1000);
    yield* page;
    const last = page.at(-1);
    if (!last || page.length < 1000) return;
    after = last.item_id;
  }
}

const firstDiffId = '00000000-0000-0000-0000-000000000000';

async function orderRuns(db: Db, a: string, b: string): Promise<{ libraryId: string; from: string; to: string }> {
  const [first, second] = [await findRun(db, a), await findRun(db, b)];
  if (!first || !second) throw notFound('scan');
  if (first.library_id !== second.library_id)
    throw problem('unprocessable', 'The two scans belong to different libraries. Choose two scans of the same library.');
  return first.id < second.id ? { libraryId: first.library_id, from: a, to: b } : { libraryId: first.library_id, from: b, to: a };
}

async function pageDiff(db: Db, libraryId: string, from: string, to: string, after: string, limit: number): Promise<DiffEntry[]> {
  const { rows } = await sql<DiffEntry>`
    with steps as (
      select c.item_id, array_agg(c.kind order by c.run_id) as kinds, (array_agg(c.rel_path order by c.run_id desc))[1] as rel_path,
        (array_agg(c.from_rel_path order by c.run_id) filter (where c.kind = 'moved'))[1] as from_rel_path,
        (array_agg(c.from_library_id order by c.run_id) filter (where c.kind = 'moved'))[1] as from_library_id
      -- Earlier versions logged here where a file of an agent is in another library, which the caller may not see.
      from scan_changes c join scan_runs r on r.id = c.run_id and r.library_id = c.library_id
      where r.library_id = ${libraryId} and r.id > ${from} and r.id <= ${to} and c.item_id > ${after}
      group by c.item_id),
    steps_with_state as (
      select *, kinds[1] = 'added' as was_absent, kinds[1] = 'returned' as was_missing, kinds[array_upper(kinds, 1)] = 'gone' as is_missing from steps)
    select item_id, rel_path,
      case when was_absent then 'added' when is_missing then 'gone' when 'moved' = any(kinds) then 'moved' when was_missing then 'returned' else 'changed' end as kind,
      case when not is_missing and not was_absent and 'moved' = any(kinds) then from_rel_path end as from_rel_path,
      case when not is_missing and not was_absent and 'moved' = any(kinds) then from_library_id end as from_library_id
    from steps_with_state
    where not ((was_absent or was_missing) and is_missing)
      and (was_absent or was_missing or is_missing or 'changed' = any(kinds) or 'moved' = any(kinds))
    order by item_id limit ${limit}`.execute(db);
  return rows;
}

/** Deletes the change log of runs older than this many days, except the newest ten runs of each library. The runs themselves are kept. */
export async function purgeScanChanges(db: Db, days: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with old as (
      select id from (select id, started_at, settled, row_number() over (partition by library_id order by id desc) as rank from scan_runs) r
      where rank > 10 and settled and started_at < now() - ${days} * interval '1 day'),
    deleted as (delete from scan_changes c using old where c.run_id = old.id returning c.run_id),
    marked as (update scan_runs set stats = stats || '{"changes_purged": true}' where id in (select run_id from deleted) returning 1)
    select (select count(*) from deleted) as n, (select count(*) from marked) as runs`.execute(db);
  return one(rows).n;
}
