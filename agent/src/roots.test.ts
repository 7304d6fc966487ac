import { lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Client } from './client.ts';
import type { Command, CommandContext } from './commands.ts';
import { requireInside } from './roots.ts';
import { type FileRow, openStore, type Store } from './store.ts';
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

test('a link is compared itself, wherever it leads, and its target is never sent', async () => {
  const verify = createVerify({ store, roots: [root], bytesPerSecond: 0 });
  const upload = { store, client, roots: [root], bytesPerSecond: 0, wait: async () => {} };
  const reported = store.get<FileRow>(`select ${store.columns} from files where root = ? and dir = 'own'`, root)!;
  for (const [name, target] of Object.entries({ inside: 'kept.txt', away: path.join(outside, 'kept.txt'), dangling: 'nothing' })) {
    symlinkSync(target, path.join(root, 'own', name));
    store.put('files', root, { ...reported, name, symlink_target: target, quick_hash: null });
    const { size, mtimeNs } = lstatSync(path.join(root, 'own', name), { bigint: true });
    for (const kind of ['stat_check', 'rehash_check'])
      expect(await verify(command(kind, `own/${name}`), context), name).toEqual({
        exists: true,
        size: Number(size),
        mtime_ns: String(mtimeNs),
      });
    await expect(performUpload(upload, command('stage_upload', `own/${name}`), context)).rejects.toThrow('The file is a symlink');
  }
  // A file that has become a link is not the file that was reported.
  store.put('files', root, { ...reported, name: 'inside' });
  expect(await verify(command('stat_check', 'own/inside'), context)).toEqual({ exists: false });
  await expect(performUpload(upload, command('stage_upload', 'own/inside'), context)).rejects.toThrow('The file is a symlink');
  expect(asked).toEqual([]);
});
