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
