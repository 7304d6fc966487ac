/**
 * One scan run.
 *
 * running   from the request on, while its job is queued or running.
 * stopping  a stop was requested; the run ends at its next heartbeat and tombstones nothing.
 * stopped   it ended after a stop request or a force-clear.
 * failed    a guard refused, the root was missing, an error occurred, or its worker died.
 * finished  it completed.
 *
 * running → stopping by a stop request; stopping → stopped here; running → finished or failed here; running → failed and stopping →
 * stopped by the reconciler when the run has no live job; either → stopped by force-clear.
 *
 * Phases: checking, walking, hashing, comparing, moving, tombstones, sidecars, queueing, done. Every phase is idempotent: after a kill at
 * any point the next run completes the rows, and it settles the moves and extraction that earlier runs left open.
 */
import { createHasher, createWalkFileSystem, hashRule, hasStableIds, isOnNetwork, isTaggedCache, walkInThreads } from '@catalog/scanner';
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { rescheduleIn } from '../../platform/queue/index.ts';
import { compactTotals } from '../counts/index.ts';
import { applyFolderChanges, createPermissionCollector, openPermissionReader, permissionWalkOptions } from '../permissions/index.ts';
import { associateSidecars } from '../sidecars/index.ts';
import { hashContents } from './content-hashes.ts';
import {
  createCounters,
  type DiskScope,
  defaultScanOptions,
  fullPath,
  type ScanContext,
  type ScanDependencies,
  type ScanOptions,
  type WalkState,
} from './context.ts';
import { ScanFailure } from './failure.ts';
import { processBatch } from './folder-scan.ts';
import { createHeartbeat, StopRequested } from './heartbeat.ts';
import {
  countMissing,
  createMissingItems,
  findMissingFolders,
  guardEmpty,
  guardEmptyTop,
  guardVanish,
  type MissingItems,
  tombstone,
} from './missing.ts';
import { foldersOfDescribedMoves } from './move-store.ts';
import { resolveMoves } from './moves.ts';
import { queueAndSettle } from './queue-contents.ts';
import { reattachAfterScan } from './reattach.ts';
import { createScopeResolver, guardReadErrors, openRoot, unreadableFolder, verifyRoot } from './root-check.ts';
import { loadRules, type RuleSource } from './rules.ts';
import {
  beginRun,
  clearMissing,
  endEarlierRuns,
  endRun,
  lastFullRun,
  type OpenRun,
  type RunRow,
  recordFirstRun,
  requireRun,
  unsettledRuns,
  waitForEarlierWrites,
} from './run-store.ts';
import { scopesOf } from './scopes.ts';
import { settleFolderMoves } from './settle-folder-moves.ts';
import { markFolders } from './store.ts';
import { createWriter, type Writer } from './writer.ts';

/** Production dependencies. The caller passes extraction and sidecar reading, which belong to higher layers. */
export function scanDependencies(
  given: Pick<ScanDependencies, 'db'> & Partial<Omit<ScanDependencies, 'options'>> & { options?: Partial<ScanOptions> },
): ScanDependencies {
  return {
    startWalk: walkInThreads,
    files: createWalkFileSystem,
    createHasher: () => createHasher(),
    createPermissionReader: openPermissionReader,
    isOnNetwork,
    hasStableIds,
    log: silentLog,
    queueExtraction: async () => {},
    queueUnopened: async () => {},
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
  vanish_guard_pct: number | null;
  permissions_enabled: boolean;
}

/**
 * Performs a created run and returns it once it has ended. Throws on an unexpected error, after marking the run as failed, and `rescheduleIn()`
 * while another worker has the library.
 */
export async function performScan(deps: ScanDependencies, runId: string, signal?: AbortSignal): Promise<RunRow> {
  const run = await requireRun(deps.db, runId);
  if (run.status !== 'running' && run.status !== 'stopping') return run;
  await deps.db.connection().execute(async (connection) => {
    // The lock belongs to this connection, so two workers never scan one library at once and a dead worker releases it.
    if (!(await lockLibrary(connection, run.library_id))) throw rescheduleIn(lockedRetrySeconds);
    try {
      const begun = await beginRun(deps.db, runId);
      if (begun) await runScan(deps, begun, signal);
    } finally {
      await sql`select pg_advisory_unlock(hashtextextended(${`scan ${run.library_id}`}, 0))`.execute(connection);
    }
  });
  return requireRun(deps.db, runId);
}

/**
 * A worker that was too busy to report, and so lost its job, still scans until it notices that its run has ended. The run stays queued until
 * then.
 */
const lockedRetrySeconds = 5;

const lockRetryMs = [0, 50, 150, 300];

/** Retries because the database takes a moment to notice that a killed worker has disconnected. */
async function lockLibrary(connection: Db, libraryId: string): Promise<boolean> {
  for (const pauseMs of lockRetryMs) {
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(hashtextextended(${`scan ${libraryId}`}, 0)) as got`.execute(
      connection,
    );
    if (one(rows).got) return true;
  }
  return false;
}

async function runScan(deps: ScanDependencies, run: RunRow, signal?: AbortSignal): Promise<void> {
  const { db } = deps;
  const library = await loadLibrary(db, run.library_id);
  const isFull = run.scope === '' && run.recursive;
  const counters = createCounters(library.count_pruned_files);
  const heartbeat = createHeartbeat({
    db,
    runId: run.id,
    counters,
    last: isFull ? await lastFullRun(db, run.library_id) : undefined,
    signal,
  });
  const network = deps.isOnNetwork(library.root_path);
  const stableIds = deps.hasStableIds(library.root_path);
  const scan: ScanContext = {
    deps,
    db,
    runId: run.id,
    libraryId: run.library_id,
    root: library.root_path,
    rootIdentity: null,
    scopes: [],
    isFull,
    initial: false,
    forceEmpty: run.force_empty,
    vanishGuardPct: library.vanish_guard_pct ?? deps.options.vanishGuardPct,
    rules: await loadRules(db, library),
    hashRule: hashRule(library.hash_policy, { network, ceiling: library.hash_full_max_bytes ?? deps.options.hashFullMaxBytes }),
    files: deps.files({ network, stableIds }),
    stableIds,
    collectsPermissions: library.permissions_enabled,
    hasher: deps.createHasher(),
    counters,
    sidecarFolders: new Set(),
    reads: { failedFolders: 0, failedEntries: 0, failedFiles: 0, files: 0 },
    heartbeat: heartbeat.beat,
  };
  try {
    await heartbeat.beat({ phase: 'checking' });
    await endEarlierRuns(db, run.library_id, run.id);
    await waitForEarlierWrites(db, run.library_id);
    await clearMissing(db, run.library_id);
    await settleFolderMoves(db, run.library_id);
    scan.initial = await recordFirstRun(db, run.id, run.library_id);
    const runs = await unsettledRuns(db, run.library_id);
    openRoot(scan);
    const resolveScope = createScopeResolver(scan);
    scan.scopes = scopesOf(run).flatMap((scope) => resolveScope(scope) ?? []);
    if (scan.scopes.length > 0) await scanFiles(scan, { countPruned: library.count_pruned_files, network, runs });
    else Object.assign(counters, { scope_missing: true });
    await queueAndSettle(scan, runs);
    if (scan.isFull) await sql`update libraries set last_full_scan_at = ${run.started_at} where id = ${run.library_id}`.execute(db);
    await endRun(db, run.id, { status: 'finished', stats: heartbeat.stats() });
  } catch (error) {
    if (error instanceof StopRequested)
      await endRun(db, run.id, { status: error.requested ? 'stopped' : 'failed', stats: heartbeat.stats(), ...error.reason });
    else if (error instanceof ScanFailure) {
      await endRun(db, run.id, {
        status: 'failed',
        stats: { ...heartbeat.stats(), ...error.details },
        error: error.message,
        errorCode: error.code,
      });
    } else {
      await endRun(db, run.id, {
        status: 'failed',
        stats: heartbeat.stats(),
        error: `The scan stopped on an error: ${(error as Error).message}`,
        errorCode: 'error',
      });
      throw error;
    }
  } finally {
    await scan.hasher.close();
    const warn = (message: string) => (error: unknown) => deps.log.warning(message, { library_id: run.library_id, error });
    await clearMissing(db, run.library_id).catch(
      warn('Working rows of a scan were not deleted. The next scan of the library deletes them.'),
    );
    await compactTotals(db).catch(warn('Totals were not compacted after a scan. They stay correct; the next scan compacts them.'));
  }
}

interface WalkSettings {
  countPruned: boolean;
  network: boolean;
  runs: readonly OpenRun[];
}

async function scanFiles(scan: ScanContext, settings: WalkSettings): Promise<void> {
  const writer = createWriter(scan);
  try {
    await walkAndStore(scan, writer, settings);
  } catch (error) {
    await scan.hasher.close();
    await writer.abandon();
    throw error;
  }
}

async function walkAndStore(scan: ScanContext, writer: Writer, settings: WalkSettings): Promise<void> {
  const state: WalkState = {
    seenFolders: createBitSet(),
    pruned: new Set(),
    unreadable: new Set(),
    subfolders: new Map(),
    permissions: null,
  };
  const missing = createMissingItems(scan);
  await scan.heartbeat({ phase: 'walking' });
  for (const scope of scan.scopes) await walkScope(scan, scope, settings, { state, writer, missing });
  await writer.flush();
  if (scan.collectsPermissions) await applyFolderChanges(scan.db, scan.libraryId, () => scan.heartbeat({}));
  await scan.heartbeat({ phase: 'hashing' });
  await hashContents(scan);
  await scan.heartbeat({ phase: 'comparing' });
  verifyRoot(scan);
  guardReadErrors(scan);
  await guardEmpty(scan);
  const missingFolders: number[] = [];
  for (const scope of scan.scopes)
    if (scope.file === null) for (const id of await findMissingFolders(scan, scope, state, missing)) missingFolders.push(id);
  await missing.flush();
  await scan.heartbeat({ phase: 'moving' });
  await resolveMoves(scan, settings.runs);
  await tombstoneMissing(scan, missingFolders);
  scan.counters.reattached += await reattachAfterScan(scan);
  const interrupted = settings.runs.flatMap(({ id }) => (id === scan.runId ? [] : [id]));
  for (const id of await foldersOfDescribedMoves(scan.db, scan.libraryId, interrupted)) scan.sidecarFolders.add(id);
  if (scan.sidecarFolders.size > 0) {
    await scan.heartbeat({ phase: 'sidecars' });
    Object.assign(scan.counters, { sidecars: await scan.deps.associateSidecars(scan.db, scan.libraryId, [...scan.sidecarFolders]) });
  }
  const marks = missing.marks.filter(({ id }) => writer.mayMark(id));
  for (let at = 0; at < marks.length; at += 1000) await markFolders(scan.db, marks.slice(at, at + 1000));
}

/** A file server answers several requests at once. On a local disk three threads took longer than two, measured on two cores. */
const walkThreads = { network: 4, disk: 2 };

/** The topmost folder on the way to this one that a walk from the root would not enter. */
function skippedAbove(scan: ScanContext, folder: string): string | null {
  if (folder === '') return null;
  const decision = scan.rules.ignore.decideFromTop(folder, true);
  if (decision?.excluded) return decision.at;
  const parts = folder.split('/');
  for (let depth = 1; depth < parts.length; depth += 1) {
    const above = parts.slice(0, depth).join('/');
    if (isTaggedCache(fullPath(scan, above), scan.files)) return above;
  }
  return null;
}

async function walkScope(
  scan: ScanContext,
  scope: DiskScope,
  { countPruned, network }: WalkSettings,
  { state, writer, missing }: { state: WalkState; writer: Writer; missing: MissingItems },
): Promise<void> {
  const skipped = skippedAbove(scan, scope.folder);
  if (skipped !== null) {
    state.pruned.add(skipped);
    return;
  }
  const walked = scan.deps.startWalk({
    root: scan.root,
    start: scope.folder,
    recursive: scope.depth === 'tree',
    patterns: scan.rules.patterns,
    countPruned,
    network,
    stableIds: scan.stableIds,
    threads: walkThreads[network ? 'network' : 'disk'],
    // Turning the collection on or off makes every folder look changed.
    stamp: scan.collectsPermissions ? `${scan.rules.stamp} permissions` : scan.rules.stamp,
    ...(scan.collectsPermissions ? permissionWalkOptions(scan.root) : {}),
  });
  state.permissions = scan.collectsPermissions
    ? createPermissionCollector({ db: scan.db, root: scan.root, reader: scan.deps.createPermissionReader(scan.root) })
    : null;
  try {
    for await (const batch of walked) {
      await processBatch(scan, scope, batch, state, writer, missing);
      await scan.heartbeat({ folder: batch.folders.at(-1)?.path });
    }
  } finally {
    await state.permissions?.close();
  }
  // Where a watch reported other folders too, they are scanned all the same; this one is counted as unreadable.
  if (state.unreadable.has(scope.folder) && (scope.folder === '' || scan.scopes.length === 1)) throw unreadableFolder(scan, scope.folder);
}

async function tombstoneMissing(scan: ScanContext, missingFolders: readonly number[]): Promise<void> {
  const { all, vanished } = await countMissing(scan);
  await guardEmptyTop(scan, vanished);
  await guardVanish(scan, vanished);
  await scan.heartbeat({ phase: 'tombstones' });
  if (all > 0 || missingFolders.length > 0) await tombstone(scan, missingFolders);
}

async function loadLibrary(db: Db, id: string): Promise<ScannedLibrary> {
  const { rows } = await sql<ScannedLibrary>`
    select root_path, enabled_presets, exclude_globs, include_globs, enabled_categories, enabled_groups, hash_policy, hash_full_max_bytes, count_pruned_files,
      vanish_guard_pct, permissions_enabled
    from libraries where id = ${id}`.execute(db);
  return one(rows);
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
      bits[at] = (bits[at] ?? 0) | (1 << (id % 8));
    },
    has: (id) => ((bits[Math.floor(id / 8)] ?? 0) & (1 << (id % 8))) !== 0,
  };
}
