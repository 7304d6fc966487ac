import { type Identity, mayEnter, type Right } from '@catalog/scanner';
import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { isFolderBelow } from '../paths/index.ts';
import { classesAllowing } from './access.ts';
import { entryPrincipal, labelOf } from './describe.ts';
import { type KnownPeople, knownPeople } from './known-people.ts';
import { allowedAt, existedAt, pastTables, readableAt } from './past.ts';
import type { ResolvedPrincipal } from './principals.ts';
import { findAcls } from './store.ts';

/** How much of one library or folder somebody may use. */
export interface ReadableFolder {
  library_id: string;
  library: string;
  /** '' for the library itself. The files directly in the parent form the folder with `own_files`. */
  folder: string;
  own_files: boolean;
  files: number;
  allowed: number;
  has_children: boolean;
  why: string;
}

export interface ReadableQuery {
  libraryId?: string | undefined;
  parent: string;
  right: Right;
  limit: number;
  /** A past time; undefined for today. */
  at?: Date | undefined;
}

/** Which files are counted, and which of them the person may use. */
interface Counting {
  tables: RawBuilder<unknown>;
  counted: RawBuilder<boolean>;
  allowed: RawBuilder<boolean>;
}

interface CountedFolder extends Omit<ReadableFolder, 'why' | 'folder'> {
  name: string;
  /** Of all folders of the level, also of those beyond the limit. */
  all_files: number;
  all_allowed: number;
}

const allFolders = (allowed: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`(sum(count(*)) over ())::int as all_files, (sum(count(*) filter (where ${allowed})) over ())::int as all_allowed`;

/** One level of folders with the number of files somebody may use, counted over files whose permissions the caller may see. */
export async function readableFolders(
  db: Db,
  visibility: Visibility,
  who: ResolvedPrincipal,
  query: ReadableQuery,
): Promise<{ children: ReadableFolder[]; truncated: boolean; files: number; allowed: number }> {
  const { libraryId, parent, limit } = query;
  const counting = await countingFor(db, visibility, who, query);
  const counted = libraryId
    ? await countFolders(db, counting, libraryId, parent, limit + 1)
    : await countLibraries(db, counting, limit + 1);
  const shown = counted.slice(0, limit);
  const paths = shown.map(({ name, own_files }) =>
    libraryId === undefined || own_files ? parent : parent === '' ? name : `${parent}/${name}`,
  );
  // Reasons are about today.
  const reasons = await folderReasons(
    db,
    who,
    (query.at ? [] : shown).map(({ library_id }, at) => ({ library: library_id, folder: paths[at] as string })),
  );
  const children = shown.map(({ name: _, all_files: __, all_allowed: ___, ...row }, at): ReadableFolder => {
    const folder = paths[at] as string;
    return { ...row, folder, why: reasons.get(`${row.library_id} ${folder}`) ?? '' };
  });
  return {
    children,
    truncated: counted.length > limit,
    files: counted[0]?.all_files ?? 0,
    allowed: counted[0]?.all_allowed ?? 0,
  };
}

async function countingFor(
  db: Db,
  visibility: Visibility,
  who: ResolvedPrincipal,
  { right, at }: Pick<ReadableQuery, 'right' | 'at'>,
): Promise<Counting> {
  const seen = sql<boolean>`i.access_class is not null and ${visibility.whereItem('i')} and ${visibility.whereItem('i', 'view_permissions')}`;
  if (at === undefined) {
    const classes = await classesAllowing(db, who.identity, right);
    return {
      tables: sql``,
      counted: sql<boolean>`i.status = 'active' and ${seen}`,
      allowed: sql<boolean>`i.access_class = any(${classes}::integer[])`,
    };
  }
  const past = await readableAt(db, who, at, right);
  return { tables: pastTables(at), counted: sql<boolean>`${existedAt(at)} and ${seen}`, allowed: allowedAt(past) };
}

async function countLibraries(db: Db, { tables, counted, allowed }: Counting, limit: number): Promise<CountedFolder[]> {
  const { rows } = await sql<CountedFolder>`
    select i.library_id, l.name as library, '' as name, false as own_files, count(*)::int as files, count(*) filter (where ${allowed})::int as allowed, true as has_children,
      ${allFolders(allowed)}
    from items i join libraries l on l.id = i.library_id ${tables} where ${counted} group by i.library_id, l.name order by l.name limit ${limit}`.execute(
    db,
  );
  return rows;
}

async function countFolders(
  db: Db,
  { tables, counted, allowed }: Counting,
  libraryId: string,
  parent: string,
  limit: number,
): Promise<CountedFolder[]> {
  const start = parent === '' ? 1 : [...parent].length + 2;
  const { rows } = await sql<CountedFolder>`
    with parts as (
      select ${allowed} as allowed, i.library_id, string_to_array(substr(inside.rel_path, ${start}::int), '/') as part
      from folders inside join items i on i.folder_id = inside.id ${tables}
      where inside.library_id = ${libraryId} and (inside.rel_path = ${parent} or ${isFolderBelow('inside', parent)}) and ${counted})
    select i.library_id, l.name as library, coalesce(part[1], '') as name, cardinality(part) = 0 as own_files,
      count(*)::int as files, count(*) filter (where i.allowed)::int as allowed, bool_or(cardinality(part) > 1) as has_children,
      ${allFolders(sql`i.allowed`)}
    from parts i join libraries l on l.id = i.library_id group by 1, 2, 3, 4 order by own_files, name limit ${limit}`.execute(db);
  return rows;
}

interface FolderLists {
  library_id: string;
  rel_path: string;
  acl_id: number;
  acl_ids: number[];
}

/** Why somebody may or may not enter folders, in a few words each. */
async function folderReasons(
  db: Db,
  who: ResolvedPrincipal,
  folders: readonly { library: string; folder: string }[],
): Promise<Map<string, string>> {
  const { rows } = await sql<FolderLists>`
    select f.library_id, f.rel_path, f.acl_id, p.acl_ids
    from unnest(${folders.map(({ library }) => library)}::uuid[], ${folders.map(({ folder }) => folder)}::text[]) as w (library_id, rel_path)
    join folders f on f.library_id = w.library_id and f.rel_path = w.rel_path join access_paths p on p.id = f.path_id`.execute(db);
  const acls = await findAcls(db, [...new Set(rows.flatMap(({ acl_id, acl_ids }) => [acl_id, ...acl_ids]))]);
  const accounts = await knownPeople(db);
  return new Map(
    rows.map(({ library_id, rel_path, acl_id, acl_ids }) => {
      const stopping = acl_ids.find((id) => {
        const acl = acls.get(id);
        return acl !== undefined && !mayEnter(acl, who.identity).allowed;
      });
      const own = acls.get(acl_id);
      const why =
        stopping === undefined
          ? own
            ? entering(own, who.identity, accounts)
            : ''
          : stopping === acl_id
            ? 'May not enter'
            : 'May not enter a folder above';
      return [`${library_id} ${rel_path}`, why];
    }),
  );
}

function entering(acl: Parameters<typeof mayEnter>[0], identity: Identity, accounts: KnownPeople): string {
  const decision = mayEnter(acl, identity);
  const through = entryPrincipal(decision, acl);
  if (!through) return '';
  if (decision.entry === 'owner') return 'As owner';
  if (decision.entry === 'root') return 'Superuser';
  return through.well_known === 'everyone'
    ? 'Everyone'
    : through.id.startsWith('gid:')
      ? `Group ${labelOf(through, accounts)}`
      : labelOf(through, accounts);
}
