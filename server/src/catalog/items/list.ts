import { type RawBuilder, sql } from 'kysely';
import { describeRights, type Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { problem } from '../../platform/problem.ts';
import { cursorKeyOf, decodeCursor, encodeCursor } from '../../platform/schemas.ts';
import { sumItemCounts } from '../counts/index.ts';
import { hasPathPrefix, inPathOrder, isBehind, joinFolders } from '../paths/index.ts';
import type { ItemStatus } from '../tables.ts';
import { checkTaxonomyKeys } from '../taxonomy/index.ts';
import { type ItemRow, selectItems } from './store.ts';

interface ItemFilter {
  library_id?: string[];
  status?: (ItemStatus | 'any')[];
  rel_path?: string;
  category?: string[];
  group?: string[];
  extension?: string[];
  tag?: string[];
  sidecar_of?: string;
  limit: number;
  cursor?: string | undefined;
  metadata?: boolean;
}

interface ListCursor {
  /** The key of filter and rights. */
  key: string;
  /** Library and path of the last item of the page. */
  after: [string, string];
  total: number;
}

/** Items by library, folder and name. The total is counted for the first page and stored in the cursor. */
export async function listItems(
  db: Db,
  visibility: Visibility,
  filter: ItemFilter,
): Promise<{ rows: ItemRow[]; total: number; next_cursor: string | null }> {
  await checkTaxonomyKeys(db, { categories: filter.category, groups: filter.group });
  const { limit, cursor, metadata = false, ...counted } = filter;
  const key = cursorKeyOf([counted, describeRights(visibility)]);
  const position = decodeCursor(cursor, isListCursor);
  if (position && position.key !== key) throw problem('cursor_invalid');
  const where = sql.join([...conditions(filter), visibility.whereItem('i')], sql` and `);
  const total = position?.total ?? (await countItems(db, visibility, filter));
  const next = position === null ? sql`` : sql`and ${isBehind(...position.after)}`;
  const within = filter.library_id?.length ? sql`and f.library_id = any(${filter.library_id}::uuid[])` : sql``;
  const rows = await selectItems(db, sql`${joinFolders} where ${where} ${within} ${next} order by ${inPathOrder} limit ${limit + 1}`, {
    metadata,
  });
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return {
    rows: shown,
    total,
    next_cursor: last ? encodeCursor({ key, after: [last.library_id, last.rel_path], total } satisfies ListCursor) : null,
  };
}

/** Uses the stored counts for libraries the caller sees completely, and counts items only for partly visible libraries and other filters. */
async function countItems(db: Db, visibility: Visibility, filter: ItemFilter): Promise<number> {
  const { rel_path, extension, tag, sidecar_of } = filter;
  const counted = async (within: RawBuilder<unknown>): Promise<number> => {
    const where = sql.join([...conditions(filter), within], sql` and `);
    return one((await sql<{ count: number }>`select count(*) from items i where ${where}`.execute(db)).rows).count;
  };
  if (rel_path || extension?.length || tag?.length || sidecar_of) return counted(visibility.whereItem('i'));
  const { whole, rest } = visibility.split('i');
  const seen = whole === 'all' ? sql`true` : sql`k.library_id = any(${whole}::uuid[])`;
  const kept = await sumItemCounts(db, sql.join([...countedConditions(filter, 'k'), seen], sql` and `));
  return kept.items + (rest ? await counted(rest) : 0);
}

/** Conditions on the columns that stored counts have. */
function countedConditions(filter: ItemFilter, alias: string): RawBuilder<unknown>[] {
  const column = (name: string) => sql.ref(`${alias}.${name}`);
  // Items of a deleted library may still exist.
  const list: RawBuilder<unknown>[] = [sql`${column('library_id')} in (select id from libraries)`];
  const status = filter.status?.length ? filter.status : ['active' as const];
  if (!status.includes('any')) list.push(sql`${column('status')} = any(${status}::text[])`);
  if (filter.library_id?.length) list.push(sql`${column('library_id')} = any(${filter.library_id}::uuid[])`);
  if (filter.category?.length) list.push(sql`${column('file_category')} = any(${filter.category}::text[])`);
  if (filter.group?.length) list.push(sql`${column('file_group')} = any(${filter.group}::text[])`);
  return list;
}

function conditions(filter: ItemFilter): RawBuilder<unknown>[] {
  const list = countedConditions(filter, 'i');
  if (filter.rel_path) list.push(hasPathPrefix('i', filter.rel_path));
  if (filter.extension?.length)
    list.push(sql`i.extension = any(${filter.extension.map((ext) => ext.toLowerCase().replace(/^\./, ''))}::text[])`);
  if (filter.tag?.length) list.push(sql`i.tags @> ${filter.tag}::text[]`);
  if (filter.sidecar_of) list.push(sql`i.sidecar_of = ${filter.sidecar_of}`);
  return list;
}

function isListCursor(value: unknown): value is ListCursor {
  const { key, after, total } = (value ?? {}) as Partial<ListCursor>;
  return (
    typeof key === 'string' &&
    Array.isArray(after) &&
    /^[0-9a-f-]{36}$/.test(String(after[0])) &&
    typeof after[1] === 'string' &&
    !after[1].includes('\0') &&
    Number.isSafeInteger(total)
  );
}
