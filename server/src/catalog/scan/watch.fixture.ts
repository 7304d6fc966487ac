import { type FolderWatchOptions, type WatchBatch, watchFolders } from '@catalog/scanner';
import { sql } from 'kysely';
import { onTestFinished, vi } from 'vitest';
import type { Db } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { addLibrary } from './library.fixture.ts';
import { createWatchSupervisor, type WatchOptions } from './watch.ts';

export function watching(root: string, options: Partial<FolderWatchOptions> = {}) {
  const batches: WatchBatch[] = [];
  const reasons: string[] = [];
  const watcher = watchFolders({
    root,
    isPruned: (at) => at.split('/').at(-1)!.startsWith('.'),
    quietMs: 60,
    onBatch: (batch) => void batches.push(batch),
    onDegraded: (reason) => void reasons.push(reason),
    onLost: () => {},
    ...options,
  });
  onTestFinished(() => watcher.close());
  const seen = (): Set<string> => new Set(batches.flatMap(({ paths }) => paths ?? []));
  return { watcher, batches, reasons, seen };
}
export const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000, interval: 20 });

/** A supervisor whose watches and scans the test controls. */
export function supervised(db: Db, options: Partial<WatchOptions> = {}) {
  const watches: (FolderWatchOptions & { isReady: () => void; closed: boolean })[] = [];
  const requested: { library: string; scopes: string }[] = [];
  let refused = false;
  const supervisor = createWatchSupervisor({
    db,
    log: silentLog,
    options: {
      incremental: true,
      maxEvents: 64,
      isOnNetwork: () => false,
      watchFolders: (given) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        const watched = { ...given, isReady: resolve, closed: false };
        watches.push(watched);
        return { ready: promise, folders: 1, close: () => void Object.assign(watched, { closed: true }) };
      },
      startScan: async (_db, library, { scopes = [] }) => {
        if (refused) throw new Error('maintenance mode');
        requested.push({ library, scopes: scopes.map(({ path: at, depth }) => `${at}:${depth}`).join() });
        return { scan_id: 'x', job_id: null, status: 'running', already_running: false };
      },
      ...options,
    },
  });
  onTestFinished(() => supervisor.stop());
  return { supervisor, watches, requested, refuse: (value: boolean) => (refused = value) };
}

export async function onlyWatched(db: Db, root: string): Promise<string> {
  await sql`update libraries set watch_mode = false`.execute(db);
  return addLibrary(db, root, { watch_mode: true });
}
