import { lstatSync } from 'node:fs';
import { diskPath, type WalkedFolder } from '@catalog/scanner';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { ItemStatus } from '../tables.ts';
import { childPath, fullPath, type ScanContext } from './context.ts';
import type { MovePair } from './move-store.ts';
import { type FileFacts, type KnownItem, type NewItem, plainArray, textArray } from './store.ts';

/*
 * Renames that are recognized while the walk runs, so that a file flips from its old to its new path in one step:
 * - A renamed folder keeps its inode, and its files keep their inodes and change times. They are moved without being read, and where the
 *   whole folder is unchanged without being compared either (see folder-moves.ts).
 * - A renamed file keeps its inode and modification time but not its change time, so its bytes are compared too.
 * - A renamed file in the recycle bin whose bytes are hashed after the walk, or not at all, takes its place then and stays in the bin.
 * All other moves are resolved after the walk (see moves.ts).
 */

export interface KnownFolder {
  id: number;
  library_id: string;
  inode: string;
  fingerprint: string | null;
  rel_path: string;
  root_path: string;
}

const librariesToSearch = (scan: ScanContext) =>
  scan.deps.options.crossLibraryMoves ? sql`l.source_agent_id is null` : sql`l.id = ${scan.libraryId}`;

/** For folders that are new at their path: the folder as which each is known from another path, if it is no longer there. */
export async function findRenamedFolders(scan: ScanContext, folders: readonly WalkedFolder[]): Promise<Map<string, KnownFolder>> {
  const renamed = new Map<string, KnownFolder>();
  const inodes = folders.map(({ inode }) => inode).filter((inode) => inode !== '0');
  if (!scan.stableIds || inodes.length === 0) return renamed;
  const known = Map.groupBy(await foldersByInode(scan, inodes), ({ inode }) => inode);
  for (const { path, inode, fingerprint } of folders) {
    const gone = (known.get(inode) ?? []).filter(
      (folder) => inodeAt(fullPath({ root: folder.root_path }, folder.rel_path)) !== inode && folder.rel_path !== path,
    );
    // Inodes are used again after a folder is deleted; the fingerprint covers those of the files too.
    const same = gone.filter((folder) => folder.fingerprint === fingerprint);
    const [only, other] = same.length === 1 ? same : gone;
    if (only && !other) renamed.set(path, only);
  }
  return renamed;
}

async function foldersByInode(scan: ScanContext, inodes: readonly string[]): Promise<KnownFolder[]> {
  const { rows } = await sql<KnownFolder>`
    select f.id, f.library_id, f.inode::text as inode, f.fingerprint, f.rel_path, l.root_path from folders f join libraries l on l.id = f.library_id
    where f.inode = any(${plainArray(inodes)}::bigint[]) and f.inode is not null and ${librariesToSearch(scan)}`.execute(scan.db);
  return rows;
}

function inodeAt(path: string): string | null {
  try {
    return String(lstatSync(diskPath(path), { bigint: true }).ino);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    // Where it cannot be told, the folder counts as still there.
    return code === 'ENOENT' || code === 'ENOTDIR' ? null : 'unknown';
  }
}

/**
 * Tells which files are no longer in a folder that was renamed. Another folder may have its old path, with files of the same names, which are
 * compared with the same items. The disk is asked once where nothing is at the old path.
 */
export function filesGoneFrom({ root_path, rel_path }: KnownFolder): (name: string) => boolean {
  const isGone = (path: string): boolean => inodeAt(fullPath({ root: root_path }, path)) === null;
  let isFolderGone: boolean | undefined;
  return (name) => {
    isFolderGone ??= isGone(rel_path);
    return isFolderGone || isGone(childPath(rel_path, name));
  };
}

/** Whether this is the very same file: nothing about it has changed except the path of its folder. */
export function isSameFile(facts: FileFacts, item: KnownItem): boolean {
  return (
    item.ctime_ns !== null &&
    item.ctime_ns === facts.ctimeNs &&
    item.inode === facts.inode &&
    item.dev === facts.device &&
    item.size === facts.size &&
    item.mtime_ns === facts.mtimeNs &&
    item.symlink_target === facts.symlinkTarget
  );
}

interface SameBytesRow {
  id: string;
  rel_path: string;
  root_path: string;
  content_hash: string;
  inode: string;
  dev: number;
  mtime_ns: string;
}

const keyOf = (content: string, inode: string, device: number, mtimeNs: string): string => `${content} ${inode} ${device} ${mtimeNs}`;

/**
 * For new files: the id of the item with the same bytes, inode and time whose own path is gone, which may be in the recycle bin. A file that
 * could continue several items, or an item that several files could continue, is left to the search after the walk.
 */
export async function findRenamedFiles(scan: ScanContext, files: readonly NewItem[]): Promise<Map<NewItem, string>> {
  const renamed = new Map<NewItem, string>();
  // The files of a first scan were never at another path of the library.
  if (!scan.stableIds || scan.initial) return renamed;
  const hashed = files.filter(({ hashes, facts }) => hashes.content !== null && facts.symlinkTarget === null);
  if (hashed.length === 0) return renamed;
  const items = Map.groupBy(await itemsOfSameBytes(scan.db, scan, hashed), (row) =>
    keyOf(row.content_hash, row.inode, row.dev, row.mtime_ns),
  );
  const byKey = Map.groupBy(hashed, ({ hashes, facts }) => keyOf(hashes.content ?? '', facts.inode, facts.device, facts.mtimeNs));
  for (const [key, [file, otherFile]] of byKey) {
    const [item, otherItem] = items.get(key) ?? [];
    if (!file || otherFile || !item || otherItem) continue;
    if (inodeAt(fullPath({ root: item.root_path }, item.rel_path)) === null) renamed.set(file, item.id);
  }
  return renamed;
}

/** Looked up one by one through the index, whatever the planner expects: a new catalog has no statistics, and reading all items takes seconds. */
const itemColumns = sql`i.id, i.library_id, i.rel_path, i.status, i.size, i.content_hash, i.inode, i.dev, i.mtime_ns`;
const sameBytes = sql`left(i.content_hash, 8) = left(f.content, 8) and i.content_hash = f.content`;

async function itemsOfSameBytes(db: Db, scan: ScanContext, files: readonly NewItem[]): Promise<SameBytesRow[]> {
  const { rows } = await sql<SameBytesRow>`
    select i.id, i.rel_path, l.root_path, i.content_hash, i.inode::text as inode, i.dev, i.mtime_ns::text as mtime_ns
    from unnest(${textArray(files.map(({ hashes }) => hashes.content))}::text[], ${plainArray(files.map(({ facts }) => facts.inode))}::bigint[]) as f (content, inode)
    cross join lateral (select ${itemColumns} from items i where ${sameBytes} offset 0) i
    join libraries l on l.id = i.library_id and ${librariesToSearch(scan)}
    where i.inode = f.inode`.execute(db);
  return rows;
}

interface TrashedRow {
  from: string;
  to: string;
  root_path: string;
  rel_path: string;
}

/**
 * The files that these runs added although they are in the recycle bin under a path that is gone, with the same bytes, inode and time. What
 * could continue several items, or be continued by several, is left alone. The first run of a library does not log what it adds.
 */
export async function findRenamedTrash(scan: ScanContext, runIds: readonly string[]): Promise<MovePair[]> {
  const { rows } = await sql<TrashedRow>`
    with bin as materialized (
      select i.id, i.library_id, i.inode, i.mtime_ns, i.size, i.content_hash, i.quick_hash from items i where i.status = 'trashed'),
    added as materialized (
      select i.id, i.inode, i.mtime_ns, i.size, i.content_hash, i.quick_hash from scan_changes c join items i on i.id = c.item_id
      where c.run_id = any(${plainArray(runIds)}::uuid[]) and c.kind = 'added' and i.status = 'active' and i.library_id = ${scan.libraryId}
        and exists (select from bin))
    select t.id as from, n.id as to, l.root_path, i.rel_path
    from added n join bin t on t.inode = n.inode and t.mtime_ns = n.mtime_ns and t.size = n.size
      and case when n.content_hash is null then t.content_hash is null and t.quick_hash = n.quick_hash else t.content_hash = n.content_hash end
    join libraries l on l.id = t.library_id and ${librariesToSearch(scan)}
    join items i on i.id = t.id`.execute(scan.db);
  const [byFrom, byTo] = [Map.groupBy(rows, ({ from }) => from), Map.groupBy(rows, ({ to }) => to)];
  return rows.flatMap(({ from, to, root_path, rel_path }) =>
    byFrom.get(from)?.length === 1 && byTo.get(to)?.length === 1 && inodeAt(fullPath({ root: root_path }, rel_path)) === null
      ? [{ from, to, trashed: true }]
      : [],
  );
}

interface GoneRow {
  id: string;
  status: ItemStatus;
  rel_path: string;
  root_path: string;
  content_hash: string;
  size: number;
}

/** The items with one of these content hashes that are missing, or whose file is no longer at its path. Trashed items are left out. */
export async function findGoneOfSameBytes(scan: ScanContext, contents: readonly string[]): Promise<GoneRow[]> {
  const { rows } = await sql<GoneRow>`
    select i.id, i.status, i.rel_path, l.root_path, i.content_hash, i.size
    from unnest(${textArray(contents)}::text[]) as f (content) cross join lateral (
      select ${itemColumns} from items i where ${sameBytes} and i.status <> 'trashed' offset 0) i
    join libraries l on l.id = i.library_id and ${librariesToSearch(scan)}`.execute(scan.db);
  return rows.filter(
    ({ status, root_path, rel_path }) => status === 'missing' || inodeAt(fullPath({ root: root_path }, rel_path)) === null,
  );
}
