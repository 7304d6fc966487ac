import { rmSync } from 'node:fs';
import path from 'node:path';
import {
  createInlineHasher,
  createInlineWalk,
  createWalkFileSystem,
  entryFieldCount,
  entryKinds,
  systemHashFileSystem,
  type WalkFileSystem,
} from '@catalog/scanner';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, statuses, tree, write } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

/** The real file system with other numbers in the rows of one name. */
function withRow(name: string, change: (rows: Uint32Array, start: number) => void): WalkFileSystem {
  const files = createWalkFileSystem({ network: false, stableIds: true });
  return {
    ...files,
    readFolder(folder, into) {
      files.readFolder(folder, into);
      const index = into.names.indexOf(name);
      if (index !== -1) change(into.rows, index * entryFieldCount);
    },
  };
}

test('a sparse file of almost 2^63 bytes is cataloged with the largest size that can be stored', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a/huge.img': 'x', 'b/huge.img': 'y', 'c.txt': 'z' }));
  const files = withRow('huge.img', (rows, start) => rows.set([0xffff_ffff, 0x7fff_ffff], start + 1));
  expect(await scan(db, library, { deps: { startWalk: createInlineWalk(files) } })).toMatchObject({
    status: 'finished',
    stats: { new: 3 },
  });
  expect((await items(db, library))['a/huge.img']!.size).toBe(Number.MAX_SAFE_INTEGER);
});

test('an entry that cannot be examined is counted under its own error', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x', 'b.txt': 'y' }));
  await scan(db, library);
  const files = withRow('a.txt', (rows, start) => rows.set([entryKinds.unreadable, 5], start));
  expect(await scan(db, library, { deps: { startWalk: createInlineWalk(files) } })).toMatchObject({
    stats: { permission_denied: 0, unreadable: { EIO: 1 }, unreadable_paths: [{ path: 'a.txt', code: 'EIO' }], missing: 0 },
  });
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active', 'b.txt': 'active' });
});

test('damaged entries of a large folder do not stop its scans; most of its entries do', async () => {
  const { db } = database;
  const names = Array.from({ length: 300 }, (_, n) => `${String(n).padStart(3, '0')}.txt`);
  const root = tree(Object.fromEntries(names.map((name) => [name, 'x'])));
  const library = await addLibrary(db, root);
  await scan(db, library);
  write(root, { 'new.txt': 'y' });
  rmSync(path.join(root, '299.txt'));
  const failing = (count: number) => {
    const files = createWalkFileSystem({ network: false, stableIds: true });
    return createInlineWalk({
      ...files,
      readFolder(folder, into) {
        files.readFolder(folder, into);
        for (const name of names.slice(0, count)) into.rows.set([entryKinds.unreadable, 5], into.names.indexOf(name) * entryFieldCount);
      },
    });
  };
  expect(await scan(db, library, { deps: { startWalk: failing(25) } })).toMatchObject({
    status: 'finished',
    stats: { new: 1, missing: 1, unreadable: { EIO: 25 } },
  });
  expect(await statuses(db, library)).toMatchObject({ '000.txt': 'active', 'new.txt': 'active', '299.txt': 'missing' });
  expect(await scan(db, library, { deps: { startWalk: failing(100) } })).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('100 of 300 files could not be read'),
  });
});

test('a large file that cannot be read to its end is counted and stored with the error, until it can be read', async () => {
  const { db } = database;
  const root = tree();
  write(root, { 'large.bin': Buffer.alloc(5_000_000, 1) });
  const library = await addLibrary(db, root);
  const broken = createInlineHasher({
    ...systemHashFileSystem,
    read(file, into, length, position) {
      // Between the parts that the quick hash covers.
      if (length === 1 << 20 && position > 0) throw Object.assign(new Error('bad sector'), { code: 'EIO' });
      return systemHashFileSystem.read(file, into, length, position);
    },
  });
  const run = await scan(db, library, { deps: { createHasher: () => broken } });
  expect(run).toMatchObject({ status: 'finished', stats: { new: 1, hash_errors: 1, content_hashed: 0 } });
  expect((await items(db, library))['large.bin']).toMatchObject({ quick_hash: expect.any(String), content_hash: null, hash_error: 'EIO' });
  // What a watch starts for every change in the folder leaves it alone.
  write(root, { 'other.txt': 'x' });
  const watched = await scan(db, library, { scopes: [{ path: '', depth: 'changes' }] });
  expect(watched.stats).toMatchObject({ new: 1, hash_errors: 0, content_hashed: 0 });
  await scan(db, library);
  expect((await items(db, library))['large.bin']).toMatchObject({ content_hash: expect.any(String), hash_error: null });
});
