import { evaluate, mayEnter, type Right } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { isBelow } from '../paths/index.ts';
import { type AccessClass, loadClasses } from './access.ts';
import type { ResolvedPrincipal } from './principals.ts';
import { findAcls } from './store.ts';

/** A change of a folder, or of the files of a library on one day, that let somebody in or kept them out. */
export interface PersonChange {
  changed_at: Date;
  library_id: string;
  library: string;
  /** Null for changes of files. */
  folder: string | null;
  /** Files that the person gained, or lost when negative, counted over the files of today. */
  files: number;
}

interface Change extends Omit<PersonChange, 'files'> {
  before_acl: number;
  after_acl: number;
  files: number;
}

/** Older changes are not looked at. */
const maxChanges = 5000;
const maxListed = 10;

/** The newest changes with an effect on one person, newest first. */
export async function changesFor(db: Db, visibility: Visibility, { identity }: ResolvedPrincipal, right: Right): Promise<PersonChange[]> {
  const classes = [...(await loadClasses(db)).values()];
  const stops = new Map<number, boolean>();
  const isStopped = (folder: AccessClass['path'][number]): boolean => {
    const known = stops.get(folder.id) ?? !mayEnter(folder.acl, identity).allowed;
    stops.set(folder.id, known);
    return known;
  };
  const open = classes.filter(({ path }) => !path.some(isStopped)).map(({ id }) => id);
  const changes = [...(await folderChanges(db)), ...(await fileChanges(db, visibility, open))]
    .filter(({ library_id, folder }) => folder === null || visibility.allows(library_id, folder, 'view_permissions'))
    .sort((a, b) => b.changed_at.getTime() - a.changed_at.getTime());
  const acls = await findAcls(db, [...new Set(changes.flatMap(({ before_acl, after_acl }) => [before_acl, after_acl]))]);
  const allows = (id: number, isFolder: boolean): boolean => {
    const acl = acls.get(id);
    return acl !== undefined && (isFolder ? mayEnter(acl, identity) : evaluate(acl, identity, right)).allowed;
  };
  const found: PersonChange[] = [];
  for (const { before_acl, after_acl, ...change } of changes) {
    if (found.length === maxListed) break;
    const isFolder = change.folder !== null;
    const [had, has] = [allows(before_acl, isFolder), allows(after_acl, isFolder)];
    if (had === has) continue;
    // Files that the person may use when this folder alone is left out of account.
    const usable = classes.filter(
      ({ acl, path }) =>
        evaluate(acl, identity, right).allowed && !path.some((each) => each.id !== before_acl && each.id !== after_acl && isStopped(each)),
    );
    const files = isFolder ? await countBelow(db, visibility, change.library_id, change.folder ?? '', usable) : change.files;
    if (files > 0) found.push({ ...change, files: has ? files : -files });
  }
  return found;
}

const newest = sql`(select * from permission_changes order by id desc limit ${maxChanges})`;

async function folderChanges(db: Db): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select n.changed_at, f.library_id, l.name as library, f.rel_path as folder, n.before_acl, n.after_acl, 0 as files
    from ${newest} n join folders f on f.id = n.folder_id join libraries l on l.id = f.library_id`.execute(db);
  return rows;
}

/** Files with the same change on the same day are one change. The library is the one where a file is now, as its rights are. */
async function fileChanges(db: Db, visibility: Visibility, openClasses: readonly number[]): Promise<Change[]> {
  const { rows } = await sql<Change>`
    select max(n.changed_at) as changed_at, i.library_id, l.name as library, null as folder, n.before_acl, n.after_acl,
      count(*) filter (where i.access_class = any(${openClasses}::integer[]))::int as files
    from ${newest} n join items i on i.id = n.item_id join libraries l on l.id = i.library_id
    where i.status = 'active' and ${visibility.whereItem('i')} and ${visibility.whereItem('i', 'view_permissions')}
    group by date_trunc('day', n.changed_at), i.library_id, l.name, n.before_acl, n.after_acl`.execute(db);
  return rows;
}

async function countBelow(
  db: Db,
  visibility: Visibility,
  libraryId: string,
  folder: string,
  classes: readonly AccessClass[],
): Promise<number> {
  const below = folder === '' ? sql`true` : isBelow('i', folder, libraryId);
  const { rows } = await sql<{ files: number }>`
    select count(*)::int as files from items i where i.library_id = ${libraryId} and ${below} and i.status = 'active'
      and i.access_class = any(${classes.map(({ id }) => id)}::integer[]) and ${visibility.whereItem('i')} and ${visibility.whereItem('i', 'view_permissions')}`.execute(
    db,
  );
  return one(rows).files;
}
