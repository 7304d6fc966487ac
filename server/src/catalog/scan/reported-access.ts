import { aclDigest, everybodyMayEnter, type FileAcl } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import {
  applyFolderChanges,
  fromSet,
  moveToPath,
  storeAcls,
  storeClasses,
  storeFolderAccess,
  storePaths,
  toSet,
} from '../permissions/index.ts';
import { addFolders, dropEmptyFolders, textArray } from './store.ts';

/** The access list of a folder as another machine reports it; null when the folder is gone or its list is not recorded any more. */
export interface ReportedFolder {
  path: string;
  acl: FileAcl | null;
  /** Of the root: the folders above it that do not let everybody pass. */
  above: FileAcl[];
}

interface StoredFolder {
  id: number;
  rel_path: string;
  acl_id: number | null;
  path_id: number | null;
  acl_ids: string | null;
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

/**
 * Stores reported lists of folders, and returns the access class of each file whose list was reported, by path. A folder is reported before
 * the folders and files in it, so what stops people above it is known. Folders of the files must exist.
 */
export async function applyReportedAccess(
  tx: Db,
  libraryId: string,
  reported: readonly ReportedFolder[],
  files: ReadonlyMap<string, FileAcl | null>,
): Promise<Map<string, number | null>> {
  if (reported.length === 0 && files.size === 0) return new Map();
  const listed = latestOf(reported)
    .flatMap(({ path, acl, above }) => (acl === null ? [] : [{ path, acl, above }]))
    .sort((a, b) => a.path.length - b.path.length);
  await createFolders(tx, libraryId, listed);
  const folders = await loadFolders(tx, libraryId, [
    ...listed.flatMap(({ path }) => [path, parentOf(path)]),
    ...[...files.keys()].map(parentOf),
  ]);
  const ids = await storeDistinct(tx, [...listed.flatMap(({ acl, above }) => [acl, ...above]), ...files.values()]);
  const idOf = (acl: FileAcl): number => ids.get(aclDigest(acl)) as number;

  const sets = new Map([...folders].map(([path, { acl_ids }]) => [path, acl_ids ?? '']));
  for (const { path, acl, above } of listed) {
    const outside = path === '' ? toSet(above.filter((each) => !everybodyMayEnter(each)).map(idOf)) : (sets.get(parentOf(path)) ?? '');
    sets.set(path, everybodyMayEnter(acl) ? outside : toSet([...fromSet(outside), idOf(acl)]));
  }
  const paths = await storePaths(tx, [...new Set(['', ...sets.values()])]);
  const pathOf = (folder: string): number => paths.get(sets.get(folder) ?? '') as number;
  await storeFolders(
    tx,
    libraryId,
    listed.flatMap(({ path, acl }) => {
      const known = folders.get(path);
      return known ? [{ known, acl: idOf(acl), path: pathOf(path) }] : [];
    }),
  );
  const keys = new Map([...files].flatMap(([path, acl]) => (acl === null ? [] : [[path, `${idOf(acl)}:${pathOf(parentOf(path))}`]])));
  const classes = await storeClasses(tx, [...new Set(keys.values())]);
  return new Map([...files.keys()].map((path) => [path, classes.get(keys.get(path) ?? '') ?? null]));
}

const latestOf = (reported: readonly ReportedFolder[]): ReportedFolder[] => [
  ...new Map(reported.map((folder) => [folder.path, folder])).values(),
];

async function createFolders(tx: Db, libraryId: string, listed: readonly ReportedFolder[]): Promise<void> {
  const wanted = listed.map(({ path }) => path);
  const { rows } = await sql<{ rel_path: string }>`
    select rel_path from folders where library_id = ${libraryId} and rel_path = any(${textArray(wanted)}::text[])`.execute(tx);
  const known = new Set(rows.map(({ rel_path }) => rel_path));
  const absent = [...new Set(wanted)].filter((path) => !known.has(path));
  if (absent.length > 0) await addFolders(tx, libraryId, absent);
}

async function loadFolders(tx: Db, libraryId: string, paths: readonly string[]): Promise<Map<string, StoredFolder>> {
  const { rows } = await sql<StoredFolder>`
    select f.id, f.rel_path, f.acl_id, f.path_id, array_to_string(p.acl_ids, ',') as acl_ids from folders f left join access_paths p on p.id = f.path_id
    where f.library_id = ${libraryId} and f.rel_path = any(${textArray([...new Set(paths)])}::text[])`.execute(tx);
  return new Map(rows.map((row) => [row.rel_path, row]));
}

async function storeDistinct(tx: Db, acls: readonly (FileAcl | null)[]): Promise<Map<string, number>> {
  return storeAcls(tx, new Map(acls.flatMap((acl) => (acl === null ? [] : [[aclDigest(acl), acl]]))));
}

interface FolderUpdate {
  known: StoredFolder;
  acl: number;
  path: number;
}

/** Where who may pass a folder has changed, so has access to everything below it, although nothing else is reported. */
async function storeFolders(tx: Db, libraryId: string, updates: readonly FolderUpdate[]): Promise<void> {
  const changed = updates.filter(({ known, acl, path }) => known.acl_id !== acl || known.path_id !== path);
  await storeFolderAccess(
    tx,
    changed.map(({ known, acl, path }) => ({ id: known.id, acl, path })),
  );
  const elsewhere = changed.filter(({ known, path }) => known.path_id !== null && known.path_id !== path);
  for (const [path, members] of Map.groupBy(elsewhere, (each) => each.path))
    await moveToPath(
      tx,
      members.map(({ known }) => known.id),
      path,
    );
  if (elsewhere.length > 0) await applyFolderChanges(tx, libraryId);
}

/** Folders that are gone are deleted once no item is in them, so this comes after the files of a report. */
export async function forgetReported(tx: Db, libraryId: string, reported: readonly ReportedFolder[]): Promise<void> {
  const gone = latestOf(reported).flatMap(({ path, acl }) => (acl === null ? [path] : []));
  if (gone.length === 0) return;
  const { rows } = await sql<{ id: number }>`
    update folders set acl_id = null, path_id = null where library_id = ${libraryId} and rel_path = any(${textArray(gone)}::text[]) returning id`.execute(
    tx,
  );
  await dropEmptyFolders(
    tx,
    rows.map(({ id }) => id),
  );
}
