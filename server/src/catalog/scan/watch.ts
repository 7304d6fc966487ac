import { sql } from 'kysely';
import { type FolderWatch, watchFolders, isOnNetwork, type WatchBatch } from '@catalog/scanner';
import type { Db } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { loadRules, type RuleSource } from './rules.ts';
import { commonFolder, startScan } from './service.ts';

/**
 * Watches the libraries that ask for it, in whichever worker holds the lock.
 *
 * off       the library does not ask, or is disabled, or belongs to an agent.
 * watching  every folder has a watch; events become scans.
 * degraded  it asks, but cannot be watched: on a network file system, too many folders, or an unreadable root. The reason is stored with
 *           the library and shown; scheduled scans still run. Tried again when the library is changed or the worker starts anew.
 *
 * off → watching and watching → off follow the library's fields, looked at every half minute; watching → degraded when a watch fails.
 * In maintenance mode, or while another scan runs, what happened is kept and asked for later.
 */

export interface WatchOptions extends IncrementalRule {
  quietMs?: number;
  lookEveryMs?: number;
  isOnNetwork?: (path: string) => boolean;
  watchFolders?: typeof watchFolders;
  startScan?: typeof startScan;
}

export interface WatchSupervisor {
  start(): void;
  stop(): Promise<void>;
  /** Looks at the libraries now; called by the clock, and by tests. */
  look(): Promise<void>;
}

interface WatchedLibrary extends RuleSource {
  id: string;
  root_path: string;
  watch_degraded: string | null;
  updated_at: Date;
}

interface Watched {
  /** Root, rules and time of change: another signature, another watch. */
  signature: string;
  watch: FolderWatch | null;
  pending: string | null;
}

const lockName = 'watch libraries';
const networkReason = 'Changes on a network file system are not reported. Scheduled scans still run.';

export function createWatchSupervisor({ db, log, options }: { db: Db; log: Log; options: WatchOptions }): WatchSupervisor {
  const watched = new Map<string, Watched>();
  const { lookEveryMs = 30_000 } = options;
  let stopping: (() => void) | undefined;
  let running: Promise<void> = Promise.resolve();

  const look = async (): Promise<void> => {
    const wanted = await librariesToWatch(db);
    for (const [id, { watch }] of watched) {
      if (wanted.some((library) => library.id === id)) continue;
      watch?.close();
      watched.delete(id);
    }
    for (const library of wanted) {
      const rules = await loadRules(db, library);
      const signature = `${library.root_path}\n${rules.stamp}\n${library.updated_at.toISOString()}`;
      const known = watched.get(library.id);
      if (known?.signature === signature) continue;
      known?.watch?.close();
      watched.set(
        library.id,
        begin(library, signature, (path) => rules.ignore.decide(path, true)?.excluded === true),
      );
    }
    for (const id of watched.keys()) await ask(id);
  };

  const begin = (library: WatchedLibrary, signature: string, isPruned: (path: string) => boolean): Watched => {
    const state: Watched = { signature, watch: null, pending: null };
    const tell = (reason: string | null): void => {
      if (reason !== null) log.warning('A library is not watched.', { library_id: library.id, reason });
      void sql`update libraries set watch_degraded = ${reason} where id = ${library.id} and watch_degraded is distinct from ${reason}`
        .execute(db)
        .catch(() => {});
    };
    if ((options.isOnNetwork ?? isOnNetwork)(library.root_path)) {
      tell(networkReason);
      return state;
    }
    let degraded = false;
    state.watch = (options.watchFolders ?? watchFolders)({
      root: library.root_path,
      isPruned,
      ...(options.quietMs === undefined ? {} : { quietMs: options.quietMs }),
      onBatch(batch) {
        const scope = scopeOfBatch(batch, options);
        state.pending = state.pending === null ? scope : commonFolder(state.pending, scope);
        void ask(library.id);
      },
      onDegraded(reason) {
        degraded = true;
        state.watch = null;
        tell(reason);
      },
    });
    if (!degraded) tell(null);
    return state;
  };

  /** Asks for what is pending; it stays pending while it cannot be had. */
  const ask = async (id: string): Promise<void> => {
    const state = watched.get(id);
    if (!state || state.pending === null) return;
    const scope = state.pending;
    state.pending = null;
    try {
      const started = await (options.startScan ?? startScan)(db, id, { scope, trigger: 'watch' });
      if (started.already_running) state.pending = scope;
    } catch {
      state.pending = state.pending === null ? scope : commonFolder(state.pending, scope);
    }
  };

  const closeAll = (): void => {
    for (const { watch } of watched.values()) watch?.close();
    watched.clear();
  };

  return {
    look,
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
          timer = setTimeout(resolve, lookEveryMs);
        });
        return Promise.race([waited, stopped]).finally(() => clearTimeout(timer));
      };
      running = (async () => {
        while (!over) {
          try {
            await db.connection().execute(async (held) => {
              const { rows } = await sql<{ got: boolean }>`select pg_try_advisory_lock(hashtextextended(${lockName}, 0)) as got`.execute(
                held,
              );
              if (!rows[0]!.got) return;
              try {
                while (!over) {
                  // The lock lives as long as this connection does; a dead one fails here.
                  await sql`select 1`.execute(held);
                  await look();
                  await pause();
                }
              } finally {
                closeAll();
                await sql`select pg_advisory_unlock(hashtextextended(${lockName}, 0))`.execute(held).catch(() => {});
              }
            });
          } catch (error) {
            log.error('Watching was interrupted and starts again.', { error });
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

/** Libraries that want watching, themselves or for one of their folders. */
async function librariesToWatch(db: Db): Promise<WatchedLibrary[]> {
  const { rows } = await sql<WatchedLibrary>`
    select id, root_path, watch_degraded, updated_at, enabled_presets, exclude_globs, include_globs, enabled_categories, enabled_groups
    from libraries l
    where enabled and source_agent_id is null
      and (watch_mode or exists (select from scan_paths p where p.library_id = l.id and p.enabled and p.watch_mode))
    order by id`.execute(db);
  return rows;
}

export interface IncrementalRule {
  incremental: boolean;
  maxEvents: number;
}

/** What to scan after a batch: '' is the whole library, else the nearest folder above all that happened. */
export function scopeOfBatch({ events, paths }: WatchBatch, { incremental, maxEvents }: IncrementalRule): string {
  if (!incremental || paths === null || paths.length === 0 || events > maxEvents) return '';
  // The folder a name lies in: the name itself may be gone.
  return paths.map((path) => path.slice(0, Math.max(0, path.lastIndexOf('/')))).reduce(commonFolder);
}
