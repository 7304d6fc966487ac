import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, statuses, tree, write } from './library.fixture.ts';
import { presentScan } from './present.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const many = (count: number, folder = ''): Record<string, string> =>
  Object.fromEntries(
    Array.from({ length: count }, (_, index) => [`${folder}f${String(index).padStart(3, '0')}.txt`, `${folder} ${index}`]),
  );

test('a full scan that sees zero entries over a populated library fails and tombstones nothing; force_empty overrides', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one', 'sub/b.txt': 'two' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'a.txt'));
  rmSync(path.join(root, 'sub'), { recursive: true });
  const guarded = await scan(db, library);
  expect(guarded).toMatchObject({
    status: 'failed',
    error_code: 'empty_scan',
    stats: { seen: 0, missing: 0, guard: { kind: 'empty', would_vanish: 2 } },
  });
  expect(guarded.error).toContain('Mark as missing');
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active', 'sub/b.txt': 'active' });
  expect(await scan(db, library, { forceEmpty: true })).toMatchObject({ status: 'finished', stats: { missing: 2 } });
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'missing', 'sub/b.txt': 'missing' });
});

test('a watch that finds the top folder empty, because its disk was unmounted, marks nothing as missing', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one', 'sub/b.txt': 'two' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  renameSync(root, `${root}-away`);
  mkdirSync(root);
  const top = [
    { path: '', depth: 'changes' as const },
    { path: 'sub', depth: 'changes' as const },
  ];
  expect(await scan(db, library, { scopes: top })).toMatchObject({
    status: 'failed',
    error_code: 'empty_scan',
    stats: { missing: 0, guard: { kind: 'empty', would_vanish: 2 } },
  });
  expect(await scan(db, library, { scope: '', recursive: false })).toMatchObject({ error_code: 'empty_scan', stats: { missing: 0 } });
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active', 'sub/b.txt': 'active' });
  write(root, { 'new.txt': 'three' });
  expect(await scan(db, library, { scopes: top })).toMatchObject({ status: 'finished', stats: { new: 1, missing: 2 } });
  rmSync(`${root}-away`, { recursive: true });
});

test('the empty-scan guard can be switched off, and a library that was always empty does not fail', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'a.txt'));
  expect(await scan(db, library, { options: { emptyGuard: false } })).toMatchObject({ status: 'finished', stats: { missing: 1 } });
  expect(await scan(db, await addLibrary(db, tree()))).toMatchObject({ status: 'finished', stats: { seen: 0 } });
});

test('a missing root aborts a scan before the walk starts; so do a root that is a file and one that cannot be read', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  let walked = false;
  const deps = {
    startWalk: () => {
      walked = true;
      throw new Error('No walk was due.');
    },
  };
  renameSync(root, `${root}-away`);
  expect(await scan(db, library, { deps })).toMatchObject({ status: 'failed', error_code: 'root_missing' });
  writeFileSync(root, 'a file now');
  expect(await scan(db, library, { deps })).toMatchObject({ status: 'failed', error_code: 'root_not_folder' });
  expect(walked).toBe(false);
  rmSync(root);
  renameSync(`${root}-away`, root);
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active' });
});

test('a file gone from disk is tombstoned, also when most of a library is gone', async () => {
  const { db } = database;
  const root = tree({ ...many(50), ...many(70, 'disk/') });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'disk'), { recursive: true });
  expect(await scan(db, library)).toMatchObject({ status: 'finished', stats: { missing: 70 } });
});

test('a full scan over files that the selection excludes is not empty', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'one', 'b.txt': 'two' }));
  await scan(db, library);
  await db
    .updateTable('libraries')
    .set({ enabled_categories: ['video'] })
    .where('id', '=', library)
    .execute();
  expect(await scan(db, library)).toMatchObject({ status: 'finished', stats: { seen: 0, excluded_gate: 2, missing: 2 } });
});

test('a library has its own vanish limit, which replaces that of the service', async () => {
  const { db } = database;
  const root = tree({ ...many(50), ...many(70, 'disk/') });
  const library = await addLibrary(db, root, { vanish_guard_pct: 50 });
  await scan(db, library);
  rmSync(path.join(root, 'disk'), { recursive: true });
  expect(await scan(db, library)).toMatchObject({ status: 'failed', error_code: 'vanish_guard', stats: { guard: { limit_pct: 50 } } });
  await db.updateTable('libraries').set({ vanish_guard_pct: 0 }).where('id', '=', library).execute();
  expect(await scan(db, library, { options: { vanishGuardPct: 50 } })).toMatchObject({ status: 'finished', stats: { missing: 70 } });
});

const guarded50 = { options: { vanishGuardPct: 50 } };

test('a full scan that would tombstone more than the limit of a library of at least 100 items fails and shows what would vanish', async () => {
  const { db } = database;
  const root = tree({ ...many(50), ...many(70, 'disk/') });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const say = (item: string, words: Record<string, unknown>) =>
    db.updateTable('items').set(words).where('library_id', '=', library).where('rel_path', '=', item).execute();
  await say('disk/f000.txt', { tags: ['harbour'] });
  await say('disk/f001.txt', { user_metadata: JSON.stringify({ note: 'from grandmother' }) });
  await say('f000.txt', { tags: ['stays'] });
  renameSync(path.join(root, 'disk'), `${root}-disk`);
  const guarded = await scan(db, library, guarded50);
  expect(guarded).toMatchObject({
    status: 'failed',
    error_code: 'vanish_guard',
    stats: { missing: 0, guard: { kind: 'vanish', would_vanish: 70, of: 120, limit_pct: 50 } },
  });
  expect((guarded.stats['guard'] as { sample: string[] }).sample).toHaveLength(25);
  expect((guarded.stats['guard'] as { sample: string[] }).sample[0]).toBe('disk/f000.txt');
  expect(presentScan(guarded).guard).toMatchObject({
    kind: 'vanish',
    would_vanish: 70,
    of: 120,
    folders: [{ rel_path: 'disk', count: 70 }],
    annotated: 2,
  });
  expect(Object.values(await statuses(db, library))).toEqual(Array(120).fill('active'));
  expect(await scan(db, library, { options: { vanishGuardPct: 58 } })).toMatchObject({ error_code: 'vanish_guard' });
  expect(await scan(db, library, { options: { vanishGuardPct: 60 } })).toMatchObject({ status: 'finished', stats: { missing: 70 } });
  renameSync(`${root}-disk`, path.join(root, 'disk'));
  expect(await scan(db, library)).toMatchObject({ status: 'finished', stats: { returned: 70 } });
  renameSync(path.join(root, 'disk'), `${root}-disk`);
  expect(await scan(db, library, { ...guarded50, forceEmpty: true })).toMatchObject({ status: 'finished', stats: { missing: 70 } });
  rmSync(`${root}-disk`, { recursive: true });
});

test('a loss of exactly the limit passes the vanish guard', async () => {
  const { db } = database;
  const root = tree({ ...many(60), ...many(60, 'half/') });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'half'), { recursive: true });
  expect(await scan(db, library, guarded50)).toMatchObject({ status: 'finished', stats: { missing: 60 } });
});

test('the vanish guard ignores small libraries, a limit of 0, moves and changed rules', async () => {
  const { db } = database;
  const small = tree(many(99));
  const smallLibrary = await addLibrary(db, small);
  await scan(db, smallLibrary);
  for (let index = 0; index < 90; index += 1) rmSync(path.join(small, `f${String(index).padStart(3, '0')}.txt`));
  expect(await scan(db, smallLibrary, guarded50)).toMatchObject({ status: 'finished', stats: { missing: 90 } });

  const large = tree({ ...many(110, 'old/'), 'keep.txt': 'x' });
  const library = await addLibrary(db, large);
  await scan(db, library);
  renameSync(path.join(large, 'old'), path.join(large, 'new'));
  expect(await scan(db, library, guarded50)).toMatchObject({ status: 'finished', stats: { moved: 110, missing: 0, new: 0 } });
  await db
    .updateTable('libraries')
    .set({ exclude_globs: ['new/'] })
    .where('id', '=', library)
    .execute();
  expect(await scan(db, library, guarded50)).toMatchObject({ status: 'finished', stats: { missing: 110, pruned_dirs: 1 } });
  await db.updateTable('libraries').set({ exclude_globs: [] }).where('id', '=', library).execute();
  expect(await scan(db, library)).toMatchObject({ status: 'finished', stats: { returned: 110 } });
  rmSync(path.join(large, 'new'), { recursive: true });
  expect(await scan(db, library, { options: { vanishGuardPct: 0 } })).toMatchObject({ status: 'finished', stats: { missing: 110 } });
});

test('moves among files added by a guarded scan are found by the next scan', async () => {
  const { db } = database;
  const root = tree({ ...many(120, 'disk/'), 'keep.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  renameSync(path.join(root, 'disk/f000.txt'), path.join(root, 'moved.txt'));
  renameSync(path.join(root, 'disk'), `${root}-disk`);
  write(root, { 'fresh.txt': 'y' });
  expect((await scan(db, library, guarded50)).error_code).toBe('vanish_guard');
  renameSync(`${root}-disk`, path.join(root, 'disk'));
  const queued: string[] = [];
  await scan(db, library, { deps: { queueExtraction: async (_db, _library, ids) => void queued.push(...ids) } });
  const after = await items(db, library);
  expect(after['moved.txt']!.id).toBe(before['disk/f000.txt']!.id);
  expect(Object.keys(after)).toHaveLength(122);
  expect(queued).toContain(after['fresh.txt']!.id);
});
