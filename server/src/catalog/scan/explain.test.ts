import { execFileSync } from 'node:child_process';
import { renameSync, rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { explainPath } from './explain.ts';
import { addLibrary, items, scan, tree, write } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

test('every path is explained: item, excluded by a pattern, pruned at a folder, outside the selection, symlink, moved, missing, never seen', async () => {
  const { db } = database;
  const root = tree({
    'photo.jpg': 'x',
    'trash.jpg': 't',
    'gone.jpg': 'y',
    'moves.jpg': 'moving',
    'notes.txt': 'z',
    README: 'r',
    'old.bak': 'b',
    '.hidden': 'h',
    '.git/objects/ab': 'o',
    'work/node_modules/p/index.js': 'j',
    'cache/CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55',
    'cache/deep/file.jpg': 'c',
    'film/movie.mkv': 'm',
    'film/movie.nfo': 'n',
  });
  symlinkSync('film', path.join(root, 'door'));
  execFileSync('mkfifo', [path.join(root, 'pipe.jpg')]);
  await db
    .insertInto('presets')
    .values({ name: 'mine', label: 'Mine', patterns: ['# backups', '*.bak'] })
    .execute();
  const library = await addLibrary(db, root, {
    enabled_categories: ['image', 'video'],
    enabled_presets: ['node_modules_build', 'mine'],
    exclude_globs: ['/secret.jpg'],
  });
  await scan(db, library);
  rmSync(path.join(root, 'gone.jpg'));
  renameSync(path.join(root, 'moves.jpg'), path.join(root, 'film/moved.jpg'));
  await scan(db, library);
  write(root, { 'late.jpg': 'l', 'secret.jpg': 's' });
  await sql`update items set status = 'trashed' where library_id = ${library} and rel_path = 'trash.jpg'`.execute(db);
  const found = await items(db, library);
  const explain = (asked: string) => explainPath(db, library, asked);

  expect(await explain('photo.jpg')).toMatchObject({
    verdict: 'item',
    category: 'image',
    item: { id: found['photo.jpg']!.id, status: 'active' },
  });
  expect(await explain('film/movie.nfo')).toMatchObject({ verdict: 'item' });
  expect(await explain('.hidden')).toMatchObject({ verdict: 'excluded', preset: 'hidden_dotfiles', pattern: '.*', line: 1 });
  expect(await explain('old.bak')).toMatchObject({ verdict: 'excluded', preset: 'mine', pattern: '*.bak', line: 2 });
  expect(await explain('secret.jpg')).toMatchObject({ verdict: 'excluded', list: 'exclude_globs', pattern: '/secret.jpg', line: 1 });
  expect(await explain('.git/objects/ab')).toMatchObject({ verdict: 'pruned', at: '.git', preset: 'hidden_dotfiles' });
  expect(await explain('work/node_modules/p/index.js')).toMatchObject({
    verdict: 'pruned',
    at: 'work/node_modules',
    preset: 'node_modules_build',
    line: 1,
  });
  expect(await explain('cache/deep/file.jpg')).toMatchObject({
    verdict: 'pruned',
    at: 'cache',
    reason: expect.stringContaining('CACHEDIR.TAG'),
  });
  expect(await explain('notes.txt')).toMatchObject({ verdict: 'outside_selection', category: 'document', group: 'document-text' });
  expect(await explain('README')).toMatchObject({ verdict: 'outside_selection', reason: expect.stringContaining('no extension') });
  expect(await explain('door/movie.mkv')).toMatchObject({ verdict: 'symlink', at: 'door' });
  expect(await explain('pipe.jpg')).toMatchObject({ verdict: 'special' });
  expect(await explain('gone.jpg')).toMatchObject({ verdict: 'missing', item: { status: 'missing' } });
  expect(await explain('moves.jpg')).toMatchObject({
    verdict: 'moved',
    moved_to: { rel_path: 'film/moved.jpg', id: found['film/moved.jpg']!.id },
  });
  expect(await explain('trash.jpg')).toMatchObject({ verdict: 'trashed' });
  expect(await explain('late.jpg')).toMatchObject({ verdict: 'never_seen' });
  expect(await explain('nowhere/at/all.jpg')).toMatchObject({ verdict: 'not_there' });
  expect(await explain('film')).toMatchObject({ verdict: 'folder' });
  expect(await explain('')).toMatchObject({ verdict: 'folder' });
  await expect(explain('../etc/passwd')).rejects.toMatchObject({ code: 'validation_failed' });
});

test('the explanation and the scan agree on every file of a tree', async () => {
  const { db } = database;
  const names = [
    'a.jpg',
    '.b.jpg',
    'tmp/c.jpg',
    'd.tmp',
    'e.txt',
    'sub/.f/g.jpg',
    'sub/h.jpg',
    'sub/i',
    'dist/j.jpg',
    'k.mkv',
    'k.nfo',
    'sub/l.nfo',
    'keep.tmp',
  ];
  const root = tree(Object.fromEntries(names.map((name) => [name, name])));
  const library = await addLibrary(db, root, {
    enabled_presets: ['caches_temp', 'node_modules_build'],
    include_globs: ['keep.tmp'],
    enabled_groups: ['raster-photo', 'video'],
  });
  await scan(db, library);
  const found = await items(db, library);
  for (const name of names) expect([name, (await explainPath(db, library, name)).verdict === 'item']).toEqual([name, name in found]);
  expect(Object.keys(found).length).toBeGreaterThan(2);
});
