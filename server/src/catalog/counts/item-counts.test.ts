import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import type { Db } from '../../platform/database/index.ts';
import { checkItemCounts, compactItemCounts, sumItemCounts } from './item-counts.ts';

let t: TestApp;
let library: string;
beforeAll(async () => {
  t = await createTestApp();
});
beforeEach(async () => {
  library = await addLibrary(t.deps);
});
afterAll(() => t.close());

const ofLibrary = async (db: Db = t.deps.db) => sumItemCounts(db, sql`k.library_id = ${library}`);
async function fill(count: number, folder = 'a'): Promise<void> {
  const first = await addItem(t.deps, library, `${folder}/0.txt`, { size: 10 });
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns)
    select library_id, folder_id, n || '.txt', 10, 0 from items, generate_series(1, ${count - 1}::int) n where id = ${first}`.execute(
    t.deps.db,
  );
}

describe('item counts follow every change of items', () => {
  test('rows that are inserted, deleted or change their size, kind, status or library', async () => {
    const { db } = t.deps;
    await fill(20);
    expect(await ofLibrary()).toEqual({ items: 20, bytes: 200 });
    await sql`update items set size = 11 where library_id = ${library} and filename in ('1.txt', '2.txt')`.execute(db);
    expect(await ofLibrary()).toEqual({ items: 20, bytes: 202 });
    await sql`update items set status = 'missing', deleted_at = now() where library_id = ${library} and filename = '3.txt'`.execute(db);
    await sql`update items set file_category = 'image', file_group = 'raster' where library_id = ${library} and filename < '15'`.execute(
      db,
    );
    expect(await sumItemCounts(db, sql`k.library_id = ${library} and k.status = 'active'`)).toEqual({ items: 19, bytes: 192 });
    await sql`delete from items where library_id = ${library} and filename in ('5.txt', '6.txt')`.execute(db);
    expect(await ofLibrary()).toEqual({ items: 18, bytes: 182 });
    expect(await checkItemCounts(db)).toEqual([]);
  });

  test('a transaction sees its own changes, others see them after the commit, and a rollback discards them', async () => {
    const { db } = t.deps;
    await fill(5);
    await db
      .transaction()
      .execute(async (trx) => {
        await sql`delete from items where library_id = ${library}`.execute(trx);
        expect((await ofLibrary(trx as Db)).items).toBe(0);
        expect((await ofLibrary()).items).toBe(5);
        throw new Error('no');
      })
      .catch(() => {});
    expect((await ofLibrary()).items).toBe(5);
    expect(await checkItemCounts(db)).toEqual([]);
  });

  test('readers compact many rows, also concurrently with each other and with writers, without changing the sum', async () => {
    const { db } = t.deps;
    await fill(3);
    await Promise.all(
      Array.from({ length: 8 }, async (_, writer) => {
        for (let n = 0; n < 90; n += 1) {
          await sql`update items set size = size + 1 where library_id = ${library} and filename = ${`${writer % 3}.txt`}`.execute(db);
          if (n % 30 === 0) await compactItemCounts(db);
        }
      }),
    );
    expect(await ofLibrary()).toEqual({ items: 3, bytes: 30 + 8 * 90 });
    await sumItemCounts(db, sql`true`);
    const { rows } = await sql<{ loose: number }>`select count(*) as loose from item_counts where not compacted`.execute(db);
    expect(rows[0]!.loose).toBeLessThanOrEqual(500);
    expect(await checkItemCounts(db)).toEqual([]);
  });

  test('the number of extracted items follows extraction, status, kind and deletion, and compaction keeps it', async () => {
    const { db } = t.deps;
    const extracted = async () => {
      const { rows } = await sql<{
        n: number;
      }>`select coalesce(sum(extracted), 0)::integer as n from item_counts where library_id = ${library} and status = 'active'`.execute(db);
      return rows[0]!.n;
    };
    await fill(6);
    await sql`update items set extracted_key = 'x' where library_id = ${library} and filename < '4'`.execute(db);
    expect(await extracted()).toBe(4);
    await sql`update items set status = 'missing', deleted_at = now() where library_id = ${library} and filename = '0.txt'`.execute(db);
    await sql`update items set extracted_key = null where library_id = ${library} and filename = '1.txt'`.execute(db);
    await sql`update items set file_category = 'image' where library_id = ${library}`.execute(db);
    expect(await extracted()).toBe(2);
    await sql`delete from items where library_id = ${library} and filename in ('2.txt', '5.txt')`.execute(db);
    await compactItemCounts(db);
    expect(await extracted()).toBe(1);
    expect(await checkItemCounts(db)).toEqual([]);
    await sql`update item_counts set extracted = extracted + 1 where library_id = ${library} and status = 'active'`.execute(db);
    expect(await checkItemCounts(db)).toEqual([
      `The count of active items of group other in library ${library} says that 2 are extracted, but there are 1.`,
    ]);
    await sql`update item_counts set extracted = extracted - 1 where library_id = ${library} and status = 'active'`.execute(db);
  });

  test('the check reports a wrong count', async () => {
    const { db } = t.deps;
    await fill(2);
    await sql`insert into item_counts (library_id, status, file_category, file_group, items, bytes) values (${library}, 'active', 'other', 'other', 1, 0)`.execute(
      db,
    );
    expect(await checkItemCounts(db)).toEqual([`The count of active items of group other in library ${library} is 3, but there are 2.`]);
    await sql`delete from item_counts where library_id = ${library} and items = 1 and bytes = 0`.execute(db);
  });
});

describe('GET /items returns the exact total', () => {
  const total = async (query: string, key: string = t.keys.read) =>
    (await t.request('GET', `/items?${query}`, undefined, { as: key })).json().total;

  test('for a person who sees all of one library, folders of another and nothing of a third', async () => {
    await fill(6);
    const second = await addLibrary(t.deps);
    for (const path of ['in/1.txt', 'in/2.txt', 'in/secret/3.txt', 'out/4.txt', 'inside.txt']) await addItem(t.deps, second, path);
    const third = await addLibrary(t.deps);
    await addItem(t.deps, third, 'x.txt');
    const { key } = await addPerson(t.deps, [
      [library, '', 'search_metadata'],
      [second, 'in', 'search_metadata'],
      [second, 'in/secret', 'search_metadata', 'deny'],
    ]);
    expect(await total('', key)).toBe(8);
    expect(await total(`library_id=${second}`, key)).toBe(2);
    expect(await total(`library_id=${third}`, key)).toBe(0);
    expect(await total(`library_id=${library}&rel_path=a/1`, key)).toBe(1);
    expect(await total(`library_id=${library}&library_id=${second}&library_id=${third}`)).toBe(12);
  });

  test('by status and kind, without items of a deleted library', async () => {
    await fill(4);
    await sql`update items set status = 'missing', deleted_at = now() where library_id = ${library} and filename = '1.txt'`.execute(
      t.deps.db,
    );
    expect(await total(`library_id=${library}`)).toBe(3);
    expect(await total(`library_id=${library}&status=missing`)).toBe(1);
    expect(await total(`library_id=${library}&status=any&category=other`)).toBe(4);
    expect(await total(`library_id=${library}&category=image`)).toBe(0);
    const before = await total('');
    await sql`update all_libraries set removed_at = now() where id = ${library}`.execute(t.deps.db);
    expect(await total('')).toBe(before - 3);
    expect(await total(`library_id=${library}`)).toBe(0);
  });

  test('without reading the items', async () => {
    await fill(500);
    await t.deps.db.transaction().execute(async (trx) => {
      const read = async (): Promise<number> => {
        const { rows } = await sql<{ read: number }>`select (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as read
          from pg_stat_xact_user_tables where relname = 'item_rows'`.execute(trx);
        return rows[0]!.read;
      };
      const before = await read();
      expect((await sumItemCounts(trx as Db, sql`true`)).items).toBeGreaterThanOrEqual(500);
      expect(await read()).toBe(before);
    });
  });
});
