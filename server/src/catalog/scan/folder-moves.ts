import { entryFactsAt, entryFieldCount, entryKindAt, entryKinds, type WalkBatch, type WalkedFolder } from '@catalog/scanner';
import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { DiskScope, ScanContext, WalkState } from './context.ts';
import { ltreePath } from './ltree-path.ts';
import type { KnownFolder } from './renames.ts';
import { decideFiles } from './rules.ts';
import { commitAsynchronously } from './run-store.ts';
import { type FolderRow, plainArray, textArray } from './store.ts';

/*
 * A renamed folder keeps its row and its files keep theirs: the paths of folders are rewritten by one statement per batch of the walk, and no
 * file is compared. That is possible when the folder has the same inode and the same fingerprint, which covers names, sizes, times and inodes of its
 * files, and the rules decide on each file as they did at the old path. All other renamed folders are compared file by file.
 */

interface FolderMove {
  folder: WalkedFolder;
  from: KnownFolder;
}

/**
 * Moves the folders of a batch that are new at their path, where possible, and returns their rows by path. Their stored fingerprints are empty
 * until the caller marks them, so that after a crash they are compared.
 */
export async function moveFolders(
  scan: ScanContext,
  scope: DiskScope,
  batch: WalkBatch,
  known: ReadonlyMap<string, FolderRow>,
  renamed: ReadonlyMap<string, KnownFolder>,
  { seenFolders }: WalkState,
): Promise<Map<string, FolderRow>> {
  if (scope.file !== null || renamed.size === 0) return new Map();
  const names = batch.names.split('\0');
  const moves: FolderMove[] = [];
  const claimed = new Set<KnownFolder['id']>();
  let start = 0;
  for (const folder of batch.folders) {
    const [from, at] = [renamed.get(folder.path), start];
    start += folder.entries;
    // A folder that this walk has visited is another one at the old path now.
    if (!from || known.has(folder.path) || seenFolders.has(from.id)) continue;
    if (from.library_id !== scan.libraryId || from.fingerprint !== folder.fingerprint) continue;
    // The same inode is at two paths in a snapshot, or where the folder is mounted twice.
    if (claimed.has(from.id)) continue;
    const rows = batch.rows.subarray(at * entryFieldCount, start * entryFieldCount);
    if (hasSameDecisions(scan, from, folder, names.slice(at, start), rows)) {
      claimed.add(from.id);
      moves.push({ folder, from });
    }
  }
  if (moves.length === 0) return new Map();
  const moved = await scan.db.transaction().execute(async (transaction) => {
    await commitAsynchronously(transaction as Db);
    return storeFolderMoves(transaction as Db, scan, moves);
  });
  scan.counters.moved += moved.reduce((sum, { files }) => sum + files, 0);
  return new Map(moved.map(({ files: _, ...row }) => [row.rel_path, row]));
}

/** Patterns may name folders, so the same file can be included at one path and excluded at another. */
function hasSameDecisions(scan: ScanContext, from: KnownFolder, to: WalkedFolder, names: readonly string[], rows: Uint32Array): boolean {
  if (names.some((_, index) => entryKindAt(rows, index) === entryKinds.unreadable)) return false;
  if (!scan.rules.ignore.comparesPathsOfFiles) return true;
  const isFile = (index: number): boolean =>
    entryKindAt(rows, index) === entryKinds.file || entryKindAt(rows, index) === entryKinds.symlink;
  const files = names.flatMap((name, index) =>
    isFile(index) ? [{ name, size: () => entryFactsAt(rows, index).size, isLink: entryKindAt(rows, index) === entryKinds.symlink }] : [],
  );
  const before = decideFiles(from.rel_path, files, scan.rules);
  return decideFiles(to.path, files, scan.rules).every(({ admitted }, at) => admitted === before[at]?.admitted);
}

/**
 * Rewrites the paths of folders, and with them those of their files, in one statement: readers see a file at its old or its new path. Totals
 * of folders move along. The change log and the index follow by settleFolderMoves(). A folder that also has missing or trashed items is left
 * out, because missing ones stay at the old path and the moves of trashed ones are not told.
 */
async function storeFolderMoves(
  db: Db,
  { runId, libraryId }: ScanContext,
  moves: readonly FolderMove[],
): Promise<(FolderRow & { files: number })[]> {
  const column = (pick: (move: FolderMove) => string): string => textArray(moves.map(pick));
  const changeOf = (path: RawBuilder<unknown>, sign: RawBuilder<unknown>) => sql`
    select ${libraryId}::uuid, ${path}, ${sign} m.files, ${sign} m.bytes from moving m where m.files > 0 and ${path} <> ''`;
  const { rows } = await sql<FolderRow & { files: number }>`
    with run as materialized (select scan_may_write(${runId}, ${libraryId}) as open),
    unchanged as materialized (
      select f.id, f.rel_path as from_path, n.rel_path, n.path
      from run, unnest(${plainArray(moves.map(({ from }) => from.id))}::bigint[], ${column(({ folder }) => folder.path)}::text[],
        ${column(({ folder }) => ltreePath(libraryId, folder.path))}::text[], ${column(({ folder }) => folder.fingerprint)}::text[])
        as n (id, rel_path, path, fingerprint)
      join folders f on f.id = n.id and f.library_id = ${libraryId} and f.fingerprint = n.fingerprint
      where run.open
      -- Whoever changes a file of the folder meanwhile clears its fingerprint, which is compared again after the wait.
      for update of f),
    moving as materialized (
      select u.*, held.* from unchanged u cross join lateral (
        select array_agg(i.id order by i.id) as item_ids, count(*) as files, coalesce(sum(i.size), 0) as bytes, coalesce(bool_and(i.status = 'active'), true) as active
        from items i where i.folder_id = u.id) held
      where held.active),
    recorded as (
      insert into folder_moves (run_id, library_id, rel_path, from_rel_path, item_ids)
      select ${runId}, ${libraryId}, rel_path, from_path, item_ids from moving where files > 0),
    told as materialized (select pg_notify('index_outbox', '') from moving where files > 0 limit 1),
    totalled as (
      insert into folder_changes ${changeOf(sql`m.from_path`, sql`-`)} union all ${changeOf(sql`m.rel_path`, sql``)}),
    renamed as (
      update folders f set rel_path = m.rel_path, path = m.path::ltree, fingerprint = null from moving m where f.id = m.id
      returning f.id, new.rel_path as rel_path, f.inode::text, old.fingerprint as fingerprint, f.seen, f.excluded_gate, f.excluded_filtered, f.bytes_seen, f.acl_id, f.path_id)
    select r.*, m.files::int from renamed r join moving m on m.id = r.id left join told on true`.execute(db);
  return rows;
}
