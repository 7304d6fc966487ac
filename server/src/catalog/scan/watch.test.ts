import { mkdirSync, renameSync, rmSync, type watch, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type FolderWatchOptions, type WatchBatch, watchFolders } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { silentLog } from '../../platform/log/index.ts';
import { addLibrary, tree } from './library.fixture.ts';
import { createWatchSupervisor, scopeOfBatch, type WatchOptions } from './watch.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

function watching(root: string, options: Partial<FolderWatchOptions> = {}) {
  const batches: WatchBatch[] = [];
  const reasons: string[] = [];
  const watcher = watchFolders({
    root,
    isPruned: (at) => at.split('/').at(-1)!.startsWith('.'),
    quietMs: 60,
    onBatch: (batch) => void batches.push(batch),
    onDegraded: (reason) => void reasons.push(reason),
    ...options,
  });
  onTestFinished(() => watcher.close());
  const seen = (): Set<string> => new Set(batches.flatMap(({ paths }) => paths ?? []));
  return { watcher, batches, reasons, seen };
}
const until = (condition: () => boolean) => vi.waitUntil(condition, { timeout: 20_000, interval: 20 });

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

test('a small batch causes a scan of the nearest common folder; a larger batch, or a lost count, a full scan', () => {
  const rule = { incremental: true, maxEvents: 3 };
  expect(scopeOfBatch({ events: 2, paths: ['a/b/1.txt', 'a/b/c/2.txt'] }, rule)).toBe('a/b');
  expect(scopeOfBatch({ events: 2, paths: ['a/b/1.txt', 'a/x/2.txt'] }, rule)).toBe('a');
  expect(scopeOfBatch({ events: 1, paths: ['top.txt'] }, rule)).toBe('');
  expect(scopeOfBatch({ events: 4, paths: ['a/b/1.txt'] }, rule)).toBe('');
  expect(scopeOfBatch({ events: 1, paths: null }, rule)).toBe('');
  expect(scopeOfBatch({ events: 1, paths: ['a/b/1.txt'] }, { ...rule, incremental: false })).toBe('');
});

test('the supervisor watches libraries that enable it, scans changes, and refuses network file systems with a reason', async () => {
  const { db } = database;
  const root = tree({ 'a/old.txt': 'x', 'plain/': '' });
  const library = await addLibrary(db, root, { watch_mode: true });
  const far = await addLibrary(db, tree(), { watch_mode: true });
  await addLibrary(db, tree());
  const { root_path: farRoot } = await db.selectFrom('libraries').select('root_path').where('id', '=', far).executeTakeFirstOrThrow();
  const asked: [string, string | undefined][] = [];
  let busy = true;
  const options: WatchOptions = {
    incremental: true,
    maxEvents: 64,
    quietMs: 60,
    isOnNetwork: (at) => at === farRoot,
    startScan: async (_db, id, { scope }) => {
      asked.push([id, scope]);
      return { scan_id: 'x', job_id: null, status: 'running', already_running: busy };
    },
  };
  const supervisor = createWatchSupervisor({ db, log: silentLog, options });
  onTestFinished(() => supervisor.stop());
  await supervisor.refresh();
  writeFileSync(path.join(root, 'a/new.txt'), 'x');
  await until(() => asked.length > 0);
  expect(asked[0]).toEqual([library, 'a']);
  // Another scan was running, so the scan is requested again.
  busy = false;
  await supervisor.refresh();
  expect(asked.at(-1)).toEqual([library, 'a']);
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
