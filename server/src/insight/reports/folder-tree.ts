import { sql } from 'kysely';
import { folderTotalsBelow } from '../../catalog/counts/index.ts';
import { readableLibrary } from '../../catalog/libraries/index.ts';
import { isFolderBelow } from '../../catalog/paths/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { accessToView } from './access.ts';
import { compactFolderTotals } from './catalogue/folders.ts';
import { libraryTotals } from './catalogue/libraries.ts';
import { createScope, noFilters } from './scope.ts';

interface TreeChild {
  name: string;
  folder: string;
  library_id: string;
  library: string;
  file_count: number;
  total_bytes: number;
  has_children: boolean;
}

/**
 * One drill level of folder totals: the libraries, or the folders directly below a parent, largest first. Files directly in the parent form
 * the child ".". Kept totals answer for what the caller sees as a whole; otherwise the visible items are summed.
 */
export async function folderTree(db: Db, principal: Principal, query: { library: string | null; parent: string; limit: number }) {
  const parent = query.parent.replace(/^\/+|\/+$/g, '');
  if (query.library === null && parent !== '')
    throw fieldProblem(['query', 'parent'], 'A folder belongs to a library. Add library_id.', 'not_supported');
  const visibility = await visibilityOf(db, principal);
  const access = accessToView(visibility);
  const children =
    query.library === null
      ? await libraryLevel(db, access, query.limit + 1)
      : await folderLevel(db, access, { ...(await readableLibrary(db, visibility, query.library)), parent, limit: query.limit + 1 });
  return { parent, library_id: query.library, children: children.slice(0, query.limit), truncated: children.length > query.limit };
}

type Access = ReturnType<typeof accessToView>;

async function libraryLevel(db: Db, access: Access, limit: number): Promise<TreeChild[]> {
  const rows = libraryTotals(createScope(db, new Date(), access, noFilters, limit));
  const found = await sql<Omit<TreeChild, 'folder' | 'has_children' | 'name'>>`
    select t.library_id, t.library, t.file_count, t.total_bytes from (${rows}) t order by t.total_bytes desc, t.library limit ${limit}`.execute(
    db,
  );
  return found.rows.map((row) => ({ ...row, name: row.library, folder: '', has_children: row.file_count > 0 }));
}

async function folderLevel(
  db: Db,
  access: Access,
  { id, name: library, parent, limit }: { id: string; name: string; parent: string; limit: number },
): Promise<TreeChild[]> {
  await compactFolderTotals(db);
  const prefix = parent === '' ? '' : `${parent}/`;
  const inside = sql`substr(f.rel_path, ${[...prefix].length + 1}::int)`;
  const whole = access.seesWhole(id, parent);
  const below = whole
    ? folderTotalsBelow(id, parent)
    : sql`select split_part(${inside}, '/', 1) as name, count(*) as item_count, sum(i.size)::bigint as total_bytes, bool_or(${inside} like '%/%') as deeper
      from folders f join items i on i.folder_id = f.id
      where f.library_id = ${id}::uuid and ${isFolderBelow('f', parent)} and i.status = 'active' and ${access.whereItem('i')} group by 1`;
  const deeper = whole
    ? sql`(exists (select from folder_totals t where t.library_id = ${id}::uuid and t.parent = md5(${prefix} || c.name)::uuid and t.items > 0)
        or exists (select from folder_changes n where n.library_id = ${id}::uuid and starts_with(n.folder, ${prefix} || c.name || '/') and n.items > 0))`
    : sql`c.deeper`;
  const { rows } = await sql<{ name: string; file_count: number; total_bytes: number; has_children: boolean }>`
    select c.name, c.item_count as file_count, c.total_bytes, ${deeper} as has_children from (${below}) c order by c.total_bytes desc, c.name limit ${limit}`.execute(
    db,
  );
  const direct = one(
    (
      await sql<{ file_count: number; total_bytes: number }>`select count(*) as file_count, coalesce(sum(i.size), 0)::bigint as total_bytes
        from folders f join items i on i.folder_id = f.id
        where f.library_id = ${id}::uuid and f.rel_path = ${parent} and i.status = 'active' and ${access.whereItem('i')}`.execute(db)
    ).rows,
  );
  const children = rows.map((row) => ({ ...row, folder: `${prefix}${row.name}`, library_id: id, library }));
  if (direct.file_count > 0) children.push({ ...direct, name: '.', folder: parent, library_id: id, library, has_children: false });
  return children.sort((a, b) => b.total_bytes - a.total_bytes || (a.name < b.name ? -1 : 1));
}
