import { mkdirSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { createInlineWalk, createWalkFileSystem, type WalkFileSystem } from '@catalog/scanner';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, scan, statuses, tree, write } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const changes = (at: string) => ({ path: at, depth: 'changes' as const });
const whole = (at: string) => ({ path: at, depth: 'tree' as const });
const disk = createWalkFileSystem({ network: false });

test('a watch that reports a folder which cannot be read still scans the others', async () => {
  const { db } = database;
  const root = tree({ 'a/1.txt': 'x', 'z/2.txt': 'y' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  mkdirSync(path.join(root, 'private'));
  write(root, { 'a/new.txt': 'n' });
  rmSync(path.join(root, 'z/2.txt'));
  const files: WalkFileSystem = {
    ...disk,
    readFolder(folder, into) {
      if (folder.endsWith('/private')) throw Object.assign(new Error('denied'), { code: 'EACCES' });
      disk.readFolder(folder, into);
    },
  };
  const scopes = [changes(''), changes('a'), whole('private'), changes('z')];
  expect(await scan(db, library, { scopes, deps: { startWalk: createInlineWalk(files) } })).toMatchObject({
    status: 'finished',
    stats: { new: 1, missing: 1, permission_denied: 1 },
  });
  expect(await statuses(db, library)).toEqual({ 'a/1.txt': 'active', 'a/new.txt': 'active', 'z/2.txt': 'missing' });
});

test('a symlink is not followed when a scan starts at it or below it', async () => {
  const { db } = database;
  const outside = tree({ 'secret/1.txt': 'x', 'secret/deep/2.txt': 'y' });
  const root = tree({ 'a.txt': 'z' });
  symlinkSync(path.join(outside, 'secret'), path.join(root, 'link'));
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await statuses(db, library);
  for (const at of ['link', 'link/deep', 'link/1.txt']) await scan(db, library, { scope: at });
  expect(await statuses(db, library)).toEqual(before);
  expect(Object.keys(before)).toEqual(['a.txt', 'link']);
});

test('a folder below one that is marked as a cache is skipped like the cache', async () => {
  const { db } = database;
  const root = tree({ 'target/CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55', 'target/debug/a.o': 'x', 'src/b.rs': 'y' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  for (const scope of [changes('target'), changes('target/debug'), whole('target/debug')]) await scan(db, library, { scopes: [scope] });
  await scan(db, library, { scope: 'target/debug/a.o' });
  expect(await statuses(db, library)).toEqual({ 'src/b.rs': 'active' });
});

test('on a disk that ignores case a folder is not cataloged a second time under another name', async () => {
  const { db } = database;
  const root = tree({ 'Photos/1.jpg': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  // The folder answers to both names, but is listed under one.
  mkdirSync(path.join(root, 'photos'));
  write(root, { 'photos/1.jpg': 'x' });
  const files = (): WalkFileSystem => ({ ...disk, listNames: (folder) => disk.listNames(folder).filter(({ name }) => name !== 'photos') });
  for (const scope of [whole('photos'), whole('photos/1.jpg')]) await scan(db, library, { scopes: [scope], deps: { files } });
  expect(await statuses(db, library)).toEqual({ 'Photos/1.jpg': 'active' });
});
