import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { fireIfDue } from '../../platform/queue/index.ts';
import { addLibrary, inline, items, tree } from './library.fixture.ts';
import { performScan, scanDependencies } from './run.ts';
import { getScan, listScans, scanSchedules, startScan } from './service.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const at = (time: string) => ({ now: () => new Date(time) });
const scheduleOf = async (id: string, maxCatchupMinutes = 2880) => {
  const found = (await scanSchedules(database.db, { maxCatchupMinutes })).find(({ key }) => key.endsWith(id));
  return found!;
};

test('a scheduled scan waits for a running scan of other folders, and is not repeated after one of the same', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a/1.txt': 'x' }), { scan_cron: '0 3 * * *' });
  const schedule = await scheduleOf(library);
  await fireIfDue(db, schedule, at('2030-01-01T02:00:00Z'));
  const watched = await startScan(db, library, { scopes: [{ path: 'a', depth: 'changes' }], trigger: 'watch' });
  await sql`update scan_runs set phase = 'walking' where id = ${watched.scan_id}`.execute(db);
  expect(await fireIfDue(db, schedule, at('2030-01-01T03:00:10Z'))).toBeNull();
  await sql`update scan_runs set status = 'finished' where id = ${watched.scan_id}`.execute(db);
  await sql`update jobs set state = 'succeeded', finished_at = now() where id = ${watched.job_id}`.execute(db);
  expect(await fireIfDue(db, schedule, at('2030-01-01T03:00:25Z'))).toEqual(new Date('2030-01-01T03:00:00Z'));
  const [full] = (await listScans(db, { library_id: library })).items;
  expect(full).toMatchObject({ trigger: 'schedule', scope: '', recursive: true });
  await sql`update scan_runs set phase = 'walking' where id = ${full!.id}`.execute(db);
  expect(await fireIfDue(db, schedule, at('2030-01-02T03:00:00Z'))).toEqual(new Date('2030-01-02T03:00:00Z'));
  expect((await listScans(db, { library_id: library })).total).toBe(2);
});

test('folders that are added to a queued scan while its worker starts are scanned', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a/1.txt': 'x', 'b/2.txt': 'y' }));
  const first = await startScan(db, library, { scopes: [{ path: 'a', depth: 'tree' }], trigger: 'schedule' });
  await db.connection().execute(async (other) => {
    const lock = sql`hashtextextended(${`scan ${library}`}, 0)`;
    await sql`select pg_advisory_lock(${lock})`.execute(other);
    const performed = performScan(scanDependencies({ db, ...inline }), first.scan_id);
    await new Promise((resolve) => setTimeout(resolve, 30));
    expect(await startScan(db, library, { scopes: [{ path: 'b', depth: 'tree' }], trigger: 'schedule' })).toMatchObject({
      scan_id: first.scan_id,
      already_running: true,
    });
    await sql`select pg_advisory_unlock(${lock})`.execute(other);
    await performed;
  });
  expect(await getScan(db, first.scan_id)).toMatchObject({ status: 'finished', scopes: ['a', 'b'], new: 2 });
  expect(Object.keys(await items(db, library))).toEqual(['a/1.txt', 'b/2.txt']);
});

test('scans of many folders that are requested at once are all kept', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree());
  const { scan_id } = await startScan(db, library, { scopes: [{ path: 'x', depth: 'tree' }], trigger: 'manual' });
  const folders = Array.from({ length: 8 }, (_, n) => `f${n}`);
  await Promise.all(folders.map((folder) => startScan(db, library, { scopes: [{ path: folder, depth: 'tree' }], trigger: 'watch' })));
  expect((await getScan(db, scan_id)).scopes).toEqual([...folders, 'x']);
});

test('without any catching up, schedules still fire on time', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree(), { scan_cron: '0 5 * * *' });
  const schedule = await scheduleOf(library, 0);
  await fireIfDue(db, schedule, at('2030-01-01T02:00:00Z'));
  expect(await fireIfDue(db, schedule, at('2030-01-01T05:00:14Z'))).toEqual(new Date('2030-01-01T05:00:00Z'));
  expect(await fireIfDue(db, schedule, at('2030-01-02T05:30:00Z'))).toBeNull();
});
