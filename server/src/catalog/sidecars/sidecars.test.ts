import { copyFileSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { SidecarFacts } from '@catalog/readers';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addItem } from '../../../test/catalog-rows.ts';
import { cloneDatabase } from '../../../test/database.ts';
import type { Database } from '../../platform/database/index.ts';
import { addLibrary, items, scan, tree, write } from '../scan/library.fixture.ts';
import { associateSidecars, mergeSidecar } from './associate.ts';
import { type FolderItem, linkSidecars, parseSidecarName } from './links.ts';
import { associateAgentSidecars } from './tasks.ts';

let database: Database;
beforeAll(async () => {
  database = await cloneDatabase();
});
afterAll(() => database.close());

const nfo = (title: string, year: number): string => `<?xml version="1.0"?>
<movie><title>${title}</title><year>${year}</year><plot>A plot.</plot><genre>Drama</genre><genre>War</genre><runtime>120</runtime>
<actor><name>Ann</name><role>Her</role></actor><uniqueid type="imdb" default="true">tt0012345</uniqueid></movie>
https://www.example.org/title/tt0012345/`;

describe('names', () => {
  test.each([
    ['movie.nfo', 'nfo', 'movie'],
    ['IMG_1.XMP', 'xmp', 'img_1'],
    ['clip.thm', 'thm', 'clip'],
    ['IMG_0001.AAE', 'edit', 'img_0001'],
    ['film_JRSidecar.xml', 'player', 'film'],
    ['poster.jpg', 'folder-art', null],
    ['season01-poster.png', 'folder-art', null],
    ['movie-fanart.webp', 'stem-art', 'movie'],
  ])('%s is a sidecar (%s of %s)', (name, kind, stem) => {
    expect(parseSidecarName(name)).toEqual({ kind, stem });
  });
  test.each(['photo.jpg', 'notes.xml', 'poster.txt', 'nfo', 'my-poster'])('%s is an ordinary file', (name) => {
    expect(parseSidecarName(name)).toBeNull();
  });
});

describe('links', () => {
  const item = (filename: string, category: string, size = 100, group = category): FolderItem => ({
    id: filename,
    filename,
    category,
    group,
    size,
    isLink: false,
  });
  test('the video of a live photo belongs to the photo, and so do its edits; a film of the same name does not', () => {
    const links = linkSidecars([
      item('IMG_1.HEIC', 'image', 2_000_000),
      item('IMG_1.MOV', 'video', 4_000_000),
      item('IMG_1.AAE', 'other'),
      item('IMG_1.xmp', 'other'),
      item('trip.jpg', 'image', 2_000_000),
      item('trip.mov', 'video', 900_000_000),
      item('alone.mov', 'video', 1000),
    ]);
    expect(Object.fromEntries(links)).toEqual({ 'IMG_1.MOV': 'IMG_1.HEIC', 'IMG_1.AAE': 'IMG_1.HEIC', 'IMG_1.xmp': 'IMG_1.HEIC' });
  });
  test('by stem, by whole name, by stem with one extension trimmed', () => {
    const links = linkSidecars([
      item('A.mkv', 'video', 900),
      item('a.srt', 'video', 10, 'subtitle'),
      item('b.cr2', 'image'),
      item('a.nfo', 'document'),
      item('b.cr2.xmp', 'other'),
      item('a.en.nfo', 'document'),
      item('a-poster.jpg', 'image'),
      item('stray.xmp', 'other'),
    ]);
    expect(Object.fromEntries(links)).toEqual({ 'a.nfo': 'A.mkv', 'b.cr2.xmp': 'b.cr2', 'a.en.nfo': 'A.mkv', 'a-poster.jpg': 'A.mkv' });
  });
  test('folder art goes to the largest file only when it is at least twice the next', () => {
    const art = item('cover.jpg', 'image');
    expect(linkSidecars([art, item('1.flac', 'audio', 200), item('2.flac', 'audio', 100)]).get('cover.jpg')).toBe('1.flac');
    expect(linkSidecars([art, item('1.flac', 'audio', 199), item('2.flac', 'audio', 100)]).size).toBe(0);
    expect(linkSidecars([art]).size).toBe(0);
  });
});

test('priority fill only fills an empty title or year; priority sidecar overwrites them', () => {
  const metadata = { nfo_title: 'From sidecar', nfo_year: 1999 };
  expect(mergeSidecar({ title: 'Own', year: null }, metadata, 'fill')).toEqual({ title: 'Own', year: 1999 });
  expect(mergeSidecar({ title: 'Own', year: 2001 }, metadata, 'sidecar')).toEqual({ title: 'From sidecar', year: 1999 });
  expect(mergeSidecar({ title: 'Own', year: null }, {}, 'sidecar')).toEqual({ title: 'Own', year: null });
});

test('a scan links the video of a live photo, and frees it when the photo is gone', async () => {
  const { db } = database;
  const root = tree({ 'IMG_1.HEIC': 'photo', 'IMG_1.MOV': 'moving part' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  const found = await items(db, library);
  expect(found['IMG_1.MOV']!.sidecar_of).toBe(found['IMG_1.HEIC']!.id);
  rmSync(path.join(root, 'IMG_1.HEIC'));
  await scan(db, library);
  expect((await items(db, library))['IMG_1.MOV']!.sidecar_of).toBeNull();
});

test('a scan links sidecars, stores their raw values, follows their changes and deletion, and writes nothing when repeated', async () => {
  const { db } = database;
  const root = tree({
    'film/movie.mkv': 'x'.repeat(1000),
    'film/movie.nfo': nfo('First', 1981),
    'film/poster.jpg': 'p',
    'plain/a.txt': 'x',
  });
  const library = await addLibrary(db, root);
  const run = await scan(db, library);
  expect(run.stats['sidecars']).toEqual({ sidecars: 2, linked: 2, nfo_parsed: 1, jriver_parsed: 0, parents_updated: 1 });
  const film = async () => (await items(db, library))['film/movie.mkv']!;
  expect(await film()).toMatchObject({ title: 'First', year: 1981, metadata: { nfo_title: 'First', nfo_genre: ['Drama', 'War'] } });
  expect((await items(db, library))['film/movie.nfo']!.sidecar_of).toBe((await film()).id);
  expect((await items(db, library))['film/poster.jpg']!.sidecar_of).toBe((await film()).id);
  expect((await scan(db, library)).stats).toMatchObject({ folders_unchanged: 3 });

  write(root, { 'film/movie.nfo': nfo('Second, longer', 1982) });
  await scan(db, library);
  expect(await film()).toMatchObject({ title: 'Second, longer', year: 1982, metadata: { nfo_title: 'Second, longer' } });

  await sql`update items set title = 'Extracted', metadata = metadata || '{"width": 1920}' where id = ${(await film()).id}`.execute(db);
  write(root, { 'film/movie.nfo': nfo('Third, longer still', 1983) });
  await scan(db, library);
  expect(await film()).toMatchObject({ title: 'Extracted', year: 1983, metadata: { nfo_title: 'Third, longer still', width: 1920 } });
  await sql`update folders set fingerprint = null where library_id = ${library}`.execute(db);
  await scan(db, library, {
    deps: { associateSidecars: (at, id, folders) => associateSidecars(at, id, folders, { priority: 'sidecar' }) },
  });
  expect((await film()).title).toBe('Third, longer still');

  rmSync(path.join(root, 'film/movie.nfo'));
  await scan(db, library);
  expect(await film()).toMatchObject({ title: 'Extracted', year: null, metadata: { title: 'Extracted', width: 1920 } });
  expect((await film()).metadata['nfo_title']).toBeUndefined();
});

test.each(['fill', 'sidecar'] as const)(
  'priority %s: a film keeps its own title and year, and no external id, when its sidecar is gone',
  async (priority) => {
    const { db } = database;
    const root = tree({ 'movie.mkv': `film for ${priority}`, 'movie.nfo': nfo('Heat', 1995) });
    const library = await addLibrary(db, root);
    const run = () =>
      scan(db, library, { deps: { associateSidecars: (at, id, folders) => associateSidecars(at, id, folders, { priority }) } });
    const ofFilm = sql`library_id = ${library} and filename = 'movie.mkv'`;
    const film = async () => (await sql`select title, year, external_ids from items where ${ofFilm}`.execute(db)).rows[0];
    await run();
    expect(await film()).toEqual({ title: 'Heat', year: 1995, external_ids: { imdb: 'tt0012345' } });
    // The film itself says the same, which an extraction stores.
    await sql`update items set metadata = metadata || '{"title": "Heat", "year": 1995}' where ${ofFilm}`.execute(db);
    rmSync(path.join(root, 'movie.nfo'));
    await run();
    expect(await film()).toEqual({ title: 'Heat', year: 1995, external_ids: {} });
  },
);

test.each([
  ['fill', 'Sunset'],
  ['sidecar', 'Sunset'],
  ['sidecar', 'Another title'],
] as const)('priority %s: a picture keeps its own title when its sidecar with the title "%s" is gone', async (priority, title) => {
  const { db } = database;
  const root = tree({ 'sunset.jpg': `picture for ${priority} ${title}` });
  const library = await addLibrary(db, root);
  const run = () =>
    scan(db, library, { deps: { associateSidecars: (at, id, folders) => associateSidecars(at, id, folders, { priority }) } });
  const picture = async () => (await items(db, library))['sunset.jpg']!;
  await run();
  // Readers of pictures return the title, but not among the metadata.
  await sql`update items set title = 'Sunset', year = 2020 where id = ${(await picture()).id}`.execute(db);
  write(root, { 'sunset.nfo': nfo(title, 1995) });
  await run();
  expect(await picture()).toMatchObject({ title, year: priority === 'fill' ? 2020 : 1995 });
  rmSync(path.join(root, 'sunset.nfo'));
  await run();
  expect(await picture()).toMatchObject({ title: 'Sunset', year: 2020 });
});

test('a title, or the name of an external id, that is cut inside a character does not fail the scan', async () => {
  const { db } = database;
  const title = `${'a'.repeat(999)}😀`;
  const type = `${'b'.repeat(39)}😀`;
  const sidecar = nfo(title, 1995).replace('"imdb"', `"${type}"`);
  const library = await addLibrary(db, tree({ 'movie.mkv': 'film of a long title', 'movie.nfo': sidecar }));
  await scan(db, library);
  const { rows } = await sql<{
    external_ids: object;
  }>`select external_ids from items where library_id = ${library} and title is not null`.execute(db);
  expect(rows).toEqual([{ external_ids: { [`${'b'.repeat(39)}\ufffd`]: 'tt0012345' } }]);
  expect((await items(db, library))['movie.mkv']).toMatchObject({ title: `${'a'.repeat(999)}\ufffd`, year: 1995 });
});

test('what a sidecar said is kept while it cannot be read', async () => {
  const { db } = database;
  const root = tree({ 'movie.mkv': 'film of an unreadable sidecar', 'movie.nfo': nfo('Heat', 1995) });
  const library = await addLibrary(db, root);
  await scan(db, library);
  write(root, { 'another.txt': 'changes the folder' });
  const read = async () => 'unreadable' as const;
  await scan(db, library, {
    deps: { associateSidecars: (at, id, folders) => associateSidecars(at, id, folders, { priority: 'fill', read }) },
  });
  expect((await items(db, library))['movie.mkv']).toMatchObject({ title: 'Heat', year: 1995, metadata: { nfo_title: 'Heat' } });
});

test('what is extracted from a film while its sidecar is read is kept', async () => {
  const { db } = database;
  const root = tree({ 'movie.mkv': 'x', 'movie.nfo': nfo('First', 1981) });
  const library = await addLibrary(db, root);
  const read = async (): Promise<SidecarFacts> => {
    await sql`update items set title = 'Extracted', metadata = metadata || '{"width": 1920}'
      where library_id = ${library} and filename = 'movie.mkv'`.execute(db);
    return { title: 'First', year: 1981, externalIds: {}, raw: { nfo_title: 'First', nfo_year: 1981 } };
  };
  await scan(db, library, {
    deps: { associateSidecars: (at, id, folders) => associateSidecars(at, id, folders, { priority: 'fill', read }) },
  });
  const film = (await items(db, library))['movie.mkv'];
  expect(film).toMatchObject({ title: 'Extracted', year: 1981, metadata: { nfo_title: 'First', width: 1920 } });
});

test.each(['rename', 'copy'])('a film that is moved away from its sidecar loses its values, by %s', async (how) => {
  const { db } = database;
  const root = tree({ 'film/movie.mkv': `film by ${how}`, 'film/movie.nfo': nfo('The Film', 1972), 'new/': '' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  expect((await items(db, library))['film/movie.mkv']).toMatchObject({ title: 'The Film', year: 1972 });
  const [from, to] = [path.join(root, 'film/movie.mkv'), path.join(root, 'new/movie.mkv')];
  if (how === 'rename') renameSync(from, to);
  else {
    copyFileSync(from, to);
    rmSync(from);
  }
  expect((await scan(db, library)).stats).toMatchObject({ moved: 1 });
  expect((await items(db, library))['new/movie.mkv']).toMatchObject({ title: null, year: null, metadata: {} });
});

test('a film whose move was stored by an interrupted scan loses the values of its sidecar in the next one', async () => {
  const { db } = database;
  const root = tree({ 'film/movie.mkv': 'film of an interrupted scan', 'film/movie.nfo': nfo('The Film', 1972), 'new/': '' });
  const library = await addLibrary(db, root);
  await scan(db, library);
  renameSync(path.join(root, 'film/movie.mkv'), path.join(root, 'new/movie.mkv'));
  const associate = async () => {
    throw new Error('killed');
  };
  await expect(scan(db, library, { deps: { associateSidecars: associate } })).rejects.toThrow('killed');
  expect((await items(db, library))['new/movie.mkv']).toMatchObject({ title: 'The Film' });
  await scan(db, library);
  expect((await items(db, library))['new/movie.mkv']).toMatchObject({ title: null, year: null, metadata: {} });
});

test('sidecars that agents reported are linked without reading them, and a link to a file that is gone is removed', async () => {
  const { db } = database;
  const library = await addLibrary(db, '/elsewhere', { source_agent_id: '01890000-0000-7000-8000-000000000002' });
  const film = await addItem({ db }, library, 'film/movie.mkv', { file_category: 'video', file_group: 'video', size: 1000 });
  await addItem({ db }, library, 'film/movie.nfo');
  await addItem({ db }, library, 'other/alone.nfo');
  const links = async () => Object.entries(await items(db, library)).map(([name, { sidecar_of }]) => [name, sidecar_of]);
  const signal = new AbortController().signal;
  expect(await associateAgentSidecars(db, signal)).toEqual({ folders: 2, linked: 1 });
  expect(await links()).toEqual(
    expect.arrayContaining([
      ['film/movie.nfo', film],
      ['other/alone.nfo', null],
    ]),
  );
  expect(await associateAgentSidecars(db, signal)).toEqual({ folders: 1, linked: 0 });
  await sql`update items set status = 'missing', deleted_at = now() where id = ${film}`.execute(db);
  await associateAgentSidecars(db, signal);
  expect(await links()).toEqual(expect.arrayContaining([['film/movie.nfo', null]]));
});
