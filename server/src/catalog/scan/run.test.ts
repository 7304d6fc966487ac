import { createHash } from 'node:crypto';
import { linkSync, renameSync, rmSync, symlinkSync, unlinkSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createHasher, walkInThreads } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, statuses, tree, write } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const sha256 = (content: string): string => createHash('sha256').update(content).digest('hex');

test('a scan walks a library, hashes files and classifies each one', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.jpg': 'one', 'sub/b.TXT': 'two', 'sub/deep/c': '', 'empty/': '' }));
  // With threads as in production; the other tests run without.
  const run = await scan(db, library, { deps: { startWalk: walkInThreads, createHasher: () => createHasher() } });
  expect(run).toMatchObject({
    status: 'finished',
    error: null,
    stats: { seen: 3, new: 3, changed: 0, missing: 0, bytes_seen: 6, folders: 4 },
  });
  const found = await items(db, library);
  expect(Object.keys(found)).toEqual(['a.jpg', 'sub/b.TXT', 'sub/deep/c']);
  expect(found['a.jpg']).toMatchObject({
    file_category: 'image',
    file_group: 'raster-photo',
    size: 3,
    nlink: 1,
    content_hash: sha256('one'),
    policy_version: 'h1:full',
  });
  expect(found['sub/b.TXT']).toMatchObject({ file_category: 'document', file_group: 'document-text', content_hash: sha256('two') });
  expect(found['sub/deep/c']).toMatchObject({ file_category: 'other', file_group: 'other', content_hash: sha256('') });
});

test('an unchanged library is scanned again without writing or reading an item', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.jpg': 'one', 'sub/b.txt': 'two' }));
  const first = await scan(db, library);
  const state = async () =>
    (await sql`select xmin::text, ctid::text from item_rows where library_id = ${library} order by id`.execute(db)).rows;
  const before = await state();
  const second = await scan(db, library);
  expect(second.stats).toMatchObject({ seen: 2, new: 0, changed: 0, missing: 0, folders: 2, folders_unchanged: 2, bytes_seen: 6 });
  expect(await state()).toEqual(before);
  expect(second.stats['seen']).toBe(first.stats['seen']);
});

test('a change of size or modification time is a change; a change of hard-link count alone is recorded silently', async () => {
  const { db } = database;
  const root = tree({ 'size.txt': 'one', 'time.txt': 'two', 'link.txt': 'three', 'same.txt': 'four' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  writeFileSync(path.join(root, 'size.txt'), 'longer');
  utimesSync(path.join(root, 'time.txt'), 1_600_000_000, 1_600_000_000);
  linkSync(path.join(root, 'link.txt'), `${root}-elsewhere`);
  const queued: string[] = [];
  const run = await scan(db, library, { deps: { queueExtraction: async (_db, _library, ids) => void queued.push(...ids) } });
  rmSync(`${root}-elsewhere`);
  const found = await items(db, library);
  expect(run.stats).toMatchObject({ seen: 4, new: 0, changed: 2, missing: 0 });
  expect(queued.sort()).toEqual([found['size.txt']!.id, found['time.txt']!.id].sort());
  expect(found['link.txt']!.nlink).toBe(2);
  expect(found['size.txt']).toMatchObject({ size: 6, content_hash: sha256('longer') });
  expect(found['time.txt']!.mtime_ns).toBe('1600000000000000000');
});

test('rows created before link counts were recorded are not treated as modified because of it', async () => {
  const { db } = database;
  const root = tree({ 'old.txt': 'one' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  await sql`update items set nlink = null where library_id = ${library}`.execute(db);
  await sql`update folders set fingerprint = null where library_id = ${library}`.execute(db);
  const queued: string[] = [];
  const run = await scan(db, library, { deps: { queueExtraction: async (_db, _library, ids) => void queued.push(...ids) } });
  expect(run.stats).toMatchObject({ changed: 0, new: 0 });
  expect(queued).toEqual([]);
  expect((await items(db, library))['old.txt']!.nlink).toBe(1);
});

test('a file that a symlink replaces loses what was read from it, keeps what people entered, and its history says so', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'old words', 'b.txt': 'target' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const { id } = (await items(db, library))['a.txt']!;
  await sql`update items set metadata = '{"words": 2}', title = 'Old', year = 1999, body_text = 'old words', archive_members = 'old', thumb_key = 'k',
    extracted_key = 'bytes:text@1:txt', tags = '{kept}', user_metadata = '{"note": "mine"}', user_title = 'Mine' where id = ${id}`.execute(
    db,
  );
  rmSync(path.join(root, 'a.txt'));
  symlinkSync('b.txt', path.join(root, 'a.txt'));
  expect((await scan(db, library)).stats).toMatchObject({ changed: 1 });
  const { rows } =
    await sql`select metadata, title, year, body_text, archive_members, thumb_key, extracted_key, tags, user_metadata, user_title
    from items where id = ${id}`.execute(db);
  expect(rows).toEqual([
    {
      metadata: {},
      title: null,
      year: null,
      body_text: null,
      archive_members: null,
      thumb_key: null,
      extracted_key: null,
      tags: ['kept'],
      user_metadata: { note: 'mine' },
      user_title: 'Mine',
    },
  ]);
  const history = await sql`select source, before, after from item_history where item_id = ${id}`.execute(db);
  expect(history.rows).toEqual([{ source: 'extractor', before: { metadata: { words: 2 } }, after: { metadata: {} } }]);
});

test('a change of symlink-ness is a change; symlinks are catalogued, never followed, never hashed', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one', 'outside/': '' });
  const elsewhere = tree({ 'secret.txt': 'x' });
  symlinkSync(elsewhere, path.join(root, 'door'));
  symlinkSync('nowhere', path.join(root, 'broken.txt'));
  symlinkSync('.', path.join(root, 'outside/loop'));
  const library = await addLibrary(db, root);
  const run = await scan(db, library);
  expect(run.stats).toMatchObject({ seen: 4 });
  let found = await items(db, library);
  expect(Object.keys(found)).toEqual(['a.txt', 'broken.txt', 'door', 'outside/loop']);
  expect(found['door']).toMatchObject({ symlink_target: elsewhere, quick_hash: null, content_hash: null, hash_error: null });
  const { mtime_ns } = found['a.txt']!;
  unlinkSync(path.join(root, 'a.txt'));
  symlinkSync('one', path.join(root, 'a.txt'));
  await sql`update items set mtime_ns = ${mtime_ns} where id = ${found['a.txt']!.id}`.execute(db);
  const again = await scan(db, library);
  found = await items(db, library);
  expect(again.stats).toMatchObject({ changed: 1, new: 0, missing: 0 });
  expect(found['a.txt']).toMatchObject({ symlink_target: 'one', quick_hash: null, content_hash: null });
});

test('scans never hard-delete: a file gone from disk is missing, and active again when it is back', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one', 'sub/b.txt': 'two', 'sub/c.txt': 'three' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const before = await items(db, library);
  renameSync(path.join(root, 'sub'), `${root}-away`);
  const gone = await scan(db, library);
  expect(gone.stats).toMatchObject({ seen: 1, missing: 2 });
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'active', 'sub/b.txt': 'missing', 'sub/c.txt': 'missing' });
  renameSync(`${root}-away`, path.join(root, 'sub'));
  const back = await scan(db, library);
  expect(back.stats).toMatchObject({ seen: 3, missing: 0, new: 0, returned: 2 });
  const after = await items(db, library);
  expect(Object.values(after).map(({ id, status }) => [id, status])).toEqual(Object.values(before).map(({ id }) => [id, 'active']));
  expect((await scan(db, library)).stats).toMatchObject({ folders: 2, folders_unchanged: 2 });
});

test('a trashed item is not brought back by a scan', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one', 'b.txt': 'two' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  await sql`update items set status = 'trashed' where library_id = ${library} and rel_path = 'a.txt'`.execute(db);
  write(root, { 'a.txt': 'changed' });
  expect((await scan(db, library)).stats).toMatchObject({ seen: 2, new: 0, changed: 0, missing: 0 });
  rmSync(path.join(root, 'a.txt'));
  await scan(db, library);
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'trashed', 'b.txt': 'active' });
});

test('an item restored while its file was missing is corrected by the next scan', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'one', 'b.txt': 'two' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  await sql`update items set status = 'trashed' where library_id = ${library} and rel_path = 'a.txt'`.execute(db);
  rmSync(path.join(root, 'a.txt'));
  await scan(db, library);
  await sql`update items set status = 'active' where library_id = ${library} and rel_path = 'a.txt'`.execute(db);
  await scan(db, library);
  expect(await statuses(db, library)).toEqual({ 'a.txt': 'missing', 'b.txt': 'active' });
});

test('extraction is deferred to the end of the scan when staged, else queued after each batch', async () => {
  const { db } = database;
  const files = Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`f${index}.txt`, `content ${index}`]));
  for (const stagedPipeline of [true, false]) {
    const library = await addLibrary(db, tree(files));
    const calls: { phase: string; ids: number }[] = [];
    const run = await scan(db, library, {
      options: { batchSize: 10, stagedPipeline },
      deps: {
        queueExtraction: async (at, id, ids) => {
          const { rows } = await sql<{ n: number }>`select count(*) as n from items where library_id = ${id}`.execute(at);
          calls.push({ phase: rows[0]!.n === 25 ? 'end' : 'during', ids: ids.length });
        },
      },
    });
    expect(run.status).toBe('finished');
    expect(calls.reduce((sum, { ids }) => sum + ids, 0)).toBe(25);
    expect(calls.some(({ phase }) => phase === 'during')).toBe(!stagedPipeline);
  }
});

test('a scan that is not recursive covers the files of one folder and not its subfolders', async () => {
  const { db } = database;
  const root = tree({ 'a/one.txt': '1', 'a/gone.txt': '2', 'a/deep/two.txt': '3', 'a/lost/three.txt': '4', 'other.txt': '5' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  rmSync(path.join(root, 'a/gone.txt'));
  rmSync(path.join(root, 'a/lost'), { recursive: true });
  write(root, { 'a/new.txt': '6', 'a/deep/unseen.txt': '7', 'unseen.txt': '8' });
  const run = await scan(db, library, { scope: 'a', recursive: false });
  expect(run).toMatchObject({ status: 'finished', stats: { seen: 2, new: 1, missing: 1, folders: 1 } });
  expect(await statuses(db, library)).toEqual({
    'a/one.txt': 'active',
    'a/gone.txt': 'missing',
    'a/new.txt': 'active',
    'a/deep/two.txt': 'active',
    'a/lost/three.txt': 'active',
    'other.txt': 'active',
  });
  // A scan of the root folder alone is not a full scan and marks nothing below it as missing.
  expect(await scan(db, library, { recursive: false })).toMatchObject({ status: 'finished', stats: { seen: 2, new: 1, missing: 0 } });
  expect((await statuses(db, library))['a/deep/unseen.txt']).toBeUndefined();
  expect(await scan(db, library)).toMatchObject({ stats: { new: 1, missing: 1 } });
});

test('the first run of a library logs no additions; if interrupted, the next run extracts all it stored', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'founded a', 'b/c.txt': 'founded c' });
  const library = await addLibrary(db, root);
  const broken = {
    queueExtraction: async () => {
      throw new Error('The worker stopped.');
    },
  };
  await expect(scan(db, library, { deps: broken })).rejects.toThrow('stopped');
  const log = await sql`select 1 from scan_changes where library_id = ${library}`.execute(db);
  expect(log.rows).toEqual([]);
  const queued: string[] = [];
  const deps = { queueExtraction: async (_db: unknown, _library: string, ids: readonly string[]) => void queued.push(...ids) };
  write(root, { 'later.txt': 'founded later' });
  expect(await scan(db, library, { deps })).toMatchObject({ status: 'finished', stats: { new: 1 } });
  const stored = await items(db, library);
  expect([...new Set(queued)].sort()).toEqual(
    Object.values(stored)
      .map(({ id }) => id)
      .sort(),
  );
  queued.length = 0;
  await scan(db, library, { deps });
  expect(queued).toEqual([]);
});

test('a file without an extension keeps its classification by content until its bytes change', async () => {
  const { db } = database;
  const root = tree({ 'in/scan': 'a picture', 'in/a.txt': 'one' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const { id } = (await items(db, library))['in/scan']!;
  await sql`update items set file_category = 'image', file_group = 'raster-photo', metadata = '{"sniffed":{"extension":"png"}}' where id = ${id}`.execute(
    db,
  );
  write(root, { 'in/b.txt': 'two' });
  await scan(db, library);
  expect((await items(db, library))['in/scan']).toMatchObject({ id, file_category: 'image', file_group: 'raster-photo' });

  renameSync(path.join(root, 'in/scan'), path.join(root, 'moved'));
  await scan(db, library);
  expect((await items(db, library))['moved']).toMatchObject({ id, file_category: 'image', metadata: { sniffed: { extension: 'png' } } });

  write(root, { moved: 'something else altogether' });
  await scan(db, library);
  expect((await items(db, library))['moved']).toMatchObject({ id, file_category: 'other', metadata: {} });
});
