import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { statusOf } from '../../platform/http/index.ts';
import { fireIfDue } from '../../platform/queue/index.ts';
import { scanSchedules } from '../scan/index.ts';
import { accountingLine } from './present.ts';
import { checkRoot, type RootFiles, systemRootFiles } from './root.ts';
import { createLibrary } from './service.ts';
import { removeLibraryTask, reprojectTask } from './tasks.ts';

let t: TestApp;
let disk: string;
beforeAll(async () => {
  t = await createTestApp();
  disk = mkdtempSync(path.join(os.tmpdir(), 'catalog-libraries-'));
});
afterAll(async () => {
  await t.close();
  rmSync(disk, { recursive: true, force: true });
});

const folder = (name: string): string => {
  mkdirSync(path.join(disk, name), { recursive: true });
  return path.join(disk, name);
};
const actor = { principalId: null, ip: '127.0.0.1' };

test('a library is created with its defaults, read, listed, changed and deleted', async () => {
  const root = folder('films');
  const made = await t.request('POST', '/libraries', { name: ' Films ', root_path: `${root}/` });
  expect(made.statusCode, made.body).toBe(201);
  const library = made.json();
  expect(library).toMatchObject({
    name: 'Films',
    root_path: root,
    enabled: true,
    enabled_categories: [],
    effective_presets: ['hidden_dotfiles'],
    scan_cron: null,
    hash_policy: 'auto',
    expose_gps: false,
    count_pruned_files: false,
    extract_overrides: null,
    last_scan: null,
    share_prefix_source: 'none',
  });
  expect((await t.request('GET', `/libraries/${library.id}`)).json()).toEqual(library);
  expect((await t.request('GET', '/libraries')).json()).toEqual([library]);

  const changed = await t.request('PATCH', `/libraries/${library.id}`, {
    scan_cron: ' 0  3 * * * ',
    enabled_categories: ['video', 'image'],
    enabled_groups: ['pdf'],
    exclude_globs: ['*.tmp'],
    include_globs: ['keep.tmp'],
    enabled_presets: ['caches_temp', '-hidden_dotfiles'],
    count_pruned_files: true,
    native_prefix: '\\\\nas\\films',
    share_prefix: 'smb://nas/films',
    extract_overrides: { ffprobe_timeout_s: 60, email_max_bytes: null, document_max_bytes: '', model3d_max_bytes: ' ' },
    hash_policy: 'quick_only',
    hash_full_max_bytes: 1000,
  });
  expect(changed.statusCode, changed.body).toBe(200);
  expect(changed.json()).toMatchObject({
    scan_cron: '0 3 * * *',
    enabled_groups: ['pdf'],
    effective_presets: ['caches_temp'],
    extract_overrides: { ffprobe_timeout_s: 60 },
    share_unc_effective: '\\\\nas\\films',
    share_prefix_source: 'manual',
  });
  expect(new Date(changed.json().next_scan_at).getUTCHours()).toBe(3);
  const cleared = await t.request('PATCH', `/libraries/${library.id}`, {
    scan_cron: null,
    extract_overrides: {},
    native_prefix: '',
    hash_full_max_bytes: null,
  });
  expect(cleared.json()).toMatchObject({
    scan_cron: null,
    next_scan_at: null,
    extract_overrides: null,
    native_prefix: null,
    hash_full_max_bytes: null,
  });

  expect((await t.request('DELETE', `/libraries/${library.id}`)).statusCode).toBe(422);
  expect((await t.request('DELETE', `/libraries/${library.id}?confirm=films`)).json()).toMatchObject({
    status: 422,
    code: 'library_name_mismatch',
  });
  expect((await t.request('DELETE', `/libraries/${library.id}?confirm=Films`)).statusCode).toBe(204);
  expect((await t.request('GET', `/libraries/${library.id}`)).statusCode).toBe(404);
  const trail = (await t.request('GET', '/audit?event_type=library_changed')).json().events as { details: { action: string } }[];
  expect(trail.map(({ details }) => details.action)).toEqual(['delete', 'change', 'change', 'create']);
});

test('the next scan is the one that will run: a schedule that already fired for a coming minute waits for the one after', async () => {
  const created = await t.request('POST', '/libraries', { name: 'Often', root_path: folder('often'), scan_cron: '* * * * *' });
  const { id } = created.json();
  const { rows } = await sql<{
    ahead: Date;
  }>`update cron_schedules set last_occurrence = date_trunc('minute', clock_timestamp()) + interval '3 minutes'
    where key = ${`scan:libraries:${id}`} returning last_occurrence as ahead`.execute(t.deps.db);
  const next = (await t.request('GET', `/libraries/${id}`)).json().next_scan_at;
  expect(new Date(next).getTime()).toBe(rows[0]!.ahead.getTime() + 60_000);
  await t.request('DELETE', `/libraries/${id}?confirm=Often`);
});

test('each invalid field is reported and nothing is created', async () => {
  const root = folder('wrong');
  const cases: [object, string, (string | number)[]][] = [
    [{ name: '' }, 'validation_failed', ['body', 'name']],
    [{ name: '   ' }, 'validation_failed', ['body', 'name']],
    [{ root_path: 'relative/path' }, 'validation_failed', ['body', 'root_path']],
    [{ root_path: `${root}/gone` }, 'library_root_missing', ['body', 'root_path']],
    [{ scan_cron: '0 25 * * *' }, 'validation_failed', ['body', 'scan_cron']],
    [{ scan_cron: 'daily' }, 'validation_failed', ['body', 'scan_cron']],
    [{ exclude_globs: ['ok', '# only a comment'] }, 'validation_failed', ['body', 'exclude_globs', 1]],
    [{ enabled_presets: ['no_such'] }, 'validation_failed', ['body', 'enabled_presets']],
    [{ enabled_presets: ['-caches_temp'] }, 'validation_failed', ['body', 'enabled_presets']],
    [{ enabled_categories: ['films'] }, 'taxonomy_unknown', ['body', 'enabled_categories']],
    [{ enabled_groups: ['films'] }, 'taxonomy_unknown', ['body', 'enabled_groups']],
    [{ extract_overrides: { timeout: 1 } }, 'validation_failed', ['body', 'extract_overrides', 'timeout']],
    [{ extract_overrides: { ffprobe_timeout_s: 0 } }, 'validation_failed', ['body', 'extract_overrides', 'ffprobe_timeout_s']],
    [{ extract_overrides: { ffprobe_timeout_s: '60' } }, 'validation_failed', ['body', 'extract_overrides', 'ffprobe_timeout_s']],
    [{ hash_policy: 'sometimes' }, 'validation_failed', ['body', 'hash_policy']],
    [{ hash_full_max_bytes: 0 }, 'validation_failed', ['body', 'hash_full_max_bytes']],
    [{ root_path: t.configDir }, 'validation_failed', ['body', 'root_path']],
    [{ unknown_field: 1 }, 'validation_failed', ['body', 'unknown_field']],
  ];
  for (const [body, code, loc] of cases) {
    const answer = (await t.request('POST', '/libraries', { name: 'Wrong', root_path: root, ...body })).json();
    expect([answer.code, answer.errors?.[0]?.loc], JSON.stringify(body)).toEqual([code, loc]);
    // A form shows the message of the field, so it says what is wrong with the folder.
    if (code.startsWith('library_root')) expect(answer.errors[0].msg).toBe(answer.detail);
  }
  expect((await t.request('GET', '/libraries')).json()).toEqual([]);
});

test('a root that is a file, is missing, cannot be read, or overlaps another library is refused with a clear error', async () => {
  const outer = folder('outer');
  writeFileSync(path.join(outer, 'a.txt'), 'x');
  const create = async (name: string, root_path: string) => (await t.request('POST', '/libraries', { name, root_path })).json();
  expect(await create('File', path.join(outer, 'a.txt'))).toMatchObject({ status: 422, code: 'library_root_not_directory' });
  expect(await create('Below a file', path.join(outer, 'a.txt', 'b'))).toMatchObject({ status: 422, code: 'library_root_missing' });
  const refusing: RootFiles = { ...systemRootFiles, list: () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' })) };
  await expect(checkRoot(outer, refusing)).rejects.toMatchObject({ code: 'library_root_unreadable' });

  const inner = folder('outer/inner');
  const made = await create('Inner', inner);
  expect(await create('inner', folder('other'))).toMatchObject({ status: 409, code: 'name_taken' });
  expect(await create('Same', inner)).toMatchObject({ status: 409, code: 'library_overlap', detail: expect.stringContaining('"Inner"') });
  expect(await create('Outer', outer)).toMatchObject({ status: 409, code: 'library_overlap' });
  expect(await create('Deeper', folder('outer/inner/deep'))).toMatchObject({ status: 409, code: 'library_overlap' });
  symlinkSync(inner, path.join(disk, 'link'));
  expect(await create('By a link', path.join(disk, 'link'))).toMatchObject({ status: 409, code: 'library_overlap' });
  const sibling = await create('Sibling', folder('outer/inner-two'));
  expect(sibling.name).toBe('Sibling');
  expect((await t.request('PATCH', `/libraries/${sibling.id}`, { root_path: outer })).json()).toMatchObject({ code: 'library_overlap' });
  expect((await t.request('PATCH', `/libraries/${sibling.id}`, { root_path: folder('moved'), name: 'Moved' })).json()).toMatchObject({
    name: 'Moved',
  });
  for (const { id, name } of [made, { id: sibling.id, name: 'Moved' }])
    expect((await t.request('DELETE', `/libraries/${id}?confirm=${name}`)).statusCode).toBe(204);
});

test('a library is created only below the allowed folders, whatever links lead there, and never in a folder of the kernel', async () => {
  const allowed = folder('allowed');
  const limited = await createTestApp({ SVC_BROWSE_ROOTS: allowed, MEDIA_PATH: folder('media') });
  const everywhere = await createTestApp({ SVC_BROWSE_ROOTS: '/' });
  try {
    const create = async (app: TestApp, root_path: string) =>
      (await app.request('POST', '/libraries', { name: root_path, root_path })).json();
    const outside = { status: 422, code: 'library_root_outside', errors: [{ loc: ['body', 'root_path'] }] };
    symlinkSync('/etc', path.join(allowed, 'etc'));
    symlinkSync('/proc', path.join(allowed, 'proc'));
    for (const root of ['/etc', '/', disk, path.join(allowed, 'etc'), path.join(allowed, '..'), `${allowed}-two`]) {
      mkdirSync(`${allowed}-two`, { recursive: true });
      expect(await create(limited, root), root).toMatchObject(outside);
    }
    for (const root of ['/proc', '/proc/self', '/sys', '/dev', path.join(allowed, 'proc')]) {
      expect(await create(limited, root), root).toMatchObject(outside);
      expect(await create(everywhere, root), root).toMatchObject(outside);
    }
    expect(await create(limited, folder('media/films'))).toMatchObject({ name: expect.any(String) });
    const made = await create(limited, folder('allowed/films'));
    expect((await limited.request('PATCH', `/libraries/${made.id}`, { root_path: '/etc' })).json()).toMatchObject(outside);
  } finally {
    await limited.close();
    await everywhere.close();
  }
});

test('of two libraries created at once with the same root, only one is created', async () => {
  const root = folder('race');
  const answers = await Promise.all(['One', 'Two', 'Three'].map((name) => t.request('POST', '/libraries', { name, root_path: root })));
  expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 409, 409]);
  await sql`delete from libraries`.execute(t.deps.db);
});

test('watching a folder on a network file system is refused with the reason', async () => {
  const given = { name: 'Net', root_path: folder('net'), watch_mode: true };
  await expect(createLibrary({ ...t.deps, onNetwork: () => true }, given, actor)).rejects.toMatchObject({
    code: 'watch_on_network',
  });
  expect([statusOf.library_root_unreadable, statusOf.watch_on_network]).toEqual([422, 422]);
});

test('a library with a running scan can be neither deleted nor given another root', async () => {
  const { db } = t.deps;
  const id = await addLibrary(t.deps, { name: 'Busy' });
  await sql`insert into scan_runs (library_id, status) values (${id}, 'running')`.execute(db);
  expect((await t.request('DELETE', `/libraries/${id}?confirm=Busy`)).json()).toMatchObject({ status: 409, code: 'scan_running' });
  expect((await t.request('PATCH', `/libraries/${id}`, { root_path: folder('busy') })).json()).toMatchObject({
    status: 409,
    code: 'scan_running',
  });
  await sql`delete from libraries`.execute(db);
});

test('deleting a library removes its items from the search index and keeps other libraries', async () => {
  const { db } = t.deps;
  const gone = await addLibrary(t.deps, { name: 'Gone' });
  const kept = await addLibrary(t.deps, { name: 'Kept' });
  const parent = await addItem(t.deps, gone, 'a/b.jpg');
  const items = [parent, await addItem(t.deps, gone, 'a/b.xmp', { sidecar_of: parent })];
  const other = await addItem(t.deps, kept, 'a/b.jpg');
  await sql`delete from index_outbox`.execute(db);
  expect((await t.request('DELETE', `/libraries/${gone}?confirm=Gone`)).statusCode).toBe(204);
  await performTask(t.deps, removeLibraryTask, { library_id: gone });
  const noted = await sql<{ item_id: string }>`select distinct item_id from index_outbox order by 1`.execute(db);
  expect(noted.rows.map(({ item_id }) => item_id)).toEqual(items.sort());
  expect((await sql<{ id: string }>`select id from items`.execute(db)).rows).toEqual([{ id: other }]);
  await sql`delete from libraries`.execute(db);
});

test('a deleted library is hidden at once, its name and root can be reused, and a job deletes its items even after interruptions', async () => {
  const { db } = t.deps;
  const root = folder('large');
  const made = (await t.request('POST', '/libraries', { name: 'Large', root_path: root })).json();
  const item = await addItem(t.deps, made.id, 'a/b.jpg');
  await addItem(t.deps, made.id, 'a/c.jpg');
  const run = await sql<{ id: string }>`insert into scan_runs (library_id, status) values (${made.id}, 'finished') returning id`.execute(
    db,
  );
  await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path) values (${run.rows[0]!.id}, ${made.id}, ${item}, 'added', 'a/b.jpg')`.execute(
    db,
  );
  expect((await t.request('DELETE', `/libraries/${made.id}?confirm=Large`)).statusCode).toBe(204);
  expect((await t.request('GET', '/libraries')).json()).toEqual([]);
  expect((await t.request('GET', `/libraries/${made.id}`)).statusCode).toBe(404);
  expect((await t.request('GET', `/items/${item}`)).statusCode).toBe(404);
  expect((await t.request('GET', '/items')).json()).toMatchObject({ items: [], total: 0 });
  expect((await t.request('POST', `/libraries/${made.id}/scan`)).statusCode).toBe(404);
  // The request itself deletes no items.
  expect((await sql`select 1 from items where library_id = ${made.id}`.execute(db)).rows).toHaveLength(2);
  const again = await t.request('POST', '/libraries', { name: 'Large', root_path: root });
  expect(again.statusCode, again.body).toBe(201);

  const jobs = await sql<{
    payload: { library_id: string };
  }>`select payload from jobs where task = 'remove_library' and state = 'todo'`.execute(db);
  expect(jobs.rows.at(-1)).toEqual({ payload: { library_id: made.id } });
  const stopped = AbortSignal.abort(new Error('The worker stopped.'));
  await expect(performTask(t.deps, removeLibraryTask, { library_id: made.id }, { signal: stopped })).rejects.toThrow('stopped');
  const told: unknown[] = [];
  for (let time = 0; time < 2; time += 1)
    await performTask(t.deps, removeLibraryTask, { library_id: made.id }, { progress: (value) => void told.push(value) });
  expect(told.length).toBeGreaterThan(0);
  for (const table of ['items', 'folders', 'scan_changes', 'scan_runs'])
    expect((await sql`select 1 from ${sql.table(table)} where library_id = ${made.id}`.execute(db)).rows, table).toEqual([]);
  expect((await sql`select 1 from all_libraries where id = ${made.id}`.execute(db)).rows).toEqual([]);
  expect((await t.request('GET', '/libraries')).json()).toMatchObject([{ id: again.json().id }]);
  await sql`delete from libraries`.execute(db);
});

test('the job does nothing to a library that was not deleted', async () => {
  const { db } = t.deps;
  const kept = await addLibrary(t.deps, { name: 'Kept' });
  await addItem(t.deps, kept, 'a.jpg');
  await performTask(t.deps, removeLibraryTask, { library_id: kept });
  expect((await sql`select 1 from items where library_id = ${kept}`.execute(db)).rows).toHaveLength(1);
  await sql`delete from libraries`.execute(db);
});

test('changing expose_gps queues a re-projection of the library in both directions', async () => {
  const { db } = t.deps;
  const id = await addLibrary(t.deps);
  const item = await addItem(t.deps, id, 'a.jpg');
  const jobs = async () => (await sql<{ payload: unknown }>`select payload from jobs where task = 'reproject_library'`.execute(db)).rows;
  await t.request('PATCH', `/libraries/${id}`, { expose_gps: false });
  expect(await jobs()).toHaveLength(0);
  await t.request('PATCH', `/libraries/${id}`, { expose_gps: true });
  await t.request('PATCH', `/libraries/${id}`, { expose_gps: false });
  expect(await jobs()).toEqual([{ payload: { library_id: id } }, { payload: { library_id: id } }]);
  await sql`delete from index_outbox`.execute(db);
  await performTask(t.deps, reprojectTask, { library_id: id });
  expect((await sql<{ item_id: string }>`select item_id from index_outbox`.execute(db)).rows).toEqual([{ item_id: item }]);
  await sql`delete from libraries`.execute(db);
});

test('the newest scan is shown with its counters, rates and accounting', async () => {
  const { db } = t.deps;
  const id = await addLibrary(t.deps);
  await sql`insert into scan_runs (library_id, status, started_at, finished_at, stats) values
    (${id}, 'failed', now() - interval '2 hours', now() - interval '2 hours', '{}'),
    (${id}, 'finished', '2026-01-01T00:00:00Z', '2026-01-01T00:00:10Z', '{"seen": 1200, "excluded_gate": 3, "excluded_filtered": 7, "pruned_dirs": 2, "bytes_seen": 5000}')`.execute(
    db,
  );
  expect((await t.request('GET', `/libraries/${id}`)).json().last_scan).toMatchObject({
    status: 'finished',
    seconds: 10,
    seen: 1200,
    files_per_s: 120,
    bytes_per_s: 500,
    pruned_files: null,
    accounting: '1,200 seen + 10 excluded: at least 1,210 files on disk; 2 skipped folders not counted',
  });
  const counts: Record<string, number> = { seen: 5, excluded_filtered: 2, pruned_dirs: 1, permission_denied: 1 };
  expect(accountingLine((name) => counts[name] ?? 0, 4)).toBe(
    '5 seen + 2 excluded + 4 in skipped folders = 11 files on disk; 1 folder not readable',
  );
  await sql`delete from libraries`.execute(db);
});

test('a library without a grant is not found and not listed for a person', async () => {
  const seen = await addLibrary(t.deps, { name: 'Seen' });
  const hidden = await addLibrary(t.deps, { name: 'Hidden' });
  const { key } = await addPerson(t.deps, [[seen, 'photos', 'search_metadata']]);
  const list = (await t.request('GET', '/libraries', undefined, { as: key })).json() as { id: string }[];
  expect(list.map(({ id }) => id)).toEqual([seen]);
  for (const route of ['', '/tree', '/errors', '/scan-paths']) {
    expect((await t.request('GET', `/libraries/${hidden}${route}`, undefined, { as: key })).statusCode, route).toBe(404);
    expect((await t.request('GET', `/libraries/${seen}${route}`, undefined, { as: key })).statusCode, route).toBe(200);
  }
  await sql`delete from libraries`.execute(t.deps.db);
});

test('a person who sees part of a library learns neither its patterns nor can scan, stop or rehash all of it', async () => {
  const whole = await addLibrary(t.deps, { name: 'Whole' });
  await sql`update libraries set exclude_globs = '{secret-folder/}', include_globs = '{other-secret/**}' where id = ${whole}`.execute(
    t.deps.db,
  );
  const part = await addPerson(t.deps, [[whole, 'photos', 'search_metadata']]);
  const all = await addPerson(t.deps, [[whole, '', 'search_metadata']]);
  const get = async (key: string) => (await t.request('GET', `/libraries/${whole}`, undefined, { as: key })).json();
  expect(await get(part.key)).toMatchObject({ exclude_globs: [], include_globs: [] });
  expect(await get(all.key)).toMatchObject({ exclude_globs: ['secret-folder/'], include_globs: ['other-secret/**'] });
  const post = (key: string, url: string, body?: object) => t.request('POST', url, body, { as: key });
  for (const url of ['/scan', '/scan?force_empty=true', '/rehash'])
    expect((await post(part.key, `/libraries/${whole}${url}`)).json(), url).toMatchObject({ status: 403, code: 'action_denied' });
  expect((await post(part.key, `/libraries/${whole}/scan/targeted`, { path: '' })).json()).toMatchObject({ status: 404 });
  const { scan_id } = (await post(all.key, `/libraries/${whole}/scan`)).json();
  for (const word of ['stop', 'cancel']) expect((await post(part.key, `/scans/${scan_id}/${word}`)).statusCode, word).toBe(403);
  expect((await post(all.key, `/scans/${scan_id}/stop`)).statusCode).toBe(200);
  await sql`delete from libraries`.execute(t.deps.db);
});

test('a schedule that is switched on again does not catch up missed occurrences', async () => {
  const { db } = t.deps;
  const id = await addLibrary(t.deps);
  const known = async () => (await sql`select 1 from cron_schedules where key = ${`scan:libraries:${id}`}`.execute(db)).rows.length;
  const remember = () =>
    sql`insert into cron_schedules (key, cron, last_occurrence) values (${`scan:libraries:${id}`}, '* * * * *', now())`.execute(db);
  for (const off of [{ enabled: false }, { scan_cron: null }]) {
    await remember();
    await t.request('PATCH', `/libraries/${id}`, { name: `renamed ${JSON.stringify(off)}` });
    expect(await known()).toBe(1);
    await t.request('PATCH', `/libraries/${id}`, off);
    expect(await known()).toBe(0);
  }
  // The folders of a library are off with it.
  await t.request('PATCH', `/libraries/${id}`, { enabled: true });
  const folder = (await t.request('POST', `/libraries/${id}/scan-paths`, { rel_path: 'a', scan_cron: '* * * * *' })).json();
  const rows = async () => (await sql`select from cron_schedules where key = ${`scan:scan_paths:${folder.id}`}`.execute(db)).rows.length;
  expect(await rows()).toBe(1);
  await t.request('PATCH', `/libraries/${id}`, { enabled: false });
  expect(await rows()).toBe(0);
});

test('a schedule of a library or a folder fires the first time even if that comes at once', async () => {
  const { db } = t.deps;
  const soon = new Date(Math.ceil(Date.now() / 60_000) * 60_000 + 60_000);
  const later = new Date(soon.getTime() + 60_000);
  const cron = (time: Date) => `${time.getUTCMinutes()} ${time.getUTCHours()} * * *`;
  const fire = async (id: string, at: Date) => {
    const schedule = (await scanSchedules(db, { maxCatchupMinutes: 2880 })).find(({ key }) => key.endsWith(id))!;
    const fired = await fireIfDue(db, schedule, { now: () => new Date(at.getTime() + 5_000) });
    await sql`update jobs set state = 'succeeded', finished_at = now() where queue = 'scan'`.execute(db);
    await sql`update scan_runs set status = 'finished', finished_at = now()`.execute(db);
    return fired;
  };
  const library = (await t.request('POST', '/libraries', { name: 'Soon', root_path: folder('soon'), scan_cron: cron(soon) })).json().id;
  expect(await fire(library, soon)).toEqual(soon);
  await t.request('PATCH', `/libraries/${library}`, { scan_cron: cron(later) });
  expect(await fire(library, later)).toEqual(later);
  const inside = (await t.request('POST', `/libraries/${library}/scan-paths`, { rel_path: 'a', scan_cron: cron(soon) })).json().id;
  expect(await fire(inside, soon)).toEqual(soon);
  await t.request('PATCH', `/libraries/${library}/scan-paths/${inside}`, { scan_cron: cron(later) });
  expect(await fire(inside, later)).toEqual(later);
  await t.request('DELETE', `/libraries/${library}?confirm=Soon`);
});

test('a new library takes the defaults of SVC_OCR_ENABLED and SVC_GPS_EXPOSE_DEFAULT unless the request sets them', async () => {
  const eager = await createTestApp({ SVC_OCR_ENABLED: 'true', SVC_GPS_EXPOSE_DEFAULT: 'true' });
  const folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-defaults-'));
  try {
    mkdirSync(path.join(folder, 'one'));
    mkdirSync(path.join(folder, 'two'));
    const add = async (fields: object) => (await eager.request('POST', '/libraries', fields)).json();
    expect(await add({ name: 'One', root_path: path.join(folder, 'one') })).toMatchObject({ ocr_enabled: true, expose_gps: true });
    expect(await add({ name: 'Two', root_path: path.join(folder, 'two'), ocr_enabled: false })).toMatchObject({ ocr_enabled: false });
  } finally {
    await eager.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
