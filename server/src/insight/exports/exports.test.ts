import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { addItem, addPerson } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { performTask } from '../../../test/perform.ts';
import { exportMaintenance, exportTasks } from './tasks.ts';

let t: IndexedApp;
let photos: string;
let ann: { id: string; key: string };

beforeAll(async () => {
  t = await createIndexedApp({ SVC_EXPORT_DIRECT_MAX_ROWS: '10' });
  photos = await t.addLibrary('Photos');
  await addItem(t.deps, photos, 'a/=cmd|calc.jpg', { size: 5, title: '-5', quick_hash: '1', tags: ['x', 'y'] });
  await addItem(t.deps, photos, 'a/umlaut ö,"q".jpg', { size: 7, quick_hash: '2' });
  await addItem(t.deps, photos, 'b/secret\u0001.jpg', { size: 9, quick_hash: '3' });
  ann = await addPerson(t.deps, [
    [photos, '', 'search_metadata'],
    [photos, 'a', 'download'],
  ]);
  await t.waitForIndex();
});
afterAll(() => t.close());

const run = () => exportTasks(t.deps)[0]!;
const perform = async (id: string) => performTask(t.deps, run(), { export_id: id, byte_order_mark: false });
const queue = async (url: string, as = 'admin', body?: unknown) => (await t.request('POST', url, body, { as })).json();
const get = (url: string, as = 'admin') => t.request('GET', url, undefined, { as });
const folder = () => path.join(t.configDir, 'exports');

test('a report is sent as CSV, NDJSON, XML or XLSX, optionally compressed', async () => {
  const csv = await get('/reports/largest_files?format=csv&bom=true');
  expect(csv.headers).toMatchObject({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': expect.stringMatching(/^attachment; filename="catalog-largest-files-\d{8}\.csv"$/),
  });
  expect(csv.body.startsWith('\uFEFFrel_path,library,file_category,size,size_on_disk,path')).toBe(true);
  expect(csv.body).toContain('"a/umlaut ö,""q"".jpg",Photos,other,7,7,"/media/Photos/a/umlaut ö,""q"".jpg"');
  const lines = (await get('/reports/largest_files?format=ndjson')).body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toHaveLength(3);
  expect(lines[0]).toMatchObject({ item_id: expect.any(String), size: 9 });
  const xml = (await get('/reports/largest_files?format=xml')).body;
  expect(xml).toContain('<report id="largest-files" generated="');
  expect(xml).toContain('<col name="rel_path">b/secret\uFFFD.jpg</col>');
  expect((await get('/reports/largest_files?format=xlsx')).rawPayload.subarray(0, 2).toString()).toBe('PK');
  const packed = await get('/reports/largest_files?format=csv&gzip=true');
  expect(gunzipSync(packed.rawPayload).toString()).toContain('a/=cmd');
  expect((await get('/reports/largest_files?format=xlsx&gzip=true')).statusCode).toBe(422);
});

test('files need the right to download and contain only rows that the caller may download', async () => {
  const csv = (await get('/reports/largest_files?format=csv', ann.key)).body;
  expect(csv).toContain('umlaut');
  expect(csv).not.toContain('secret');
  expect((await get('/reports/largest_files', ann.key)).json().total).toBe(3);
  const none = await addPerson(t.deps, [[photos, '', 'search_metadata']]);
  expect((await get('/reports/largest_files?format=csv', none.key)).json()).toMatchObject({ status: 403, code: 'action_denied' });
});

test('search results and folders can be exported from where one sees them', async () => {
  const search = (await get('/search/export?q=jpg&sort=size:asc&format=csv&columns=filename,size,title')).body;
  // A text that is a number stays a number; one that a spreadsheet would run does not.
  expect(search).toBe('filename,size,title\r\n\'=cmd|calc.jpg,5,-5\r\n"umlaut ö,""q"".jpg",7,\r\nsecret\u0001.jpg,9,\r\n');
  expect((await get('/search/export?q=jpg', ann.key)).body).not.toContain('secret');
  const below = (await get(`/libraries/${photos}/export?path=a&format=ndjson&columns=rel_path,tags`)).body
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(below.map(({ rel_path, tags }) => [rel_path, tags])).toEqual([
    ['a/=cmd|calc.jpg', ['x', 'y']],
    ['a/umlaut ö,"q".jpg', []],
  ]);
  expect((await get(`/libraries/${photos}/export?recursive=false`)).body.trim().split('\r\n')).toHaveLength(1);
  expect((await get('/search/export?columns=nope')).statusCode).toBe(422);
  expect((await get('/search/export?q=size:>big')).json().code).toBe('query_invalid');
});

test('the results of a search whose title is cut within an emoji can be downloaded', async () => {
  const found = await get(`/search/export?q=${encodeURIComponent(`${'a'.repeat(191)}😀`)}`);
  expect(found.statusCode, found.body).toBe(200);
});

test('a direct export above the limit is refused with the way out', async () => {
  for (let n = 0; n < 10; n += 1) await addItem(t.deps, photos, `many/${n}.bin`, { quick_hash: `m${n}` });
  expect((await get('/reports/largest_files?format=csv')).json()).toMatchObject({
    status: 413,
    code: 'export_too_large',
    detail: expect.stringContaining('13 rows'),
  });
  expect((await get('/reports/largest_files?format=csv&limit=5')).statusCode).toBe(200);
});

test('a background export has progress, a checksum and an expiry, and can be downloaded by its owner', async () => {
  const queued = await queue('/reports/largest_files/export?format=csv', ann.key);
  expect(queued).toMatchObject({ status: 'queued', canned_report_key: 'largest_files', downloadable: false });
  expect((await get(`/exports/${queued.id}/download`, ann.key)).json()).toMatchObject({ status: 409, code: 'export_not_ready' });
  const progress: Record<string, unknown>[] = [];
  await performTask(t.deps, run(), { export_id: queued.id, byte_order_mark: false }, { progress: (value) => progress.push(value) });
  const done = (await get(`/exports/${queued.id}`, ann.key)).json();
  expect(done).toMatchObject({ status: 'complete', downloadable: true, row_count: 2, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  expect(Date.parse(done.expires_at)).toBeGreaterThan(Date.now() + 167 * 3_600_000);
  expect(progress.at(-1)).toMatchObject({ rows: 2, total: 2 });
  const file = await get(`/exports/${queued.id}/download`, ann.key);
  expect(createHash('sha256').update(file.rawPayload).digest('hex')).toBe(done.sha256);
  expect(file.rawPayload.length).toBe(done.file_size_bytes);
  const bob = await addPerson(t.deps, []);
  expect((await get(`/exports/${queued.id}`, bob.key)).statusCode).toBe(404);
  expect((await get('/exports', bob.key)).json().exports).toEqual([]);
  expect((await get('/exports')).json().exports.map(({ id }: { id: string }) => id)).toContain(queued.id);
  const { rows } = await sql<{
    n: number;
  }>`select count(*) as n from security_events where event_type = 'report_export_downloaded' and details ->> 'export_id' = ${queued.id}`.execute(
    t.deps.db,
  );
  expect(rows[0]!.n).toBe(1);
});

test('the audit log says which service account downloaded a file', async () => {
  expect((await get('/reports/largest_files?format=csv&limit=5')).statusCode).toBe(200);
  const queued = await queue('/reports/largest_files/export?format=csv');
  await performTask(t.deps, run(), { export_id: queued.id, byte_order_mark: false });
  expect((await get(`/exports/${queued.id}/download`)).statusCode).toBe(200);
  const { rows } = await sql<{ account: string | null }>`select a.name as account from security_events e
    left join service_accounts a on a.id = e.principal_id where e.event_type = 'report_export_downloaded' order by e.id desc limit 2`.execute(
    t.deps.db,
  );
  expect(rows.map(({ account }) => account)).toEqual([queued.owner_name, queued.owner_name]);
});

test('a right revoked after queueing removes the rows', async () => {
  const eve = await addPerson(t.deps, [
    [photos, '', 'search_metadata'],
    [photos, '', 'download'],
  ]);
  const before = await queue('/reports/largest_files/export', eve.key);
  const search = await queue('/exports', eve.key, { source: { kind: 'search', params: { q: 'jpg' } } });
  await sql`insert into grants (principal_id, library_id, rel_path, action, effect) values (${eve.id}, ${photos}, 'b', 'search_metadata', 'deny')`.execute(
    t.deps.db,
  );
  for (const { id } of [before, search]) {
    await perform(id);
    const text = (await get(`/exports/${id}/download`, eve.key)).body;
    expect(text).toContain('umlaut');
    expect(text).not.toContain('secret');
  }
  const later = await queue('/reports/largest_files/export', eve.key);
  await sql`update principals set disabled = true where id = ${eve.id}`.execute(t.deps.db);
  await expect(perform(later.id)).rejects.toThrow();
  expect((await get(`/exports/${later.id}`)).json()).toMatchObject({
    status: 'failed',
    error: expect.stringContaining('no longer exists or is disabled'),
  });
});

test('a right revoked while an export runs starts it again without the rows', async () => {
  const fay = await addPerson(t.deps, [
    [photos, '', 'search_metadata'],
    [photos, '', 'download'],
  ]);
  const { id } = await queue('/reports/largest_files/export', fay.key);
  let revoked = false;
  // The clock is read when a source opens, so the right is revoked between the query and its first batch.
  const clock = {
    now: () => new Date(),
  };
  const db = new Proxy(t.deps.db, {
    get(target, name) {
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const database = {
    ...t.deps.database,
    db: t.deps.db,
    pool: new Proxy(t.deps.database.pool, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (name !== 'connect') return typeof value === 'function' ? value.bind(target) : value;
        return async () => {
          if (!revoked) {
            revoked = true;
            await sql`insert into grants (principal_id, library_id, rel_path, action, effect) values (${fay.id}, ${photos}, 'b', 'download', 'deny')`.execute(
              t.deps.db,
            );
          }
          return target.connect();
        };
      },
    }),
  };
  await performTask(t.deps, exportTasks({ ...t.deps, clock, database })[0]!, { export_id: id, byte_order_mark: false }, { db });
  expect(revoked).toBe(true);
  expect((await get(`/exports/${id}/download`, fay.key)).body).not.toContain('secret');
});

test('a person can have three exports waiting; a cancelled one makes room and leaves no file', async () => {
  const gus = await addPerson(t.deps, [
    [photos, '', 'search_metadata'],
    [photos, '', 'download'],
  ]);
  const made = [];
  for (let n = 0; n < 3; n += 1) made.push(await queue('/reports/largest_files/export', gus.key));
  expect((await t.request('POST', '/reports/largest_files/export', undefined, { as: gus.key })).json()).toMatchObject({
    status: 429,
    code: 'too_many_exports',
  });
  expect((await t.request('POST', `/exports/${made[0].id}/cancel`, undefined, { as: gus.key })).json()).toMatchObject({
    status: 'cancelled',
  });
  await perform(made[0].id);
  expect(existsSync(path.join(folder(), made[0].id))).toBe(false);
  expect((await t.request('POST', `/exports/${made[0].id}/cancel`, undefined, { as: gus.key })).statusCode).toBe(409);
  expect((await t.request('POST', '/reports/largest_files/export', undefined, { as: gus.key })).statusCode).toBe(202);
});

test('kill -9 during a background export offers no partial file, and the next worker writes it anew', async () => {
  const many = await t.addLibrary('Many');
  const { rows } = await sql<{
    id: number;
  }>`insert into folders (library_id, rel_path, path) values (${many}, '', 'x'::ltree) returning id`.execute(t.deps.db);
  await sql`insert into items (library_id, folder_id, filename, size, mtime_ns)
    select ${many}, ${rows[0]!.id}, n || '.bin', n, 1700000000000000000 from generate_series(1, 8000) n`.execute(t.deps.db);
  const { id } = await queue(`/reports/stale_files/export?library_id=${many}&threshold_days=1`);
  const worker = fork(new URL('./export-process.fixture.ts', import.meta.url), [JSON.stringify(t.deps.database.address), t.configDir, id], {
    execArgv: [],
    stdio: 'inherit',
  });
  onTestFinished(() => void worker.kill('SIGKILL'));
  const exited = once(worker, 'exit');
  await once(worker, 'message');
  worker.kill('SIGKILL');
  await exited;
  expect(readdirSync(folder())).toContain(`${id}.partial`);
  expect((await get(`/exports/${id}`)).json()).toMatchObject({ status: 'running', downloadable: false });
  expect((await get(`/exports/${id}/download`)).statusCode).toBe(409);
  await perform(id);
  const done = (await get(`/exports/${id}`)).json();
  expect(done).toMatchObject({ status: 'complete', row_count: 8000 });
  expect(readdirSync(folder()).filter((name) => name.endsWith('.partial'))).toEqual([]);
  expect(
    createHash('sha256')
      .update((await get(`/exports/${id}/download`)).rawPayload)
      .digest('hex'),
  ).toBe(done.sha256);
  await sql`delete from items where library_id = ${many}`.execute(t.deps.db);
});

test('an export whose job was given up fails clean', async () => {
  mkdirSync(folder(), { recursive: true });
  const lost = await queue('/reports/largest_files/export', 'admin');
  await sql`update jobs set state = 'failed', error = 'The worker was lost.', finished_at = now() where id = (select job_id from exports where id = ${lost.id})`.execute(
    t.deps.db,
  );
  await sql`update exports set status = 'running', created_at = now() - interval '1 hour' where id = ${lost.id}`.execute(t.deps.db);
  writeFileSync(path.join(folder(), `${lost.id}.partial`), 'half');
  await performTask(t.deps, exportMaintenance(t.deps).find(({ key }) => key === 'reconcile_exports')!.task, {});
  expect((await get(`/exports/${lost.id}`)).json()).toMatchObject({ status: 'failed', error: 'The worker was lost.', downloadable: false });
  expect(existsSync(path.join(folder(), `${lost.id}.partial`))).toBe(false);
});

test('an aborted job ends its export at once, and a retried one finishes it', async () => {
  const { id } = await queue('/reports/largest_files/export', 'admin');
  const { rows } = await sql<{ job_id: string }>`select job_id from exports where id = ${id}`.execute(t.deps.db);
  const job = rows[0]!.job_id;
  expect((await t.request('POST', `/system/jobs/${job}/abort`)).statusCode).toBe(200);
  expect((await get(`/exports/${id}`)).json()).toMatchObject({ status: 'failed', error: 'Aborted on request.' });
  expect((await t.request('POST', `/system/jobs/${job}/retry`)).statusCode).toBe(200);
  await perform(id);
  expect((await get(`/exports/${id}`)).json()).toMatchObject({ status: 'complete', error: null, downloadable: true });
});

test('an export can be downloaded only while its owner may see all that it could contain', async () => {
  const dan = await addPerson(
    t.deps,
    ['a', 'b'].flatMap((place) => [
      [photos, place, 'search_metadata'],
      [photos, place, 'download'],
    ]) as Parameters<typeof addPerson>[1],
  );
  const { id } = await queue('/reports/largest_files/export', dan.key);
  await perform(id);
  const films = await t.addLibrary('Films');
  await sql`insert into grants (principal_id, library_id, rel_path, action, effect) values (${dan.id}, ${films}, '', 'search_metadata', 'allow')`.execute(
    t.deps.db,
  );
  expect((await get(`/exports/${id}/download`, dan.key)).body).toContain('secret');
  await sql`delete from grants where principal_id = ${dan.id} and rel_path = 'b' and action = 'download'`.execute(t.deps.db);
  expect((await get(`/exports/${id}/download`, dan.key)).json()).toMatchObject({
    status: 403,
    code: 'action_denied',
    detail: 'Your permissions have changed since this export was made. Start it again.',
  });
  const refused = { status: 'complete', downloadable: false, rights_changed: true, download_url: null };
  expect((await get(`/exports/${id}`, dan.key)).json()).toMatchObject(refused);
  expect((await get('/exports', dan.key)).json().exports).toMatchObject([refused]);
  expect((await get(`/exports/${id}/download`)).statusCode).toBe(200);
});

test('an expired export loses its file and keeps its record', async () => {
  const { id } = await queue('/reports/largest_files/export', 'admin');
  await perform(id);
  writeFileSync(path.join(folder(), '00000000-0000-7000-8000-00000000dead'), 'orphan');
  await sql`update exports set expires_at = now() - interval '1 hour' where id = ${id}`.execute(t.deps.db);
  await performTask(t.deps, exportMaintenance(t.deps).find(({ key }) => key === 'purge_exports')!.task, {});
  expect((await get(`/exports/${id}`)).json()).toMatchObject({ status: 'complete', downloadable: false, purged_at: expect.any(String) });
  expect((await get(`/exports/${id}/download`)).statusCode).toBe(410);
  expect(readdirSync(folder())).not.toContain('00000000-0000-7000-8000-00000000dead');
});

test('exports need a credential', async () => {
  for (const url of ['/exports', '/search/export', `/libraries/${photos}/export`])
    expect((await t.request('GET', url, undefined, { as: null })).statusCode).toBe(401);
});

test('all expired exports are purged, however many schedules made', async () => {
  await sql`insert into exports (title, source, format, owner_kind, owner_name, triggered_by, status, expires_at)
    select 'Report', '{}', 'csv', 'open', '', 'schedule', 'complete', now() - interval '1 hour' from generate_series(1, 1001)`.execute(
    t.deps.db,
  );
  await performTask(t.deps, exportMaintenance(t.deps).find(({ key }) => key === 'purge_exports')!.task, {});
  const { rows } = await sql`select from exports where purged_at is null and expires_at < now()`.execute(t.deps.db);
  expect(rows).toHaveLength(0);
});

test('an export with too many rows ends at its first attempt', async () => {
  const { id } = await queue('/exports', 'admin', { source: { kind: 'folder', library_id: photos } });
  const [task] = exportTasks({ ...t.deps, settings: { ...t.deps.settings, exportMaxRows: 1 } });
  await expect(performTask(t.deps, task!, { export_id: id, byte_order_mark: false })).rejects.toThrow('at most 1 are allowed');
  expect((await get(`/exports/${id}`)).json()).toMatchObject({ status: 'failed', error: expect.stringContaining('at most 1 are allowed') });
});
