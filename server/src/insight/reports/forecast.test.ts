import { mkdtempSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import type { ReportAccess } from './access.ts';
import { findReport } from './catalogue/index.ts';
import { createScope, noFilters } from './scope.ts';

let t: TestApp;
let root: string;
beforeAll(async () => {
  t = await createTestApp();
  root = mkdtempSync(path.join(tmpdir(), 'forecast-'));
});
afterAll(async () => {
  await t.close();
  rmSync(root, { recursive: true, force: true });
});

const grow = (library: string, daysAgo: number, bytes: number) =>
  sql`insert into growth_days (library_id, day, file_category, items, bytes, compacted)
    values (${library}, (now() - make_interval(days => ${daysAgo}))::date, 'video', 1, ${bytes}, false)`.execute(t.deps.db);

async function forecast(as: string = 'admin'): Promise<Record<string, Record<string, unknown>>> {
  const { rows } = (await t.request('GET', '/reports/storage_forecast', undefined, { as })).json();
  return Object.fromEntries(rows.map((row: { library: string }) => [row.library, row]));
}
const daysUntil = (date: unknown): number => Math.round((Date.parse(String(date)) - Date.now()) / 86_400_000);

test('the forecast says when a disk is full at the pace of the last 90 days; libraries on one disk share its space', async () => {
  const { bavail, bsize } = await statfs(root);
  const free = bavail * bsize;
  const [photos, films] = [
    await addLibrary(t.deps, { name: 'Photos', root_path: root }),
    await addLibrary(t.deps, { name: 'Films', root_path: root }),
  ];
  // The first day holds what was there already.
  await grow(photos, 200, 5_000);
  await grow(films, 200, 7_000);
  expect(await forecast()).toMatchObject({ Photos: { total_bytes: 5_000, change_30_days: 0, full_on: null }, Films: { full_on: null } });
  // In 90 days 9/20 of what is free came, so the rest is full after 200 days, or after 100 when another library grows as much.
  await grow(photos, 10, Math.round(free * 0.45));
  expect(Math.abs(daysUntil((await forecast())['Photos']?.['full_on']) - 200)).toBeLessThan(4);
  await grow(films, 80, Math.round(free * 0.45));
  const found = await forecast();
  for (const name of ['Photos', 'Films']) expect(Math.abs(daysUntil(found[name]?.['full_on']) - 100)).toBeLessThan(4);
  expect(found).toMatchObject({ Films: { change_30_days: 0 }, Photos: { change_30_days: Math.round(free * 0.45), file_count: 2 } });
});

test('a new library, a disk that is not there and a library that shrinks have no forecast', async () => {
  const [fresh, offline] = [
    await addLibrary(t.deps, { name: 'New', root_path: path.join(root, 'gone') }),
    await addLibrary(t.deps, { name: 'Offline', root_path: '/nonexistent/disk' }),
  ];
  await grow(fresh, 5, 1000);
  await grow(fresh, 1, 1000);
  await grow(offline, 100, 1000);
  await grow(offline, 10, 1_000_000);
  expect(await forecast()).toMatchObject({
    New: { full_on: null, change_30_days: 1000 },
    Offline: { free_bytes: null, full_on: null, change_365_days: 1_000_000 },
  });
});

test('somebody who sees no library gets no forecast', async () => {
  const { key } = await addPerson(t.deps, []);
  expect(await forecast(key)).toEqual({});
});

test('weeks of growth are those of UTC, whatever time zone the database has', async () => {
  const library = await addLibrary(t.deps, { name: 'Monday' });
  await sql`insert into growth_days (library_id, day, file_category, items, bytes, compacted) values
    (${library}, '2026-02-27', 'video', 1, 10, false), (${library}, '2026-03-02', 'video', 1, 5, false)`.execute(t.deps.db);
  const access = { unrestricted: true, split: () => ({ whole: 'all', rest: null }) } as unknown as ReportAccess;
  // In America it is still Sunday.
  const [since, now] = [new Date('2026-02-23T00:00:00Z'), new Date('2026-03-02T01:00:00Z')];
  await t.deps.db.transaction().execute(async (transaction) => {
    await sql`set local timezone to 'America/New_York'`.execute(transaction);
    const scope = createScope(transaction, now, access, { ...noFilters, library, since, until: now }, 100);
    const { rows } = await sql<{
      week: string;
      total_bytes: number;
    }>`select week, total_bytes from (${await findReport('growth')!.rows(scope)}) r
      where r.library_id = ${library} order by week`.execute(transaction);
    expect(rows).toEqual([
      { week: '2026-02-23', total_bytes: 10 },
      { week: '2026-03-02', total_bytes: 15 },
    ]);
  });
});
