import { spawnSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, rmSync, statSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import {
  createInlineHasher,
  createInlineWalk,
  createWalkFileSystem,
  type HashRequest,
  systemHashFileSystem,
  type WalkFileSystem,
} from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { cloneDatabase, databaseForTest } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, statuses, tree, write } from './library.fixture.ts';
import { createScanRun } from './run-store.ts';
import { addFolders, insertItems } from './store.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const fail = (code: string): never => {
  throw Object.assign(new Error(code), { code });
};

/** The real file system, except for folders that fail with a code. */
function failingAt(root: string, failures: Record<string, string>): WalkFileSystem {
  const files = createWalkFileSystem({ network: false });
  return {
    ...files,
    readFolder(folder, into) {
      const code = failures[path.relative(root, folder)];
      if (code) fail(code);
      files.readFolder(folder, into);
    },
  };
}

test('a folder that cannot be read is counted and everything below it keeps its status', async () => {
  const { db } = database;
  const root = tree({ 'a/1.txt': 'x', 'b/2.txt': 'y', 'b/deep/3.txt': 'z', 'c/4.txt': 'w', 'd/5.txt': 'v', 'gone/6.txt': 'u' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'gone'), { recursive: true });
  const files = failingAt(root, { a: 'EACCES', b: 'EIO', c: 'ELOOP', d: 'ENAMETOOLONG' });
  const run = await scan(db, library, { deps: { startWalk: createInlineWalk(files) }, options: { emptyGuard: false } });
  expect(run).toMatchObject({
    status: 'finished',
    stats: { seen: 0, missing: 1, permission_denied: 1, unreadable: { EACCES: 1, EIO: 1, ELOOP: 1, ENAMETOOLONG: 1 } },
  });
  expect(await statuses(db, library)).toEqual({
    'a/1.txt': 'active',
    'b/2.txt': 'active',
    'b/deep/3.txt': 'active',
    'c/4.txt': 'active',
    'd/5.txt': 'active',
    'gone/6.txt': 'missing',
  });
  expect((await scan(db, library)).stats).toMatchObject({ seen: 5, changed: 0, new: 0, unreadable: {} });
});

test('a root that cannot be listed fails the run and tombstones nothing', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const run = await scan(db, library, { deps: { startWalk: createInlineWalk(failingAt(root, { '': 'EIO' })) }, forceEmpty: true });
  expect(run).toMatchObject({ status: 'failed', error_code: 'root_unreadable' });
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active' });
});

test.each(['good.txt', 'good.nfo'])(
  'a file that cannot be read is catalogued with the reason and hashed once it can be, beside %s',
  async (other) => {
    const { db } = database;
    const root = tree({ 'bad.txt': 'x', [other]: 'y' });
    const library = await addLibrary(db, root);
    const failing = {
      ...systemHashFileSystem,
      open: (file: string) => (file.endsWith('bad.txt') ? fail('EIO') : systemHashFileSystem.open(file)),
    };
    const deps = { createHasher: () => createInlineHasher(failing) };
    expect((await scan(db, library, { deps })).stats).toMatchObject({ seen: 2, new: 2, hash_errors: 1 });
    expect((await items(db, library))['bad.txt']).toMatchObject({ hash_error: 'EIO', quick_hash: null, content_hash: null });
    // The second attempt fails in the same way, so nothing is written.
    const stamp = async () => (await sql`select xmin::text from item_rows where library_id = ${library}`.execute(db)).rows;
    const before = await stamp();
    expect((await scan(db, library, { deps })).stats).toMatchObject({ seen: 2, new: 0, changed: 0, hash_errors: 1 });
    expect(await stamp()).toEqual(before);
    expect((await scan(db, library)).stats).toMatchObject({ seen: 2, new: 0, changed: 0, hash_errors: 0 });
    expect((await items(db, library))['bad.txt']).toMatchObject({ hash_error: null, policy_version: 'h1:full' });
  },
);

test('a file deleted or enlarged between the walk and the hashing is corrected by the next scan', async () => {
  const { db } = database;
  const root = tree({ 'vanishes.txt': 'x', 'grows.txt': 'y', 'stays.txt': 'z' });
  const library = await addLibrary(db, root);
  let disturbed = false;
  const disturbing = {
    ...systemHashFileSystem,
    open(file: string) {
      if (!disturbed) {
        disturbed = true;
        unlinkSync(path.join(root, 'vanishes.txt'));
        appendFileSync(path.join(root, 'grows.txt'), 'more');
      }
      return systemHashFileSystem.open(file);
    },
  };
  const run = await scan(db, library, { deps: { createHasher: () => createInlineHasher(disturbing) } });
  expect(run.status).toBe('finished');
  const between = await items(db, library);
  expect(Object.keys(between)).toEqual(['grows.txt', 'stays.txt']);
  expect(between['grows.txt']).toMatchObject({ size: 1, content_hash: null, hash_error: 'changed' });
  await scan(db, library);
  expect((await items(db, library))['grows.txt']).toMatchObject({ size: 5, hash_error: null });
});

test('a root replaced by a file while it is walked ends without tombstones', async () => {
  const { db } = database;
  const root = tree({ 'a/1.txt': 'x', 'b/2.txt': 'y' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const files = createWalkFileSystem({ network: false });
  let first = true;
  const replacing: WalkFileSystem = {
    ...files,
    readFolder(folder, into) {
      if (first) {
        first = false;
        renameSync(root, `${root}-away`);
        writeFileSync(root, 'a file');
      }
      files.readFolder(folder, into);
    },
  };
  const run = await scan(db, library, { deps: { startWalk: createInlineWalk(replacing) } });
  expect(run.status).toBe('failed');
  expect(await statuses(db, library)).toEqual({ 'a/1.txt': 'active', 'b/2.txt': 'active' });
  rmSync(root);
  renameSync(`${root}-away`, root);
});

const canMount = spawnSync('sh', ['-c', 'd=$(mktemp -d) && mount -t tmpfs none $d && umount $d && rmdir $d']).status === 0;

/** Walks the real file system and calls `interrupt` before the folder with this number is read. */
function interruptAt(folderNumber: number, interrupt: () => void): WalkFileSystem {
  const files = createWalkFileSystem({ network: false, stableIds: true });
  let count = 0;
  return {
    ...files,
    readFolder(folder, into) {
      count += 1;
      if (count === folderNumber) interrupt();
      files.readFolder(folder, into);
    },
  };
}
const manyFolders = Object.fromEntries(Array.from({ length: 40 }, (_, n) => [`f${String(n).padStart(2, '0')}/a.txt`, `bytes ${n}`]));

test.skipIf(!canMount).each(['the root', 'a folder below the root'])(
  'an unmount of %s during the walk fails the run and marks nothing as missing (needs the right to mount)',
  async (place) => {
    const { db } = database;
    const root = tree({ 'here/stays.txt': 'x', 'disk/': '' });
    const disk = path.join(root, 'disk');
    mount(disk);
    write(disk, manyFolders);
    const library = await addLibrary(db, place === 'the root' ? disk : root);
    await scan(db, library);
    const before = await statuses(db, library);
    const files = interruptAt(20, () => unmount(disk));
    const run = await scan(db, library, { deps: { startWalk: createInlineWalk(files) } });
    expect(run).toMatchObject({ status: 'failed', error_code: 'root_changed', stats: { missing: 0 } });
    expect(run.error).toContain('unmounted');
    expect(await statuses(db, library)).toEqual(before);
  },
);

test.skipIf(!canMount)('an unmount during the first scan does not end as success (needs the right to mount)', async () => {
  const { db } = database;
  const disk = tree();
  mount(disk);
  write(disk, manyFolders);
  const library = await addLibrary(db, disk);
  const real = systemHashFileSystem;
  let hashed = 0;
  const files = {
    ...real,
    open(file: string) {
      hashed += 1;
      if (hashed === 5) unmount(disk);
      return real.open(file);
    },
  };
  const run = await scan(db, library, { deps: { createHasher: () => createInlineHasher(files) } });
  expect(run).toMatchObject({ status: 'failed', error_code: 'root_changed' });
});

test('a root that is moved away and replaced during the walk fails the run and marks nothing as missing', async () => {
  const { db } = database;
  const root = tree(manyFolders);
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await statuses(db, library);
  const files = interruptAt(20, () => {
    renameSync(root, `${root}-away`);
    mkdirSync(root);
  });
  const run = await scan(db, library, { deps: { startWalk: createInlineWalk(files) } });
  expect(run).toMatchObject({ status: 'failed', error_code: 'root_changed', stats: { missing: 0 } });
  expect(await statuses(db, library)).toEqual(before);
  rmSync(`${root}-away`, { recursive: true });
});

test('a mass of read errors fails the run and marks nothing as missing; permission errors do not', async () => {
  const { db } = database;
  const root = tree({ ...manyFolders, 'gone.txt': 'x' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'gone.txt'));
  const failing = (code: string) =>
    createInlineWalk(failingAt(root, Object.fromEntries(Array.from({ length: 30 }, (_, n) => [`f${String(n).padStart(2, '0')}`, code]))));
  const run = await scan(db, library, { deps: { startWalk: failing('EIO') } });
  expect(run).toMatchObject({ status: 'failed', error_code: 'read_errors', stats: { missing: 0, unreadable: { EIO: 30 } } });
  expect((await statuses(db, library))['gone.txt']).toBe('active');
  expect(await scan(db, library, { deps: { startWalk: failing('EACCES') } })).toMatchObject({
    status: 'finished',
    stats: { missing: 1, permission_denied: 30 },
  });
});

test('a first scan whose files cannot be read ends as failed', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree(manyFolders));
  const broken = { ...systemHashFileSystem, read: () => fail('EIO') };
  const run = await scan(db, library, { deps: { createHasher: () => createInlineHasher(broken) } });
  expect(run).toMatchObject({ status: 'failed', error_code: 'read_errors', stats: { hash_errors: 40 } });
});

/** The Linux file systems that keep such dates include ext4, xfs, btrfs and tmpfs. */
test('a file dated after 2262 or before 1677 is stored with the nearest date and named; the rest of the library is scanned', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'x', 'late.txt': 'y', 'big-late.bin': Buffer.alloc(300_000, 3) });
  const date = (name: string, seconds: number) => utimesSync(path.join(root, name), seconds, seconds);
  date('late.txt', 9_300_000_000);
  date('big-late.bin', 9_400_000_000);
  const kept = statSync(path.join(root, 'late.txt')).mtimeMs === 9_300_000_000_000;
  const library = await addLibrary(db, root);
  const run = await scan(db, library);
  expect(run).toMatchObject({ status: 'finished', stats: { seen: 3, new: 3, hash_errors: 0 } });
  // Some file systems limit dates themselves.
  if (kept) {
    expect(run.stats).toMatchObject({ dates_limited: 2, dates_limited_paths: ['big-late.bin', 'late.txt'] });
    expect((await items(db, library))['late.txt']).toMatchObject({ mtime_ns: '9223372036854775807', hash_error: null });
    expect((await items(db, library))['big-late.bin']).toMatchObject({ hash_error: null, content_hash: expect.any(String) });
  }
  expect((await scan(db, library)).stats).toMatchObject({ seen: 3, changed: 0, folders_unchanged: 1 });
});

function mount(folder: string): void {
  expect(spawnSync('mount', ['-t', 'tmpfs', 'none', folder]).status).toBe(0);
  onTestFinished(() => void spawnSync('umount', [folder]));
}
const unmount = (folder: string): void => void spawnSync('umount', [folder]);

test('two workers never scan one library at once', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.txt': 'x', 'b.txt': 'y' }));
  let release: () => void = () => {};
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let inside: () => void = () => {};
  const entered = new Promise<void>((resolve) => {
    inside = resolve;
  });
  const first = scan(db, library, {
    deps: {
      async *startWalk(options) {
        inside();
        await held;
        yield* createInlineWalk(createWalkFileSystem({ network: false }))(options);
      },
    },
  });
  await entered;
  await expect(scan(db, library)).rejects.toThrow('Rescheduled');
  release();
  expect(await first).toMatchObject({ status: 'finished', stats: { new: 2 } });
});

test('a scan waits for the last statement of a killed worker, and later ones store nothing', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'x', 'b.txt': 'y' });
  const library = await addLibrary(db, root);
  const dead = await createScanRun(db, { libraryId: library, trigger: 'manual', forceEmpty: false });
  await sql`update scan_runs set phase = 'walking' where id = ${dead.id}`.execute(db);
  const folder = (await addFolders(db, library, [''])).get('')!;
  const late = (at: typeof db, name: string): Promise<string[]> =>
    insertItems(
      at,
      dead.id,
      library,
      [
        {
          folderId: folder,
          relPath: name,
          filename: name,
          facts: {
            extension: 'txt',
            category: 'document',
            group: 'text',
            size: 1,
            mtimeNs: '1',
            inode: '1',
            device: 1,
            links: 1,
            ctimeNs: null,
            symlinkTarget: null,
            accessClass: null,
            allocated: null,
          },
          hashes: { quick: null, content: null, policyVersion: null, error: null },
        },
      ],
      { wantsIds: true },
    );
  let next: Promise<unknown> | undefined;
  const [stored] = await db.transaction().execute(async (transaction) => {
    const ids = await late(transaction as typeof db, 'a.txt');
    next = scan(db, library);
    // The next scan has ended the dead run and waits for this statement.
    for (let status = 'running'; status === 'running'; )
      status = (await sql<{ status: string }>`select status from scan_runs where id = ${dead.id}`.execute(db)).rows[0]!.status;
    return ids;
  });
  expect(await next).toMatchObject({ status: 'finished', error: null, stats: { seen: 2, new: 1, changed: 1 } });
  expect((await items(db, library))['a.txt']!.id).toBe(stored);
  expect(await late(db, 'c.txt')).toEqual([]);
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active', 'b.txt': 'active' });
});

test('a full disk of the database fails the run; once there is space the next scan completes it', async () => {
  const { db } = await databaseForTest();
  const root = tree(Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`f${index}.txt`, String(index)])));
  const library = await addLibrary(db, root);
  await sql`create function refuse() returns trigger language plpgsql as $$ begin
    if exists (select from items where filename = 'f9.txt') then raise disk_full using message = 'No space left on device'; end if; return null; end $$`.execute(
    db,
  );
  await sql`create trigger full_disk after insert on item_rows for each statement execute function refuse()`.execute(db);
  await expect(scan(db, library, { options: { batchSize: 10 } })).rejects.toThrow('No space left');
  const run = await sql<{ status: string; error: string }>`select status, error from scan_runs order by id desc limit 1`.execute(db);
  expect(run.rows[0]).toMatchObject({ status: 'failed', error: expect.stringContaining('No space left') });
  expect(Object.keys(await items(db, library))).toHaveLength(20);
  await sql`drop trigger full_disk on item_rows`.execute(db);
  expect(await scan(db, library)).toMatchObject({ status: 'finished', stats: { seen: 30, new: 10 } });
});

test('a stopped scan keeps what it stored and tombstones nothing; the next one continues', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'x', 'gone.txt': 'y' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  unlinkSync(path.join(root, 'gone.txt'));
  write(root, { 'new.txt': 'z' });
  const stopped = await scan(db, library, {
    deps: {
      async *startWalk(options) {
        yield* createInlineWalk(createWalkFileSystem({ network: false }))(options);
        await sql`update scan_runs set status = 'stopping', heartbeat_at = now() - interval '1 hour' where library_id = ${library} and status = 'running'`.execute(
          db,
        );
        await new Promise((resolve) => setTimeout(resolve, 1100));
      },
    },
  });
  expect(stopped).toMatchObject({ status: 'stopped', error: null, stats: { missing: 0 } });
  expect((await statuses(db, library))['gone.txt']).toBe('active');
  expect(await scan(db, library)).toMatchObject({ status: 'finished', stats: { missing: 1 } });
});

test('times far in the past and the future, and a clock that jumped back, are stored to the nanosecond', async () => {
  const { db } = database;
  const root = tree({ 'past.txt': 'x', 'future.txt': 'y' });
  utimesSync(path.join(root, 'past.txt'), new Date(-86_400_000), new Date(-86_400_000));
  utimesSync(path.join(root, 'future.txt'), 7_258_118_400, 7_258_118_400);
  const library = await addLibrary(db, root);
  await scan(db, library);
  const found = await items(db, library);
  expect([found['past.txt']!.mtime_ns, found['future.txt']!.mtime_ns]).toEqual(['-86400000000000', '7258118400000000000']);
  utimesSync(path.join(root, 'future.txt'), 1000, 1000);
  expect((await scan(db, library)).stats).toMatchObject({ changed: 1, new: 0 });
  expect((await scan(db, library)).stats).toMatchObject({ changed: 0, folders_unchanged: 1 });
});

test('a stop request takes effect while a large file is being hashed', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'film.mkv': Buffer.alloc(5_000_000, 1) }));
  const never = new Promise<never>(() => {});
  const plain = createInlineHasher(systemHashFileSystem);
  const stuck = {
    hash: async (requests: readonly HashRequest[]) => {
      if (!requests.some(({ content, size }) => content && size > 4_000_000)) return plain.hash(requests);
      await sql`update scan_runs set status = 'stopping' where library_id = ${library} and status = 'running'`.execute(db);
      return never;
    },
    close: async () => {},
  };
  expect(await scan(db, library, { deps: { createHasher: () => stuck } })).toMatchObject({ status: 'stopped' });
});
