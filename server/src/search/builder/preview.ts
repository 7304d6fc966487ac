import { type RawBuilder, sql } from 'kysely';
import { inPathOrder, joinFolders } from '../../catalog/paths/index.ts';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one, withinSeconds } from '../../platform/database/index.ts';
import { checkKinds, filtersBy, parseQuery, queryCondition, resolveAccess } from '../language/index.ts';

const maxCounted = 10_000;
/** Words are compared with every name, so a rare one reads all items. */
const previewSeconds = 5;
const columns = ['filename', 'library', 'rel_path', 'file_category', 'file_group', 'size', 'mtime'] as const;

/**
 * Runs a query against the database instead of the index: words match names, titles and paths only. As in a search, only active files count and
 * sidecars are left out, unless the query says otherwise. An error has its position.
 */
export async function previewQuery(
  { db, visibility, now }: { db: Db; visibility: Visibility; now: Date },
  { query, limit, offset }: { query: string; limit: number; offset: number },
) {
  const parsed = parseQuery(query, { now });
  await checkKinds(db, parsed);
  await resolveAccess(db, visibility, parsed);
  const status = filtersBy('status', parsed) ? sql<boolean>`true` : sql<boolean>`i.status = 'active'`;
  const sidecars = filtersBy('sidecar', parsed) ? sql<boolean>`true` : sql<boolean>`i.sidecar_of is null`;
  const where = sql<boolean>`${visibility.whereItem('i')} and ${status} and ${sidecars} and ${queryCondition(parsed)}`;
  const rows = await page(db, where, limit + 1, offset);
  const counted = await withinSeconds(
    db,
    previewSeconds,
    sql<{ total: number }>`select count(*) as total from (select from items i where ${where} limit ${maxCounted + 1}) found`,
  );
  const { total } = one(counted);
  return {
    columns: [...columns],
    rows: rows.slice(0, limit),
    limit,
    offset,
    count: Math.min(rows.length, limit),
    has_more: rows.length > limit,
    total: Math.min(total, maxCounted),
    total_capped: total > maxCounted,
    understood: parsed.chips,
  };
}

function page(db: Db, where: RawBuilder<boolean>, limit: number, offset: number) {
  const query = sql<{
    item_id: string;
    filename: string;
    library: string;
    rel_path: string;
    file_category: string;
    file_group: string;
    size: number;
    mtime: number;
  }>`select i.id as item_id, i.filename, l.name as library, i.rel_path, i.file_category, i.file_group, i.size, (i.mtime_ns / 1000000000)::float8 as mtime
    from items i join libraries l on l.id = i.library_id ${joinFolders} where ${where} order by ${inPathOrder} limit ${limit} offset ${offset}`;
  return withinSeconds(db, previewSeconds, query);
}
