import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createHasher, createInlineWalk, createWalkFileSystem, entryFieldCount, entryKinds, type WalkFileSystem } from '@catalog/scanner';
import { afterAll, expect, test } from 'vitest';
import type { Policy } from './policy.ts';
import { scanRoot } from './scan.ts';
import { openStore } from './store.ts';

const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-unreadable-'));
const root = path.join(folder, 'files');
const policy = { presets: [], exclude_globs: [], include_globs: [], content_hash_max_bytes: 1e9 } as unknown as Policy;
const hasher = createHasher({ threads: 1 });
const store = openStore(path.join(folder, 'index.sqlite'));
afterAll(async () => {
  await hasher.close();
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('files and folders that are listed but cannot be examined are not reported as deleted', async () => {
  for (const name of ['a/file.txt', 'a/sub/deep.txt', 'a/gone.txt', 'b.txt']) {
    mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
    writeFileSync(path.join(root, name), name);
  }
  await scanRoot(store, root, policy, { hasher });
  const files = (): string[] =>
    store.all<{ dir: string; name: string }>('select dir, name from files order by dir, name').map(({ dir, name }) => path.join(dir, name));
  const before = files();
  rmSync(path.join(root, 'a/gone.txt'));
  const disk = createWalkFileSystem({ network: false, stableIds: true });
  // Like a folder that may be listed but not entered.
  const failing: WalkFileSystem = {
    ...disk,
    readFolder(at, into) {
      disk.readFolder(at, into);
      if (!at.endsWith('/a')) return;
      for (const index of into.names.keys()) into.rows[index * entryFieldCount] = entryKinds.unreadable;
    },
  };
  const result = await scanRoot(store, root, policy, { hasher, startWalk: createInlineWalk(failing) });
  expect(result).toMatchObject({ deleted: 1, unreadable: 2 });
  expect(files()).toEqual(before.filter((name) => name !== 'a/gone.txt'));
  expect(await scanRoot(store, root, policy, { hasher })).toMatchObject({ created: 0, modified: 0, deleted: 0, unreadable: 0 });
});

test('a part of a root that cannot be reached is not reported as deleted', async () => {
  const count = (): number => store.get<{ n: number }>('select count(*) as n from files')?.n ?? 0;
  const before = count();
  // A watch reports changes in a folder after the right to enter the folder above it is gone.
  const resolvePath = (): string => {
    throw Object.assign(new Error('permission denied'), { code: 'EACCES' });
  };
  const scopes = [{ path: 'a/sub', recursive: true }];
  expect(await scanRoot(store, root, policy, { hasher, scopes, resolvePath })).toMatchObject({ deleted: 0, unreadable: 1 });
  expect(count()).toBe(before);
  rmSync(path.join(root, 'a/sub'), { recursive: true });
  expect(await scanRoot(store, root, policy, { hasher, scopes })).toMatchObject({ deleted: 1, unreadable: 0 });
});

test('parts of a root are scanned although a disk elsewhere below it has come or gone', async () => {
  const stored = JSON.parse(store.meta(`identity ${root}`)!) as unknown[];
  // As if a drive at `nas` had been there when the root was scanned as a whole.
  store.setMeta(`identity ${root}`, JSON.stringify([...stored, [`${realpathSync(root)}/nas`, '0']]));
  writeFileSync(path.join(root, 'a/new.txt'), 'new');
  const scanPart = (at: string, recursive: boolean) => scanRoot(store, root, policy, { hasher, scopes: [{ path: at, recursive }] });
  expect(await scanPart('a', true)).toMatchObject({ created: 1 });
  writeFileSync(path.join(root, 'top.txt'), 'new');
  expect(await scanPart('', false)).toMatchObject({ created: 1 });
  for (const at of ['nas', 'nas/films']) await expect(scanPart(at, false), at).rejects.toThrow('is not the folder that was scanned before');
  store.setMeta(`identity ${root}`, JSON.stringify(stored));
});

test('a root of which nothing can be read is not called empty', async () => {
  const disk = createWalkFileSystem({ network: false, stableIds: true });
  const failing: WalkFileSystem = {
    ...disk,
    readFolder(at, into) {
      disk.readFolder(at, into);
      for (const index of into.names.keys()) into.rows[index * entryFieldCount] = entryKinds.unreadable;
    },
  };
  await expect(scanRoot(store, root, policy, { hasher, startWalk: createInlineWalk(failing) })).rejects.toThrow('can be read');
});
