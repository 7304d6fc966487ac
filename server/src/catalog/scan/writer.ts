import { type HashRequest, type HashResult, hashPolicyVersion, needsContentHash, quickHashWholeFileBytes } from '@catalog/scanner';
import type { Transaction } from 'kysely';
import type { Db, Tables } from '../../platform/database/index.ts';
import { setAccessClasses } from '../permissions/index.ts';
import type { FileChange } from './compare.ts';
import { countHashError, fullPath, type ScanContext } from './context.ts';
import { withHeartbeat } from './heartbeat.ts';
import { type Relocation, relocateItems } from './move-store.ts';
import { findRenamedFiles } from './renames.ts';
import { findMovedOver, hasOtherBytes, type Replacement, releasePaths } from './replaced.ts';
import { commitAsynchronously, mayWrite } from './run-store.ts';
import {
  type FileFacts,
  type FileHashes,
  type FolderMark,
  type ItemUpdate,
  insertItems,
  markFolders,
  type NewItem,
  updateItems,
} from './store.ts';

/**
 * Hashes and stores changed files in batches. Two batches are stored at a time while the next ones are hashed. The mark of a folder means
 * that all its files are stored, so it is written only after its own batch and all earlier ones. Large files get their quick hash here and
 * their content hash later in the run, so that they do not delay the files after them.
 */
export interface Writer {
  /** When it returns a promise, the caller must await it before adding more. */
  add(folderId: number, relPath: string, filename: string, change: Exclude<FileChange, { kind: 'same' }>): Promise<void> | undefined;
  /** A file of the current folder that was found by its identity under another path. The moves of a folder are stored in one step. */
  move(relocation: Relocation): void;
  /** To be called after the last file of a folder, and awaited like add(). */
  endFolder(): Promise<void> | undefined;
  /** Stored after everything added before it, unless a file of the folder could not be hashed; the next scan then compares the folder again. */
  mark(mark: FolderMark): void;
  /** False when a file of the folder could not be hashed or moved. Final once everything is committed. */
  mayMark(folderId: number): boolean;
  /** Resolves when everything is committed. */
  flush(): Promise<void>;
  /** Commits nothing more and resolves when no statement is running, so that another scan may start. Close the hasher first. */
  abandon(): Promise<void>;
}

interface Job {
  folderId: number;
  relPath: string;
  filename: string;
  change: Exclude<FileChange, { kind: 'same' }>;
}
interface Batch {
  number: number;
  jobs: Job[];
  moves: Relocation[];
  marks: FolderMark[];
}

/** The content of larger files is hashed in a later phase. */
const inlineContentBytes = 4 * 1024 * 1024;
const batchesInFlight = 4;
const laneCount = 2;
const isInline = ({ size }: FileFacts): boolean => size <= Math.max(inlineContentBytes, quickHashWholeFileBytes);
/** A file at the path of a missing one may be another file (see replaced.ts), which only all of its bytes can tell. */
const mayReplace = (change: FileChange): boolean => change.kind === 'returned' && change.item.content_hash !== null;
const noHashes: FileHashes = { quick: null, content: null, policyVersion: null, error: null };

export function createWriter(scan: ScanContext): Writer {
  const { counters } = scan;
  const foldersWithHashErrors = new Set<number>();
  const mayMark = (folderId: number): boolean => !foldersWithHashErrors.has(folderId);
  let open: Batch = { number: 0, jobs: [], moves: [], marks: [] };
  let folderMoves: Relocation[] = [];
  const tails: Promise<void>[] = Array.from({ length: laneCount }, () => Promise.resolve());
  // Batches stored out of order, the number below which all are stored, and the marks that wait for it.
  const stored = new Set<number>();
  let storedBefore = 0;
  let waiting: { number: number; mark: FolderMark }[] = [];
  let pending = 0;
  let failure: unknown;
  let onBatchDone: (() => void) | undefined;

  const request = ({ relPath, change }: Job): HashRequest => ({
    path: fullPath(scan, relPath),
    size: change.facts.size,
    mtimeNs: change.facts.mtimeNs,
    content:
      needsContentHash(change.facts.size, scan.hashRule) &&
      (change.kind === 'doubtful' ? change.whole : isInline(change.facts) || mayReplace(change)),
  });
  const needsHash = ({ change }: Job): boolean =>
    change.facts.symlinkTarget === null && (change.kind === 'new' || change.kind === 'doubtful' || change.rehash);

  const commit = async (batch: Batch, hashing: Promise<HashResult[]>): Promise<void> => {
    const results = await hashing;
    let next = 0;
    const created: NewItem[] = [];
    const updated: ItemUpdate[] = [];
    const replaced: Replacement[] = [];
    const unread: { id: string; accessClass: number | null }[] = [];
    for (const job of batch.jobs) {
      const result = needsHash(job) ? (results[next++] ?? null) : null;
      if (result !== null) scan.reads.files += 1;
      if (result?.error !== undefined) {
        foldersWithHashErrors.add(job.folderId);
        countHashError(scan, result.error);
        // Deleted after the walk: the next scan marks it as missing.
        if (result.error === 'ENOENT') continue;
        // A doubtful file that cannot be read stays doubtful, but who may read it is known.
        if (job.change.kind === 'doubtful') {
          unread.push({ id: job.change.item.id, accessClass: job.change.facts.accessClass });
          continue;
        }
      }
      addToBatch(job, result === null ? noHashes : hashesOf(result, job.change.facts, scan), { created, updated, replaced });
    }
    const movedOver = await findMovedOver(scan, replaced);
    for (const replacement of replaced) {
      if (movedOver.has(replacement)) created.push(replacement.asNew);
      else updated.push(replacement.asUpdate);
    }
    const renamed = await findRenamedFiles(scan, created);
    const moves = [...batch.moves, ...[...renamed].map(([item, id]): Relocation => ({ id, ...item }))];
    const added = created.filter((item) => !renamed.has(item));
    for (const mark of batch.marks) waiting.push({ number: batch.number, mark });
    const marks = marksDue();
    const options = { marks, wantsIds: !scan.deps.options.stagedPipeline, logged: !scan.initial };
    const addedIds =
      updated.length + moves.length + unread.length + movedOver.size === 0
        ? await insertItems(scan.db, scan.runId, scan.libraryId, added, options)
        : await scan.db.transaction().execute(async (transaction: Transaction<Tables>) => {
            const db = transaction as Db;
            await commitAsynchronously(db);
            if (!(await mayWrite(db, scan.runId, scan.libraryId))) return [];
            await releasePaths(
              db,
              [...movedOver].map(({ item }) => item.id),
            );
            await updateItems(db, scan.runId, scan.libraryId, updated);
            await setAccessClasses(db, unread);
            await storeMoves(db, moves);
            return insertItems(db, scan.runId, scan.libraryId, added, options);
          });
    stored.add(batch.number);
    while (stored.delete(storedBefore)) storedBefore += 1;
    counters.new += added.length;
    for (const { kind } of updated) if (kind !== 'silent') counters[kind] += 1;
    if (!scan.deps.options.stagedPipeline) {
      const changed = updated.filter(({ kind }) => kind !== 'silent').map(({ id }) => id);
      if (addedIds.length + changed.length > 0) await scan.deps.queueExtraction(scan.db, scan.libraryId, [...addedIds, ...changed]);
    }
  };

  const storeMoves = async (db: Db, moves: readonly Relocation[]): Promise<void> => {
    const moved = await relocateItems(db, scan.runId, scan.libraryId, moves);
    const told = moved.filter(({ trashed }) => !trashed);
    counters.moved += told.length;
    counters.cross_moved += told.filter(({ from_library_id }) => from_library_id !== scan.libraryId).length;
    for (const { folder_id, described } of moved) if (described) scan.sidecarFolders.add(folder_id);
    // An item that was deleted meanwhile is not moved, so its folder must be compared again.
    const done = new Set(moved.map(({ id }) => id));
    for (const { id, folderId } of moves) if (!done.has(id)) foldersWithHashErrors.add(folderId);
  };

  /** Removes and returns the marks whose batches are all stored. */
  const marksDue = (): FolderMark[] => {
    const due = waiting.filter(({ number }) => number < storedBefore);
    if (due.length > 0) waiting = waiting.filter(({ number }) => number >= storedBefore);
    return due.map(({ mark }) => mark).filter(({ id }) => mayMark(id));
  };

  const submit = (): void => {
    const batch = open;
    open = { number: batch.number + 1, jobs: [], moves: [], marks: [] };
    const lane = batch.number % laneCount;
    pending += 1;
    const hashing = scan.hasher.hash(batch.jobs.filter(needsHash).map(request));
    // It is awaited below, after the earlier batches; without this an early failure would end the process.
    hashing.catch(() => {});
    tails[lane] = (tails[lane] ?? Promise.resolve())
      .then(() => (failure ? undefined : commit(batch, hashing)))
      .catch((error) => {
        failure ??= error;
      })
      .finally(() => {
        pending -= 1;
        onBatchDone?.();
      });
  };

  const drain = async (): Promise<void> => {
    while (pending > batchesInFlight) {
      const batchDone = new Promise<void>((resolve) => {
        onBatchDone = resolve;
      });
      await withHeartbeat(scan.heartbeat, batchDone);
    }
    if (failure) throw failure;
  };

  return {
    add(folderId, relPath, filename, change) {
      open.jobs.push({ folderId, relPath, filename, change });
      if (open.jobs.length < scan.deps.options.batchSize) return undefined;
      submit();
      return drain();
    },
    move(relocation) {
      folderMoves.push(relocation);
    },
    endFolder() {
      open.moves = open.moves.concat(folderMoves);
      folderMoves = [];
      if (open.jobs.length + open.moves.length < scan.deps.options.batchSize) return undefined;
      submit();
      return drain();
    },
    mayMark,
    mark(mark) {
      open.marks.push(mark);
    },
    async flush() {
      submit();
      await withHeartbeat(scan.heartbeat, Promise.all(tails));
      if (failure) throw failure;
      await markFolders(scan.db, marksDue());
    },
    async abandon() {
      failure ??= new Error('The scan was aborted.');
      await Promise.all(tails);
    },
  };
}

function hashesOf(result: HashResult, facts: FileFacts, scan: ScanContext): FileHashes {
  if (result.error !== undefined) return { ...noHashes, error: result.error };
  const later = result.content === null && needsContentHash(facts.size, scan.hashRule);
  return { quick: result.quick, content: result.content, policyVersion: hashPolicyVersion(result.content !== null || later), error: null };
}

interface Prepared {
  created: NewItem[];
  updated: ItemUpdate[];
  replaced: Replacement[];
}

function addToBatch({ folderId, relPath, filename, change }: Job, hashes: FileHashes, { created, updated, replaced }: Prepared): void {
  const asNew: NewItem = { folderId, relPath, filename, facts: change.facts, hashes };
  if (change.kind === 'new') {
    created.push(asNew);
    return;
  }
  if (change.kind === 'doubtful') {
    const { item, facts } = change;
    const isSame =
      hashes.quick === item.quick_hash && (hashes.content === null || hashes.content === (item.content_hash ?? hashes.content));
    updated.push({ id: item.id, relPath, facts, hashes, rehashed: !isSame, kind: isSame ? 'silent' : 'changed' });
    return;
  }
  const { kind, item, facts, rehash } = change;
  const becameLink = facts.symlinkTarget !== null && item.symlink_target === null;
  // The same hash error as before needs no write.
  if (
    kind === 'silent' &&
    rehash &&
    hashes.error !== null &&
    hashes.error === item.hash_error &&
    item.nlink === facts.links &&
    item.inode === facts.inode &&
    item.ctime_ns === facts.ctimeNs &&
    item.access_class === facts.accessClass &&
    item.allocated === facts.allocated
  )
    return;
  const asUpdate: ItemUpdate = { id: item.id, relPath, facts, hashes, rehashed: rehash || becameLink, kind };
  if (kind === 'returned' && hasOtherBytes(item, hashes.content)) replaced.push({ item, asUpdate, asNew });
  else updated.push(asUpdate);
}
