import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHasher } from '@catalog/scanner';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Policy } from './policy.ts';
import { scanRoot } from './scan.ts';
import { openStore, type Store } from './store.ts';
import { createRootWatcher, type RootWatcher } from './watching.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-watching-'));
const root = path.join(folder, 'files');
const policy = {
  ...{ presets: [], exclude_globs: ['left-out/'], include_globs: [], content_hash_max_bytes: 1e9 },
  ...{ watch_mode: true, pause_on_battery: false, cpu_max_percent: null },
} as unknown as Policy;
const hasher = createHasher({ threads: 1 });
let store: Store;
let watcher: RootWatcher;

const write = (name: string, text = name): void => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
};
/** Scans what was reported until the index holds exactly these files. */
const follow = async (names: string[]): Promise<void> => {
  await expect
    .poll(
      async () => {
        const scopes = watcher.take().get(root);
        if (scopes) await scanRoot(store, root, policy, { hasher, scopes });
        return store
          .all<{ dir: string; name: string }>('select dir, name from files order by dir, name')
          .map(({ dir, name }) => path.join(dir, name))
          .sort();
      },
      { timeout: 30_000, interval: 200 },
    )
    .toEqual(names);
};
const entries = (): string[] =>
  store.all<{ entry: string }>('select entry from outbox order by seq').map(({ entry }) => {
    const { event_type, rel_path } = JSON.parse(entry) as { event_type: string; rel_path: string };
    return `${event_type} ${rel_path}`;
  });

beforeAll(async () => {
  mkdirSync(path.join(folder, 'outside'));
  writeFileSync(path.join(folder, 'outside', 'secret.txt'), 'secret');
  write('a/one.txt');
  write('a/deep/two.txt');
  write('b/three.txt');
  store = openStore(path.join(folder, 'index.sqlite'));
  watcher = createRootWatcher(store, [root], () => {});
  watcher.follow(policy);
  await scanRoot(store, root, policy, { hasher });
  store.run('delete from outbox');
});
afterAll(async () => {
  watcher.close();
  await hasher.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('new folders, moves and deletions are found by scanning only what was reported', async () => {
  write('c/new/four.txt');
  await follow(['a/deep/two.txt', 'a/one.txt', 'b/three.txt', 'c/new/four.txt'].sort());
  expect(entries()).toEqual(['created c/new/four.txt']);
  renameSync(path.join(root, 'a/deep'), path.join(root, 'b/deep'));
  await follow(['a/one.txt', 'b/deep/two.txt', 'b/three.txt', 'c/new/four.txt'].sort());
  expect(entries().at(-1)).toBe('moved b/deep/two.txt');
  rmSync(path.join(root, 'c'), { recursive: true });
  await follow(['a/one.txt', 'b/deep/two.txt', 'b/three.txt'].sort());
});

test('excluded folders and caches are not scanned because something changes in them', async () => {
  write('left-out/x.txt');
  write('cache/CACHEDIR.TAG', 'Signature: 8a477f597d28d172789f06886806bc55');
  write('cache/sub/y.txt');
  write('a/last.txt');
  await follow(['a/last.txt', 'a/one.txt', 'b/deep/two.txt', 'b/three.txt'].sort());
  write('cache/sub/z.txt');
  write('left-out/z.txt');
  write('a/later.txt');
  await follow(['a/last.txt', 'a/later.txt', 'a/one.txt', 'b/deep/two.txt', 'b/three.txt'].sort());
});

test('a folder that became a link is not followed', async () => {
  rmSync(path.join(root, 'b'), { recursive: true });
  symlinkSync(path.join(folder, 'outside'), path.join(root, 'b'));
  // The link itself is reported, not what it leads to.
  await follow(['a/last.txt', 'a/later.txt', 'a/one.txt', 'b'].sort());
});

test('when another folder is in the place of the root, nothing is reported as deleted', async () => {
  renameSync(root, path.join(folder, 'aside'));
  mkdirSync(root);
  const before = entries();
  await expect(scanRoot(store, root, policy, { hasher, scopes: [{ path: '', recursive: false }] })).rejects.toThrow(
    'Nothing was reported as deleted',
  );
  expect(entries()).toEqual(before);
});

test('a root is watched again, and scanned as a whole, when its disk comes back', async () => {
  const isWatched = (): boolean => watcher.report().some(({ watched }) => watched);
  await expect.poll(isWatched, { timeout: 30_000 }).toBe(false);
  watcher.take();
  watcher.follow(policy);
  expect(isWatched()).toBe(true);
  expect([...watcher.take()]).toEqual([[root, undefined]]);
  watcher.follow(policy);
  expect(watcher.take().size).toBe(0);
  write('new.txt');
  await expect.poll(() => [...watcher.take().keys()], { timeout: 30_000 }).toEqual([root]);
});

test('a root that comes back as it was, before anybody looks, is watched again too', async () => {
  const isWatched = (): boolean => watcher.report().some(({ watched }) => watched);
  renameSync(root, `${root}-away`);
  await expect.poll(isWatched, { timeout: 30_000 }).toBe(false);
  renameSync(`${root}-away`, root);
  watcher.take();
  watcher.follow(policy);
  expect(isWatched()).toBe(true);
  expect([...watcher.take()]).toEqual([[root, undefined]]);
});
