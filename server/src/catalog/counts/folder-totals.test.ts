import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { checkFolderTotals, compactAll, folderTotals } from './totals.ts';

let t: TestApp;
let library: string;
beforeAll(async () => {
  t = await createTestApp();
});
beforeEach(async () => {
  library = await addLibrary(t.deps);
});
afterAll(() => t.close());

const level = async (path = '', key: string = t.keys.read) => {
  const { folders } = (
    await t.request('GET', `/libraries/${library}/tree?path=${encodeURIComponent(path)}`, undefined, { as: key })
  ).json();
  return folders as { name: string; item_count: number; total_bytes: number }[];
};
const left = async (table: 'folder_totals' | 'folder_changes') => {
  const { rows } = await sql<{ n: number }>`select count(*)::int n from ${sql.table(table)} where library_id = ${library}`.execute(
    t.deps.db,
  );
  return rows[0]!.n;
};

/** One action on an item, which is identified by a number. */
type Step = { item: number; does: 'come' | 'resize' | 'trash' | 'restore' | 'move' | 'leave' | 'fold'; folder: string; size: number };
const folder = fc.array(fc.constantFrom('a', 'b', 'a b', 'é', '%_'), { maxLength: 3 }).map((parts) => parts.join('/'));
const steps = fc.array(
  fc.record<Step>({
    item: fc.integer({ min: 0, max: 5 }),
    does: fc.constantFrom('come', 'come', 'resize', 'trash', 'restore', 'move', 'leave', 'fold'),
    folder,
    size: fc.integer({ min: 0, max: 99 }),
  }),
  { minLength: 3, maxLength: 25 },
);
interface Known {
  id: string;
  folder: string;
  size: number;
  active: boolean;
}

async function take({ item, does, folder: to, size }: Step, known: Map<number, Known>): Promise<void> {
  const { db } = t.deps;
  const it = known.get(item);
  if (does === 'fold') return compactAll(db, folderTotals);
  if (!it) {
    if (does !== 'come') return;
    const id = await addItem(t.deps, library, [to, `${item}.txt`].filter(Boolean).join('/'), { size });
    known.set(item, { id, folder: to, size, active: true });
  } else if (does === 'resize') {
    await sql`update items set size = ${size} where id = ${it.id}`.execute(db);
    it.size = size;
  } else if (does === 'trash' || does === 'restore') {
    it.active = does === 'restore';
    await sql`update items set status = ${it.active ? 'active' : 'trashed'}, deleted_at = ${it.active ? null : sql`now()`} where id = ${it.id}`.execute(
      db,
    );
  } else if (does === 'move') {
    await sql`insert into folders (library_id, rel_path, path) values (${library}, ${to}, 'x'::ltree) on conflict do nothing`.execute(db);
    await sql`update items set size = ${size},
      folder_id = (select id from folders where library_id = ${library} and rel_path = ${to}) where id = ${it.id}`.execute(db);
    Object.assign(it, { folder: to, size });
  } else if (does === 'leave') {
    await sql`delete from items where id = ${it.id}`.execute(db);
    known.delete(item);
  }
}

/** The expected totals of a level, computed from the items. */
function expected(known: Iterable<Known>, path: string) {
  const sums = new Map<string, { name: string; item_count: number; total_bytes: number }>();
  for (const it of known) {
    if (!it.active || it.folder === path || !(path === '' || it.folder.startsWith(`${path}/`))) continue;
    const name = it.folder.slice(path === '' ? 0 : path.length + 1).split('/')[0]!;
    const sum = sums.get(name) ?? { name, item_count: 0, total_bytes: 0 };
    sums.set(name, { name, item_count: sum.item_count + 1, total_bytes: sum.total_bytes + it.size });
  }
  return [...sums.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

describe('recursive folder totals', () => {
  test('are correct after every change of items, compacted or not', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        library = await addLibrary(t.deps);
        const known = new Map<number, Known>();
        for (const step of list) await take(step, known);
        // A folder without active items is empty or not listed.
        for (const path of ['', ...new Set([...known.values()].map((it) => it.folder))])
          expect((await level(path)) ?? [], path).toEqual(expected(known.values(), path));
        expect(await checkFolderTotals(t.deps.db)).toEqual([]);
        await compactAll(t.deps.db, folderTotals);
        expect(await checkFolderTotals(t.deps.db)).toEqual([]);
        expect(await level()).toEqual(expected(known.values(), ''));
      }),
      { numRuns: 40 },
    );
  }, 120_000);

  test('are deleted with the last item', async () => {
    for (const path of ['a/b/1.txt', 'a/2.txt', '3.txt']) await addItem(t.deps, library, path);
    await compactAll(t.deps.db, folderTotals);
    expect([await left('folder_totals'), await left('folder_changes')]).toEqual([2, 0]);
    await sql`delete from items where library_id = ${library}`.execute(t.deps.db);
    await compactAll(t.deps.db, folderTotals);
    expect([await left('folder_totals'), await left('folder_changes')]).toEqual([0, 0]);
  });

  test('stay correct under concurrent compaction and writes, and readers compact many changes', async () => {
    const { db } = t.deps;
    const ids = await Promise.all(['a/1.txt', 'a/b/2.txt', 'c/3.txt'].map((path) => addItem(t.deps, library, path, { size: 10 })));
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; n < 90; n += 1) {
          await sql`update items set size = size + 1 where id = ${ids[writer % 3]!}`.execute(db);
          if (n % 30 === writer) await compactAll(db, folderTotals);
        }
      }),
    );
    const sums = [
      { name: 'a', item_count: 2, total_bytes: 20 + 6 * 90 },
      { name: 'c', item_count: 1, total_bytes: 10 + 2 * 90 },
    ];
    expect(await level()).toEqual(sums);
    await sql`insert into folder_changes select ${library}, 'a', case n % 2 when 0 then 1 else -1 end, 0 from generate_series(1, 600) n`.execute(
      db,
    );
    expect(await level()).toEqual(sums);
    expect(await left('folder_changes')).toBe(0);
    expect(await level()).toEqual(sums);
    expect(await checkFolderTotals(db)).toEqual([]);
  });

  test('are read without reading the items below', async () => {
    for (const path of ['a/b/1.txt', 'a/2.txt', 'c/3.txt']) await addItem(t.deps, library, path);
    await compactAll(t.deps.db, folderTotals);
    // The items are deleted, so the response can only come from the stored totals.
    await sql`alter table item_rows disable trigger user`.execute(t.deps.db);
    await sql`delete from items where library_id = ${library}`.execute(t.deps.db);
    await sql`alter table item_rows enable trigger user`.execute(t.deps.db);
    expect((await level()).map(({ name, item_count }) => [name, item_count])).toEqual([
      ['a', 2],
      ['c', 1],
    ]);
    expect(await checkFolderTotals(t.deps.db)).toEqual([
      `The total of folder "a" in library ${library} is off by 2 items and 20 bytes.`,
      `The total of folder "b" in library ${library} is off by 1 items and 10 bytes.`,
      `The total of folder "c" in library ${library} is off by 1 items and 10 bytes.`,
    ]);
    await sql`delete from folder_totals where library_id = ${library}`.execute(t.deps.db);
  });

  test('cover only what a person may see', async () => {
    for (const path of ['a/b/1.txt', 'a/b/c/2.txt', 'a/d/3.txt', 'e/4.txt']) await addItem(t.deps, library, path);
    const { key } = await addPerson(t.deps, [
      [library, 'a', 'search_metadata'],
      [library, 'a/b/c', 'search_metadata', 'deny'],
    ]);
    const names = async (path: string) => (await level(path, key)).map(({ name, item_count }) => `${name} ${item_count}`);
    expect(await names('')).toEqual(['a 2']);
    expect(await names('a')).toEqual(['b 1', 'd 1']);
    expect(await names('a/b')).toEqual([]);
  });
});
