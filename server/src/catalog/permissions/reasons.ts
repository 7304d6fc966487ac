import { type Decision, type FileAcl, mayEnter, type Right } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { isBelow } from '../paths/index.ts';
import { decideAccess, loadClasses } from './access.ts';
import { entryPrincipal, type NamedPrincipal, named } from './describe.ts';
import { knownPeople } from './known-people.ts';
import type { ResolvedPrincipal } from './principals.ts';
import { findAcls, foldersOnPath } from './store.ts';

/** One folder on the way, or files with equal access, with the entry that decides there. */
export interface ReasonStep {
  allowed: boolean;
  /** How the entry applies: as owner, through a group, as everyone, by name, as root; null when no entry is about the person. */
  entry: 'owner' | 'group' | 'everyone' | 'named' | 'root' | null;
  through: NamedPrincipal | null;
  masked: boolean;
}

export interface FolderReasons {
  /** From the top down. `folder` is null for a folder above the library. The first that stops the person decides. */
  folders: (ReasonStep & { folder: string | null })[];
  /** What the files below say to those who get there, most files first. */
  files: (ReasonStep & { files: number; inFolder: boolean })[];
}

const maxFileSteps = 8;

/** Why somebody may or may not use the files below a folder. Null when the caller may not see the permissions of any of them. */
export async function explainFolder(
  db: Db,
  visibility: Visibility,
  who: ResolvedPrincipal,
  { libraryId, folder, right }: { libraryId: string; folder: string; right: Right },
): Promise<FolderReasons | null> {
  const counted = await countClasses(db, visibility, libraryId, folder);
  if (counted.length === 0) return null;
  const accounts = await knownPeople(db);
  const step = (decision: Decision, acl: FileAcl): ReasonStep => {
    const through = entryPrincipal(decision, acl);
    return {
      allowed: decision.allowed,
      entry: entryKind(decision.entry),
      through: through && named(through, accounts),
      masked: decision.masked === true,
    };
  };
  const inside = await foldersOnPath(db, libraryId, folder === '' ? '.' : `${folder}/.`);
  const insideIds = new Set(inside.map(({ acl_id }) => acl_id));
  const above = (await pathOf(db, libraryId, folder)).filter((id) => !insideIds.has(id));
  const acls = await findAcls(db, [...above, ...insideIds]);
  const folders = [...above.map((id) => ({ folder: null, id })), ...inside.map((each) => ({ folder: each.rel_path, id: each.acl_id }))];
  const classes = await loadClasses(db);
  const files = new Map<string, FolderReasons['files'][number]>();
  for (const { access_class, files: count } of counted) {
    const access = classes.get(access_class);
    if (!access) continue;
    const decided = decideAccess(access, who.identity, right);
    const acl = decided.at === 'file' ? access.acl : (access.path.find(({ id }) => id === decided.aclId)?.acl ?? access.acl);
    const found = { ...step(decided.decision, acl), allowed: decided.allowed, inFolder: decided.at === 'folder' };
    const key = JSON.stringify([found.allowed, found.entry, found.through?.id, found.masked, found.inFolder]);
    files.set(key, { ...found, files: (files.get(key)?.files ?? 0) + count });
  }
  return {
    folders: folders.flatMap(({ folder: path, id }) => {
      const acl = acls.get(id);
      return acl ? [{ folder: path, ...step(mayEnter(acl, who.identity), acl) }] : [];
    }),
    files: [...files.values()].sort((a, b) => b.files - a.files).slice(0, maxFileSteps),
  };
}

function entryKind(entry: string | null): ReasonStep['entry'] {
  if (entry === null || entry === 'root') return entry;
  if (entry === 'owner' || entry === 'OWNER@') return 'owner';
  if (entry === 'other' || entry === 'EVERYONE@' || entry === 'S-1-1-0') return 'everyone';
  return entry === 'group_owner' || entry === 'GROUP@' || entry.startsWith('group:') ? 'group' : 'named';
}

async function countClasses(
  db: Db,
  visibility: Visibility,
  libraryId: string,
  folder: string,
): Promise<{ access_class: number; files: number }[]> {
  const below = folder === '' ? sql`true` : isBelow('i', folder, libraryId);
  const { rows } = await sql<{ access_class: number; files: number }>`
    select i.access_class, count(*)::int as files from items i
    where i.library_id = ${libraryId} and ${below} and i.status = 'active' and i.access_class is not null
      and ${visibility.whereItem('i')} and ${visibility.whereItem('i', 'view_permissions')} group by 1 order by 2 desc limit 1000`.execute(
    db,
  );
  return rows;
}

/** The lists on the way to a folder that stop somebody, folders above the library included. */
async function pathOf(db: Db, libraryId: string, folder: string): Promise<number[]> {
  const { rows } = await sql<{ acl_ids: number[] }>`select p.acl_ids from folders f join access_paths p on p.id = f.path_id
    where f.library_id = ${libraryId} and f.rel_path = ${folder}`.execute(db);
  return rows[0]?.acl_ids ?? [];
}
