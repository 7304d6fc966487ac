import { lstatSync } from 'node:fs';
import { diskPath, type FolderWatch, type Ignore, isOnNetwork, type WatchBatch, watchedDisks, watchFolders } from '@catalog/scanner';
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { loadRules, type RuleSource } from './rules.ts';
import { mergeScopes, type ScanScope, wholeLibrary } from './scopes.ts';
import { startScan } from './service.ts';

/**
 * Watches the libraries that enable it. Only the worker that holds the lock watches; there is one lock for libraries without worker labels,
 * and one per first label of the others.
 *
 * off       watching is not enabled, the library is disabled, or it belongs to an agent.
 * watching  every folder is watched; events start scans.
 * degraded  it cannot be watched: it is on a network file system, has too many folders, or its root is unreadable. The reason is stored with
 *           the library and shown; scheduled scans still run. Retried when the library is changed, its disk comes or goes, or the worker restarts.
 *
 * off → watching and watching → off follow the library's fields, checked every 30 s; watching → degraded when a watch fails. A watch is lost
 * with the disk it is on, so a new one replaces it when something was mounted, unmounted or replaced.
 * A new watch scans the whole library as soon as every folder is watched, because nobody reported the changes before it.
 * In maintenance mode, or while another scan runs, changes are kept and scanned later.
 */

export interface WatchOptions extends IncrementalRule {
  /** Libraries with this first worker label; null for those without labels. */
  label?: string | null;
  quietMs?: number;
  refreshMs?: number;
  isOnNetwork?: (path: string) => boolean;
  watchFolders?: typeof watchFolders;
  startScan?: typeof startScan;
}

interface WatchSupervisor {
  start(): void;
  stop(): Promise<void>;
  /** Starts and stops watches to match the libraries; called by a timer and by tests. */
  refresh(): Promise<void>;
}

interface WatchedLibrary extends RuleSource {
  id: string;
  root_path: string;
  watch_degraded: string | null;
  updated_at: Date;
}

interface Watched {
  root: string;
  /** What decides which folders are watched; when it or the root differs, the watch is restarted. */
  ignoreStamp: string;
  /** The library's time of change; a degraded watch is retried when it differs. */
  changedAt: number;
  /** The disks that are watched; null where the library is on a network, and empty once one of them is lost. */
  disks: string | null;
  /** Null while the library is degraded. */
  watch: FolderWatch | null;
  /** What to scan; empty when nothing has changed. */
  pending: ScanScope[];
}

const lockOf = (label: string | null): string => (label === null ? 'watch libraries' : `watch libraries ${label}`);
const networkReason = 'Network file systems do not report changes. Scheduled scans still run.';

export function createWatchSupervisor({ db, log, options }: { db: Db; log: Log; options: WatchOptions }): WatchSupervisor {
  const watched = new Map<string, Watched>();
  const { refreshMs = 30_000, label = null } = options;
  const lockName = lockOf(label);
  let stopping: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();
  /** Scans of new watches are requested one after another: at a start there may be one for every library. */
  let catchUps: Promise<void> = Promise.resolve();

  const refresh = async (): Promise<void> => {
    const wanted = await librariesToWatch(db, label);
    for (const [id, { watch }] of watched) {
      if (wanted.some((library) => library.id === id)) continue;
      watch?.close();
      watched.delete(id);
    }
    for (const library of wanted) {
      const rules = await loadRules(db, library);
      const known = watched.get(library.id);
      const disks = (options.isOnNetwork ?? isOnNetwork)(library.root_path) ? null : watchedDisks(library.root_path, rules.ignore);
      if (known && known.disks === disks && isCurrent(known, library, rules.ignore.stamp)) {
        known.changedAt = library.updated_at.getTime();
        continue;
      }
      known?.watch?.close();
      const pending = known?.root === library.root_path ? known.pending : [];
      watched.set(library.id, startWatch(library, rules.ignore, disks, pending));
    }
    for (const id of watched.keys()) await requestScan(id);
  };

  const startWatch = (library: WatchedLibrary, ignore: Ignore, disks: string | null, pending: ScanScope[]): Watched => {
    const { root_path: root, updated_at } = library;
    const state: Watched = { root, ignoreStamp: ignore.stamp, changedAt: updated_at.getTime(), disks, watch: null, pending };
    const recordDegraded = (reason: string | null): void => {
      if (reason !== null) log.warning('A library cannot be watched.', { library_id: library.id, reason });
      void sql`update libraries set watch_degraded = ${reason} where id = ${library.id} and watch_degraded is distinct from ${reason}`
        .execute(db)
        .catch((error: unknown) => log.warning('The watch state of a library was not stored.', { library_id: library.id, error }));
    };
    if (disks === null) {
      recordDegraded(networkReason);
      return state;
    }
    let degraded = false;
    const watch = (options.watchFolders ?? watchFolders)({
      root,
      isPruned: (path) => ignore.decide(path, true)?.excluded === true,
      ...(options.quietMs === undefined ? {} : { quietMs: options.quietMs }),
      onBatch(batch) {
        state.pending = mergeScopes([...state.pending, ...scopesOfBatch(root, batch, options)]);
        void requestScan(library.id);
      },
      onLost() {
        state.disks = '';
      },
      onDegraded(reason) {
        degraded = true;
        state.watch = null;
        recordDegraded(reason);
      },
    });
    if (degraded) return state;
    state.watch = watch;
    recordDegraded(null);
    void watch.ready.then(() => {
      if (state.watch === null || watched.get(library.id) !== state) return;
      state.pending = [wholeLibrary];
      catchUps = catchUps.then(() => requestScan(library.id));
    });
    return state;
  };

  /** Starts a scan of the pending scopes, which stay pending while another scan runs or the request fails. Never rejects. */
  const requestScan = async (id: string): Promise<void> => {
    const state = watched.get(id);
    if (!state || state.pending.length === 0) return;
    const scopes = state.pending;
    state.pending = [];
    try {
      const started = await (options.startScan ?? startScan)(db, id, { scopes, trigger: 'watch' });
      if (started.already_running) state.pending = mergeScopes([...state.pending, ...scopes]);
    } catch (error) {
      log.debug('A watch could not start a scan and tries again later.', { library_id: id, error });
      state.pending = mergeScopes([...state.pending, ...scopes]);
    }
  };

  const closeAll = (): void => {
    for (const { watch } of watched.values()) watch?.close();
    watched.clear();
  };

  return {
    refresh,
    start() {
      const stopped = new Promise<void>((resolve) => {
        stopping = resolve;
      });
      let over = false;
      void stopped.then(() => {
        over = true;
      });
      const pause = (): Promise<void> => {
        let timer: NodeJS.Timeout | undefined;
        const waited = new Promise<void>((resolve) => {
          timer = setTimeout(resolve, refreshMs);
        });
        return Promise.race([waited, stopped]).finally(() => clearTimeout(timer));
      };
      running = (async () => {
        while (!over) {
          try {
            await db.connection().execute(async (connection) => {
              const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(hashtextextended(${lockName}, 0)) as got`.execute(
                connection,
              );
              if (!one(rows).got) return;
              try {
                while (!over) {
                  // The lock belongs to this connection, so fail here when the connection is lost.
                  await sql`select 1`.execute(connection);
                  await refresh();
                  await pause();
                }
              } finally {
                closeAll();
                await sql`select pg_advisory_unlock(hashtextextended(${lockName}, 0))`.execute(connection).catch((error: unknown) => {
                  // A lost connection has released the lock already.
                  log.debug('The watch lock was not released.', { error });
                });
              }
            });
          } catch (error) {
            log.error('Watching was interrupted and restarts.', { error });
          }
          if (!over) await pause();
        }
      })();
    },
    async stop() {
      stopping?.();
      await running;
      closeAll();
    },
  };
}

/** Whether a watch, or the reason against one, still applies to its library. */
function isCurrent(known: Watched, library: WatchedLibrary, ignoreStamp: string): boolean {
  if (known.root !== library.root_path || known.ignoreStamp !== ignoreStamp) return false;
  return known.watch !== null || known.changedAt === library.updated_at.getTime();
}

/** Libraries with watching enabled for themselves or for one of their folders. */
async function librariesToWatch(db: Db, label: string | null): Promise<WatchedLibrary[]> {
  const { rows } = await sql<WatchedLibrary>`
    select id, root_path, watch_degraded, updated_at, enabled_presets, exclude_globs, include_globs, enabled_categories, enabled_groups
    from libraries l
    where enabled and source_agent_id is null and worker_labels[1] is not distinct from ${label}::text
      and (watch_mode or exists (select from scan_paths p where p.library_id = l.id and p.enabled and p.watch_mode))
    order by id`.execute(db);
  return rows;
}

interface IncrementalRule {
  incremental: boolean;
  maxEvents: number;
}

/**
 * What to scan after a batch of events: for a small batch the folders in which something changed, and new folders with everything below
 * them; otherwise the whole library.
 */
export function scopesOfBatch(root: string, { events, paths }: WatchBatch, { incremental, maxEvents }: IncrementalRule): ScanScope[] {
  if (!incremental || paths === null || paths.length === 0 || events > maxEvents) return [wholeLibrary];
  return mergeScopes(
    paths.flatMap((path): ScanScope[] => [
      { path: path.slice(0, Math.max(0, path.lastIndexOf('/'))), depth: 'changes' },
      ...(isFolder(`${root}/${path}`) ? [{ path, depth: 'tree' as const }] : []),
    ]),
  );
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(diskPath(path)).isDirectory();
  } catch {
    // It no longer exists or cannot be read; the scan of the folder above it finds out.
    return false;
  }
}
