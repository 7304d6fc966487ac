import { renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree, write } from './library.fixture.ts';

// Folders that take the name of a folder that was renamed or deleted.
let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());
const rename = (root: string, from: string, to: string): void => renameSync(path.join(root, from), path.join(root, to));
const tag = (library: string, relPath: string, name: string) =>
  sql`update items set tags = ${[name]} where library_id = ${library} and rel_path = ${relPath}`.execute(database.db);
/** Status and tags by path. Also expects the size and hash of each file to be those that a new library gets from a scan of the same folder. */
const shown = async (library: string, root: string) => {
  const fresh = await addLibrary(database.db, root);
  await scan(database.db, fresh, { options: { crossLibraryMoves: false } });
  const expected = await items(database.db, fresh);
  await sql`delete from items where library_id = ${fresh}`.execute(database.db);
  return Object.fromEntries(
    Object.entries(await items(database.db, library)).map(([relPath, { status, size, tags, content_hash }]) => {
      if (status === 'active')
        expect([relPath, size, content_hash]).toEqual([relPath, expected[relPath]?.size, expected[relPath]?.content_hash]);
      return [relPath, [status, ...tags].join(' ')];
    }),
  );
};

test('a renamed folder whose name another one took, with a file of the same name: both files are catalogued with their own bytes', async () => {
  const root = tree({ 'b/1.txt': 'old bytes', 'stay.txt': 'x' });
  const library = await addLibrary(database.db, root);
  await scan(database.db, library);
  rename(root, 'b', 'c');
  write(root, { 'b/1.txt': 'entirely new bytes' });
  await scan(database.db, library);
  const after = { 'b/1.txt': 'active', 'c/1.txt': 'active', 'stay.txt': 'active' };
  expect(await shown(library, root)).toEqual(after);
  await scan(database.db, library);
  expect(await shown(library, root)).toEqual(after);
});

test('a chain of renamed folders with files of the same names loses no file and no tag; those of a path that is taken stay with it', async () => {
  const root = tree({ 'a/1.txt': 'bytes of a', 'b/1.txt': 'the bytes of b', 'stay.txt': 'x' });
  const library = await addLibrary(database.db, root);
  await scan(database.db, library);
  await tag(library, 'a/1.txt', 'A');
  await tag(library, 'b/1.txt', 'B');
  rename(root, 'b', 'c');
  rename(root, 'a', 'b');
  await scan(database.db, library);
  const after = { 'a/1.txt': 'missing A', 'b/1.txt': 'active B', 'c/1.txt': 'active', 'stay.txt': 'active' };
  expect(await shown(library, root)).toEqual(after);
  await scan(database.db, library);
  expect(await shown(library, root)).toEqual(after);
});

test.each([10, 5 * 1024 * 1024])('a file of %i bytes in a folder that takes the name of a deleted one keeps its own tags', async (size) => {
  const root = tree({ 'b/photo.bin': Buffer.alloc(size, 1), 'stay.txt': `x${size}` });
  const library = await addLibrary(database.db, root);
  await scan(database.db, library);
  await tag(library, 'b/photo.bin', 'B');
  rmSync(path.join(root, 'b'), { recursive: true });
  await scan(database.db, library);
  write(root, { 'a/photo.bin': Buffer.alloc(size, 2) });
  await scan(database.db, library);
  await tag(library, 'a/photo.bin', 'A');
  rename(root, 'a', 'b');
  await scan(database.db, library);
  expect((await items(database.db, library))['b/photo.bin']).toMatchObject({ status: 'active', tags: ['A'] });
});

test('a file in the recycle bin stays there when its folder is renamed', async () => {
  const root = tree({ 'old/1.txt': '1', 'old/3.txt': '3', 'stay.txt': 'x' });
  const library = await addLibrary(database.db, root);
  await scan(database.db, library);
  await sql`update items set status = 'trashed', deleted_at = now() where library_id = ${library} and rel_path = 'old/3.txt'`.execute(
    database.db,
  );
  await scan(database.db, library);
  rename(root, 'old', 'new');
  await scan(database.db, library);
  expect(await shown(library, root)).toEqual({ 'new/1.txt': 'active', 'new/3.txt': 'trashed', 'stay.txt': 'active' });
});

test.each([
  ['a file', 'put aside', {}],
  ['a large file', Buffer.alloc(5 * 1024 * 1024, 3), {}],
  ['a file of which only samples are hashed', Buffer.alloc(5 * 1024 * 1024, 4), { hash_policy: 'quick_only' }],
])('%s in the recycle bin stays there with its tags when it is renamed', async (_, bytes, fields) => {
  const root = tree({ 'a.txt': bytes, 'stay.txt': 'x' });
  const library = await addLibrary(database.db, root, fields);
  await scan(database.db, library);
  await tag(library, 'a.txt', 'A');
  await sql`update items set status = 'trashed', deleted_at = now() where library_id = ${library} and rel_path = 'a.txt'`.execute(
    database.db,
  );
  rename(root, 'a.txt', 'b.txt');
  const shown = async () =>
    Object.fromEntries(
      Object.values(await items(database.db, library)).map(({ rel_path, status, tags }) => [rel_path, [status, ...tags].join(' ')]),
    );
  expect((await scan(database.db, library)).stats).toMatchObject({ moved: 0, new: 0, missing: 0 });
  const after = { 'b.txt': 'trashed A', 'stay.txt': 'active' };
  expect(await shown()).toEqual(after);
  await scan(database.db, library);
  expect(await shown()).toEqual(after);
});
