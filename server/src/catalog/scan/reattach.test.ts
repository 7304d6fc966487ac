import { copyFileSync, lutimesSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { createInlineHasher, createInlineWalk, createWalkFileSystem, systemHashFileSystem } from '@catalog/scanner';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addItem } from '../../../test/catalog-rows.ts';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree } from './library.fixture.ts';
import { reattachAll } from './reattach.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const repair = { crossLibrary: true, signal: new AbortController().signal, queueExtraction: async () => {} };
const tag = (id: string) => sql`update items set tags = '{mine}' where id = ${id}`.execute(database.db);
/** Larger files are hashed in full after the walk, so that a rename of one is not recognized while it runs. */
const large = (name: string) => Buffer.alloc(5 * 1024 * 1024, name);

const moves = {
  rename: renameSync,
  /** Like a move to another disk: new inode, same time. */
  'copy and delete'(from: string, to: string): void {
    const { atime, mtime } = statSync(from);
    copyFileSync(from, to);
    lutimesSync(to, atime, mtime);
    rmSync(from);
  },
};

async function libraryWithTaggedFile(content: string): Promise<{ library: string; id: string; file: (name: string) => string }> {
  const { db } = database;
  const base = tree({ 'inbox/film.bin': large(content), 'stay.txt': 'x', 'other/stay.txt': 'y', 'albums/': '' });
  const library = await addLibrary(db, base);
  await scan(db, library);
  const { id } = (await items(db, library))['inbox/film.bin']!;
  await tag(id);
  return { library, id, file: (name) => path.join(base, name) };
}

test.each(['rename', 'copy and delete'] as const)(
  'a scan of the new folder alone does not make a moved file a copy, by %s',
  async (how) => {
    const { db } = database;
    const { library, id, file } = await libraryWithTaggedFile(`targeted ${how}`);
    moves[how](file('inbox/film.bin'), file('albums/film.bin'));
    expect((await scan(db, library, { scope: 'albums' })).stats).toMatchObject({ new: 1 });
    await scan(db, library);
    expect((await items(db, library))['albums/film.bin']).toMatchObject({ id, status: 'active', tags: ['mine'] });
    expect(Object.keys(await items(db, library))).not.toContain('inbox/film.bin');
  },
);

test.each(['other', 'not there'])('a killed scan that was completed by a scan of "%s" does not make a moved file a copy', async (scope) => {
  const { db } = database;
  const { library, id, file } = await libraryWithTaggedFile(`killed before ${scope}`);
  moves['copy and delete'](file('inbox/film.bin'), file('albums/film.bin'));
  const killed = new Error('killed');
  const hasher = createInlineHasher(systemHashFileSystem);
  const createHasher = () => ({
    ...hasher,
    // The content of a large file is hashed after all files were added.
    hash: (requests: Parameters<typeof hasher.hash>[0]) =>
      requests.some(({ content }) => content) ? Promise.reject(killed) : hasher.hash(requests),
  });
  await expect(scan(db, library, { deps: { createHasher } })).rejects.toThrow('killed');
  expect((await scan(db, library, { scope })).status).toBe('finished');
  await scan(db, library);
  await scan(db, library);
  await reattachAll(db, repair);
  expect((await items(db, library))['albums/film.bin']).toMatchObject({ id, status: 'active', tags: ['mine'] });
});

test('a scan of the whole library that found nothing to walk does not make a moved file a copy', async () => {
  const { db } = database;
  const { library, id, file } = await libraryWithTaggedFile('nothing walked');
  moves['copy and delete'](file('inbox/film.bin'), file('albums/film.bin'));
  await scan(db, library, { scope: 'albums' });
  // As a run of the whole library is stored whose folder was away.
  await sql`insert into scan_runs (library_id, status, finished_at, stats, settled)
    values (${library}, 'finished', now(), '{"scope_missing": true}', true)`.execute(db);
  await scan(db, library);
  expect((await items(db, library))['albums/film.bin']).toMatchObject({ id, status: 'active', tags: ['mine'] });
});

test('a file that is renamed while a scan runs is not a copy of itself', async () => {
  const { db } = database;
  const { library, id, file } = await libraryWithTaggedFile('during');
  mkdirSync(file('z'));
  const files = createWalkFileSystem({ network: false, stableIds: true });
  const startWalk = createInlineWalk({
    ...files,
    readFolder(folder, into) {
      if (folder === file('z')) renameSync(file('inbox/film.bin'), file('z/film.bin'));
      files.readFolder(folder, into);
    },
  });
  expect((await scan(db, library, { deps: { startWalk } })).stats).toMatchObject({ new: 1, missing: 0 });
  await scan(db, library);
  expect((await items(db, library))['z/film.bin']).toMatchObject({ id, status: 'active', tags: ['mine'] });
});

test('a copy that was found by a scan of its folder is a copy once a complete scan has seen both', async () => {
  const { db } = database;
  const { library, id, file } = await libraryWithTaggedFile('seen later');
  copyFileSync(file('inbox/film.bin'), file('albums/film.bin'));
  await scan(db, library, { scope: 'albums' });
  const copy = (await items(db, library))['albums/film.bin']!;
  await scan(db, library);
  rmSync(file('inbox/film.bin'));
  await scan(db, library);
  await reattachAll(db, repair);
  expect(await items(db, library)).toMatchObject({
    'albums/film.bin': { id: copy.id, tags: [] },
    'inbox/film.bin': { id, status: 'missing', tags: ['mine'] },
  });
});

test('a file that the daily task pairs under a name of another type is queued to be read, and loses the values of a sidecar', async () => {
  const { db } = database;
  const base = tree({
    'left/film.dat': 'some film',
    'left/film.nfo': '<movie><title>The Film</title><year>1972</year></movie>',
    'left/stay.txt': 'x',
    'right/stay.txt': 'y',
  });
  const [left, right] = [await addLibrary(db, path.join(base, 'left')), await addLibrary(db, path.join(base, 'right'))];
  await scan(db, left);
  const { id } = (await items(db, left))['film.dat']!;
  await tag(id);
  await sql`update items set metadata = '{"nfo_title": "The Film"}', title = 'The Film' where id = ${id}`.execute(db);
  const options = { crossLibraryMoves: false };
  await scan(db, right, { options });
  moves['copy and delete'](path.join(base, 'left/film.dat'), path.join(base, 'right/film.mkv'));
  await scan(db, right, { options });
  await scan(db, left, { options });
  const queued: [string, readonly string[]][] = [];
  const queueExtraction = async (_db: unknown, library: string, ids: readonly string[]) => void queued.push([library, ids]);
  expect(await reattachAll(db, { ...repair, queueExtraction })).toBe(1);
  expect(queued).toEqual([[right, [id]]]);
  expect((await items(db, right))['film.mkv']).toMatchObject({ id, title: 'The Film' });
  await scan(db, right);
  expect((await items(db, right))['film.mkv']).toMatchObject({ id, title: null, metadata: {}, tags: ['mine'] });
});

test('whether two files existed together is looked up in the complete scans of that time, however many runs there are', async () => {
  const { db, pool } = database;
  const library = await addLibrary(db, '/nowhere/watched');
  await sql`insert into scan_runs (library_id, status, scope, trigger, started_at, finished_at, settled)
    select ${library}, 'finished', 'inbox', 'watch', now() - n * interval '1 minute', now() - n * interval '1 minute', true
    from generate_series(1, 20000) n`.execute(db);
  await sql`analyze scan_runs`.execute(db);
  const [from, to] = [
    await addItem({ db }, library, 'old.txt', { status: 'missing', deleted_at: new Date(), content_hash: 'e'.repeat(64), tags: ['mine'] }),
    await addItem({ db }, library, 'new.txt', { content_hash: 'e'.repeat(64) }),
  ];
  await sql`update items set first_seen = now() - interval '20 days' where id = ${from}`.execute(db);
  await sql`update items set first_seen = now() - interval '10 days' where id = ${to}`.execute(db);
  const query = vi.spyOn(pg.Client.prototype, 'query');
  expect(await reattachAll(db, repair)).toBe(1);
  const sent = query.mock.calls.map(
    ([given, values]) => (typeof given === 'string' ? { text: given, values } : given) as unknown as pg.QueryConfig,
  );
  query.mockRestore();
  const { text, values } = sent.find((each) => each.text?.includes('from scan_runs r'))!;
  const { rows } = await pool.query(`explain (format json) ${text}`, values);
  expect(JSON.stringify(rows)).toContain('"Index Name":"scan_runs_complete"');
});
