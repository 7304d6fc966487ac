import { chmodSync, linkSync, renameSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInlineHasher, type HashFileSystem, systemHashFileSystem } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

/** A time without fractions, because utimes() loses some of them. */
const at = new Date('2020-01-02T03:04:05Z');

function datedTree(files: Record<string, string | Buffer>): string {
  const root = tree(files);
  for (const name of Object.keys(files)) utimesSync(path.join(root, name), at, at);
  return root;
}

/** Writes a file without changing its size or modification time. */
function writeSilently(file: string, bytes: string | Buffer): void {
  writeFileSync(file, bytes);
  utimesSync(file, at, at);
}

/** Counts the files that a scan opens. */
function countingHasher() {
  const opened: string[] = [];
  const files: HashFileSystem = {
    ...systemHashFileSystem,
    open(file) {
      opened.push(path.basename(file));
      return systemHashFileSystem.open(file);
    },
  };
  return { opened, deps: { createHasher: () => createInlineHasher(files) } };
}

test('two files of equal size and time that swap names are seen as changed', async () => {
  const { db } = database;
  const root = datedTree({ 'a.txt': 'first bytes', 'b.txt': 'other bytes', 'stay.txt': 'stay' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  renameSync(path.join(root, 'a.txt'), path.join(root, 'swap'));
  renameSync(path.join(root, 'b.txt'), path.join(root, 'a.txt'));
  renameSync(path.join(root, 'swap'), path.join(root, 'b.txt'));
  const queued: string[] = [];
  const run = await scan(db, library, { deps: { queueExtraction: async (_db, _library, ids) => void queued.push(...ids) } });
  expect(run.stats).toMatchObject({ changed: 2, new: 0, missing: 0, moved: 0 });
  const after = await items(db, library);
  expect(after['a.txt']).toMatchObject({ id: before['a.txt']!.id, content_hash: before['b.txt']!.content_hash });
  expect(after['b.txt']).toMatchObject({ id: before['b.txt']!.id, content_hash: before['a.txt']!.content_hash });
  expect(queued.sort()).toEqual([after['a.txt']!.id, after['b.txt']!.id].sort());
  expect((await scan(db, library)).stats).toMatchObject({ changed: 0, folders_unchanged: 1 });
});

test('bytes changed under a restored modification time are seen by the inode change time', async () => {
  const { db } = database;
  const root = datedTree({ 'a.txt': 'first bytes', 'large.bin': Buffer.alloc(300_000, 1) });
  const library = await addLibrary(db, root);
  await scan(db, library);
  writeSilently(path.join(root, 'a.txt'), 'other bytes');
  writeSilently(path.join(root, 'large.bin'), Buffer.alloc(300_000, 2));
  expect((await scan(db, library)).stats).toMatchObject({ changed: 2 });
  expect((await items(db, library))['large.bin']).toMatchObject({ content_hash: expect.any(String), policy_version: 'h1:full' });
});

test('a change of permissions, or a rewrite with the same bytes, is stored silently after one reading', async () => {
  const { db } = database;
  const root = datedTree({ 'a.txt': 'first bytes', 'b.txt': 'second' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  chmodSync(path.join(root, 'a.txt'), 0o600);
  writeSilently(path.join(root, 'b.txt'), 'second');
  const { opened, deps } = countingHasher();
  expect((await scan(db, library, { deps })).stats).toMatchObject({ changed: 0, new: 0 });
  expect(opened.sort()).toEqual(['a.txt', 'b.txt']);
  expect(await items(db, library)).toEqual(before);
  expect((await scan(db, library, { deps })).stats).toMatchObject({ changed: 0, folders_unchanged: 1 });
  expect(opened).toHaveLength(2);
});

test('a change of hard-link count alone is recorded silently, without reading the file', async () => {
  const { db } = database;
  const root = datedTree({ 'a.txt': 'first bytes' });
  const elsewhere = tree();
  const library = await addLibrary(db, root);
  await scan(db, library);
  linkSync(path.join(root, 'a.txt'), path.join(elsewhere, 'linked'));
  const { opened, deps } = countingHasher();
  expect((await scan(db, library, { deps })).stats).toMatchObject({ changed: 0 });
  expect(opened).toEqual([]);
  expect((await items(db, library))['a.txt']!.nlink).toBe(2);
});

test('a sparse file and a placeholder are stored with their size on disk, without a change in the log', async () => {
  const { db } = database;
  const whole = Buffer.alloc(200_000, 1);
  const root = datedTree({ 'sparse.img': whole.subarray(0, 70_000), 'whole.bin': whole, 'cloud.mov': '', 'small.txt': 'x' });
  for (const [name, size] of Object.entries({ 'sparse.img': 200_000, 'cloud.mov': 200_000, 'small.txt': 2_000 })) {
    truncateSync(path.join(root, name), size);
    utimesSync(path.join(root, name), at, at);
  }
  const library = await addLibrary(db, root);
  await scan(db, library);
  const allocated = async () =>
    (
      await sql<{
        rel_path: string;
        allocated: number | null;
      }>`select rel_path, allocated from items where library_id = ${library} order by rel_path`.execute(db)
    ).rows.map((row) => [row.rel_path, row.allocated]);
  expect(await allocated()).toEqual([
    ['cloud.mov', 0],
    ['small.txt', null],
    ['sparse.img', expect.toSatisfy((bytes: number) => bytes >= 70_000 && bytes < 200_000)],
    ['whole.bin', null],
  ]);
  writeSilently(path.join(root, 'cloud.mov'), Buffer.alloc(200_000));
  expect((await scan(db, library, { deps: { hasStableIds: () => false } })).stats).toMatchObject({ new: 0, changed: 0 });
  expect((await allocated())[0]).toEqual(['cloud.mov', null]);
});

test('where inodes are not stable, and on another device, only size and time are compared', async () => {
  const { db } = database;
  const root = datedTree({ 'a.txt': 'first bytes', 'b.txt': 'second' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const replace = (name: string, bytes: string): void => {
    const file = path.join(root, name);
    rmSync(file);
    // Keeps the freed inode from being used again.
    writeFileSync(path.join(root, `${name}.other`), 'x');
    writeFileSync(file, bytes);
    utimesSync(file, at, at);
  };
  replace('a.txt', 'other bytes');
  const { opened, deps } = countingHasher();
  expect((await scan(db, library, { deps: { ...deps, hasStableIds: () => false } })).stats).toMatchObject({ changed: 0, new: 1 });
  expect(opened).toEqual(['a.txt.other']);
  await sql`update items set dev = dev + 1 where library_id = ${library}`.execute(db);
  replace('b.txt', 'secant');
  expect((await scan(db, library, { deps })).stats).toMatchObject({ changed: 0, new: 1 });
  expect(opened).toEqual(['a.txt.other', 'b.txt.other']);
});
