/**
 * One scan run.
 *
 * running   created when a scan is asked for; stays while its job waits or works.
 * stopping  someone asked it to stop; the walk ends at the next breath, nothing is tombstoned.
 * stopped   it stopped as asked, or was cleared by force.
 * failed    it could not go on: a guard spoke, the root is missing, an error, or its worker died and the reconciler found it.
 * finished  the normal end.
 *
 * running → stopping by a stop request; stopping → stopped here; running → finished or failed here; running → failed and stopping →
 * stopped by the reconciler when no live job stands behind the run; either → stopped by force-clear.
 *
 * Phases of a run: checking, walking, hashing, comparing, moving, tombstones, sidecars, queueing, done. Every phase can be repeated: a kill
 * at any point leaves rows that the next run completes. What a run added but did not settle (moves, extraction) the next one settles.
 */
import { statSync } from 'node:fs';
import { sql } from 'kysely';
import { diskPath, createWalkFileSystem, walkInThread, isOnNetwork, hashRule, createHasher } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import { compactTotals } from '../counts/index.ts';
import { associateSidecars } from '../sidecars/index.ts';
import { hashContents, createWriter, type Writer } from './writer.ts';
import {
  fullPath,
  childPath,
  defaultScanOptions,
  type ScanContext,
  type ScanOptions,
  type ScanDependencies,
  type WalkState,
  createCounters,
} from './context.ts';
import { processBatch } from './folder-scan.ts';
import { markFolders } from './store.ts';
import { countMissing, createMissingItems, findMissingFolders, tombstone, guardEmpty, guardVanish, ScanFailure } from './missing.ts';
import { resolveMoves } from './moves.ts';
import { createHeartbeat, StopRequested } from './heartbeat.ts';
import { type RuleSource, loadRules } from './rules.ts';
import {
  clearMissing,
  endEarlierRuns,
  endRun,
  findRun,
  firstContentPage,
  lastFullRun,
  recordFirstRun,
  type OpenRun,
  pageContentChanges,
  type RunRow,
  settleRuns,
  unsettledRuns,
  waitForEarlierWrites,
} from './run-store.ts';

/** The real parts, with the hooks of other rooms left to the caller. */
export function scanDependencies(
  given: Pick<ScanDependencies, 'db'> & Partial<Omit<ScanDependencies, 'options'>> & { options?: Partial<ScanOptions> },
): ScanDependencies {
  return {
    startWalk: walkInThread,
    files: createWalkFileSystem,
    createHasher: () => createHasher(),
    isOnNetwork,
    queueExtraction: async () => {},
    associateSidecars: (db, libraryId, folderIds) => associateSidecars(db, libraryId, folderIds, { priority: 'fill' }),
    ...given,
    options: { ...defaultScanOptions, ...given.options },
  };
}

interface ScannedLibrary extends RuleSource {
  root_path: string;
  hash_policy: 'auto' | 'full' | 'quick_only';
  hash_full_max_bytes: number | null;
  count_pruned_files: boolean;
}

/** Performs a run that was created; answers when it has ended, however it ended. Throws only when the run could not be ended either. */
export async function performScan(parts: ScanDependencies, runId: string, signal?: AbortSignal): Promise<RunRow> {
  const run = await findRun(parts.db, runId);
  if (!run || (run.status !== 'running' && run.status !== 'stopping')) return run!;
  await parts.db.connection().execute(async (held) => {
    // Held by this connection alone: two workers never scan one library at once, and a dead worker's hold ends with it.
    if (!(await lockLibrary(held, run.library_id))) {
      await endRun(parts.db, runId, {
        status: 'failed',
        stats: run.stats,
        error: 'Another scan of this library is under way.',
        errorCode: 'already_running',
      });
      return;
    }
    try {
      await runScan(parts, run, signal);
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${`scan ${run.library_id}`}, 0))`.execute(held);
    }
  });
  return (await findRun(parts.db, runId))!;
}

const lockRetryMs = [0, 50, 150, 300];

/** The database needs a moment to notice that a killed worker is gone. */
async function lockLibrary(held: Db, libraryId: string): Promise<boolean> {
  for (const pauseMs of lockRetryMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(hashtextextended(${`scan ${libraryId}`}, 0)) as got`.execute(
      held,
    );
    if (rows[0]!.got) return true;
  }
  return false;
}

async function runScan(parts: ScanDependencies, run: RunRow, signal?: AbortSignal): Promise<void> {
  const { db } = parts;
  const library = await loadLibrary(db, run.library_id);
  const isFull = run.scope === '' && run.recursive;
  const counters = createCounters(library.count_pruned_files);
  const breath = createHeartbeat({
    db,
    runId: run.id,
    counters,
    last: isFull ? await lastFullRun(db, run.library_id) : undefined,
    signal,
  });
  const network = parts.isOnNetwork(library.root_path);
  const scan: ScanContext = {
    parts,
    db,
    runId: run.id,
    libraryId: run.library_id,
    root: library.root_path,
    scopeFolder: run.scope,
    scopeFile: null,
    recursive: run.recursive,
    isFull,
    initial: false,
    forceEmpty: run.force_empty,
    rules: await loadRules(db, library),
    hashRule: hashRule(library.hash_policy, { network, ceiling: library.hash_full_max_bytes ?? parts.options.hashFullMaxBytes }),
    files: parts.files({ network }),
    hasher: parts.createHasher(),
    counters,
    breathe: breath.breathe,
  };
  try {
    await breath.breathe({ phase: 'checking' });
    await endEarlierRuns(db, run.library_id, run.id);
    await waitForEarlierWrites(db, run.library_id);
    await clearMissing(db, run.library_id);
    scan.initial = await recordFirstRun(db, run.id, run.library_id);
    const runs = await unsettledRuns(db, run.library_id);
    if (checkRoot(scan)) await scanFiles(scan, library.count_pruned_files, network, runs);
    else Object.assign(counters, { scope_missing: true });
    await queueAndSettle(scan, runs);
    if (scan.isFull) await sql`update libraries set last_full_scan_at = ${run.started_at} where id = ${run.library_id}`.execute(db);
    await endRun(db, run.id, { status: 'finished', stats: breath.stats() });
  } catch (error) {
    if (error instanceof StopRequested)
      await endRun(db, run.id, { status: error.asked ? 'stopped' : 'failed', stats: breath.stats(), ...error.reason });
    else if (error instanceof ScanFailure) {
      await endRun(db, run.id, {
        status: 'failed',
        stats: { ...breath.stats(), ...error.details },
        error: error.message,
        errorCode: error.code,
      });
    } else {
      await endRun(db, run.id, {
        status: 'failed',
        stats: breath.stats(),
        error: `The scan stopped on an error: ${(error as Error).message}`,
        errorCode: 'error',
      });
      throw error;
    }
  } finally {
    await scan.hasher.close();
    await clearMissing(db, run.library_id).catch(() => {});
    await compactTotals(db).catch(() => {});
  }
}

async function scanFiles(scan: ScanContext, countPruned: boolean, network: boolean, runs: readonly OpenRun[]): Promise<void> {
  const memory: WalkState = { seenFolders: createBitSet(), pruned: new Set(), unreadable: new Set(), sidecarFolders: new Set() };
  const writer = createWriter(scan);
  try {
    await walkAndStore(scan, memory, writer, { countPruned, network, runs });
  } catch (error) {
    await scan.hasher.close();
    await writer.abandon();
    throw error;
  }
}

async function walkAndStore(
  scan: ScanContext,
  memory: WalkState,
  writer: Writer,
  { countPruned, network, runs }: { countPruned: boolean; network: boolean; runs: readonly OpenRun[] },
): Promise<void> {
  const gone = createMissingItems(scan);
  const above = scan.scopeFolder === '' ? null : scan.rules.ignore.decideFromTop(scan.scopeFolder, true);
  await scan.breathe({ phase: 'walking' });
  if (above?.excluded) memory.pruned.add(above.at);
  else {
    const walked = scan.parts.startWalk({
      root: scan.root,
      start: scan.scopeFolder,
      recursive: scan.scopeFile === null && scan.recursive,
      patterns: scan.rules.patterns,
      countPruned,
      network,
      stamp: scan.rules.stamp,
    });
    for await (const batch of walked) {
      await processBatch(scan, batch, memory, writer, gone);
      await scan.breathe({ folder: batch.folders.at(-1)?.path });
    }
    if (memory.unreadable.has(scan.scopeFolder)) throw unreadableRoot(scan);
  }
  await writer.flush();
  await scan.breathe({ phase: 'hashing' });
  await hashContents(scan);
  await scan.breathe({ phase: 'comparing' });
  await guardEmpty(scan);
  const unmet = scan.scopeFile === null && scan.recursive ? await findMissingFolders(scan, memory, gone) : [];
  await gone.flush();
  await scan.breathe({ phase: 'moving' });
  await resolveMoves(scan, runs);
  await tombstoneMissing(scan, unmet);
  if (memory.sidecarFolders.size > 0) {
    await scan.breathe({ phase: 'sidecars' });
    Object.assign(scan.counters, { sidecars: await scan.parts.associateSidecars(scan.db, scan.libraryId, [...memory.sidecarFolders]) });
  }
  for (let at = 0; at < gone.marks.length; at += 1000) await markFolders(scan.db, gone.marks.slice(at, at + 1000));
}

async function tombstoneMissing(scan: ScanContext, unmet: readonly number[]): Promise<void> {
  const { all, vanished } = await countMissing(scan);
  await guardVanish(scan, vanished);
  await scan.breathe({ phase: 'tombstones' });
  if (all > 0 || unmet.length > 0) await tombstone(scan, unmet);
}

const queuePageSize = 2000;

async function queueAndSettle(scan: ScanContext, runs: readonly OpenRun[]): Promise<void> {
  await scan.breathe({ phase: 'queueing' });
  const left = scan.parts.options.stagedPipeline ? runs : runs.filter(({ id }) => id !== scan.runId);
  for (const run of left) {
    for (let after = firstContentPage[run.initial ? 'initial' : 'logged']; ; ) {
      const page = await pageContentChanges(scan.db, scan.libraryId, run, after, queuePageSize);
      if (page.ids.length === 0) break;
      await scan.parts.queueExtraction(scan.db, scan.libraryId, page.ids);
      after = page.after;
      await scan.breathe({});
    }
  }
  await settleRuns(scan.db, runs);
}

async function loadLibrary(db: Db, id: string): Promise<ScannedLibrary> {
  const { rows } = await sql<ScannedLibrary>`
    select root_path, enabled_presets, exclude_globs, include_globs, enabled_categories, enabled_groups, hash_policy, hash_full_max_bytes, count_pruned_files
    from libraries where id = ${id}`.execute(db);
  return rows[0]!;
}

/** Before the walk: the root must be a folder. Settles what the scope is; false when the scope is not there. */
function checkRoot(scan: ScanContext): boolean {
  const root = statPath(scan.root);
  if (root === 'missing')
    throw new ScanFailure(
      'root_missing',
      `The library's folder ${scan.root} is not there. Check that the disk is mounted, then scan again.`,
    );
  if (root === 'unreadable') throw unreadableRoot(scan);
  if (root === 'file')
    throw new ScanFailure(
      'root_not_folder',
      `The library's path ${scan.root} is a file, not a folder. Correct the library's path, then scan again.`,
    );
  if (scan.scopeFolder === '') return true;
  const scope = statPath(fullPath(scan, scan.scopeFolder));
  if (scope === 'folder') return true;
  const slash = scan.scopeFolder.lastIndexOf('/');
  const folder = scan.scopeFolder.slice(0, Math.max(0, slash));
  if (statPath(fullPath(scan, folder)) !== 'folder') return false;
  scan.scopeFile = scan.scopeFolder.slice(slash + 1);
  scan.scopeFolder = folder;
  return true;
}

function unreadableRoot(scan: ScanContext): ScanFailure {
  return new ScanFailure(
    'root_unreadable',
    `The folder ${childPath(scan.root, scan.scopeFolder)} cannot be read. Give the service the right to read it, then scan again.`,
  );
}

function statPath(path: string): 'folder' | 'file' | 'missing' | 'unreadable' {
  try {
    return statSync(diskPath(path)).isDirectory() ? 'folder' : 'file';
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return code === 'ENOENT' || code === 'ENOTDIR' ? 'missing' : 'unreadable';
  }
}

/** A set of folder ids, one bit each. */
function createBitSet(): WalkState['seenFolders'] {
  let bits = new Uint8Array(1 << 16);
  return {
    add(id) {
      const at = Math.floor(id / 8);
      if (at >= bits.length) {
        const larger = new Uint8Array(Math.max(at + 1, bits.length * 2));
        larger.set(bits);
        bits = larger;
      }
      bits[at]! |= 1 << (id % 8);
    },
    has: (id) => ((bits[Math.floor(id / 8)] ?? 0) & (1 << (id % 8))) !== 0,
  };
}
