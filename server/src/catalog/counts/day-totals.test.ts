import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { checkDayTotals, compactAll, dayTotals } from './totals.ts';

let t: TestApp;
let library: string;
beforeAll(async () => {
  t = await createTestApp();
});
beforeEach(async () => {
  library = await addLibrary(t.deps);
});
afterAll(() => t.close());

const second = (day: number) => day * 86_400;
const timeline = async (query = `library=${library}`, key: string = t.keys.read) => {
  const answer = (await t.request('GET', `/stats/timeline?bucket=day&${query}`, undefined, { as: key })).json();
  const days = answer.buckets.map(({ start_epoch, count }: { start_epoch: number; count: number }) => [start_epoch / second(1), count]);
  return { days, invalid: answer.invalid_count as number };
};
const on = (day: number, more = 0) => ({ mtime: new Date((second(day) + more) * 1000) });
const rowsOf = async (table: 'day_totals' | 'day_changes') => {
  const { rows } = await sql<{ n: number }>`select count(*)::int n from ${sql.table(table)} where library_id = ${library}`.execute(
    t.deps.db,
  );
  return rows[0]!.n;
};

interface Step {
  item: number;
  does: 'come' | 'touch' | 'trash' | 'restore' | 'rename' | 'leave' | 'fold';
  day: number;
}
/** Days beyond both ends of the calendar, and a few that many items share. */
const day = fc.constantFrom(-25_000, -400, -1, 0, 1, 19_000, 19_001, 90_000);
const steps = fc.array(
  fc.record<Step>({
    item: fc.integer({ min: 0, max: 5 }),
    does: fc.constantFrom('come', 'come', 'touch', 'trash', 'restore', 'rename', 'leave', 'fold'),
    day,
  }),
  { minLength: 3, maxLength: 25 },
);
type Known = Map<number, { id: string; day: number; active: boolean }>;

async function take({ item, does, day: to }: Step, known: Known): Promise<void> {
  const { db } = t.deps;
  const it = known.get(item);
  if (does === 'fold') return compactAll(db, dayTotals);
  if (!it) {
    if (does === 'come') known.set(item, { id: await addItem(t.deps, library, `${item}.txt`, on(to, 43_200)), day: to, active: true });
  } else if (does === 'touch') {
    await sql`update items set mtime_ns = ${String(second(to))}::bigint * 1000000000 where id = ${it.id}`.execute(db);
    it.day = to;
  } else if (does === 'trash' || does === 'restore') {
    it.active = does === 'restore';
    await sql`update items set status = ${it.active ? 'active' : 'trashed'}, deleted_at = ${it.active ? null : sql`now()`} where id = ${it.id}`.execute(
      db,
    );
  } else if (does === 'rename') {
    await sql`update items set title = ${`${to}`} where id = ${it.id}`.execute(db);
  } else if (does === 'leave') {
    await sql`delete from items where id = ${it.id}`.execute(db);
    known.delete(item);
  }
}

function expected(known: Known) {
  const days = new Map<number, number>();
  let invalid = 0;
  for (const it of known.values()) {
    if (!it.active) continue;
    if (it.day < 0 || it.day > 80_000) invalid += 1;
    else days.set(it.day, (days.get(it.day) ?? 0) + 1);
  }
  return { days: [...days].sort(([a], [b]) => a - b), invalid };
}

describe('day totals', () => {
  test('are correct after every change of items, compacted or not', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        library = await addLibrary(t.deps);
        const known: Known = new Map();
        for (const step of list) await take(step, known);
        expect(await timeline()).toEqual(expected(known));
        await compactAll(t.deps.db, dayTotals);
        expect(await timeline()).toEqual(expected(known));
        expect(await checkDayTotals(t.deps.db)).toEqual([]);
      }),
      { numRuns: 60 },
    );
  }, 120_000);

  test('follow many items changed in one statement, and an item moved to another library', async () => {
    const { db } = t.deps;
    const other = await addLibrary(t.deps);
    await addItem(t.deps, other, 'there.txt', on(7));
    for (let n = 0; n < 5; n += 1) await addItem(t.deps, library, `${n}.txt`, on(10 + (n % 2)));
    await sql`update items set mtime_ns = mtime_ns + 86400000000000 where library_id = ${library}`.execute(db);
    expect((await timeline()).days).toEqual([
      [11, 3],
      [12, 2],
    ]);
    await sql`update items set library_id = ${other}, folder_id = (select folder_id from items where library_id = ${other})
      where library_id = ${library} and filename = '0.txt'`.execute(db);
    expect((await timeline()).days).toEqual([
      [11, 2],
      [12, 2],
    ]);
    expect((await timeline(`library=${other}`)).days).toEqual([
      [7, 1],
      [11, 1],
    ]);
    expect(await checkDayTotals(db)).toEqual([]);
  });

  test('have no row for a day without files, and a change within a day adds none', async () => {
    const { db } = t.deps;
    await addItem(t.deps, library, 'a.txt', on(5));
    await compactAll(db, dayTotals);
    expect([await rowsOf('day_totals'), await rowsOf('day_changes')]).toEqual([1, 0]);
    await sql`update items set title = 'A', mtime_ns = mtime_ns + 1 where library_id = ${library}`.execute(db);
    expect(await rowsOf('day_changes')).toBe(0);
    await sql`delete from items where library_id = ${library}`.execute(db);
    await compactAll(db, dayTotals);
    expect([await rowsOf('day_totals'), await rowsOf('day_changes')]).toEqual([0, 0]);
  });

  test('are read without reading items; the check reports a wrong total; readers compact many changes', async () => {
    const { db } = t.deps;
    await addItem(t.deps, library, 'a.txt', on(5));
    await sql`alter table item_rows disable trigger user`.execute(db);
    await sql`delete from items where library_id = ${library}`.execute(db);
    await sql`alter table item_rows enable trigger user`.execute(db);
    expect((await timeline()).days).toEqual([[5, 1]]);
    expect(await checkDayTotals(db)).toEqual([`The total of day 5 in library ${library} is off by 1 items.`]);
    await sql`insert into day_changes select ${library}, 5, case n % 2 when 0 then 1 else -1 end from generate_series(1, 600) n`.execute(
      db,
    );
    expect((await timeline()).days).toEqual([[5, 1]]);
    expect(await rowsOf('day_changes')).toBe(0);
    await sql`delete from day_totals where library_id = ${library}`.execute(db);
  });

  test('have each day before 1970 too, and the migration recomputes those that were counted as one', async () => {
    const { db, database } = t.deps;
    const times = [
      '1901-05-06T07:08:09Z',
      '1955-12-31T23:59:59Z',
      '1969-12-31T00:00:00Z',
      '1969-12-31T23:59:59.999Z',
      '1970-01-01T00:00:00Z',
    ];
    for (const [at, time] of times.entries()) await addItem(t.deps, library, `${at}.txt`, { mtime: new Date(time) });
    const expectedDays = times.map((time) => Math.floor(Date.parse(time) / 86_400_000));
    const daysOf = async (): Promise<number[]> => {
      const { rows } = await sql<{ day: number; items: number }>`select day, sum(items)::int as items from (
        select day, items from day_totals where library_id = ${library} union all select day, items from day_changes where library_id = ${library}) d
        group by 1 having sum(items) <> 0 order by 1`.execute(db);
      return rows.flatMap((row) => Array<number>(row.items).fill(row.day));
    };
    expect(await daysOf()).toEqual(expectedDays);
    const trashed = await addItem(t.deps, library, 'trashed.txt', { mtime: new Date('1930-01-01'), status: 'trashed' });
    await sql`update day_changes set day = -1 where day < 0`.execute(db);
    await sql`insert into day_totals values (${library}, -1, 3)`.execute(db);
    await sql`insert into day_changes values (${library}, -1, -3)`.execute(db);
    await database.pool.query(readFileSync(new URL('../../../migrations/0081_days_before_1970.sql', import.meta.url), 'utf8'));
    expect(await daysOf()).toEqual(expectedDays);
    await sql`delete from items where id = ${trashed}`.execute(db);
    expect(await checkDayTotals(db)).toEqual([]);
  });

  test('cover only what a person may see: whole libraries, folders of others, and no deleted library', async () => {
    const parted = await addLibrary(t.deps);
    const hidden = await addLibrary(t.deps);
    await addItem(t.deps, library, 'a.txt', on(3000));
    for (const path of ['in/b.txt', 'in/no/c.txt', 'out/d.txt']) await addItem(t.deps, parted, path, on(3001));
    await addItem(t.deps, hidden, 'e.txt', on(3002));
    const ofThose = async (as?: string) => (await timeline('', as)).days.filter(([each]: [number]) => each >= 3000 && each < 3003);
    const { key } = await addPerson(t.deps, [
      [library, '', 'search_metadata'],
      [parted, 'in', 'search_metadata'],
      [parted, 'in/no', 'search_metadata', 'deny'],
    ]);
    expect(await ofThose(key)).toEqual([
      [3000, 1],
      [3001, 1],
    ]);
    expect(await ofThose()).toEqual([
      [3000, 1],
      [3001, 3],
      [3002, 1],
    ]);
    await sql`update all_libraries set removed_at = now() where id = ${hidden}`.execute(t.deps.db);
    expect(await ofThose()).toHaveLength(2);
  });
});
