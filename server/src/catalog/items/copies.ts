import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { absolutePath, lastSeen, nativePath } from './present.ts';
import { type ItemRow, selectItems } from './store.ts';

const maxCopies = 200;

/** Other active items with the same bytes. Empty files have no copies, since all of them would match. */
export async function findCopies(db: Db, visibility: Visibility, item: ItemRow) {
  const match = item.size === 0 ? 'none' : item.content_hash ? 'content' : item.quick_hash ? 'quick' : 'none';
  if (match === 'none') return { id: item.id, count: 0, match: 'none' as const, capped: false, copies: [] };
  const where = sql`where ${sameBytes('i', item)} and i.id <> ${item.id} and i.status = 'active' and ${visibility.whereItem('i')}`;
  const { rows } = await sql<{ count: number }>`select count(*) from items i ${where}`.execute(db);
  const { count } = one(rows);
  const copies = await selectItems(db, sql`${where} order by l.name, i.rel_path limit ${maxCopies}`, { metadata: false });
  return {
    id: item.id,
    count,
    match: match as 'content' | 'quick',
    capped: count > maxCopies,
    copies: copies.map((copy) => ({
      id: copy.id,
      library_id: copy.library_id,
      library_name: copy.library_name,
      rel_path: copy.rel_path,
      path: absolutePath(copy),
      native_path: nativePath(copy),
      size: copy.size,
      hard_link: copy.inode !== null && copy.inode === item.inode && copy.dev === item.dev && copy.source_agent_id === item.source_agent_id,
      last_seen: lastSeen(copy),
    })),
  };
}

/** Both indexes hold the first eight digits of a hash. */
function sameBytes(alias: string, { content_hash, quick_hash, size }: ItemRow): RawBuilder<boolean> {
  return content_hash
    ? sql<boolean>`left(${sql.ref(`${alias}.content_hash`)}, 8) = ${content_hash.slice(0, 8)} and ${sql.ref(`${alias}.content_hash`)} = ${content_hash}`
    : sql<boolean>`left(${sql.ref(`${alias}.quick_hash`)}, 8) = ${quick_hash?.slice(0, 8)} and ${sql.ref(`${alias}.quick_hash`)} = ${quick_hash} and ${sql.ref(`${alias}.size`)} = ${size}`;
}

/** The number of copies of each item. Items the caller may not see are omitted. */
export async function countCopies(db: Db, visibility: Visibility, ids: readonly string[]): Promise<Record<string, number>> {
  const { rows } = await sql<{ id: string; count: number }>`
    select i.id, case
      when i.size = 0 then 0
      when i.content_hash is not null then
        (select count(*) from items c where left(c.content_hash, 8) = left(i.content_hash, 8) and c.content_hash = i.content_hash and c.id <> i.id and c.status = 'active' and ${visibility.whereItem('c')})
      when i.quick_hash is not null then
        (select count(*) from items c where left(c.quick_hash, 8) = left(i.quick_hash, 8) and c.quick_hash = i.quick_hash and c.size = i.size and c.id <> i.id and c.status = 'active' and ${visibility.whereItem('c')})
      else 0 end count
    from items i where i.id = any(${[...ids]}::uuid[]) and ${visibility.whereItem('i')}`.execute(db);
  return Object.fromEntries(rows.map(({ id, count }) => [id, Number(count)]));
}
