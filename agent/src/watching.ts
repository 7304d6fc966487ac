/**
 * Watches the roots between scans, where the system can, so that a change is reported within seconds. What a watch reports decides only
 * which folders are scanned next; a watch that fails or loses events costs a scan of the whole root, never a change.
 */
import { lstatSync } from 'node:fs';
import { diskPath, type FolderWatch, type Ignore, isOnNetwork, type WatchBatch, watchedDisks, watchFolders } from '@catalog/scanner';
import type { Policy } from './policy.ts';
import { ignoreOf, type ScanScope } from './scan.ts';
import type { Store } from './store.ts';

/** More folders than this are scanned as a whole root. */
const maxScopes = 256;
const quietMs = 1000;

export interface RootWatcher {
  /** Watches the roots, or stops, as the policy says. Roots whose disks have changed since are watched anew, and are to be scanned as a whole. */
  follow(policy: Policy): void;
  /** Roots with changes since the last call, and where. */
  take(): Map<string, ScanScope[] | undefined>;
  /** Resolves at the next change, or at once when there is one. */
  changed(): Promise<void>;
  /** How each root is watched, in words. */
  report(): { root: string; watched: boolean; reason?: string }[];
  close(): void;
}

export function createRootWatcher(store: Store, roots: readonly string[], log: (line: string) => void): RootWatcher {
  const watches = new Map<string, FolderWatch>();
  const refused = new Map<string, string>();
  /** What each root was on when its watch began, unless that was lost since. */
  const disks = new Map<string, string | null>();
  let stamp: string | null = null;
  let ignore: Ignore | undefined;
  /** Null: the whole root. */
  const dirty = new Map<string, Set<string> | null>();
  let wake: (() => void) | undefined;

  const note = (root: string, { paths }: WatchBatch): void => {
    const known = dirty.get(root);
    if (paths === null || known === null) dirty.set(root, null);
    else dirty.set(root, new Set([...(known ?? []), ...paths]));
    wake?.();
  };
  const close = (): void => {
    for (const watch of watches.values()) watch.close();
    watches.clear();
    refused.clear();
  };
  const open = (root: string, rules: Ignore): void => {
    watches.get(root)?.close();
    watches.delete(root);
    refused.delete(root);
    disks.set(root, disksOf(root, rules));
    if (disks.get(root) === null) {
      refuse(root, 'It is on a network drive, which reports no changes of other machines.');
      return;
    }
    const watch = watchFolders({
      root,
      quietMs,
      isPruned: (path) => rules.decide(path, true)?.excluded ?? false,
      onBatch: (batch) => note(root, batch),
      onDegraded: (reason) => refuse(root, reason),
      onLost: () => void disks.delete(root),
    });
    if (!refused.has(root)) watches.set(root, watch);
  };
  const refuse = (root: string, reason: string): void => {
    watches.delete(root);
    refused.set(root, reason);
    log(`${root} is not watched: ${reason}`);
  };
  return {
    close,
    follow(policy) {
      const { ignore: rules } = ignoreOf(policy);
      const wanted = policy.watch_mode ? rules.stamp : null;
      if (wanted !== stamp) {
        close();
        stamp = wanted;
        ignore = rules;
        if (wanted !== null) for (const root of roots) open(root, rules);
        return;
      }
      if (wanted === null) return;
      for (const root of roots) {
        if (disksOf(root, rules) === disks.get(root)) continue;
        open(root, rules);
        note(root, { events: 0, paths: null });
      }
    },
    take() {
      const taken = new Map(
        [...dirty].map(([root, paths]) => [root, paths === null || !ignore ? undefined : scopesOf(store, root, ignore, paths)]),
      );
      dirty.clear();
      return taken;
    },
    changed: () =>
      new Promise((resolve) => {
        if (dirty.size > 0) resolve();
        else wake = resolve;
      }),
    report: () =>
      stamp === null
        ? []
        : roots.map((root) => ({
            root,
            watched: watches.has(root),
            ...(refused.has(root) ? { reason: refused.get(root) as string } : {}),
          })),
  };
}

/** Null on a network drive, which may not respond. */
const disksOf = (root: string, rules: Ignore): string | null => (isOnNetwork(root) ? null : watchedDisks(root, rules));

/**
 * The folders to scan for changed paths. Where the folder of a path is known, it is scanned, and the path with everything below it when it is
 * or was a folder. Otherwise the topmost unknown folder on the way is scanned, which a scan may leave out as a cache.
 */
function scopesOf(store: Store, root: string, ignore: Ignore, paths: ReadonlySet<string>): ScanScope[] | undefined {
  const scopes = new Map<string, boolean>();
  const add = (path: string, recursive: boolean): void => {
    if (path === '' || !ignore.decide(path, true)?.excluded) scopes.set(path, recursive || (scopes.get(path) ?? false));
  };
  const isKnown = (path: string): boolean => store.get('select 1 from folders where root = ? and path = ?', root, path) !== undefined;
  for (const path of paths) {
    let [folder, child] = [parentOf(path), path];
    while (folder !== '' && !isKnown(folder)) [folder, child] = [parentOf(folder), folder];
    if (child !== path) add(child, true);
    else {
      add(folder, !isFolder(root, folder));
      if (isFolder(root, path) || isKnown(path)) add(path, true);
    }
    if (scopes.size > maxScopes) return undefined;
  }
  // A folder inside a tree that is scanned anyway would only be scanned twice.
  const trees = [...scopes].filter(([, recursive]) => recursive).map(([path]) => path);
  const inside = (path: string): boolean => trees.some((tree) => tree !== path && (tree === '' || path.startsWith(`${tree}/`)));
  return [...scopes].filter(([path]) => !inside(path)).map(([path, recursive]) => ({ path, recursive }));
}

const parentOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));

function isFolder(root: string, path: string): boolean {
  try {
    return lstatSync(diskPath(path === '' ? root : `${root}/${path}`)).isDirectory();
  } catch {
    return false;
  }
}
