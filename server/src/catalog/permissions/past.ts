import { evaluate, everybodyMayEnter, type FileAcl, mayEnter } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { ResolvedPrincipal } from './principals.ts';
import { foldersBelow } from './store.ts';

/** What decides about files at an earlier time. Folders that did not change since are decided by their set. */
export interface PastAccess {
  /** Lists that let the person read. */
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
export async function readableAt(db: Db, { identity }: ResolvedPrincipal, at: Date): Promise<PastAccess> {
  const acls = new Map((await allAcls(db)).map(({ id, acl }) => [id, acl]));
  const stops = new Set([...acls].filter(([, acl]) => !mayEnter(acl, identity).allowed).map(([id]) => id));
  const result: PastAccess = {
    acls: [...acls].filter(([, acl]) => evaluate(acl, identity, 'read').allowed).map(([id]) => id),
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
    where c.changed_at > ${at} order by c.folder_id, c.id`.execute(db);
  return rows;
}
