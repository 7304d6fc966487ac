import { mkdirSync, renameSync, rmSync, type watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { watchFolders } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { addLibrary, items, scan, statuses, tree, write } from './library.fixture.ts';
import { presentScan } from './present.ts';
import { onlyWatched, supervised, until, watching } from './watch.fixture.ts';
import { createWatchSupervisor, scopesOfBatch, type WatchOptions } from './watch.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

test('added, changed, moved and deleted files are reported in batches; pruned folders are not watched', async () => {
  const root = tree({ 'a/old.txt': 'x', 'b/': '', '.hidden/': '' });
  const { watcher, seen } = watching(root);
  await watcher.ready;
  expect(watcher.folders).toBe(3);
  writeFileSync(path.join(root, 'a/new.txt'), 'x');
  writeFileSync(path.join(root, '.hidden/x.txt'), 'x');
  renameSync(path.join(root, 'a/old.txt'), path.join(root, 'b/moved.txt'));
  await until(() => ['a/new.txt', 'a/old.txt', 'b/moved.txt'].every((name) => seen().has(name)));
  expect([...seen()].some((name) => name.startsWith('.hidden/'))).toBe(false);
});

test('a file added to the deepest of several new nested folders is reported', async () => {
  const root = tree({ 'a/': '' });
  const { watcher, seen } = watching(root);
  await watcher.ready;
  mkdirSync(path.join(root, 'a/b/c/d'), { recursive: true });
  await until(() => watcher.folders === 5);
  writeFileSync(path.join(root, 'a/b/c/d/deep.txt'), 'x');
  await until(() => seen().has('a/b/c/d/deep.txt'));
  rmSync(path.join(root, 'a/b'), { recursive: true });
  await until(() => watcher.folders === 2);
});

test('too many folders degrade visibly and close every watch', async () => {
  const root = tree({ 'a/': '', 'b/': '', 'c/': '' });
  let opened = 0;
  let closed = 0;
  const failing = (() => {
    opened += 1;
    if (opened > 2) throw Object.assign(new Error('no space'), { code: 'ENOSPC' });
    return {
      on() {},
      close() {
        closed += 1;
      },
    };
  }) as unknown as typeof watch;
  const { watcher, reasons } = watching(root, { watchFolder: failing });
  await watcher.ready;
  expect(reasons).toEqual([expect.stringContaining('more folders than this system can watch')]);
  expect([watcher.folders, closed]).toEqual([0, 2]);
});

test('a batch of at most the limit of events causes a scan of its folders; a larger batch, or a lost count, a full scan', () => {
  const root = tree({ 'a/b/1.txt': 'x', 'new/deep/2.txt': 'y' });
  const rule = { incremental: true, maxEvents: 3 };
  const scopes = (paths: string[] | null, events = 1, given = rule) =>
    scopesOfBatch(root, { events, paths }, given).map(({ path: at, depth }) => `${at}:${depth}`);
  expect(scopes(['a/b/1.txt', 'a/x/2.txt'])).toEqual(['a/b:changes', 'a/x:changes']);
  expect(scopes(['top.txt'])).toEqual([':changes']);
  expect(scopes(['new'])).toEqual([':changes', 'new:tree']);
  expect(scopes(['new', 'new/deep/2.txt'])).toEqual([':changes', 'new:tree']);
  expect(scopes(['a/b/1.txt'], 4)).toEqual([':tree']);
  expect(scopes(null)).toEqual([':tree']);
  expect(scopes(['a/b/1.txt'], 1, { ...rule, incremental: false })).toEqual([':tree']);
});

test('the scan after a small batch covers changed folders, new folders and vanished folders, and no others', async () => {
  const { db } = database;
  const root = tree({ 'top.txt': '0', 'x/1.txt': '1', 'x/old/2.txt': '2', 'x/old/deep/3.txt': '3', 'y/4.txt': '4', 'z/5.txt': '5' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  rmSync(path.join(root, 'top.txt'));
  renameSync(path.join(root, 'x/old'), path.join(root, 'x/new'));
  write(root, { 'y/6.txt': '6', 'z/unreported.txt': '7' });
  rmSync(path.join(root, 'z/5.txt'));
  const scopes = scopesOfBatch(root, { events: 4, paths: ['top.txt', 'x/old', 'x/new', 'y/6.txt'] }, { incremental: true, maxEvents: 64 });
  const run = await scan(db, library, { scopes });
  expect(run).toMatchObject({ status: 'finished', scope: '', recursive: false, stats: { new: 1, moved: 2, missing: 1, folders: 5 } });
  expect(presentScan(run).scopes).toEqual(['', 'x', 'x/new', 'y']);
  expect(await statuses(db, library)).toEqual({
    'top.txt': 'missing',
    'x/1.txt': 'active',
    'x/new/2.txt': 'active',
    'x/new/deep/3.txt': 'active',
    'y/4.txt': 'active',
    'y/6.txt': 'active',
    'z/5.txt': 'active',
  });
  expect((await items(db, library))['x/new/deep/3.txt']!.id).toBe(before['x/old/deep/3.txt']!.id);
  const { rows } = await sql<{ at: Date | null }>`select last_full_scan_at as at from libraries where id = ${library}`.execute(db);
  expect(rows[0]!.at!.getTime()).toBeLessThan(run.started_at.getTime());
});

test('the supervisor watches libraries that enable it, scans changes, and refuses network file systems with a reason', async () => {
  const { db } = database;
  const root = tree({ 'a/old.txt': 'x', 'plain/': '' });
  const library = await addLibrary(db, root, { watch_mode: true });
  const far = await addLibrary(db, tree(), { watch_mode: true });
  await addLibrary(db, tree());
  const { root_path: farRoot } = await db.selectFrom('libraries').select('root_path').where('id', '=', far).executeTakeFirstOrThrow();
  const asked: [string, string][] = [];
  let busy = false;
  const options: WatchOptions = {
    incremental: true,
    maxEvents: 64,
    quietMs: 60,
    isOnNetwork: (at) => at === farRoot,
    startScan: async (_db, id, { scopes = [] }) => {
      asked.push([id, scopes.map(({ path: at, depth }) => `${at}:${depth}`).join()]);
      return { scan_id: 'x', job_id: null, status: 'running', already_running: busy };
    },
  };
  const supervisor = createWatchSupervisor({ db, log: silentLog, options });
  onTestFinished(() => supervisor.stop());
  await supervisor.refresh();
  await until(() => asked.length > 0);
  // What happened before the watch was not reported, so the whole library is scanned.
  expect(asked).toEqual([[library, ':tree']]);
  busy = true;
  writeFileSync(path.join(root, 'a/new.txt'), 'x');
  await until(() => asked.length > 1);
  expect(asked[1]).toEqual([library, 'a:changes']);
  // Another scan was running, so the scan is requested again.
  busy = false;
  await supervisor.refresh();
  expect(asked.at(-1)).toEqual([library, 'a:changes']);
  const count = asked.length;
  await supervisor.refresh();
  expect(asked).toHaveLength(count);
  const reason = async (id: string) =>
    (await db.selectFrom('libraries').select('watch_degraded').where('id', '=', id).executeTakeFirstOrThrow()).watch_degraded;
  await vi.waitUntil(async () => (await reason(far)) !== null, { timeout: 10_000 });
  expect(await reason(far)).toContain('Network file system');
  expect(await reason(library)).toBeNull();
  await sql`update libraries set watch_mode = false, updated_at = now() where id = ${library}`.execute(db);
  await supervisor.refresh();
  writeFileSync(path.join(root, 'a/later.txt'), 'x');
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(asked).toHaveLength(count);
});

test('changes made while nothing was watching are found once every folder is watched', async () => {
  const { db } = database;
  const root = tree({ 'a/old.txt': 'x' });
  const library = await onlyWatched(db, root);
  await scan(db, library);
  write(root, { 'a/unseen.txt': 'y' });
  const { supervisor, watches, requested } = supervised(db);
  await supervisor.refresh();
  await supervisor.refresh();
  expect(requested).toEqual([]);
  watches[0]!.isReady();
  await until(() => requested.length > 0);
  expect(requested).toEqual([{ library, scopes: ':tree' }]);
  await supervisor.refresh();
  expect(requested).toHaveLength(1);
  await scan(db, library, { scopes: [{ path: '', depth: 'tree' }] });
  expect((await statuses(db, library))['a/unseen.txt']).toBe('active');
});

test('an edit that does not concern the watch keeps it with its changes; other rules or another folder start a new one', async () => {
  const { db } = database;
  const library = await onlyWatched(db, tree({ 'a/1.txt': 'x' }));
  const { supervisor, watches, requested, refuse } = supervised(db);
  await supervisor.refresh();
  watches[0]!.isReady();
  await until(() => requested.length === 1);
  refuse(true);
  watches[0]!.onBatch({ events: 1, paths: ['a/1.txt'] });
  await sql`update libraries set native_prefix = '/Volumes/x', updated_at = now() + interval '1 second' where id = ${library}`.execute(db);
  await supervisor.refresh();
  expect([watches.length, watches[0]!.closed]).toEqual([1, false]);
  refuse(false);
  await supervisor.refresh();
  expect(requested.at(-1)).toEqual({ library, scopes: 'a:changes' });
  await sql`update libraries set exclude_globs = '{"*.bak"}' where id = ${library}`.execute(db);
  await supervisor.refresh();
  expect([watches.length, watches[0]!.closed]).toEqual([2, true]);
  watches[1]!.isReady();
  await until(() => requested.length === 3);
  expect(requested.at(-1)).toEqual({ library, scopes: ':tree' });
});

test('a folder that cannot be watched starts no scan, and is tried again when the library is edited', async () => {
  const { db } = database;
  const root = tree();
  const library = await onlyWatched(db, path.join(root, 'absent'));
  const looked: string[] = [];
  const { supervisor, requested } = supervised(db, {
    watchFolders: (given) => {
      looked.push(given.root);
      return watchFolders(given);
    },
  });
  await supervisor.refresh();
  await supervisor.refresh();
  expect([looked.length, requested.length]).toEqual([1, 0]);
  mkdirSync(path.join(root, 'absent'));
  await sql`update libraries set updated_at = now() + interval '1 second' where id = ${library}`.execute(db);
  await supervisor.refresh();
  await until(() => requested.length > 0);
  expect([looked.length, requested]).toEqual([2, [{ library, scopes: ':tree' }]]);
});

test('only one worker watches at a time', async () => {
  const { db } = database;
  const looks = [0, 0];
  const make = (index: number) =>
    createWatchSupervisor({
      db,
      log: silentLog,
      options: {
        incremental: true,
        maxEvents: 1,
        refreshMs: 20,
        isOnNetwork: () => {
          looks[index]! += 1;
          return true;
        },
      },
    });
  await addLibrary(db, tree(), { watch_mode: true });
  const [first, second] = [make(0), make(1)];
  first.start();
  await until(() => looks[0]! > 0);
  second.start();
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(looks[1]).toBe(0);
  await first.stop();
  await until(() => looks[1]! > 0);
  await second.stop();
});
