import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { checkVerifiedTotals, compactAll, verifiedTotals } from './totals.ts';

let t: TestApp;
let library: string;
let libraries = 0;
const newLibrary = async (): Promise<string> => addLibrary(t.deps, { name: `Library ${++libraries}` });
beforeAll(async () => {
  t = await createTestApp();
});
beforeEach(async () => {
  library = await newLibrary();
});
afterAll(() => t.close());

const hash = 'a'.repeat(64);
const ages = async (key: string = t.keys.read) => {
  const { libraries: all } = (await t.request('GET', '/integrity', undefined, { as: key })).json();
  return all.find(({ library_id }: { library_id: string }) => library_id === library);
};

type Change = 'come' | 'verify' | 'grow' | 'hash' | 'unhash' | 'trash' | 'restore' | 'rename' | 'leave' | 'fold';
interface Step {
  item: number;
  change: Change;
  daysAgo: number;
}
const changes: Change[] = ['come', 'come', 'verify', 'grow', 'hash', 'unhash', 'trash', 'restore', 'rename', 'leave', 'fold'];
const steps = fc.array(
  fc.record<Step>({
    item: fc.integer({ min: 0, max: 5 }),
    change: fc.constantFrom(...changes),
    daysAgo: fc.constantFrom(0, 10, 60, 200, 900),
  }),
  { minLength: 3, maxLength: 25 },
);
interface Known {
  id: string;
  size: number;
  hashed: boolean;
  active: boolean;
  daysAgo: number | null;
}

async function take({ item, change, daysAgo }: Step, known: Map<number, Known>): Promise<void> {
  const { db } = t.deps;
  if (change === 'fold') return compactAll(db, verifiedTotals);
  const it = known.get(item);
  if (!it) {
    if (change !== 'come') return;
    const id = await addItem(t.deps, library, `${item}.txt`, { size: 10, content_hash: hash });
    known.set(item, { id, size: 10, hashed: true, active: true, daysAgo: null });
    return;
  }
  const set = (values: ReturnType<typeof sql>) => sql`update items set ${values} where id = ${it.id}`.execute(db);
  if (change === 'verify') {
    it.daysAgo = daysAgo;
    await set(sql`last_verified_at = now() - ${daysAgo} * interval '1 day'`);
  } else if (change === 'grow') {
    it.size += 5;
    await set(sql`size = ${it.size}`);
  } else if (change === 'hash' || change === 'unhash') {
    it.hashed = change === 'hash';
    await set(sql`content_hash = ${it.hashed ? hash : null}`);
  } else if (change === 'trash' || change === 'restore') {
    it.active = change === 'restore';
    await set(sql`status = ${it.active ? 'active' : 'trashed'}, deleted_at = ${it.active ? null : sql`now()`}`);
  } else if (change === 'rename') await set(sql`title = 'other'`);
  else if (change === 'leave') {
    await sql`delete from items where id = ${it.id}`.execute(db);
    known.delete(item);
  }
}

function expected(known: ReadonlyMap<number, Known>) {
  const counted = [...known.values()].filter(({ hashed, active }) => hashed && active);
  if (counted.length === 0) return undefined;
  const within = (from: number, to: number) => counted.filter(({ daysAgo }) => daysAgo !== null && daysAgo >= from && daysAgo < to).length;
  return {
    files: counted.length,
    bytes: counted.reduce((sum, { size }) => sum + size, 0),
    month: within(0, 30),
    quarter: within(30, 90),
    year: within(90, 365),
    older: within(365, 10_000),
    never: counted.filter(({ daysAgo }) => daysAgo === null).length,
  };
}

const expectAges = async (known: ReadonlyMap<number, Known>): Promise<void> => {
  const wanted = expected(known);
  if (wanted === undefined) expect(await ages()).toBeUndefined();
  else expect(await ages()).toMatchObject(wanted);
};

test('totals of verified files are correct after every change of items, compacted or not', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (list) => {
      library = await newLibrary();
      const known = new Map<number, Known>();
      for (const step of list) await take(step, known);
      await expectAges(known);
      await compactAll(t.deps.db, verifiedTotals);
      await expectAges(known);
      expect(await checkVerifiedTotals(t.deps.db)).toEqual([]);
    }),
    { numRuns: 60 },
  );
}, 120_000);

test('they are read without reading items, and the check reports a wrong one', async () => {
  const { db } = t.deps;
  await addItem(t.deps, library, 'a.txt', { size: 7, content_hash: hash });
  await sql`alter table item_rows disable trigger user`.execute(db);
  await sql`delete from items where library_id = ${library}`.execute(db);
  await sql`alter table item_rows enable trigger user`.execute(db);
  expect(await ages()).toMatchObject({ files: 1, bytes: 7 });
  expect(await checkVerifiedTotals(db)).toEqual([
    `The number of files verified on day -1 in library ${library} is off by 1 files and 7 bytes.`,
  ]);
  await sql`delete from verified_changes where library_id = ${library}`.execute(db);
});

test('a person who sees one folder gets the files of that folder', async () => {
  await addItem(t.deps, library, 'seen/a.txt', { size: 3, content_hash: hash });
  await addItem(t.deps, library, 'hidden/b.txt', { size: 4, content_hash: hash });
  const { key } = await addPerson(t.deps, [[library, 'seen', 'search_metadata']]);
  expect(await ages(key)).toMatchObject({ files: 1, bytes: 3, never: 1 });
  const { key: whole } = await addPerson(t.deps, [[library, '', 'search_metadata']]);
  expect(await ages(whole)).toMatchObject({ files: 2, bytes: 7 });
});
