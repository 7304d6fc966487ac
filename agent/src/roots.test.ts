import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from './client.ts';
import type { Command, CommandContext } from './commands.ts';
import { requireInside } from './roots.ts';
import { openStore, type Store } from './store.ts';
import { performUpload } from './upload.ts';
import { createVerify } from './verify-file.ts';

// Without the scans of a running agent, which would notice after a while that a folder has become a link.
const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-roots-'));
const [root, outside] = ['files', 'outside'].map((name) => path.join(folder, name)) as [string, string];
const asked: string[] = [];
const client: Client = {
  clockOffset: () => 0,
  async send(method, url) {
    asked.push(`${method} ${url}`);
    throw new Error('Nothing may be sent.');
  },
};
const context: CommandContext = { id: 'x', signal: new AbortController().signal, progress: () => {} };
const command = (kind: string, relPath: string): Command => ({
  id: 'x',
  kind,
  status: 'picked_up',
  payload: { library_ref: root, rel_path: relPath },
});
let store: Store;

beforeAll(() => {
  for (const each of [root, path.join(root, 'own'), outside]) mkdirSync(each);
  for (const file of [path.join(outside, 'kept.txt'), path.join(root, 'own', 'kept.txt')]) writeFileSync(file, 'text');
  symlinkSync(outside, path.join(root, 'swapped'));
  symlinkSync(path.join(root, 'own'), path.join(root, 'turned'));
  store = openStore(path.join(folder, 'index.db'));
  const facts = { size: 4, mtime_ns: '1', inode: '1', device: 1, links: 1, ctime_ns: null, symlink_target: null };
  const hashes = { quick_hash: 'q', content_hash: null, policy_version: null, hash_error: null, acl: null, allocated: null };
  for (const dir of ['swapped', 'own', 'gone']) store.put('files', root, { dir, name: 'kept.txt', ...facts, ...hashes });
});
afterAll(() => {
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

test('a path is inside a root only where it is on disk, whatever links say', async () => {
  expect(await requireInside(root, 'own/kept.txt')).toBe(path.join(root, 'own', 'kept.txt'));
  // A link inside the root stays inside.
  expect(await requireInside(root, 'turned/kept.txt')).toBe(path.join(root, 'turned', 'kept.txt'));
  for (const relPath of ['swapped/kept.txt', '../outside/kept.txt', 'own/../../outside/kept.txt'])
    await expect(requireInside(root, relPath), relPath).rejects.toThrow('outside the folder');
  await expect(requireInside(path.join(folder, 'file'), '')).rejects.toThrow();
});

test('a reported file behind a folder that became a link is neither sent nor looked at', async () => {
  const verify = createVerify({ store, roots: [root], bytesPerSecond: 0 });
  const upload = { store, client, roots: [root], bytesPerSecond: 0, wait: async () => {} };
  await expect(performUpload(upload, command('stage_upload', 'swapped/kept.txt'), context)).rejects.toThrow('outside the folder');
  for (const kind of ['stat_check', 'rehash_check'])
    await expect(verify(command(kind, 'swapped/kept.txt'), context), kind).rejects.toThrow('outside the folder');
  expect(asked).toEqual([]);
  expect(await verify(command('rehash_check', 'own/kept.txt'), context)).toMatchObject({ exists: true, size: 4 });
  expect(await verify(command('stat_check', 'gone/kept.txt'), context)).toEqual({ exists: false });
});
