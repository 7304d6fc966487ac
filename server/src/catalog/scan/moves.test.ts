import { copyFileSync, mkdirSync, renameSync, rmSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree, write } from './library.fixture.ts';
import { pairMoves } from './moves.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const tag = (id: string, ...tags: string[]) =>
  sql`update items set tags = ${tags}, user_metadata = '{"note": "mine"}' where id = ${id}`.execute(database.db);

describe('pairing files of the same bytes', () => {
  const file = (id: string, inode: string, mtimeNs: string) => ({ id, inode, mtimeNs });
  test('a rename is recognised by inode and time among any number of copies', () => {
    const pairs = pairMoves({
      fresh: [file('n1', '7', '100'), file('n2', '9', '500')],
      lost: [file('g1', '7', '100'), file('g2', '8', '100')],
      inPlace: [file('t', '3', '100')],
      proven: true,
    });
    expect(pairs).toEqual({ moves: [{ from: 'g1', to: 'n1' }], ambiguous: 1 });
  });
  test('a single new file and a single missing item are a move when no copy is in place', () => {
    expect(pairMoves({ fresh: [file('n', '1', '5')], lost: [file('g', '2', '4')], inPlace: [], proven: true }).moves).toEqual([
      { from: 'g', to: 'n' },
    ]);
  });
  test('with a copy in place, the modification time must match', () => {
    const inPlace = [file('t', '3', '9')];
    expect(pairMoves({ fresh: [file('n', '1', '5')], lost: [file('g', '2', '4')], inPlace, proven: true })).toEqual({
      moves: [],
      ambiguous: 1,
    });
    expect(pairMoves({ fresh: [file('n', '1', '4')], lost: [file('g', '2', '4')], inPlace, proven: true }).moves).toHaveLength(1);
    expect(pairMoves({ fresh: [file('n', '1', '9')], lost: [file('g', '2', '9')], inPlace, proven: true }).moves).toHaveLength(0);
  });
  test('two missing copies and one new file without a matching time are ambiguous', () => {
    expect(
      pairMoves({ fresh: [file('n', '1', '5')], lost: [file('g', '2', '4'), file('h', '3', '4')], inPlace: [], proven: true }).moves,
    ).toEqual([]);
  });
  test('without a content hash only the inode and time count', () => {
    expect(pairMoves({ fresh: [file('n', '1', '5')], lost: [file('g', '2', '5')], inPlace: [], proven: false }).moves).toEqual([]);
    expect(pairMoves({ fresh: [file('n', '1', '5')], lost: [file('g', '1', '5')], inPlace: [], proven: false }).moves).toHaveLength(1);
  });
});

test('a move within a library keeps id, tags and notes', async () => {
  const { db } = database;
  const root = tree({ 'old/a.txt': 'unique one', 'b.txt': 'two' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = (await items(db, library))['old/a.txt']!;
  await tag(before.id, 'kept');
  mkdirSync(path.join(root, 'new'));
  renameSync(path.join(root, 'old/a.txt'), path.join(root, 'new/c.jpg'));
  const run = await scan(db, library);
  expect(run.stats).toMatchObject({ new: 0, moved: 1, missing: 0, cross_moved: 0 });
  const after = await items(db, library);
  expect(Object.keys(after)).toEqual(['b.txt', 'new/c.jpg']);
  expect(after['new/c.jpg']).toMatchObject({
    id: before.id,
    status: 'active',
    tags: ['kept'],
    user_metadata: { note: 'mine' },
    file_category: 'image',
  });
});

test.each([
  ['a rename', true],
  ['a rename, with extraction after each batch', false],
  ['a copy to another disk', true],
])('%s that changes the extension queues the file for reading', async (how, stagedPipeline) => {
  const { db } = database;
  const root = tree({
    'flower.jpg.part': `flower by ${how}`,
    README: `read me by ${how}`,
    'same.txt': `same by ${how}`,
    'stay.txt': 'stay',
  });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  for (const [from, to] of [
    ['flower.jpg.part', 'flower.jpg'],
    ['README', 'README.md'],
    ['same.txt', 'renamed.txt'],
  ] as const) {
    const [source, target] = [path.join(root, from), path.join(root, to)];
    if (how === 'a copy to another disk') {
      copyFileSync(source, target);
      rmSync(source);
    } else renameSync(source, target);
  }
  const queued: string[] = [];
  const deps = { queueExtraction: async (_db: unknown, _library: string, ids: readonly string[]) => void queued.push(...ids) };
  expect((await scan(db, library, { deps, options: { stagedPipeline } })).stats).toMatchObject({ moved: 3, new: 0, missing: 0 });
  // A file that was queued as new before the move was recognized no longer exists.
  const known = new Set(Object.values(before).map(({ id }) => id));
  expect(queued.filter((id) => known.has(id)).sort()).toEqual([before['README']!.id, before['flower.jpg.part']!.id].sort());
});

test('an unmatched new file inherits the identity of a missing item in another library when byte-confirmed', async () => {
  const { db } = database;
  const [left, right] = [tree({ 'a.txt': 'across', 'stay.txt': 'stay' }), tree({ 'other.txt': 'other' })];
  const [from, to] = [await addLibrary(db, left), await addLibrary(db, right)];
  await scan(db, from);
  await scan(db, to);
  const { id } = (await items(db, from))['a.txt']!;
  await tag(id, 'kept');
  copyFileSync(path.join(left, 'a.txt'), path.join(right, 'b.txt'));
  rmSync(path.join(left, 'a.txt'));
  await scan(db, from);
  const run = await scan(db, to);
  expect(run.stats).toMatchObject({ moved: 1, cross_moved: 1, new: 0 });
  expect((await items(db, to))['b.txt']).toMatchObject({ id, tags: ['kept'], library_id: to, status: 'active' });
  expect(Object.keys(await items(db, from))).toEqual(['stay.txt']);
});

test('an equal quick hash is no proof: a large file is not moved across libraries without content hashes', async () => {
  const { db } = database;
  const bytes = Buffer.alloc(300_000, 7);
  const [left, right] = [tree({ 'big.bin': bytes, 'stay.txt': 'stays' }), tree({ 'other.txt': 'the other one' })];
  const from = await addLibrary(db, left, { hash_policy: 'quick_only' });
  const to = await addLibrary(db, right, { hash_policy: 'quick_only' });
  await scan(db, from);
  await scan(db, to);
  renameSync(path.join(left, 'big.bin'), path.join(right, 'big.bin'));
  await scan(db, from);
  expect((await scan(db, to)).stats).toMatchObject({ moved: 0, cross_moved: 0, new: 1 });
});

test('cross-library moves can be switched off', async () => {
  const { db } = database;
  const [left, right] = [tree({ 'a.txt': 'not across', 'stay.txt': 'stay here' }), tree({ 'other.txt': 'another' })];
  const [from, to] = [await addLibrary(db, left), await addLibrary(db, right)];
  await scan(db, from);
  await scan(db, to);
  renameSync(path.join(left, 'a.txt'), path.join(right, 'b.txt'));
  await scan(db, from);
  expect((await scan(db, to, { options: { crossLibraryMoves: false } })).stats).toMatchObject({ moved: 0, new: 1 });
  expect((await items(db, from))['a.txt']!.status).toBe('missing');
});

test('the same size and quick hash with other bytes is another item', async () => {
  const { db } = database;
  const big = (fill: number): Buffer => {
    const bytes = Buffer.alloc(400_000, 1);
    bytes[100_000] = fill;
    return bytes;
  };
  const root = tree({ 'a.bin': big(1), 'stay.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = (await items(db, library))['a.bin']!;
  rmSync(path.join(root, 'a.bin'));
  write(root, { 'b.bin': big(2) });
  const run = await scan(db, library);
  const after = await items(db, library);
  expect(after['b.bin']!.quick_hash).toBe(before.quick_hash);
  expect(after['b.bin']!.id).not.toBe(before.id);
  expect(run.stats).toMatchObject({ moved: 0, new: 1, missing: 1 });
});

test('a copy never takes the identity of a moved file', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'twin', 'b.txt': 'twin' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  await tag(before['a.txt']!.id, 'is a');
  await tag(before['b.txt']!.id, 'is b');
  copyFileSync(path.join(root, 'b.txt'), path.join(root, 'copy-of-b.txt'));
  renameSync(path.join(root, 'a.txt'), path.join(root, 'moved-a.txt'));
  await scan(db, library);
  let after = await items(db, library);
  expect(after['moved-a.txt']).toMatchObject({ id: before['a.txt']!.id, tags: ['is a'] });
  expect(after['b.txt']).toMatchObject({ id: before['b.txt']!.id, tags: ['is b'] });
  expect(after['copy-of-b.txt']!.tags).toEqual([]);
  // One copy was deleted and the other copied again, so the deleted one did not move.
  rmSync(path.join(root, 'moved-a.txt'));
  copyFileSync(path.join(root, 'b.txt'), path.join(root, 'late-copy.txt'));
  const run = await scan(db, library);
  after = await items(db, library);
  expect(run.stats).toMatchObject({ moved: 0, new: 1, missing: 1, move_ambiguous: 1 });
  expect(after['late-copy.txt']!.tags).toEqual([]);
  expect(after['moved-a.txt']).toMatchObject({ status: 'missing', tags: ['is a'] });
});

test('a move to another disk keeps the time, and so the identity, beside a copy', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'pair', 'b.txt': 'pair' });
  utimesSync(path.join(root, 'a.txt'), 1_500_000_000, 1_500_000_000);
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  copyFileSync(path.join(root, 'a.txt'), path.join(root, 'c.txt'));
  utimesSync(path.join(root, 'c.txt'), 1_500_000_000, 1_500_000_000);
  rmSync(path.join(root, 'a.txt'));
  await scan(db, library);
  expect((await items(db, library))['c.txt']!.id).toBe(before['a.txt']!.id);
});

test('a new item with tags or notes is not merged into a missing one', async () => {
  const { db } = database;
  const [left, right] = [tree({ 'a.txt': 'touched', 'stay.txt': 'stays' }), tree({ 'other.txt': 'others' })];
  const [from, to] = [await addLibrary(db, left), await addLibrary(db, right)];
  await scan(db, from);
  await scan(db, to);
  renameSync(path.join(left, 'a.txt'), path.join(right, 'b.txt'));
  await scan(db, to);
  const fresh = (await items(db, to))['b.txt']!;
  await tag(fresh.id, 'hers');
  await scan(db, from);
  await scan(db, to);
  expect((await items(db, to))['b.txt']).toMatchObject({ id: fresh.id, tags: ['hers'] });
});

test('a large file of a quick-hash-only library keeps its identity by inode and time', async () => {
  const { db } = database;
  const root = tree({ 'film.mkv': Buffer.alloc(300_000, 7), 'stay.txt': 'x' });
  const library = await addLibrary(db, root, { hash_policy: 'quick_only' });
  await scan(db, library);
  const before = (await items(db, library))['film.mkv']!;
  expect(before).toMatchObject({ content_hash: null, policy_version: 'h1:quick' });
  renameSync(path.join(root, 'film.mkv'), path.join(root, 'renamed.mkv'));
  expect((await scan(db, library)).stats).toMatchObject({ moved: 1, new: 0, missing: 0 });
  expect((await items(db, library))['renamed.mkv']!.id).toBe(before.id);
});
