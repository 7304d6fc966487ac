import { evaluate, everybodyMayEnter, type FileAcl, mayEnter, type Right } from '@catalog/scanner';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { ResolvedPrincipal } from './principals.ts';
import { foldersBelow } from './store.ts';

/** What decides about files at an earlier time. Folders that did not change since are decided by their set. */
export interface PastAccess {
  at: Date;
  /** Lists that let the person read, or whatever was asked. */
  acls: number[];
  /** Sets of folders that stop the person. */
  closedPaths: number[];
  /** Folders whose set has changed since, by what they were. */
  openFolders: number[];
  closedFolders: number[];
}

/**
 * What somebody could read at an earlier time, as far as changes are kept: the lists of that time under the groups of today. Only folders
 * that changed since, and those below them, are computed.
 */
export async function readableAt(db: Db, { identity }: ResolvedPrincipal, at: Date, right: Right = 'read'): Promise<PastAccess> {
  const acls = new Map((await allAcls(db)).map(({ id, acl }) => [id, acl]));
  const stops = new Set([...acls].filter(([, acl]) => !mayEnter(acl, identity).allowed).map(([id]) => id));
  const result: PastAccess = {
    at,
    acls: [...acls].filter(([, acl]) => evaluate(acl, identity, right).allowed).map(([id]) => id),
    closedPaths: (await allPaths(db)).filter(({ acl_ids }) => acl_ids.some((id) => stops.has(id))).map(({ id }) => id),
    openFolders: [],
    closedFolders: [],
  };
  const changed = await foldersChangedSince(db, at);
  const before = new Map(changed.map(({ folder_id, before_acl }) => [folder_id, before_acl]));
  const isBelow = (path: string, folder: string): boolean => folder === '' || path.startsWith(`${folder}/`);
  const tops = changed.filter(
    (each) => !changed.some((other) => other !== each && other.library_id === each.library_id && isBelow(each.rel_path, other.rel_path)),
  );
  for (const { library_id, rel_path } of tops) {
    const sets = new Map<string, number[]>();
    const folders = (await foldersBelow(db, library_id, rel_path)).sort((a, b) => a.rel_path.length - b.rel_path.length);
    for (const folder of folders) {
      const acl = before.get(folder.id) ?? folder.acl_id;
      const above = folder.rel_path === rel_path ? null : sets.get(parentOf(folder.rel_path));
      // What is above the topmost changed folder did not change: its set without its own list of today.
      const parent = above ?? (folder.acl_ids ? folder.acl_ids.split(',').map(Number) : []).filter((id) => id !== folder.acl_id);
      const set = acl === null || isOpen(acls.get(acl)) ? parent : [...parent, acl];
      sets.set(folder.rel_path, set);
      (set.some((id) => stops.has(id)) ? result.closedFolders : result.openFolders).push(folder.id);
    }
  }
  return result;
}

/** Conditions on items `i` that exist beside `pastTables`. */
export const pastTables = (at: Date): RawBuilder<unknown> => sql`join access_classes c on c.id = i.access_class
  left join (select distinct on (item_id) item_id, before_acl from permission_changes where item_id is not null and changed_at > ${at} order by item_id, id) p on p.item_id = i.id`;

export const existedAt = (at: Date): RawBuilder<boolean> =>
  sql<boolean>`i.first_seen <= ${at} and (i.status = 'active' or i.deleted_at > ${at})`;

export const allowedAt = (
  past: PastAccess,
): RawBuilder<boolean> => sql<boolean>`(coalesce(p.before_acl, c.acl_id) = any(${past.acls}::integer[])
  and case when i.folder_id = any(${past.openFolders}::bigint[]) then true when i.folder_id = any(${past.closedFolders}::bigint[]) then false
    else c.path_id <> all(${past.closedPaths}::integer[]) end)`;

const isOpen = (acl: FileAcl | undefined): boolean => acl === undefined || everybodyMayEnter(acl);
const parentOf = (path: string): string => (path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '');

async function allAcls(db: Db): Promise<{ id: number; acl: FileAcl }[]> {
  return (await sql<{ id: number; acl: FileAcl }>`select id, acl from file_acls`.execute(db)).rows;
}

async function allPaths(db: Db): Promise<{ id: number; acl_ids: number[] }[]> {
  return (await sql<{ id: number; acl_ids: number[] }>`select id, acl_ids from access_paths`.execute(db)).rows;
}

interface ChangedFolder {
  folder_id: number;
  library_id: string;
  rel_path: string;
  before_acl: number;
}

/** The list that each folder had at that time, for folders that changed since. */
async function foldersChangedSince(db: Db, at: Date): Promise<ChangedFolder[]> {
  const { rows } = await sql<ChangedFolder>`
    select distinct on (c.folder_id) c.folder_id, c.library_id, f.rel_path, c.before_acl from permission_changes c join folders f on f.id = c.folder_id
    where c.folder_id is not null and c.changed_at > ${at} order by c.folder_id, c.id`.execute(db);
  return rows;
}
