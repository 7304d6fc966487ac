import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addItem, addLibrary, addPerson, type Grant } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { addLibrary as addFolder, scan, tree } from '../../catalog/scan/library.fixture.ts';
import { exportMaintenance } from '../exports/tasks.ts';
import { createScheduleApp, type ScheduleApp } from './schedules.fixture.ts';

let t: ScheduleApp;
let photos: string;

beforeAll(async () => {
  t = await createScheduleApp();
  photos = await addLibrary(t.deps, { name: 'Photos', root_path: '/media/photos' });
  const films = await addLibrary(t.deps, { name: 'Films', root_path: '/media/films' });
  await addItem(t.deps, photos, 'one.jpg', { size: 500 });
  await addItem(t.deps, films, 'two.mov', { size: 900 });
});
afterAll(() => t.close());
beforeEach(() => t.forgetMessages());

test('only what changed since the last delivery is sent', async () => {
  const id = await t.addSchedule({ only_changes: true, channel_ids: [t.webhook], format: 'ndjson' });
  expect(await t.runNow(id)).toMatchObject({ state: 'delivered', row_count: 2 });
  expect(await t.runNow(id)).toMatchObject({ state: 'skipped', detail: 'Nothing has changed since the last time.' });
  await addItem(t.deps, photos, 'new.jpg', { size: 700 });
  // The receiver rejects it for good, so the next run contains the row again.
  t.answers.push(410);
  expect(await t.runNow(id)).toMatchObject({ state: 'failed', row_count: 1 });
  const run = await t.runNow(id);
  expect(run).toMatchObject({ state: 'delivered', row_count: 1 });
  const file = readFileSync(path.join(t.configDir, 'exports', run.export_id), 'utf8');
  expect(file).toContain('new.jpg');
  expect(file).not.toContain('one.jpg');
});

test('what changed since the last delivery includes rows that are gone', async () => {
  const shelf = await addLibrary(t.deps, { name: 'Shelf', root_path: '/media/shelf' });
  const ids = new Map<string, string>();
  for (const name of ['stays.jpg', 'grows.jpg', 'goes.jpg']) ids.set(name, await addItem(t.deps, shelf, name, { size: 10 }));
  const id = await t.addSchedule({ only_changes: true, channel_ids: [t.webhook], format: 'ndjson', params: { library_id: shelf } });
  const linesOf = async () => {
    const { export_id, state } = await t.runNow(id);
    expect(state).toBe('delivered');
    const text = readFileSync(path.join(t.configDir, 'exports', export_id), 'utf8');
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { row_change: string; rel_path: string });
    return lines.map(({ row_change, rel_path }) => `${row_change} ${rel_path}`).sort();
  };
  expect(await linesOf()).toEqual(['new goes.jpg', 'new grows.jpg', 'new stays.jpg']);
  await sql`update items set size = 11 where id = ${ids.get('grows.jpg')}`.execute(t.deps.db);
  await sql`update items set status = 'missing', deleted_at = now() where id = ${ids.get('goes.jpg')}`.execute(t.deps.db);
  await addItem(t.deps, shelf, 'comes.jpg', { size: 10 });
  expect(await linesOf()).toEqual(['changed grows.jpg', 'gone goes.jpg', 'new comes.jpg']);
  expect(await t.runNow(id)).toMatchObject({ state: 'skipped' });
  // Files from which no later run is told are removed.
  const purge = exportMaintenance(t.deps).find(({ key }) => key === 'purge_exports')!;
  await performTask(t.deps, purge.task, {});
  const { rows } = await sql<{ export_id: string }>`select export_id from export_digests where schedule_id = ${id}`.execute(t.deps.db);
  expect(rows).toHaveLength(1);
  await sql`delete from items where library_id = ${shelf}`.execute(t.deps.db);
});

test('rows of another report or with other filters are not compared', async () => {
  const [first, second] = await Promise.all(['Attic', 'Cellar'].map((name) => addLibrary(t.deps, { name, root_path: `/media/${name}` })));
  await addItem(t.deps, first!, 'one.jpg', { size: 10 });
  await addItem(t.deps, second!, 'two.jpg', { size: 0 });
  const id = await t.addSchedule({ only_changes: true, format: 'ndjson', params: { library_id: first } });
  const changesOf = async (patch: Record<string, unknown>) => {
    expect((await t.request('PATCH', `/report-schedules/${id}`, patch, { as: 'write' })).statusCode).toBe(200);
    const { export_id } = await t.runNow(id);
    const lines = readFileSync(path.join(t.configDir, 'exports', export_id), 'utf8')
      .trim()
      .split('\n');
    return lines.map((line) => JSON.parse(line)).map(({ row_change, rel_path }) => `${row_change} ${rel_path}`);
  };
  expect(await changesOf({})).toEqual(['new one.jpg']);
  expect(await changesOf({ params: { library_id: second } })).toEqual(['new two.jpg']);
  expect(await changesOf({ canned_report_key: 'empty_files' })).toEqual(['new two.jpg']);
  await sql`delete from items where library_id in (${first}, ${second})`.execute(t.deps.db);
});

test('a row that the owner may no longer see is not told as gone', async () => {
  const shelf = await addLibrary(t.deps, { name: 'Drawer', root_path: '/media/drawer' });
  await addItem(t.deps, shelf, 'open/one.jpg');
  await addItem(t.deps, shelf, 'closed/two.jpg');
  const { id: person, key } = await addPerson(
    t.deps,
    ['open', 'closed'].flatMap((folder) => [
      [shelf, folder, 'search_metadata'],
      [shelf, folder, 'download'],
    ]) as Parameters<typeof addPerson>[1],
  );
  const id = await t.addSchedule({ only_changes: true, params: { library_id: shelf } }, key);
  expect(await t.runNow(id, key)).toMatchObject({ state: 'stored', row_count: 2 });
  await sql`delete from grants where principal_id = ${person} and rel_path = 'closed'`.execute(t.deps.db);
  expect(await t.runNow(id, key)).toMatchObject({ state: 'skipped', row_count: 0 });
  await sql`delete from items where library_id = ${shelf} and rel_path = 'open/one.jpg'`.execute(t.deps.db);
  expect(await t.runNow(id, key)).toMatchObject({ state: 'stored', row_count: 1 });
});

test('permissions that the owner may no longer see are not reported as gone', async () => {
  const root = tree({ 'open.txt': 'x' });
  chmodSync(root, 0o755);
  chmodSync(path.join(root, 'open.txt'), 0o644);
  const library = await addFolder(t.deps.db, root);
  await scan(t.deps.db, library);
  const actions = ['search_metadata', 'download', 'view_permissions'];
  const { id: person, key } = await addPerson(
    t.deps,
    actions.map((action): Grant => [library, '', action]),
  );
  const id = await t.addSchedule({ only_changes: true, canned_report_key: 'permissions_broad_access' }, key);
  expect(await t.runNow(id, key)).toMatchObject({ state: 'stored', row_count: 1 });
  await sql`delete from grants where principal_id = ${person} and action = 'view_permissions'`.execute(t.deps.db);
  expect(await t.runNow(id, key)).toMatchObject({ state: 'skipped', row_count: 0 });
  await sql`delete from items where library_id = ${library}`.execute(t.deps.db);
});
