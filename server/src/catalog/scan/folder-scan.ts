// biome-ignore-all lint/style/noNonNullAssertion: every index comes from the arrays it reads, whose lengths are equal
import {
  compareBytes,
  entryErrorAt,
  entryFactsAt,
  entryFieldCount,
  entryKindAt,
  entryKinds,
  type WalkBatch,
  type WalkedFolder,
} from '@catalog/scanner';
import { mayBeLinked } from '../sidecars/index.ts';
import { compareFile, toFileFacts } from './compare.ts';
import { childPath, countUnreadable, type DiskScope, fullPath, maxListedPaths, type ScanContext, type WalkState } from './context.ts';
import { moveFolders } from './folder-moves.ts';
import type { MissingItems } from './missing.ts';
import { filesGoneFrom, findRenamedFolders, isSameFile, type KnownFolder } from './renames.ts';
import { verifyRoot } from './root-check.ts';
import { decideFiles } from './rules.ts';
import {
  addFolders,
  type FolderMark,
  type FolderRow,
  findFolders,
  findItemsBetween,
  findItemsIn,
  type KnownItem,
  markFolders,
} from './store.ts';
import type { Writer } from './writer.ts';

/** Larger folders are compared in slices of this many entries, so that memory stays bounded. */
const sliceSize = 5000;

/** Processes one batch of the walk. Folders with an unchanged fingerprint are only counted; the others are compared file by file. */
export async function processBatch(
  scan: ScanContext,
  scope: DiskScope,
  batch: WalkBatch,
  state: WalkState,
  writer: Writer,
  missing: MissingItems,
): Promise<void> {
  const { counters } = scan;
  for (const { path, files } of batch.pruned) {
    counters.pruned_dirs += 1;
    if (counters.pruned_paths.length < maxListedPaths) counters.pruned_paths.push(path);
    if (counters.pruned_files !== undefined) counters.pruned_files += files;
    state.pruned.add(path);
  }
  for (const { path, code } of batch.unreadable) {
    // A folder deleted after its parent was listed is missing, not unreadable, unless the disk it is on is gone.
    if (code === 'ENOENT' || code === 'ENOTDIR') {
      verifyRoot(scan);
      continue;
    }
    countUnreadable(scan, { path, code }, 'failedFolders');
    state.unreadable.add(path);
  }
  const known = await findFolders(
    scan.db,
    scan.libraryId,
    batch.folders.map(({ path }) => path),
  );
  for (const { id } of known.values()) state.seenFolders.add(id);
  const renamed = await findRenamedFolders(
    scan,
    batch.folders.filter(({ path, inode, fingerprint }) => isNewHere(known.get(path), { inode, fingerprint })),
  );
  const moved = await moveFolders(scan, scope, batch, known, renamed, state);
  // Files that were moved with their folder are there now. Another folder with its inode has files of its own.
  const taken = new Set([...moved.values()].map(({ id }) => id));
  for (const [path, { id }] of renamed) if (taken.has(id) && !moved.has(path)) renamed.delete(path);
  const changed: { folder: WalkedFolder; row: FolderRow | undefined; start: number }[] = [];
  let start = 0;
  for (const folder of batch.folders) {
    const row = known.get(folder.path) ?? moved.get(folder.path);
    counters.folders += 1;
    if (row) state.seenFolders.add(row.id);
    if (row && row.fingerprint === folder.fingerprint && scope.file === null) {
      counters.folders_unchanged += 1;
      counters.seen += row.seen;
      counters.excluded_gate += row.excluded_gate;
      counters.excluded_filtered += row.excluded_filtered;
      counters.bytes_seen += row.bytes_seen;
    } else changed.push({ folder, row, start });
    start += folder.entries;
  }
  if (changed.length + moved.size === 0 && scope.depth !== 'changes') {
    await state.permissions?.collect(batch, []);
    return;
  }
  const names = batch.names.split('\0');
  if (scope.depth === 'changes') listSubfolders(batch, names, state);
  const missingRows = changed.filter(({ row }) => !row).map(({ folder }) => folder.path);
  const added = missingRows.length > 0 ? await addFolders(scan.db, scan.libraryId, missingRows) : new Map<string, number>();
  for (const id of added.values()) state.seenFolders.add(id);
  const access = await collectAccess(scope, batch, changed, names, { added, moved }, state);
  await markFolders(scan.db, [...moved.values()].flatMap(markOf));
  const smallFolders = changed.filter(({ folder }) => folder.entries <= sliceSize);
  const small = smallFolders.flatMap(({ row, folder }) => [row?.id, renamed.get(folder.path)?.id].filter((id) => id !== undefined));
  const smallNames = smallFolders.flatMap(({ folder, start: at }) => names.slice(at, at + folder.entries));
  const items = Map.groupBy(small.length > 0 ? await findItemsIn(scan.db, small, smallNames) : [], ({ folder_id }) => folder_id);
  for (const { folder, row, start: at } of changed) {
    const listing: WalkedListing = {
      folder,
      id: row?.id ?? added.get(folder.path)!,
      unmarked: row?.fingerprint === null,
      names: names.slice(at, at + folder.entries),
      rows: batch.rows,
      offset: at,
      access,
    };
    const loadFrom =
      (folderId: number | undefined): LoadItems =>
      async (slice) => {
        if (folderId === undefined) return [];
        return folder.entries <= sliceSize ? (items.get(folderId) ?? []) : findItemsBetween(scan.db, folderId, slice);
      };
    await processFolder(
      scan,
      scope,
      listing,
      { own: loadFrom(row?.id), renamed: loadFrom(renamed.get(folder.path)?.id), from: renamed.get(folder.path) },
      state,
      writer,
      missing,
    );
  }
}

const markOf = ({ rel_path: _, acl_id: __, path_id: ___, fingerprint, ...mark }: FolderRow): FolderMark[] =>
  fingerprint === null ? [] : [{ ...mark, fingerprint }];

/** Whether a folder may have been renamed: nothing is known at its path, or another folder was there. */
function isNewHere(row: FolderRow | undefined, { inode, fingerprint }: Pick<WalkedFolder, 'inode' | 'fingerprint'>): boolean {
  return !row || (row.fingerprint !== fingerprint && row.inode !== inode);
}

function listSubfolders({ folders, rows }: WalkBatch, names: readonly string[], state: WalkState): void {
  let at = 0;
  for (const { path, entries } of folders) {
    const own = names.slice(at, at + entries);
    state.subfolders.set(path, new Set(own.filter((_, index) => entryKindAt(rows, at + index) === entryKinds.folder)));
    at += entries;
  }
}

function noteLimitedDate({ counters, deps, libraryId }: ScanContext, path: string): void {
  counters.dates_limited += 1;
  if (counters.dates_limited_paths.length >= maxListedPaths) return;
  counters.dates_limited_paths.push(path);
  deps.log.warning('A file is dated outside the years 1677 to 2262. It is stored with the nearest date.', { library_id: libraryId, path });
}

/** The access classes of the files of changed folders, by index in the rows of the batch. Symlinks have none. */
async function collectAccess(
  scope: DiskScope,
  batch: WalkBatch,
  changed: readonly { folder: WalkedFolder; row: FolderRow | undefined; start: number }[],
  names: readonly string[],
  { added, moved }: { added: ReadonlyMap<string, number>; moved: ReadonlyMap<string, FolderRow> },
  { permissions }: WalkState,
): Promise<Map<number, number>> {
  if (!permissions) return new Map();
  const { folders, rows } = batch;
  // The files of a moved folder keep their own lists; only the folders above them may be others.
  const unread = folders.flatMap((folder) => {
    const row = moved.get(folder.path);
    return row ? [{ folder, id: row.id, known: row, files: [], unread: true }] : [];
  });
  return permissions.collect(batch, [
    ...unread,
    ...changed.map(({ folder, row, start }) => ({
      folder,
      id: row?.id ?? added.get(folder.path)!,
      known: row,
      files: Array.from({ length: folder.entries }, (_, at) => ({ name: names[start + at]!, index: start + at })).filter(
        ({ name, index }) => entryKindAt(rows, index) === entryKinds.file && (scope.file === null || name === scope.file),
      ),
    })),
  ]);
}

interface WalkedListing {
  folder: WalkedFolder;
  id: number;
  /** Its rows were changed outside a scan, or by one that was interrupted. */
  unmarked: boolean;
  names: string[];
  rows: Uint32Array;
  /** Index of the folder's first entry in the rows of the batch. */
  offset: number;
  /** Access classes by index in the rows of the batch. */
  access: ReadonlyMap<number, number>;
}

type LoadItems = (slice: { first: string; next: string | null; names: readonly string[] }) => Promise<KnownItem[]>;

async function processFolder(
  scan: ScanContext,
  scope: DiskScope,
  { folder, id, unmarked, names, rows, offset, access }: WalkedListing,
  load: { own: LoadItems; renamed: LoadItems; from: KnownFolder | undefined },
  state: WalkState,
  writer: Writer,
  missing: MissingItems,
): Promise<void> {
  const mark: FolderMark = {
    id,
    fingerprint: folder.fingerprint,
    inode: folder.inode,
    seen: 0,
    excluded_gate: 0,
    excluded_filtered: 0,
    bytes_seen: 0,
  };
  const own = rows.subarray(offset * entryFieldCount, (offset + names.length) * entryFieldCount);
  const order = names.map((_, index) => index).sort((a, b) => compareBytes(names[a]!, names[b]!));
  const isFile = (index: number): boolean => entryKindAt(own, index) === entryKinds.file || entryKindAt(own, index) === entryKinds.symlink;
  const files = order.filter((index) => isFile(index));
  const decisions = new Map(
    decideFiles(
      folder.path,
      files.map((index) => ({
        name: names[index]!,
        size: () => entryFactsAt(own, index).size,
        isLink: entryKindAt(own, index) === entryKinds.symlink,
      })),
      scan.rules,
    ).map((decision, at) => [files[at]!, decision]),
  );
  const hasLeft = load.from ? filesGoneFrom(load.from) : () => false;
  let complete = true;
  let hasMissing = false;
  // An item that was merged into this folder may have the values of a sidecar that is elsewhere.
  let hasSidecar = unmarked || names.some(mayBeLinked);

  for (let from = 0; from === 0 || from < order.length; from += sliceSize) {
    const part = order.slice(from, from + sliceSize);
    const next = from + sliceSize < order.length ? names[order[from + sliceSize]!]! : null;
    const first = from === 0 ? '' : names[part[0]!]!;
    const slice = { first, next, names: part.map((index) => names[index]!) };
    const known = new Map((await load.own(slice)).map((item) => [item.filename, item]));
    const elsewhere = new Map((await load.renamed(slice)).map((item) => [item.filename, item]));
    for (const index of part) {
      const name = names[index]!;
      if (scope.file !== null && name !== scope.file) {
        known.delete(name);
        continue;
      }
      if (entryKindAt(own, index) === entryKinds.unreadable) {
        // The type is unknown, so an item of that name and everything below a folder of that name keep their status.
        countUnreadable(scan, { path: childPath(folder.path, name), code: entryErrorAt(own, index) }, 'failedEntries');
        state.unreadable.add(childPath(folder.path, name));
        known.delete(name);
        complete = false;
        continue;
      }
      const decision = decisions.get(index);
      if (!decision) continue;
      const item = known.get(name);
      known.delete(name);
      if (!decision.admitted) {
        mark[decision.by === 'pattern' ? 'excluded_filtered' : 'excluded_gate'] += 1;
        if (item?.status === 'active') {
          hasMissing = true;
          await missing.add(item.id, true);
        }
        continue;
      }
      const entry = entryFactsAt(own, index);
      mark.seen += 1;
      mark.bytes_seen += entry.size;
      if (entry.dateLimited) noteLimitedDate(scan, childPath(folder.path, name));
      const isLink = entry.kind === entryKinds.symlink;
      const facts = toFileFacts(
        entry,
        folder.device,
        decision,
        isLink ? linkTarget(scan, folder.path, name, entry, item) : null,
        access.get(offset + index) ?? null,
        folder.allocated?.get(name) ?? null,
      );
      const same = item ? undefined : elsewhere.get(name);
      if (same && isSameFile(facts, same) && hasLeft(name)) {
        writer.move({ id: same.id, folderId: id, relPath: childPath(folder.path, name), filename: name, facts });
        continue;
      }
      const change = compareFile(facts, item, { hashable: !isLink, stableIds: scan.stableIds });
      if (change.kind === 'same') continue;
      const drained = writer.add(id, childPath(folder.path, name), name, change);
      if (drained) await drained;
    }
    for (const item of known.values()) {
      if (item.status !== 'active' || (scope.file !== null && item.filename !== scope.file)) continue;
      hasMissing = true;
      // Without this sidecar other items of the folder may lose the facts it added.
      hasSidecar ||= mayBeLinked(item.filename);
      await missing.add(item.id, false);
    }
  }
  const drained = writer.endFolder();
  if (drained) await drained;
  scan.counters.seen += mark.seen;
  scan.counters.excluded_gate += mark.excluded_gate;
  scan.counters.excluded_filtered += mark.excluded_filtered;
  scan.counters.bytes_seen += mark.bytes_seen;
  if (hasSidecar) scan.sidecarFolders.add(id);
  if (!complete || scope.file !== null) return;
  if (hasMissing || hasSidecar) missing.markLater(mark);
  else writer.mark(mark);
  await scan.heartbeat({ folder: folder.path });
}

/** The target of an unchanged symlink is not read again. */
function linkTarget(
  scan: ScanContext,
  folder: string,
  name: string,
  entry: { size: number; mtimeNs: string; inode: string },
  item: KnownItem | undefined,
): string {
  if (item?.symlink_target != null && item.size === entry.size && item.mtime_ns === entry.mtimeNs && item.inode === entry.inode)
    return item.symlink_target;
  try {
    return scan.files.readLink(fullPath(scan, childPath(folder, name)));
  } catch {
    // An unreadable symlink is still an item, without a known target.
    return '';
  }
}
