import { encodeCursor, decodeCursor } from '../../platform/schemas.ts';
import { problem, notFound } from '../../platform/problem.ts';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

import type { ChangeKind } from '../tables.ts';
import { findRun } from './run-store.ts';

export interface DiffEntry {
  item_id: string;
  kind: ChangeKind;
  rel_path: string;
  /** Where it was, when it moved. */
  from_rel_path: string | null;
  from_library_id: string | null;
}

export interface DiffPage {
  library_id: string;
  /** False when the change log of a run in between was already cleared away: some changes are then not listed. */
  complete: boolean;
  items: DiffEntry[];
  limit: number;
  next_cursor: string | null;
}

/**
 * What changed between two runs of a library: the net of all runs after the older one up to the newer one. An item added and gone again in
 * between is no change; one that was changed and moved is moved.
 */
export async function diffScans(db: Db, a: string, b: string, asked: { limit?: number; cursor?: string } = {}): Promise<DiffPage> {
  const { libraryId, from, to } = await orderRuns(db, a, b);
  const limit = asked.limit ?? 100;
  const after = decodeCursor(asked.cursor, (value): value is string => typeof value === 'string') ?? firstDiffId;
  const items = await pageDiff(db, libraryId, from, to, after, limit + 1);
  const { rows } = await sql<{ purged: boolean }>`
    select coalesce(bool_or(stats ? 'changes_purged'), false) as purged from scan_runs where library_id = ${libraryId} and id > ${from} and id <= ${to}`.execute(
    db,
  );
  return {
    library_id: libraryId,
    complete: !rows[0]!.purged,
    items: items.slice(0, limit),
    limit,
    next_cursor: items.length > limit ? encodeCursor(items[limit - 1]!.item_id) : null,
  };
}

/** All of it, a page at a time, for an export. */
export async function* iterateDiff(db: Db, a: string, b: string): AsyncGenerator<DiffEntry> {
  const { libraryId, from, to } = await orderRuns(db, a, b);
  for (let after = firstDiffId; ; ) {
    const page = await pageDiff(db, libraryId, from, to, after, 1000);
    yield* page;
    if (page.length < 1000) return;
    after = page.at(-1)!.item_id;
  }
}

const firstDiffId = '00000000-0000-0000-0000-000000000000';

async function orderRuns(db: Db, a: string, b: string): Promise<{ libraryId: string; from: string; to: string }> {
  const [first, second] = [await findRun(db, a), await findRun(db, b)];
  if (!first || !second) throw notFound('scan');
  if (first.library_id !== second.library_id) throw problem('unprocessable', 'The two scans are of different libraries.');
  return first.id < second.id ? { libraryId: first.library_id, from: a, to: b } : { libraryId: first.library_id, from: b, to: a };
}

async function pageDiff(db: Db, libraryId: string, from: string, to: string, after: string, limit: number): Promise<DiffEntry[]> {
  const { rows } = await sql<DiffEntry>`
    with steps as (
      select c.item_id, array_agg(c.kind order by c.run_id) as kinds, (array_agg(c.rel_path order by c.run_id desc))[1] as rel_path,
        (array_agg(c.from_rel_path order by c.run_id) filter (where c.kind = 'moved'))[1] as from_rel_path,
        (array_agg(c.from_library_id order by c.run_id) filter (where c.kind = 'moved'))[1] as from_library_id
      from scan_changes c join scan_runs r on r.id = c.run_id
      where r.library_id = ${libraryId} and r.id > ${from} and r.id <= ${to} and c.item_id > ${after}
      group by c.item_id),
    judged as (
      select *, kinds[1] = 'added' as was_absent, kinds[1] = 'returned' as was_missing, kinds[array_upper(kinds, 1)] = 'gone' as is_missing from steps)
    select item_id, rel_path,
      case when was_absent then 'added' when is_missing then 'gone' when 'moved' = any(kinds) then 'moved' when was_missing then 'returned' else 'changed' end as kind,
      case when not is_missing and not was_absent and 'moved' = any(kinds) then from_rel_path end as from_rel_path,
      case when not is_missing and not was_absent and 'moved' = any(kinds) then from_library_id end as from_library_id
    from judged
    where not ((was_absent or was_missing) and is_missing)
      and (was_absent or was_missing or is_missing or 'changed' = any(kinds) or 'moved' = any(kinds))
    order by item_id limit ${limit}`.execute(db);
  return rows;
}

/** Clears the change log of runs older than this many days, except each library's newest ten; the runs themselves stay. */
export async function purgeScanChanges(db: Db, days: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    with old as (
      select id from (select id, started_at, settled, row_number() over (partition by library_id order by id desc) as place from scan_runs) r
      where place > 10 and settled and started_at < now() - ${days} * interval '1 day'),
    cleared as (delete from scan_changes c using old where c.run_id = old.id returning c.run_id),
    noted as (update scan_runs set stats = stats || '{"changes_purged": true}' where id in (select run_id from cleared) returning 1)
    select (select count(*) from cleared) as n, (select count(*) from noted) as runs`.execute(db);
  return rows[0]!.n;
}
