import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { watchFolders } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { tree } from './library.fixture.ts';
import { onlyWatched, supervised, until, watching } from './watch.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

test('a new folder at the path of one that was renamed or deleted is watched', async () => {
  const root = tree({ 'current/1.txt': 'x', 'cache/2.txt': 'y' });
  const { watcher, seen } = watching(root);
  await watcher.ready;
  renameSync(path.join(root, 'current'), path.join(root, 'previous'));
  rmSync(path.join(root, 'cache'), { recursive: true });
  mkdirSync(path.join(root, 'current'));
  mkdirSync(path.join(root, 'cache'));
  await until(() => watcher.folders === 4 && seen().has('cache') && seen().has('previous'));
  for (const folder of ['current', 'cache', 'previous']) writeFileSync(path.join(root, folder, 'later.txt'), 'z');
  await until(() => ['current', 'cache', 'previous'].every((folder) => seen().has(`${folder}/later.txt`)));
});

test('folders in a cache that is marked with a tag are not watched, whenever it is marked', async () => {
  const tag = { name: 'CACHEDIR.TAG', text: 'Signature: 8a477f597d28d172789f06886806bc55' };
  const root = tree({ 'src/a.rs': 'x', 'target/debug/a.o': 'y', 'later/debug/b.o': 'z', [`target/${tag.name}`]: tag.text });
  const { watcher } = watching(root);
  await watcher.ready;
  // The library, src, target, later and later/debug.
  expect(watcher.folders).toBe(5);
  writeFileSync(path.join(root, 'later', tag.name), '');
  await new Promise((resolve) => setTimeout(resolve, 50));
  writeFileSync(path.join(root, 'later', tag.name), tag.text);
  await until(() => watcher.folders === 4);
  rmSync(path.join(root, 'later', tag.name));
  await until(() => watcher.folders === 5);
});

test('after more events than the system queues, everything is scanned and every folder is watched', async () => {
  const root = tree({ 'a/1.txt': '', 'a/2.txt': '' });
  const { watcher, batches, seen } = watching(root);
  await watcher.ready;
  for (let n = 0; n < 10_000; n += 1) for (const name of ['a/1.txt', 'a/2.txt']) appendFileSync(path.join(root, name), '.');
  mkdirSync(path.join(root, 'dropped'));
  await until(() => batches.some(({ paths }) => paths === null));
  writeFileSync(path.join(root, 'dropped/later.txt'), 'x');
  await until(() => seen().has('dropped/later.txt'));
});

test('a root that is moved away is no longer watched, and the reason is given', async () => {
  const root = path.join(tree({ 'lib/a.txt': 'x' }), 'lib');
  const { watcher, reasons } = watching(root);
  await watcher.ready;
  renameSync(root, `${root}-away`);
  mkdirSync(root);
  await until(() => reasons.length > 0);
  expect(reasons).toEqual([expect.stringContaining('was moved, deleted or unmounted')]);
  expect(watcher.folders).toBe(0);
});

test('a library whose folder goes and comes back is watched again and scanned as a whole', async () => {
  const { db } = database;
  const root = path.join(tree({ 'lib/a.txt': 'x' }), 'lib');
  const library = await onlyWatched(db, root);
  const started: string[] = [];
  const { supervisor, requested } = supervised(db, {
    quietMs: 60,
    watchFolders: (given) => {
      started.push(given.root);
      return watchFolders(given);
    },
  });
  await supervisor.refresh();
  await until(() => requested.length === 1);
  renameSync(root, `${root}-away`);
  await supervisor.refresh();
  await supervisor.refresh();
  const before = started.length;
  renameSync(`${root}-away`, root);
  await supervisor.refresh();
  expect(started).toHaveLength(before + 1);
  await until(() => requested.length > 1);
  expect(requested.at(-1)).toEqual({ library, scopes: ':tree' });
  writeFileSync(path.join(root, 'b.txt'), 'y');
  await until(() => requested.at(-1)?.scopes === ':changes');
});

test('a library whose folder comes back as it was, before anybody looks, is watched again and scanned as a whole', async () => {
  const { db } = database;
  const root = path.join(tree({ 'lib/a.txt': 'x' }), 'lib');
  const library = await onlyWatched(db, root);
  const { supervisor, requested } = supervised(db, { quietMs: 60, watchFolders });
  const isDegraded = async () => {
    const { rows } = await sql<{ reason: string | null }>`select watch_degraded as reason from libraries where id = ${library}`.execute(db);
    return rows[0]!.reason !== null;
  };
  await supervisor.refresh();
  await until(() => requested.length === 1);
  renameSync(root, `${root}-away`);
  await vi.waitUntil(isDegraded, { timeout: 20_000, interval: 20 });
  renameSync(`${root}-away`, root);
  await supervisor.refresh();
  await until(() => requested.length > 1);
  expect(requested.at(-1)).toEqual({ library, scopes: ':tree' });
  await vi.waitUntil(async () => !(await isDegraded()), { timeout: 20_000, interval: 20 });
  writeFileSync(path.join(root, 'b.txt'), 'y');
  await until(() => requested.at(-1)?.scopes === ':changes');
});

const canMount = spawnSync('sh', ['-c', 'd=$(mktemp -d) && mount -t tmpfs none $d && umount $d && rmdir $d']).status === 0;

test.skipIf(!canMount)('a disk below a library that is unmounted and mounted again between two looks is watched again', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'x', 'disk/': '' });
  const disk = path.join(root, 'disk');
  const mount = () => expect(spawnSync('mount', ['-t', 'tmpfs', 'none', disk]).status).toBe(0);
  const unmount = () => spawnSync('umount', [disk]);
  mount();
  onTestFinished(() => void unmount());
  await onlyWatched(db, root);
  let lost = 0;
  const { supervisor, requested } = supervised(db, {
    quietMs: 60,
    watchFolders: (given) =>
      watchFolders({
        ...given,
        onLost() {
          lost += 1;
          given.onLost();
        },
      }),
  });
  await supervisor.refresh();
  await until(() => requested.length === 1);
  unmount();
  mount();
  await until(() => lost > 0);
  await supervisor.refresh();
  await until(() => requested.at(-1)?.scopes === ':tree' && requested.length > 1);
  requested.length = 0;
  writeFileSync(path.join(disk, 'b.txt'), 'y');
  await until(() => requested.at(-1)?.scopes === 'disk:changes');
});
