import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createInlineHasher, type HashFileSystem, systemHashFileSystem } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { type Log, silentLog } from '../../platform/log/index.ts';
import { verifyContent } from './verify.ts';

let t: TestApp;
let folder: string;
let library: string;
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');
const mtime = new Date(Date.UTC(2024, 0, 1));
/** A day on which open events are read first. */
const day = new Date(Date.UTC(2024, 0, 2));
const run = (options: { files?: HashFileSystem; log?: Log; now?: Date } = {}) =>
  verifyContent(t.deps.db, {
    clock: { now: () => options.now ?? day },
    log: options.log ?? silentLog,
    createHasher: () => createInlineHasher(options.files ?? systemHashFileSystem),
  });

function writeDated(relPath: string, text: string): string {
  const file = path.join(folder, relPath);
  writeFileSync(file, text);
  utimesSync(file, mtime, mtime);
  return file;
}

async function addFile(relPath: string, text: string, days: number): Promise<string> {
  const id = await addItem(t.deps, library, relPath, { size: text.length, mtime, content_hash: sha(text), quick_hash: 'before' });
  const { ino } = statSync(writeDated(relPath, text));
  await sql`update items set inode = ${ino}, first_seen = now() - ${days} * interval '1 day' where id = ${id}`.execute(t.deps.db);
  return id;
}
const budget = (bytes: number) =>
  sql`update integrity_settings set enabled = true, bytes_per_day = ${bytes}, bytes_today = 0, rate_mbps = 1000, every_days = 30`.execute(
    t.deps.db,
  );

beforeAll(async () => {
  t = await createTestApp();
  folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-budget-'));
  library = await addLibrary(t.deps, { root_path: folder });
});
beforeEach(async () => {
  await sql`delete from integrity_events`.execute(t.deps.db);
  await sql`delete from items`.execute(t.deps.db);
  rmSync(folder, { recursive: true });
  mkdirSync(folder);
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

test('thousands of files that cannot be read do not keep the others from being read', async () => {
  await budget(1_000_000);
  const id = await addFile('0.txt', 'gone', 300);
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns, content_hash, first_seen)
    select library_id, folder_id, 'gone ' || n, 4, 0, content_hash, first_seen + n * interval '1 second' from items, generate_series(1, 10500) n where id = ${id}`.execute(
    t.deps.db,
  );
  await addFile('readable.txt', 'here', 200);
  await sql`analyze item_rows`.execute(t.deps.db);
  expect(await run()).toMatchObject({ verified: 2, skipped: 10_500 });
}, 120_000);

test('no more is read than the budget of the day, except for one file that is larger than all of it', async () => {
  await budget(10);
  await addFile('1.txt', 'seven B', 300);
  await addFile('2.txt', 'seven b', 299);
  await addFile('3.txt', 'two', 298);
  expect(await run()).toMatchObject({ verified: 2, bytes: 10 });
  await budget(10);
  expect(await run()).toMatchObject({ verified: 1, bytes: 7 });
  rmSync(path.join(folder, '1.txt'));
  await sql`update items set last_verified_at = null where rel_path = '1.txt'`.execute(t.deps.db);
  await addFile('large.txt', 'larger than the budget', 250);
  await addFile('small.txt', 'x', 240);
  await budget(10);
  expect(await run()).toMatchObject({ verified: 1, bytes: 22, skipped: 1 });
});

test('files of open events are read within the budget too', async () => {
  await budget(10);
  await addFile('1.txt', 'seven B', 300);
  await addFile('2.txt', 'seven b', 300);
  writeDated('1.txt', 'decayed');
  writeDated('2.txt', 'decayeD');
  // A file that differs is read twice.
  expect(await run()).toMatchObject({ mismatches: 1 });
  await budget(10);
  await run();
  await budget(6);
  await run();
  const { rows } = await sql<{ bytes: number }>`select bytes_today::int as bytes from integrity_settings`.execute(t.deps.db);
  expect(rows[0]!.bytes).toBe(7);
});

test('content that a scan has taken over can be accepted, and a third content closes the event', async () => {
  await budget(1_000_000);
  const id = await addFile('1.txt', 'good content', 300);
  writeDated('1.txt', 'rotten bytes');
  expect(await run()).toMatchObject({ mismatches: 1 });
  // A scan that read the file after a chmod.
  await sql`update items set content_hash = ${sha('rotten bytes')} where id = ${id}`.execute(t.deps.db);
  expect(await run()).toMatchObject({ closed: 0 });
  const [event] = (await t.request('GET', '/integrity/events')).json().events;
  const accepted = await t.request('POST', `/integrity/events/${event.id}/accept`);
  expect([accepted.statusCode, accepted.json().state]).toEqual([200, 'accepted']);
  await sql`update items set last_verified_at = null where id = ${id}`.execute(t.deps.db);
  writeDated('1.txt', 'rotten again');
  expect(await run()).toMatchObject({ mismatches: 1 });
  writeDated('1.txt', 'restored old');
  await sql`update items set content_hash = ${sha('restored old')} where id = ${id}`.execute(t.deps.db);
  expect(await run()).toMatchObject({ closed: 1 });
  expect((await t.request('GET', '/integrity/events?state=closed')).json().events[0].state).toBe('replaced');
});

test('the number of open events is exact above a thousand', async () => {
  const id = await addFile('0.txt', 'x', 1);
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns)
    select library_id, folder_id, n::text, 4, 0 from items, generate_series(1, 1002) n where id = ${id}`.execute(t.deps.db);
  await sql`insert into integrity_events (item_id, library_id, rel_path, size, mtime_ns, expected_hash, found_hash, found_quick_hash)
    select id, library_id, rel_path, size, mtime_ns, 'a', 'b', 'c' from items`.execute(t.deps.db);
  expect((await t.request('GET', '/integrity')).json().open_events).toBe(1003);
});

test('a file that cannot be read is named, by the log and at the file, until it can be read', async () => {
  await budget(1_000_000);
  const bad = await addFile('bad.txt', 'bad sector', 300);
  await addFile('good.txt', 'good', 200);
  await addFile('gone.txt', 'gone', 100);
  rmSync(path.join(folder, 'gone.txt'));
  const warnings: unknown[] = [];
  const log = { ...silentLog, warning: (_: string, fields?: object) => void warnings.push(fields) };
  const files: HashFileSystem = {
    ...systemHashFileSystem,
    open(file) {
      if (String(file).endsWith('bad.txt')) throw Object.assign(new Error('input/output error'), { code: 'EIO' });
      return systemHashFileSystem.open(file);
    },
  };
  const hashError = async () => (await t.request('GET', `/items/${bad}`)).json().hash_error;
  expect(await run({ files, log })).toMatchObject({ verified: 1, skipped: 2, unreadable: 1 });
  expect(warnings).toEqual([{ path: path.join(folder, 'bad.txt'), code: 'EIO' }]);
  expect(await hashError()).toBe('EIO');
  expect(await run()).toMatchObject({ verified: 1, unreadable: 0 });
  expect(await hashError()).toBe(null);
});

test('errors of a disk that fails as a whole are not stored at all of its files', async () => {
  await budget(1_000_000);
  const id = await addFile('0.txt', 'away', 300);
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns, content_hash, first_seen)
    select library_id, folder_id, 'away ' || n, 4, 0, content_hash, first_seen from items, generate_series(1, 300) n where id = ${id}`.execute(
    t.deps.db,
  );
  const warnings: string[] = [];
  const log = { ...silentLog, warning: (message: string) => void warnings.push(message) };
  const files: HashFileSystem = {
    ...systemHashFileSystem,
    open() {
      throw Object.assign(new Error('input/output error'), { code: 'EIO' });
    },
  };
  expect(await run({ files, log })).toMatchObject({ verified: 0, unreadable: 301 });
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from items where hash_error = 'EIO'`.execute(t.deps.db);
  expect(rows[0]!.n).toBe(100);
  expect(warnings).toHaveLength(101);
});

test('open events leave half of the budget to other files, and those that need no reading are closed all the same', async () => {
  await budget(1_000_000);
  const ids = [await addFile('1.txt', 'seven B', 300), await addFile('2.txt', 'seven b', 300), await addFile('3.txt', 'seven!!', 300)];
  for (const name of ['1.txt', '2.txt', '3.txt']) writeDated(name, 'decayed');
  expect(await run()).toMatchObject({ mismatches: 3 });
  await addFile('other.txt', 'others', 200);
  await sql`update integrity_events set last_read_at = now() - interval '1 day' where item_id <> ${ids[2]}`.execute(t.deps.db);
  await sql`update items set status = 'missing' where id = ${ids[2]}`.execute(t.deps.db);
  await budget(14);
  expect(await run()).toMatchObject({ verified: 1, closed: 1 });
  // The next runs of the day read neither of the two again.
  expect(await run()).toMatchObject({ verified: 0, closed: 0 });
  const { rows } = await sql<{ bytes: number }>`select bytes_today::int as bytes from integrity_settings`.execute(t.deps.db);
  expect(rows[0]!.bytes).toBe(13);
});

test('a file that fits only the whole budget of a day is read although an event is open, and the event is read on the other days', async () => {
  await budget(1_000_000);
  await addFile('1.txt', 'seven B', 300);
  writeDated('1.txt', 'decayed');
  expect(await run()).toMatchObject({ mismatches: 1 });
  await addFile('large.txt', 'nine byte', 200);
  await budget(10);
  expect(await run()).toMatchObject({ verified: 0, bytes: 0 });
  await budget(10);
  expect(await run({ now: new Date(day.getTime() + 86_400_000) })).toMatchObject({ verified: 1, bytes: 9 });
  writeDated('1.txt', 'seven B');
  await budget(10);
  expect(await run({ now: new Date(day.getTime() + 2 * 86_400_000) })).toMatchObject({ closed: 1 });
});
