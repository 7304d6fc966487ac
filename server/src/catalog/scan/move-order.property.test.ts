import { copyFileSync, linkSync, lutimesSync, mkdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree } from './library.fixture.ts';
import { reattachAll } from './reattach.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const repair = { crossLibrary: true, signal: new AbortController().signal, queueExtraction: async () => {} };
const tag = (id: string, name: string) => sql`update items set tags = ${[name]} where id = ${id} and tags = '{}'`.execute(database.db);

/** Moves a file like a move to another disk: new inode, same time. */
function moveByCopy(from: string, to: string): void {
  const { atime, mtime } = statSync(from);
  copyFileSync(from, to);
  lutimesSync(to, atime, mtime);
  rmSync(from);
}

test('tags follow a file to another library that is scanned before the one it left, and back again', async () => {
  const { db } = database;
  const base = tree({ 'left/a.txt': 'left bytes', 'left/stay.txt': 'x', 'right/here.txt': 'y' });
  const [left, right] = [await addLibrary(db, path.join(base, 'left')), await addLibrary(db, path.join(base, 'right'))];
  await scan(db, left);
  await scan(db, right);
  await tag((await items(db, left))['a.txt']!.id, 'mine');
  moveByCopy(path.join(base, 'left/a.txt'), path.join(base, 'right/a.txt'));
  await scan(db, right);
  expect((await scan(db, left)).stats).toMatchObject({ missing: 1, reattached: 1 });
  expect((await items(db, right))['a.txt']).toMatchObject({ status: 'active', tags: ['mine'] });
  expect(Object.keys(await items(db, left))).toEqual(['stay.txt']);
  moveByCopy(path.join(base, 'right/a.txt'), path.join(base, 'left/b.txt'));
  await scan(db, left);
  await scan(db, right);
  expect((await items(db, left))['b.txt']).toMatchObject({ status: 'active', tags: ['mine'] });
});

test.each(['rename', 'copy'])('tags stay with their bytes when a file takes the path of one that is missing, by %s', async (how) => {
  const { db } = database;
  const base = tree({ 'left/1.txt': `first ${how}`, 'left/a/1.txt': `second ${how}`, 'left/stay.txt': 'x', 'right/here.txt': 'y' });
  const [left, right] = [await addLibrary(db, path.join(base, 'left')), await addLibrary(db, path.join(base, 'right'))];
  await scan(db, left);
  await scan(db, right);
  const before = await items(db, left);
  for (const name of ['1.txt', 'a/1.txt']) await tag(before[name]!.id, name);
  const move = (from: string, to: string) => (how === 'rename' ? renameSync : moveByCopy)(path.join(base, from), path.join(base, to));
  move('left/1.txt', 'right/2.txt');
  await scan(db, left);
  move('left/a/1.txt', 'left/1.txt');
  await scan(db, left);
  expect((await items(db, left))['1.txt']).toMatchObject({ id: before['a/1.txt']!.id, status: 'active', tags: ['a/1.txt'] });
  await scan(db, right);
  expect((await items(db, right))['2.txt']).toMatchObject({ id: before['1.txt']!.id, status: 'active', tags: ['1.txt'] });
  expect(Object.keys(await items(db, left))).toEqual(['1.txt', 'stay.txt']);
});

test('a file that is written anew at the path of a missing one keeps its tags', async () => {
  const { db } = database;
  const base = tree({ 'report.txt': 'of yesterday', 'stay.txt': 'x' });
  const library = await addLibrary(db, base);
  await scan(db, library);
  const before = await items(db, library);
  await tag(before['report.txt']!.id, 'mine');
  rmSync(path.join(base, 'report.txt'));
  await scan(db, library);
  writeFileSync(path.join(base, 'report.txt'), 'of today');
  await scan(db, library);
  expect((await items(db, library))['report.txt']).toMatchObject({ id: before['report.txt']!.id, status: 'active', tags: ['mine'] });
});

test('the repair pass pairs what earlier scans left behind, and leaves ambiguous tombstones alone', async () => {
  const { db } = database;
  const base = tree({
    'left/a.txt': 'only one',
    'left/twice.txt': 'two heirs',
    'left/copied.txt': 'older copy',
    'left/older.txt': 'older copy',
    'left/stay.txt': 'x',
    'right/here.txt': 'y',
  });
  const [left, right] = [await addLibrary(db, path.join(base, 'left')), await addLibrary(db, path.join(base, 'right'))];
  await scan(db, left);
  await scan(db, right);
  const before = await items(db, left);
  for (const name of ['a.txt', 'twice.txt', 'copied.txt']) await tag(before[name]!.id, name);
  // Identities are not carried across libraries, as before this repair existed.
  const options = { crossLibraryMoves: false };
  copyFileSync(path.join(base, 'left/twice.txt'), path.join(base, 'right/twice-1.txt'));
  copyFileSync(path.join(base, 'left/twice.txt'), path.join(base, 'right/twice-2.txt'));
  copyFileSync(path.join(base, 'left/a.txt'), path.join(base, 'right/a.txt'));
  for (const name of ['a.txt', 'twice.txt', 'copied.txt']) rmSync(path.join(base, 'left', name));
  await scan(db, right, { options });
  await scan(db, left, { options });
  expect((await items(db, right))['a.txt']!.tags).toEqual([]);
  expect(await reattachAll(db, repair)).toBe(1);
  expect((await items(db, right))['a.txt']).toMatchObject({ id: before['a.txt']!.id, tags: ['a.txt'] });
  const after = await items(db, left);
  expect(after['twice.txt']).toMatchObject({ status: 'missing', tags: ['twice.txt'] });
  expect(after['copied.txt']).toMatchObject({ status: 'missing', tags: ['copied.txt'] });
  expect(await reattachAll(db, repair)).toBe(0);
});

test.each(['copy', 'hard link'])(
  'a %s that was known before its original was deleted stays an item, and the original returns with its tags',
  async (how) => {
    const { db } = database;
    const base = tree({ 'orig/report.txt': `the final report, ${how}`, 'stay.txt': 'x' });
    const library = await addLibrary(db, base);
    const [original, backup] = [path.join(base, 'orig/report.txt'), path.join(base, 'backup/report.txt')];
    await scan(db, library);
    await tag((await items(db, library))['orig/report.txt']!.id, 'important');
    mkdirSync(path.dirname(backup));
    (how === 'copy' ? copyFileSync : linkSync)(original, backup);
    await scan(db, library);
    const before = await items(db, library);
    rmSync(original);
    expect((await scan(db, library)).stats).toMatchObject({ missing: 1, moved: 0, reattached: 0 });
    expect(await reattachAll(db, repair)).toBe(0);
    const without = await items(db, library);
    expect(without['orig/report.txt']).toMatchObject({ id: before['orig/report.txt']!.id, status: 'missing', tags: ['important'] });
    expect(without['backup/report.txt']).toMatchObject({ id: before['backup/report.txt']!.id, status: 'active', tags: [] });
    (how === 'copy' ? copyFileSync : linkSync)(backup, original);
    expect((await scan(db, library)).stats).toMatchObject({ returned: 1, new: 0 });
    expect((await items(db, library))['orig/report.txt']).toMatchObject({
      id: before['orig/report.txt']!.id,
      status: 'active',
      tags: ['important'],
    });
  },
);

test('a copy in another library stays an item when its original was scanned again before it was deleted', async () => {
  const { db } = database;
  const base = tree({ 'left/a.txt': 'copied across', 'left/stay.txt': 'x', 'right/here.txt': 'y' });
  const [left, right] = [await addLibrary(db, path.join(base, 'left')), await addLibrary(db, path.join(base, 'right'))];
  await scan(db, left);
  await scan(db, right);
  await tag((await items(db, left))['a.txt']!.id, 'mine');
  copyFileSync(path.join(base, 'left/a.txt'), path.join(base, 'right/a.txt'));
  await scan(db, right);
  await scan(db, left);
  const copy = (await items(db, right))['a.txt']!;
  rmSync(path.join(base, 'left/a.txt'));
  expect((await scan(db, left)).stats).toMatchObject({ missing: 1, reattached: 0 });
  expect((await items(db, right))['a.txt']).toMatchObject({ id: copy.id, tags: [] });
  expect((await items(db, left))['a.txt']).toMatchObject({ status: 'missing', tags: ['mine'] });
});

test('a move that is recognized by its tags counts as moved, neither as missing nor as new', async () => {
  const { db } = database;
  const base = tree({ 'a.txt': 'in two places', 'b.txt': 'in two places', 'stay.txt': 'x' });
  const library = await addLibrary(db, base);
  await scan(db, library);
  const before = await items(db, library);
  await tag(before['a.txt']!.id, 'mine');
  copyFileSync(path.join(base, 'a.txt'), path.join(base, 'c.txt'));
  for (const name of ['a.txt', 'b.txt']) rmSync(path.join(base, name));
  const run = await scan(db, library);
  expect(run.stats).toMatchObject({ missing: 1, moved: 1, new: 0, reattached: 1 });
  expect((await items(db, library))['c.txt']).toMatchObject({ id: before['a.txt']!.id, tags: ['mine'] });
  const { rows } = await sql<{ kind: string; rel_path: string; from_rel_path: string | null }>`
    select kind, rel_path, from_rel_path from scan_changes where run_id = ${run.id} order by rel_path`.execute(db);
  expect(rows).toEqual([
    { kind: 'gone', rel_path: 'b.txt', from_rel_path: null },
    { kind: 'moved', rel_path: 'c.txt', from_rel_path: 'a.txt' },
  ]);
});

const places = ['1.txt', 'a/1.txt', 'a/2.txt'].flatMap((name) => [`left/${name}`, `right/${name}`]);
const place = fc.nat({ max: places.length - 1 });
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ what: fc.constantFrom('rename', 'copy'), from: place, to: place }) },
  { weight: 2, arbitrary: fc.record({ what: fc.constantFrom('scan left', 'scan right'), from: place, to: place }) },
);

test('whatever the order of moves and scans across libraries, every tagged file has its tag in the end', async () => {
  const { db } = database;
  let serial = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
      const base = tree({ 'left/stay.txt': 'x', 'right/stay.txt': 'y' });
      for (const name of places) mkdirSync(path.dirname(path.join(base, name)), { recursive: true });
      const libraries = { left: await addLibrary(db, path.join(base, 'left')), right: await addLibrary(db, path.join(base, 'right')) };
      const files = new Map<string, string>();
      for (const name of ['left/1.txt', 'left/a/1.txt', 'right/a/2.txt']) {
        serial += 1;
        files.set(name, `bytes ${serial}`);
        writeFileSync(path.join(base, name), `bytes ${serial}`);
      }
      // Places that were left since their library was scanned. Another file there is, by the identity of a path, a changed file.
      const vacated = new Set<string>();
      const scanSide = async (side: 'left' | 'right') => {
        expect((await scan(db, libraries[side])).status).toBe('finished');
        for (const name of vacated) if (name.startsWith(side)) vacated.delete(name);
      };
      const read = async (name: string) => {
        const [side, ...rest] = name.split('/');
        return (await items(db, libraries[side as 'left' | 'right']))[rest.join('/')];
      };
      await scanSide('left');
      await scanSide('right');
      for (const [name, bytes] of files) await tag((await read(name))!.id, bytes);
      for (const { what, from, to } of steps) {
        const [source, target] = [places[from]!, places[to]!];
        if (what === 'scan left') await scanSide('left');
        else if (what === 'scan right') await scanSide('right');
        else if (files.has(source) && !files.has(target) && !vacated.has(target)) {
          vacated.add(source);
          if (what === 'rename') renameSync(path.join(base, source), path.join(base, target));
          else moveByCopy(path.join(base, source), path.join(base, target));
          files.set(target, files.get(source)!);
          files.delete(source);
        }
      }
      for (const side of ['left', 'right'] as const) await scanSide(side);
      await reattachAll(db, repair);
      for (const [name, bytes] of files) expect(await read(name), name).toMatchObject({ status: 'active', tags: [bytes] });
    }),
    { numRuns: Number(process.env['CATALOG_LONG_TESTS'] ? 400 : 10) },
  );
}, 300_000);
