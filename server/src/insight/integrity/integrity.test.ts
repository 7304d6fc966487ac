import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createFileHasher, type Hasher, limitNs } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { silentLog } from '../../platform/log/index.ts';
import { createOutbound } from '../../platform/outbound/index.ts';
import { pump } from '../alerts/pump.ts';
import { integrityChecks } from './checks.ts';
import { verifyContent } from './verify.ts';

let t: TestApp;
let folder: string;
let photos: string;
let films: string;
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const place = (library: string, relPath: string): string => path.join(folder, library === photos ? 'photos' : 'films', relPath);
const mtime = new Date(Date.UTC(2024, 0, 1));

async function addFile(library: string, relPath: string, text: string): Promise<string> {
  const file = place(library, relPath);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  utimesSync(file, mtime, mtime);
  const id = await addItem(t.deps, library, relPath, { size: text.length, mtime, content_hash: sha(text), quick_hash: 'before' });
  await sql`update items set inode = ${statSync(file).ino}, first_seen = now() - interval '200 days' where id = ${id}`.execute(t.deps.db);
  return id;
}

/** Changes bytes behind the back of the file system: size, time and inode stay. */
function decay(library: string, relPath: string, text: string): void {
  const file = place(library, relPath);
  writeFileSync(file, text);
  utimesSync(file, mtime, mtime);
}

const settings = { enabled: true, bytes_per_day: 1_000_000, rate_mbps: 1000, every_days: 90, library_ids: null as string[] | null };
const change = async (more: Partial<typeof settings>) => {
  const response = await t.request('PUT', '/integrity/settings', { ...settings, ...more });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const run = (options: { createHasher?: (bytesPerSecond: number) => Hasher } = {}) =>
  verifyContent(t.deps.db, { log: silentLog, clock: { now: () => new Date(Date.UTC(2024, 0, 2)) }, ...options });
const events = async (as: string = 'admin', query = '') =>
  (await t.request('GET', `/integrity/events${query}`, undefined, { as })).json().events as Record<string, unknown>[];

beforeAll(async () => {
  t = await createTestApp();
  folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-integrity-'));
  photos = await addLibrary(t.deps, { name: 'Photos', root_path: path.join(folder, 'photos') });
  films = await addLibrary(t.deps, { name: 'Films', root_path: path.join(folder, 'films') });
  await addFile(photos, 'a/good.jpg', 'good content');
  await addFile(photos, 'a/rots.jpg', 'will decay 1');
  await addFile(films, 'copy of rots.jpg', 'will decay 1');
  await addFile(films, 'gone.mov', 'a film');
  rmSync(place(films, 'gone.mov'));
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

test('re-reading is opt-in', async () => {
  expect(await run()).toMatchObject({ verified: 0, bytes: 0 });
  expect((await t.request('GET', '/integrity', undefined, { as: 'read' })).json()).toMatchObject({ enabled: false, settings: null });
  expect((await t.request('PUT', '/integrity/settings', settings, { as: 'write' })).statusCode).toBe(403);
});

test('it reads the oldest first within the bytes of a day, and only the chosen libraries', async () => {
  await change({ bytes_per_day: 1_000_000, library_ids: [photos] });
  await sql`update integrity_settings set day = (now() at time zone 'UTC')::date, bytes_today = bytes_per_day - 12`.execute(t.deps.db);
  await sql`update items set first_seen = now() - interval '300 days' where rel_path = 'a/good.jpg'`.execute(t.deps.db);
  expect(await run()).toMatchObject({ verified: 1, bytes: 12 });
  expect(await run()).toMatchObject({ verified: 0 });
  // A new day has a new budget.
  await sql`update integrity_settings set day = day - 1`.execute(t.deps.db);
  expect(await run()).toMatchObject({ verified: 1 });
  const { libraries } = (await t.request('GET', '/integrity')).json();
  expect(libraries).toMatchObject([
    { library: 'Films', files: 2, never: 2, verified_percent: 0 },
    { library: 'Photos', files: 2, month: 2, never: 0, verified_percent: 100 },
  ]);
});

test('it reads no faster than the rate, in one thread', async () => {
  await change({ rate_mbps: 3, library_ids: [photos] });
  await sql`update items set last_verified_at = null where rel_path = 'a/good.jpg'`.execute(t.deps.db);
  const rates: number[] = [];
  const waits: number[] = [];
  const createHasher = (bytesPerSecond: number): Hasher => {
    rates.push(bytesPerSecond);
    // The real reader, with a wait that is recorded instead of slept. Slowed down, because the file is small.
    const hashFile = createFileHasher(undefined, { bytesPerSecond: bytesPerSecond / 1_000_000_000, wait: (ms) => waits.push(ms) });
    return { hash: async (requests) => requests.map(hashFile), close: async () => {} };
  };
  expect(await run({ createHasher })).toMatchObject({ verified: 1, bytes: 12 });
  expect(rates).toEqual([3_000_000]);
  // 12 bytes at 3 bytes per 1,000 seconds take 4,000 seconds; the work itself is part of them.
  expect(Math.max(...waits)).toBeGreaterThan(3_000_000);
  expect(Math.max(...waits)).toBeLessThanOrEqual(4_000_000);
  await change({});
});

test('a changed hash under unchanged size, time and inode is an integrity event with both digests and the copies that are still good', async () => {
  await change({});
  await sql`update items set last_verified_at = null`.execute(t.deps.db);
  decay(photos, 'a/rots.jpg', 'has decayed!');
  const done = await run();
  expect(done).toMatchObject({ verified: 2, mismatches: 1, skipped: 1 });
  expect(await events()).toMatchObject([
    {
      rel_path: 'a/rots.jpg',
      expected_hash: sha('will decay 1'),
      found_hash: sha('has decayed!'),
      state: 'open',
      good_copies: [{ rel_path: 'copy of rots.jpg', library: 'Films', last_verified_at: expect.any(String) }],
    },
  ]);
  const report = (await t.request('GET', '/reports/possible_bit_rot')).json();
  expect(report.rows).toMatchObject([{ rel_path: 'a/rots.jpg', good_copies: 1, expected_hash: sha('will decay 1') }]);
  const { rows } = await sql<{
    status: string;
    item_id: string;
  }>`select status, item_id from system_events where kind = 'integrity_mismatch'`.execute(t.deps.db);
  expect(rows).toMatchObject([{ status: 'firing' }]);
  // Nothing was written: the content that was found is still there.
  expect(readFileSync(place(photos, 'a/rots.jpg'), 'utf8')).toBe('has decayed!');
  expect(await run()).toMatchObject({ mismatches: 0 });
});

test('a damaged file is in the open alerts of every rule that asks for it, also of a newer one and after its alert had ended', async () => {
  const { db, settings, log } = t.deps;
  const pumpAlerts = () =>
    pump({ db, log, settings, now: new Date() }, { outbound: createOutbound({ settings, env: {} }), matchSearch: async () => [] });
  const openAlerts = async () =>
    (
      await sql<{ name: string; events: number }>`select r.name, g.events from alert_groups g join alert_rules r on r.id = g.rule_id
        where g.state <> 'resolved' and g.event_type = 'integrity_mismatch' and r.name like 'Decay %' order by r.name`.execute(db)
    ).rows;
  const addRule = async (name: string, fields: object = {}) => {
    const response = await t.request('POST', '/alert-rules', { name, event_types: ['integrity_mismatch'], ...fields });
    expect(response.statusCode, response.body).toBe(201);
  };
  await addRule('Decay daily', { digest_window: 'daily' });
  await pumpAlerts();
  expect(await openAlerts()).toEqual([{ name: 'Decay daily', events: 1 }]);
  await sql`update alert_groups set state = 'resolved', outcome = 'expired', resolved_at = now(), due_at = null`.execute(db);
  await addRule('Decay later');
  for (let round = 0; round < 2; round += 1) {
    await run();
    await pumpAlerts();
    expect(await openAlerts()).toEqual([
      { name: 'Decay daily', events: 1 },
      { name: 'Decay later', events: 1 },
    ]);
  }
  decay(photos, 'a/rots.jpg', 'will decay 1');
  await run();
  await pumpAlerts();
  expect(await openAlerts()).toEqual([]);
  decay(photos, 'a/rots.jpg', 'has decayed!');
  await sql`update items set last_verified_at = null where rel_path = 'a/rots.jpg'`.execute(db);
  await sql`delete from integrity_events`.execute(db);
  expect(await run()).toMatchObject({ mismatches: 1 });
});

test('people see events only of files that they see, and good copies only among those', async () => {
  const { key: other } = await addPerson(t.deps, [[films, '', 'search_metadata']]);
  expect(await events(other)).toEqual([]);
  const { key: owner } = await addPerson(t.deps, [[photos, '', 'search_metadata']]);
  expect(await events(owner)).toMatchObject([{ rel_path: 'a/rots.jpg', good_copies: [] }]);
  expect((await t.request('GET', '/integrity', undefined, { as: other })).json()).toMatchObject({
    open_events: 0,
    libraries: [{ library: 'Films' }],
  });
});

test('a restored file closes its event', async () => {
  decay(photos, 'a/rots.jpg', 'will decay 1');
  expect(await run()).toMatchObject({ closed: 1 });
  expect(await events()).toEqual([]);
  expect(await events('admin', '?state=closed')).toMatchObject([{ state: 'restored', closed_by: null }]);
  const { rows } = await sql<{ status: string }>`select status from system_events where kind = 'integrity_mismatch' order by id`.execute(
    t.deps.db,
  );
  expect(rows.map(({ status }) => status)).toEqual(['firing', 'recovered']);
});

test('an administrator can accept the content found', async () => {
  await sql`update items set last_verified_at = null where rel_path = 'a/good.jpg'`.execute(t.deps.db);
  decay(photos, 'a/good.jpg', 'other bytes!');
  await run();
  const [event] = await events();
  expect((await t.request('POST', `/integrity/events/${event!['id']}/accept`, undefined, { as: 'write' })).statusCode).toBe(403);
  const accepted = await t.request('POST', `/integrity/events/${event!['id']}/accept`);
  expect(accepted.json()).toMatchObject({ state: 'accepted', closed_by: expect.any(String) });
  expect((await t.request('POST', `/integrity/events/${event!['id']}/accept`)).json().code).toBe('integrity_closed');
  const { rows } = await sql<{ content_hash: string }>`select content_hash from items where rel_path = 'a/good.jpg'`.execute(t.deps.db);
  expect(rows[0]?.content_hash).toBe(sha('other bytes!'));
});

test('a file that is read wrongly once is read again and is not an event', async () => {
  await sql`update items set last_verified_at = null where rel_path = 'a/rots.jpg'`.execute(t.deps.db);
  const hashFile = createFileHasher();
  let faults = 1;
  const faulty: Hasher = {
    hash: async (requests) =>
      requests.map((request) => {
        const result = hashFile(request);
        if (result.error !== undefined || faults === 0) return result;
        faults -= 1;
        return { ...result, content: sha('a bit flipped in memory') };
      }),
    close: async () => {},
  };
  expect(await run({ createHasher: () => faulty })).toMatchObject({ verified: 1, mismatches: 0 });
  expect(faults).toBe(0);
});

test('a file that somebody wrote is left to the next scan', async () => {
  await sql`update items set last_verified_at = null where rel_path = 'a/rots.jpg'`.execute(t.deps.db);
  writeFileSync(place(photos, 'a/rots.jpg'), 'new version!');
  expect(await run()).toMatchObject({ mismatches: 0, verified: 0 });
  for (const check of integrityChecks) expect(await check.run(t.deps)).toEqual([]);
});

test('decay is found in a file dated later than the catalog can store', async () => {
  const id = await addFile(photos, 'a/future.jpg', 'from the future');
  const file = place(photos, 'a/future.jpg');
  const date = new Date(Date.UTC(2300, 0, 1));
  writeFileSync(file, 'from the past..');
  utimesSync(file, date, date);
  const { mtimeNs } = statSync(file, { bigint: true });
  await sql`update items set mtime_ns = ${String(limitNs(mtimeNs))} where id = ${id}`.execute(t.deps.db);
  expect(await run()).toMatchObject({ mismatches: 1 });
});

test('all open events are counted and listed, also those that were found within a millisecond', async () => {
  const { db } = t.deps;
  const before = (await t.request('GET', '/integrity')).json().open_events;
  const many = await addLibrary(t.deps, { name: 'Damaged disk' });
  await addItem(t.deps, many, '0.bin');
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns)
    select library_id, folder_id, n || '.bin', 1, 0 from items, generate_series(1, 1001) n where library_id = ${many}`.execute(db);
  await sql`insert into integrity_events (item_id, library_id, rel_path, size, mtime_ns, expected_hash, found_hash, found_quick_hash, found_at)
    select id, library_id, rel_path, size, mtime_ns, 'a', 'b', 'b', timestamptz '2026-01-01' + row_number() over () * interval '1 microsecond'
    from items where library_id = ${many}`.execute(db);
  expect((await t.request('GET', '/integrity')).json().open_events).toBe(before + 1002);
  const ids = new Set<string>();
  for (let cursor = ''; ; ) {
    const page = (await t.request('GET', `/integrity/events?limit=200${cursor}`)).json();
    for (const { id } of page.events) ids.add(id);
    if (page.next_cursor === null) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(ids.size).toBe(before + 1002);
  await sql`delete from integrity_events where library_id = ${many}`.execute(db);
  await sql`delete from items where library_id = ${many}`.execute(db);
});
