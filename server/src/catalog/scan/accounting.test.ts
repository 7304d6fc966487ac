import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree, write } from './library.fixture.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const filesOnDisk = (root: string): number =>
  Number(execFileSync('sh', ['-c', 'find "$0" \\( -type f -o -type l \\) -printf x | wc -c', root]).toString());

test('every file is counted once: seen, excluded by the selection, excluded by a pattern, or below a pruned folder', async () => {
  const { db } = database;
  const root = tree({
    'photo.jpg': 'x',
    'song.mp3': 'xx',
    README: 'x',
    '.hidden': 'x',
    'old.bak': 'x',
    '.git/config': 'x',
    '.git/objects/a': 'x',
    'node_modules/p/index.js': 'x',
    'sub/clip.mp4': 'xxx',
    'sub/notes.txt': 'x',
  });
  const library = await addLibrary(db, root, {
    enabled_categories: ['image'],
    enabled_groups: ['video'],
    enabled_presets: ['node_modules_build'],
    exclude_globs: ['*.bak'],
    count_pruned_files: true,
  });
  const run = await scan(db, library);
  expect(run.stats).toMatchObject({
    seen: 2,
    excluded_gate: 3,
    excluded_filtered: 2,
    pruned_dirs: 2,
    pruned_files: 3,
    pruned_paths: ['node_modules', '.git'],
    permission_denied: 0,
    bytes_seen: 4,
  });
  expect(Object.keys(await items(db, library))).toEqual(['photo.jpg', 'sub/clip.mp4']);
  const again = await scan(db, library);
  expect(again.stats).toMatchObject({ seen: 2, excluded_gate: 3, excluded_filtered: 2, pruned_files: 3, folders_unchanged: 2 });
});

test('an empty selection means index everything; with a selection an extensionless file is dropped by the gate', async () => {
  const { db } = database;
  const root = tree({ README: 'x', 'a.unknown': 'x' });
  expect((await scan(db, await addLibrary(db, root))).stats).toMatchObject({ seen: 2, excluded_gate: 0 });
  const selecting = await addLibrary(db, tree({ README: 'x', 'a.unknown': 'x' }), { enabled_categories: ['other'] });
  expect((await scan(db, selecting)).stats).toMatchObject({ seen: 1, excluded_gate: 1 });
});

test('hidden_dotfiles is on by default, prunes every folder whose name starts with a dot, and can be switched off', async () => {
  const { db } = database;
  const files = { '.secret': 'x', '.d/a.txt': 'x', 'plain.txt': 'x' };
  expect((await scan(db, await addLibrary(db, tree(files)))).stats).toMatchObject({
    seen: 1,
    excluded_filtered: 1,
    pruned_dirs: 1,
    pruned_paths: ['.d'],
  });
  const open = await addLibrary(db, tree(files), { enabled_presets: ['-hidden_dotfiles'] });
  expect((await scan(db, open)).stats).toMatchObject({ seen: 3, excluded_filtered: 0, pruned_dirs: 0 });
});

test('a custom preset takes effect on the next scan of a library that enables it', async () => {
  const { db } = database;
  const library = await addLibrary(db, tree({ 'a.iso': 'x', 'b.txt': 'x' }), { enabled_presets: ['no_images'] });
  expect((await scan(db, library)).stats).toMatchObject({ seen: 2 });
  await db
    .insertInto('presets')
    .values({ name: 'no_images', label: 'No images', patterns: ['*.iso'] })
    .execute();
  expect((await scan(db, library)).stats).toMatchObject({ seen: 1, excluded_filtered: 1, missing: 1 });
});

test('a folder with a cache tag is pruned; a file with only the name of the tag is not enough', async () => {
  const { db } = database;
  const root = tree({
    'cache/CACHEDIR.TAG': 'Signature: 8a477f597d28d172789f06886806bc55\n# more',
    'cache/blob.txt': 'x',
    'other/CACHEDIR.TAG': 'not a signature',
    'other/blob.txt': 'x',
  });
  const run = await scan(db, await addLibrary(db, root, { count_pruned_files: true }));
  expect(run.stats).toMatchObject({ seen: 2, pruned_dirs: 1, pruned_files: 2, pruned_paths: ['cache'] });
});

test('sidecars are included despite the selection only beside a file they describe', async () => {
  const { db } = database;
  const root = tree({ 'film/movie.mkv': 'x', 'film/movie.nfo': 'x', 'film/poster.jpg': 'x', 'alone/readme.nfo': 'x' });
  const library = await addLibrary(db, root, { enabled_categories: ['video'] });
  expect((await scan(db, library)).stats).toMatchObject({ seen: 3, excluded_gate: 1 });
  expect(Object.keys(await items(db, library))).toEqual(['film/movie.mkv', 'film/movie.nfo', 'film/poster.jpg']);
});

test('the gate holds for sidecar-like names that attach to no included file', async () => {
  const { db } = database;
  const root = tree({
    // Two films of like size: neither is the main file that folder art and a stray NFO describe.
    'film/one.mkv': 'x'.repeat(100),
    'film/two.mkv': 'x'.repeat(90),
    'film/two.nfo': 'x',
    'film/two-poster.jpg': 'x',
    'film/poster.jpg': 'x',
    'film/other.nfo': 'x',
    'film/stray.xmp': 'x',
    'photo/a.jpg': 'x',
    'photo/a.xmp': 'x',
  });
  const library = await addLibrary(db, root, { enabled_categories: ['video'], count_pruned_files: true });
  expect((await scan(db, library)).stats).toMatchObject({ seen: 4, excluded_gate: 5, excluded_filtered: 0, pruned_files: 0 });
  expect(filesOnDisk(root)).toBe(9);
  expect(Object.keys(await items(db, library))).toEqual(['film/one.mkv', 'film/two-poster.jpg', 'film/two.mkv', 'film/two.nfo']);
});

test('pruned_paths is a sample of at most 25', async () => {
  const { db } = database;
  const root = tree({ 'a.txt': 'x' });
  for (let index = 0; index < 40; index += 1) mkdirSync(path.join(root, `.d${index}`));
  const { stats } = await scan(db, await addLibrary(db, root));
  expect(stats['pruned_dirs']).toBe(40);
  expect(stats['pruned_paths']).toHaveLength(25);
});

test('with count_pruned_files, seen + excluded + pruned files = files on disk, for any tree and any rules', async () => {
  const { db } = database;
  const name = fc.constantFrom(
    'a.jpg',
    'b.txt',
    '.c',
    'tmp',
    'd',
    'node_modules',
    '.git',
    'x.bak',
    'film.mkv',
    'film.nfo',
    'e.tmp',
    'dist',
  );
  const trees = fc.uniqueArray(fc.array(name, { minLength: 1, maxLength: 4 }), {
    minLength: 1,
    maxLength: 25,
    selector: (parts) => parts.join('/'),
  });
  const rules = fc.record({
    enabled_presets: fc.subarray(['caches_temp', 'node_modules_build', '-hidden_dotfiles', 'system_files']),
    exclude_globs: fc.subarray(['*.bak', 'd/', '/tmp', '**/dist/*.txt']),
    include_globs: fc.subarray(['.c', 'tmp', '*.bak']),
    enabled_categories: fc.subarray(['image', 'video']),
  });
  await fc.assert(
    fc.asyncProperty(trees, rules, fc.boolean(), async (paths, fields, withLink) => {
      const root = tree();
      for (const parts of paths) {
        try {
          write(root, { [parts.join('/')]: parts.join(' ') });
        } catch {
          // When a name is a folder in one path and a file in another, the first wins.
        }
      }
      if (withLink) symlinkSync('nowhere', path.join(root, 'link.jpg'));
      const library = await addLibrary(db, root, { ...fields, count_pruned_files: true });
      for (let round = 0; round < 2; round += 1) {
        const { status, stats } = await scan(db, library);
        expect(status).toBe('finished');
        expect((stats['seen'] as number) + (stats['excluded'] as number) + (stats['pruned_files'] as number)).toBe(filesOnDisk(root));
      }
    }),
    { numRuns: process.env['CATALOG_LONG_TESTS'] ? 300 : 20 },
  );
});
