import fc from 'fast-check';
import { type RawBuilder, sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { cloneDatabase, databaseForTest } from '../../../test/database.ts';
import { type Database, migrate, readMigrations } from '../../platform/database/index.ts';
import { hasPathPrefix, inPathOrder, isAtOrBelow, isBehind, isBelow, isFolderBelow, itemsAt, joinFolders, splitPath } from './index.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

/** Names that sort around the separator, and with characters that mean something to patterns. */
const name = fc.constantFrom('a', 'b', 'a b', 'a-b', 'a0', 'é', '%', '_', 'ab');
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

const matching = async (library: string, where: RawBuilder<unknown>): Promise<string[]> => {
  const { rows } = await sql<{ rel_path: string }>`select i.rel_path from items i where i.library_id = ${library} and ${where}`.execute(
    database.db,
  );
  return rows.map(({ rel_path }) => rel_path).sort();
};
const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));

test('the conditions by folder agree with the paths, whatever they are', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(path, { minLength: 1, maxLength: 12 }),
      path,
      fc.string({ maxLength: 3 }),
      async (paths, place, end) => {
        const library = await addLibrary(database);
        for (const each of paths) await addItem(database, library, each);
        const keep = (test: (each: string) => boolean) => paths.filter(test).sort();
        expect(await matching(library, isBelow('i', place, library))).toEqual(keep((each) => each.startsWith(`${place}/`)));
        expect(await matching(library, isAtOrBelow('i', place, null))).toEqual(
          keep((each) => each === place || each.startsWith(`${place}/`)),
        );
        const prefix = `${place}${end.replaceAll('\0', '')}`;
        expect(await matching(library, hasPathPrefix('i', prefix))).toEqual(keep((each) => each.startsWith(prefix)));
        const found = await sql<{ rel_path: string }>`select i.rel_path from ${itemsAt(library, [place, ...paths.slice(0, 2)])}`.execute(
          database.db,
        );
        expect(found.rows.map(({ rel_path }) => rel_path).sort()).toEqual(
          [...new Set([...paths.slice(0, 2), ...paths.filter((each) => each === place)])].sort(),
        );
        const folders = await sql<{
          rel_path: string;
        }>`select rel_path from folders f where library_id = ${library} and ${isFolderBelow('f', place)}`.execute(database.db);
        expect(folders.rows.every(({ rel_path }) => rel_path.startsWith(`${place}/`))).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});

test('pages in the order of folders and names have no gaps or repeats', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(path, { minLength: 1, maxLength: 12 }), async (paths) => {
      const library = await addLibrary(database);
      for (const each of paths) await addItem(database, library, each);
      const seen: string[] = [];
      for (;;) {
        const last = seen.at(-1);
        const { rows } = await sql<{ rel_path: string }>`select i.rel_path from items i ${joinFolders}
          where i.library_id = ${library} and ${last === undefined ? sql`true` : isBehind(library, last)} order by ${inPathOrder} limit 2`.execute(
          database.db,
        );
        if (rows.length === 0) break;
        seen.push(...rows.map(({ rel_path }) => rel_path));
      }
      const parts = paths.map(splitPath);
      expect(seen.map(splitPath)).toEqual(parts.sort((a, b) => bytes(a.folder, b.folder) || bytes(a.name, b.name)));
    }),
    { numRuns: 30 },
  );
});

test('files of a catalog that stored their paths keep them, and so do members of duplicate groups', async () => {
  const older = await databaseForTest();
  const all = readMigrations();
  const before = all.findIndex(({ version }) => version === 85);
  await older.pool.query('drop schema public cascade; create schema public');
  await migrate(older.pool, all.slice(0, before));
  const library = await addLibrary(older);
  const paths = ['top.txt', 'a/b.txt', 'a/b/c.txt', 'a b/é.txt'];
  for (const each of paths) {
    const { folder, name } = splitPath(each);
    await older.pool.query(
      `with f as (insert into folders (library_id, rel_path, path) values ($1, $2, 'x') on conflict (library_id, rel_path) do update set path = excluded.path returning id),
        i as (insert into items (library_id, folder_id, rel_path, filename, size, mtime_ns) select $1, id, $3, $4, 1, 0 from f returning *)
        insert into duplicate_members (item_id, key, prefix, library_id, rel_path) select id, 'k', 'p', library_id, rel_path from i`,
      [library, folder, each, name],
    );
  }
  await older.pool.query('truncate index_outbox');
  await migrate(older.pool, all);
  expect((await older.pool.query('select rel_path from items order by id')).rows.map(({ rel_path }) => rel_path)).toEqual(paths);
  const { rows } = await older.pool.query(
    `select d.filename, f.rel_path from duplicate_members d join folders f on f.id = d.folder_id order by d.item_id`,
  );
  expect(rows.map(({ filename, rel_path }) => (rel_path === '' ? filename : `${rel_path}/${filename}`))).toEqual(paths);
  // Nothing has to be indexed again.
  expect((await older.pool.query('select from index_outbox')).rows).toEqual([]);
});

test('the planner knows that every item has a folder, however many libraries there are', async () => {
  const { db } = database;
  for (let number = 0; number < 10; number += 1) {
    const library = await addLibrary(database);
    for (const folder of ['a', 'b', 'c']) await addItem(database, library, `${folder}/file`);
  }
  await sql`analyze item_rows, folders`.execute(db);
  const { rows } = await sql<{ 'QUERY PLAN': [{ Plan: { 'Plan Rows': number } }] }>`
    explain (format json) select i.id from items i ${joinFolders}`.execute(db);
  const { rows: items } = await sql<{ count: number }>`select count(*) from items`.execute(db);
  // An expectation of too few rows made the database read all items for one page of a small library.
  expect(rows[0]!['QUERY PLAN'][0].Plan['Plan Rows']).toBeGreaterThan(items[0]!.count * 0.9);
});
