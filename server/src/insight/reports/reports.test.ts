import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addKeyOfLibraries, addLibrary, addPerson, type Grant } from '../../../test/catalog-rows.ts';
import { duplicateChecks } from '../copies/checks.ts';
import { reports } from './catalogue/index.ts';
import { reportChecks } from './checks.ts';

let t: TestApp;
let photos: string;
let films: string;
let partial: { id: string; key: string };
const day = 86_400_000;
const hash = (letter: string): string => letter.repeat(64);

beforeAll(async () => {
  t = await createTestApp();
  photos = await addLibrary(t.deps, { name: 'Photos', root_path: '/media/photos', native_prefix: 'P:\\' });
  films = await addLibrary(t.deps, { name: 'Films', root_path: '/media/films' });
  const { deps } = t;
  const ago = (days: number) => new Date(Date.now() - days * day);
  await addItem(deps, photos, 'a/one.jpg', {
    size: 500,
    content_hash: hash('a'),
    quick_hash: '1111',
    mtime: ago(1000),
    file_category: 'image',
    tags: ['red', 'blue'],
  });
  await addItem(deps, photos, 'a/b/two.jpg', {
    size: 500,
    content_hash: hash('a'),
    quick_hash: '1111',
    mtime: ago(10),
    file_category: 'image',
    tags: ['red'],
  });
  await addItem(deps, films, 'copy.jpg', {
    size: 500,
    content_hash: hash('a'),
    quick_hash: '1111',
    mtime: ago(20),
    file_category: 'image',
  });
  await addItem(deps, films, 'x/sampled1.bin', { size: 900, quick_hash: '2222', mtime: ago(5) });
  await addItem(deps, films, 'x/sampled2.bin', { size: 900, quick_hash: '2222', mtime: ago(4) });
  await addItem(deps, films, 'x/single.mkv', {
    size: 2_000_000_000,
    content_hash: hash('c'),
    quick_hash: '3333',
    file_category: 'video',
    metadata: { width: 640, height: 480, video_codec: 'wmv2', bitrate: 400_000 },
    mtime: ago(3),
  });
  await addItem(deps, films, 'x/good.mkv', {
    size: 50,
    content_hash: hash('d'),
    quick_hash: '4444',
    file_category: 'video',
    metadata: { width: 1920, height: 1080, video_codec: 'h264', bitrate: 9_000_000 },
    mtime: ago(3),
  });
  await addItem(deps, photos, 'future.jpg', { mtime: ago(-5), quick_hash: '5', file_category: 'image' });
  await addItem(deps, photos, 'a/empty.txt', { size: 0, quick_hash: '6', mtime: ago(1) });
  await addItem(deps, photos, 'a/broken.mp4', {
    metadata: { _extract_error: 'moov atom not found', _extract_error_kind: 'corrupt' },
    quick_hash: '7',
    file_category: 'video',
  });
  await addItem(deps, photos, 'a/locked.pdf', { metadata: { encrypted: true }, quick_hash: '8', file_category: 'document' });
  await addItem(deps, photos, 'a/odd: name?.txt', { quick_hash: '9', file_category: 'document' });
  await addItem(deps, photos, 'a/README', { quick_hash: '10', file_category: 'document' });
  await addItem(deps, photos, 'a/readme', { quick_hash: '11', file_category: 'document' });
  await addItem(deps, photos, 'a/one.nfo', { size: 5, quick_hash: '12', file_category: 'document' });
  await addItem(deps, photos, 'a/link', { symlink_target: '/elsewhere', file_category: 'document' });
  await addItem(deps, photos, 'a/unhashed.dat', { quick_hash: null, file_category: 'document' });
  await addItem(deps, photos, 'a/gone.jpg', {
    status: 'missing',
    deleted_at: ago(40),
    tags: ['kept'],
    quick_hash: '13',
    file_category: 'image',
  });
  const first = await addItem(deps, photos, 'links/first', {
    size: 700,
    content_hash: hash('e'),
    quick_hash: '14',
    file_category: 'document',
  });
  const second = await addItem(deps, photos, 'links/second', {
    size: 700,
    content_hash: hash('e'),
    quick_hash: '14',
    file_category: 'document',
  });
  await sql`update items set inode = 77, dev = 5, nlink = 2 where id = any(${[first, second]}::uuid[])`.execute(deps.db);
  await sql`update items set first_seen = now() - interval '500 days' where rel_path = 'a/one.jpg'`.execute(deps.db);
  const run = await sql<{ id: string }>`insert into scan_runs (library_id, status, phase, finished_at, stats)
    values (${photos}, 'finished', 'done', now(), '{"unreadable_paths": [{"path": "a/secret", "code": "EACCES"}, {"path": "z", "code": "EIO"}]}') returning id`.execute(
    deps.db,
  );
  await sql`insert into scan_changes (run_id, library_id, item_id, kind, rel_path) select ${run.rows[0]!.id}, library_id, id, case when status = 'missing' then 'gone' else 'added' end, rel_path
    from items where library_id = ${photos} and rel_path in ('a/one.jpg', 'a/gone.jpg')`.execute(deps.db);
  partial = await addPerson(deps, [
    [photos, 'a', 'search_metadata'],
    [photos, 'a/b', 'search_metadata', 'deny'],
    [photos, 'a', 'download'],
  ]);
});
afterAll(() => t.close());

const run = async (id: string, query = '', as = 'read') => {
  const response = await t.request('GET', `/reports/${id}${query}`, undefined, { as });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const column = (page: { rows: Record<string, unknown>[] }, key: string) => page.rows.map((row) => row[key]);

test('GET /reports lists every report with its columns and filters, and runs nothing', async () => {
  const { reports: listed } = (await t.request('GET', '/reports', undefined, { as: 'read' })).json();
  expect(listed.length).toBeGreaterThanOrEqual(23);
  for (const id of [
    'unmapped_extensions',
    'bad_mtime',
    'corrupt_media',
    'largest_files',
    'largest_folders',
    'low_quality_video',
    'duplicate_files',
    'duplicate_files_detail',
    'stale_files',
  ])
    expect(listed.map((row: { id: string }) => row.id)).toContain(id);
  expect(listed.find(({ id }: { id: string }) => id === 'stale_files')).toMatchObject({
    supports_threshold: true,
    default_threshold_days: 730,
    row_link: 'item',
  });
});

test.each(reports.map(({ id }) => id))(
  '%s runs for everybody, with a total and sorted by any column',
  async (id) => {
    const report = reports.find((each) => each.id === id)!;
    const all = await run(id);
    for (const page of [all, await run(id, '', partial.key)]) expect(page.total, id).toBe(page.rows.length);
    const sortable = all.fields.filter((field: { sortable: boolean }) => field.sortable).map(({ key }: { key: string }) => key);
    for (const [at, key] of sortable.entries()) {
      const sort = at % 2 === 0 ? key : `-${key}`;
      const sorted = await run(id, `?sort=${sort}`);
      expect(sorted.rows.length, `${id} by ${sort}`).toBe(all.rows.length);
      // A few rows at a time give the same rows in the same order.
      const paged: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const part: { rows: unknown[]; next_cursor: string | null } = await run(
          id,
          `?sort=${sort}${report.capped ? '' : '&limit=4'}${cursor ? `&cursor=${cursor}` : ''}`,
        );
        paged.push(...part.rows);
        cursor = part.next_cursor;
      }
      expect(paged, `${id} by ${sort}, paged`).toEqual(sorted.rows);
    }
  },
  120_000,
);

test('files not modified in N days are listed oldest first with their age', async () => {
  expect(await run('stale_files', '?threshold_days=950')).toMatchObject({
    total: 1,
    rows: [{ rel_path: 'a/one.jpg', library: 'Photos', age_days: 1000, path: '/media/photos/a/one.jpg', native_path: 'P:\\a\\one.jpg' }],
  });
  const { rows, total } = await run('stale_files', '?threshold_days=15');
  expect([rows[0].rel_path, rows.at(-1).rel_path, rows.length]).toEqual(['a/one.jpg', 'copy.jpg', total]);
});

test('future-dated files, extraction errors, unmapped extensions and largest files are listed as specified', async () => {
  expect(column(await run('bad_mtime'), 'rel_path')).toEqual(['future.jpg']);
  expect(await run('corrupt_media')).toMatchObject({
    total: 1,
    rows: [{ kind: 'corrupt', error_class: 'ffprobe', error_text: 'moov atom not found' }],
  });
  expect((await run('unmapped_extensions')).rows).toEqual([
    { extension: 'bin', file_count: 2, total_bytes: 1800 },
    { extension: 'txt', file_count: 1, total_bytes: 0 },
  ]);
  expect(column(await run('largest_files', '?limit=2'), 'rel_path')).toEqual(['x/single.mkv', 'x/sampled2.bin']);
});

test('low-quality video is rated by resolution, codec and bitrate', async () => {
  expect(await run('low_quality_video')).toMatchObject({
    total: 1,
    rows: [{ rel_path: 'x/single.mkv', score: 65, band: 'reacquire', resolution: '640 × 480' }],
  });
});

test('duplicate groups keep sampled matches and hard links apart, and rights apply before grouping', async () => {
  const page = await run('duplicate_files');
  expect(page.rows.map(({ copies, hash_tier, wasted_bytes }: Record<string, unknown>) => [copies, hash_tier, wasted_bytes])).toEqual([
    [3, 'content_hash', 1000],
    [2, 'quick_hash', 900],
    [2, 'shares_storage', 0],
  ]);
  expect(page.sums).toEqual({ wasted_bytes: 1900 });
  expect(page.rows[0].paths).toEqual(['Photos/a/b/two.jpg', 'Films/copy.jpg', 'Photos/a/one.jpg']);
  // This person sees only one of the copies, so for them there is no group.
  expect((await run('duplicate_files', '', partial.key)).rows).toEqual([]);
  const detail = await run('duplicate_files_detail', `?library_id=${films}`);
  expect(detail.rows.map(({ rel_path, group_rank, keep_hint }: Record<string, unknown>) => [rel_path, group_rank, keep_hint])).toEqual([
    ['a/b/two.jpg', 0, 'keep'],
    ['copy.jpg', 1, 'candidate'],
    ['a/one.jpg', 2, 'candidate'],
    ['x/sampled2.bin', 0, 'keep'],
    ['x/sampled1.bin', 1, 'candidate'],
  ]);
  expect((await run('hard_links')).rows).toMatchObject([{ names: 2, links: 2, saved_bytes: 700 }]);
  expect((await run('library_pairs')).rows).toMatchObject([{ contents: 1, shared_bytes: 500 }]);
  expect(column(await run('only_copies'), 'rel_path')).toEqual(['x/single.mkv']);
});

test('a file is an only copy for whoever cannot see the library that holds its copy', async () => {
  const seen = await addLibrary(t.deps, { name: 'Seen', root_path: '/media/seen' });
  const hidden = await addLibrary(t.deps, { name: 'Hidden', root_path: '/media/hidden' });
  for (const library of [seen, hidden])
    await addItem(t.deps, library, 'large.iso', { size: 3_000_000_000, content_hash: hash('9'), quick_hash: '99' });
  const person = await addPerson(t.deps, [
    [seen, '', 'search_metadata'],
    [seen, '', 'download'],
  ]);
  const both = await addPerson(t.deps, [
    [seen, '', 'search_metadata'],
    [hidden, '', 'search_metadata'],
  ]);
  const limited = await addKeyOfLibraries(t.deps, [seen]);
  for (const key of [person.key, limited]) {
    expect(column(await run('only_copies', '', key), 'rel_path')).toEqual(['large.iso']);
    expect((await t.request('GET', '/reports/only_copies?format=csv', undefined, { as: key })).body).toContain('large.iso');
  }
  expect((await run('only_copies', '', both.key)).rows).toEqual([]);
  expect((await run('only_copies', `?library_id=${seen}`)).rows).toEqual([]);
  await sql`delete from items where library_id in (${seen}, ${hidden})`.execute(t.deps.db);
  await sql`delete from libraries where id in (${seen}, ${hidden})`.execute(t.deps.db);
});

test('a group of many copies shows some paths and the number of the others', async () => {
  const library = await addLibrary(t.deps, { name: 'Many' });
  for (let n = 0; n < 25; n += 1)
    await addItem(t.deps, library, `n/${n}.jpg`, { size: 3, content_hash: hash('f'), quick_hash: 'ff', file_category: 'image' });
  const { paths } = (await run('duplicate_files', `?library_id=${library}`)).rows[0];
  expect(paths).toHaveLength(21);
  expect(paths.at(-1)).toBe('and 5 more');
  await sql`delete from items where library_id = ${library}`.execute(t.deps.db);
  await sql`delete from libraries where id = ${library}`.execute(t.deps.db);
});

test('largest folders come from kept totals, or from the visible files of a person who sees a part', async () => {
  expect(
    (await run('largest_folders', '?sort=folder')).rows.map(
      ({ folder, library, depth, file_count, total_bytes }: Record<string, unknown>) => [folder, library, depth, file_count, total_bytes],
    ),
  ).toEqual([
    ['a', 'Photos', 1, 11, 1075],
    ['a/b', 'Photos', 2, 1, 500],
    ['links', 'Photos', 1, 2, 1400],
    ['x', 'Films', 1, 4, 2_000_001_850],
  ]);
  expect(column(await run('largest_folders', `?library_id=${photos}&folder=a`), 'folder')).toEqual(['a/b']);
  expect((await run('largest_folders', '', partial.key)).rows).toMatchObject([{ folder: 'a', file_count: 10, total_bytes: 575 }]);
});

test('reports/folder-tree drills one level; files of the parent itself are the child "."', async () => {
  const tree = async (query: string, as = 'read') => (await t.request('GET', `/reports/folder-tree${query}`, undefined, { as })).json();
  expect((await tree('')).children.map(({ name, has_children }: Record<string, unknown>) => [name, has_children])).toEqual([
    ['Films', true],
    ['Photos', true],
  ]);
  expect(await tree(`?library_id=${photos}&parent=/a/`)).toMatchObject({
    parent: 'a',
    children: [
      { name: '.', folder: 'a', file_count: 10, total_bytes: 575, has_children: false },
      { name: 'b', folder: 'a/b', file_count: 1, total_bytes: 500, has_children: false },
    ],
    truncated: false,
  });
  expect((await tree(`?library_id=${photos}&limit=1`)).truncated).toBe(true);
  expect((await tree(`?library_id=${photos}`, partial.key)).children).toEqual([
    { name: 'a', folder: 'a', library_id: photos, library: 'Photos', file_count: 10, total_bytes: 575, has_children: false },
  ]);
  expect((await t.request('GET', '/reports/folder-tree?parent=a')).statusCode).toBe(422);
});

test('library health counts what a person sees in each library', async () => {
  expect((await run('library_health')).rows).toMatchObject([
    { library: 'Films', status: 'never scanned', items: 5, empty_files: 0 },
    {
      library: 'Photos',
      status: 'unlinked sidecars; empty files; extract errors',
      missing_items: 1,
      unlinked_sidecars: 1,
      empty_files: 1,
      extract_errors: 1,
    },
  ]);
  expect((await run('library_health', '', partial.key)).rows).toMatchObject([{ library: 'Photos', items: 10, extract_errors: 1 }]);
});

test('the health reports separate empty files, links, encrypted files, odd names and unreadable folders', async () => {
  expect(column(await run('empty_files'), 'rel_path')).toEqual(['a/empty.txt']);
  expect((await run('symbolic_links')).rows).toMatchObject([{ rel_path: 'a/link', target: '/elsewhere' }]);
  expect(column(await run('encrypted_files'), 'rel_path')).toEqual(['a/locked.pdf']);
  expect((await run('unportable_names')).rows).toMatchObject([{ rel_path: 'a/odd: name?.txt', reason: 'reserved character' }]);
  expect(column(await run('case_collisions'), 'rel_path')).toEqual(['a/README', 'a/readme']);
  expect((await run('sidecar_hygiene')).rows).toMatchObject([{ rel_path: 'a/one.nfo', issue: 'unlinked' }]);
  expect(column(await run('unhashed_files'), 'rel_path')).toEqual(['a/unhashed.dat']);
  // Large files have a hash of samples, although the rest cannot be read.
  const half = await addItem(t.deps, photos, 'a/half.iso', { quick_hash: 'samples' });
  await sql`update items set hash_error = 'EIO' where id = ${half}`.execute(t.deps.db);
  expect(column(await run('unhashed_files'), 'hash_error')).toEqual(['EIO', null]);
  await sql`delete from items where id = ${half}`.execute(t.deps.db);
  expect((await run('missing_files')).rows).toMatchObject([{ rel_path: 'a/gone.jpg', missing_days: 40, has_notes: true }]);
  expect((await run('unverified_files')).rows).toMatchObject([{ rel_path: 'a/one.jpg', verified: false }]);
  expect((await run('unreadable_folders')).rows).toMatchObject([
    { rel_path: 'a/secret', reason: 'permission denied' },
    { rel_path: 'z', reason: 'the disk reported an error' },
  ]);
  expect(column(await run('unreadable_folders', '', partial.key), 'rel_path')).toEqual(['a/secret']);
});

test('growth by week adds up to what a library holds; what came and what left is read from the change log', async () => {
  const { rows } = await run('growth', `?library_id=${films}`);
  expect(rows[0]).toMatchObject({ library: 'Films', file_count: 5, total_bytes: 2_000_002_350 });
  const changes = await run('changes', '?sort=change');
  expect(changes.rows.map(({ change, rel_path }: Record<string, unknown>) => [change, rel_path])).toEqual([
    ['came', 'a/one.jpg'],
    ['left', 'a/gone.jpg'],
  ]);
  expect((await run('changes', '?since=2001-01-01T00:00:00Z&until=2001-02-01T00:00:00Z')).total).toBe(0);
});

test('every tag is counted over what the caller sees', async () => {
  expect((await run('tags')).rows).toMatchObject([
    { tag: 'red', file_count: 2 },
    { tag: 'blue', file_count: 1 },
  ]);
  expect((await run('tags', '?sort=tag', partial.key)).rows).toMatchObject([
    { tag: 'blue', file_count: 1 },
    { tag: 'red', file_count: 1 },
  ]);
});

test('a report can be limited to a library and a folder of it', async () => {
  expect(column(await run('largest_files', `?library_id=${photos}&folder=a/b`), 'rel_path')).toEqual(['a/b/two.jpg']);
  expect((await run('kinds', `?library_id=${films}`)).rows[0]).toMatchObject({ file_category: 'video', file_count: 2 });
});

test('files are counted by the year of their last modification, as far as the caller sees them', async () => {
  await addItem(t.deps, films, 'old/1999.avi', { mtime: new Date('1999-12-31T23:59:59Z'), quick_hash: '1999' });
  const { rows, sums } = await run('ages');
  expect(rows.at(-1)).toEqual({ year: '1999', file_count: 1 });
  expect(sums.file_count ?? rows.reduce((sum: number, row: { file_count: number }) => sum + row.file_count, 0)).toBe(
    (await run('kinds')).sums.file_count,
  );
  expect((await run('ages', `?library_id=${photos}`)).rows.map(({ year }: { year: string }) => year)).not.toContain('1999');
  await sql`delete from items where rel_path = 'old/1999.avi'`.execute(t.deps.db);
  // From kept counts, and from the items where a person sees only part of a library.
  const { key } = await addPerson(t.deps, [[films, 'older', 'search_metadata']]);
  for (const year of ['1901', '1955', '1969'])
    await addItem(t.deps, films, `older/${year}.avi`, { mtime: new Date(`${year}-01-01T00:00:00Z`) });
  for (const as of ['read', key])
    expect((await run('ages', `?library_id=${films}`, as)).rows.slice(-3)).toEqual(
      ['1969', '1955', '1901'].map((year) => ({ year, file_count: 1 })),
    );
  await sql`delete from items where starts_with(rel_path, 'older/')`.execute(t.deps.db);
});

test('sparse files and placeholders are told apart from others, with their size on disk', async () => {
  await addItem(t.deps, photos, 'disks/sparse.img', { size: 900_000, allocated: 100_000, quick_hash: 's1' });
  await addItem(t.deps, photos, 'cloud/holiday.mov', { size: 700_000, allocated: 0, quick_hash: 's2' });
  const { rows, sums } = await run('sparse_files');
  expect(rows).toMatchObject([
    { rel_path: 'disks/sparse.img', storage: 'sparse or compressed', size: 900_000, size_on_disk: 100_000, saved_bytes: 800_000 },
    { rel_path: 'cloud/holiday.mov', storage: 'placeholder', size_on_disk: 0 },
  ]);
  expect(sums).toMatchObject({ size: 1_600_000, size_on_disk: 100_000 });
  expect((await run('largest_files', '?limit=2')).rows).toMatchObject([
    { rel_path: 'x/single.mkv', size_on_disk: 2_000_000_000 },
    { size_on_disk: 100_000 },
  ]);
});

test('pinned reports belong to the account, the newest six stay', async () => {
  const pins = async (method: 'GET' | 'PUT' | 'DELETE', path = '', as = 'read') => {
    const response = await t.request(method, `/report-pins${path}`, undefined, { as });
    expect(response.statusCode, response.body).toBe(200);
    return response.json().reports as string[];
  };
  expect(await pins('GET')).toEqual([]);
  for (const id of ['growth', 'kinds', 'tags', 'stale_files', 'empty_files', 'bad_mtime', 'kinds', 'hard_links'])
    await pins('PUT', `/${id}`);
  expect(await pins('GET')).toEqual(['kinds', 'tags', 'stale_files', 'empty_files', 'bad_mtime', 'hard_links']);
  expect(await pins('DELETE', '/tags')).toEqual(['kinds', 'stale_files', 'empty_files', 'bad_mtime', 'hard_links']);
  expect(await pins('GET', '', partial.key)).toEqual([]);
  expect((await t.request('PUT', '/report-pins/nonsense', undefined, { as: 'read' })).statusCode).toBe(404);
  expect((await t.request('GET', '/report-pins', undefined, { as: null })).statusCode).toBe(401);
});

test('wrong parameters are refused with the field', async () => {
  const status = async (path: string, as: string | null = 'read') =>
    (await t.request('GET', `/reports/${path}`, undefined, { as })).statusCode;
  expect(await status('nonsense')).toBe(404);
  for (const path of [
    'stale_files?limit=0',
    'stale_files?limit=100001',
    'stale_files?offset=-1',
    'stale_files?threshold_days=0',
    'stale_files?threshold_days=40000',
    'largest_files?threshold_days=5',
    'stale_files?min_bytes=5',
    'stale_files?format=pdf',
    'stale_files?sort=nope',
    'duplicate_files?sort=paths',
    'stale_files?folder=a',
    'growth?since=2024-01-02T00:00:00Z&until=2024-01-01T00:00:00Z',
    'largest_files?since=2024-01-02T00:00:00Z',
    'stale_files?cursor=abc',
    `growth?library_id=${photos}&folder=a`,
  ])
    expect(await status(path), path).toBe(422);
  const { next_cursor } = await run('stale_files', '?limit=1&threshold_days=1');
  expect(await status(`stale_files?limit=1&threshold_days=2&cursor=${next_cursor}`)).toBe(422);
  // The totals in a cursor are those of the rights it was made with.
  expect(await status(`stale_files?limit=1&threshold_days=1&cursor=${next_cursor}`, partial.key)).toBe(422);
  expect(await status(`largest_files?library_id=${films}`, partial.key)).toBe(404);
  expect(await status('largest_files', null)).toBe(401);
});

test('files of two machines with equal file numbers are no hard links of one another', async () => {
  const { db } = t.deps;
  const agents = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const id = await addLibrary(t.deps, { name: `${name}: data`, root_path: '/data' });
      await sql`update libraries set source_agent_id = uuidv7() where id = ${id}`.execute(db);
      return id;
    }),
  );
  for (const [at, library] of agents.entries()) {
    await addItem(t.deps, library, 'linked.bin', { size: 60 + at, quick_hash: `l${at}` });
    await addItem(t.deps, library, 'system.bin', { size: 70, content_hash: hash('8'), quick_hash: '8888' });
    await sql`update items set dev = 2049, inode = case filename when 'linked.bin' then 77 else 78 end, nlink = case filename when 'linked.bin' then 2 else 1 end
      where library_id = ${library}`.execute(db);
  }
  expect(column(await run('hard_links'), 'link_key')).not.toContainEqual(expect.stringMatching(/^2049:77/));
  const group = (page: { rows: Record<string, unknown>[] }) => page.rows.find(({ dup_key }) => dup_key === hash('8'));
  const wasted = { hash_tier: 'content_hash', wasted_bytes: 70 };
  expect(group(await run('duplicate_files'))).toMatchObject(wasted);
  const person = await addPerson(
    t.deps,
    agents.map((library): Grant => [library, '', 'search_metadata']),
  );
  expect(group(await run('duplicate_files', '', person.key))).toMatchObject(wasted);
  const copies = (await run('duplicate_files_detail', `?library_id=${agents[0]}`)).rows as Record<string, unknown>[];
  expect(copies.map(({ hash_tier }) => hash_tier)).toEqual(['content_hash', 'content_hash']);
  const { rows } = await sql<{ id: string }>`select id from items where filename = 'system.bin' limit 1`.execute(db);
  const shown = await t.request('GET', `/items/${rows[0]!.id}/copies`);
  expect(shown.json().copies, shown.body).toMatchObject([{ hard_link: false }]);
  await sql`delete from items where library_id = any(${agents}::uuid[])`.execute(db);
});

test('a top list longer than the usual one goes on below the largest files', async () => {
  const { db } = t.deps;
  const many = await addLibrary(t.deps, { name: 'Many', root_path: '/media/many' });
  await addItem(t.deps, many, 'small.bin', { size: 7 });
  await sql`insert into items (library_id, folder_id, filename, extension, size, mtime_ns)
    select library_id, folder_id, n || '.bin', 'bin', 16777216 + n, 0 from items, generate_series(1, 500) n where library_id = ${many}`.execute(
    db,
  );
  expect((await run('largest_files', `?library_id=${many}`)).rows).toHaveLength(500);
  const { rows } = await run('largest_files', `?library_id=${many}&limit=600`);
  expect(rows).toHaveLength(501);
  expect(rows.at(-1)).toMatchObject({ rel_path: 'small.bin' });
  await sql`delete from items where library_id = ${many}`.execute(db);
});

test('what reports keep agrees with the items after many changes', async () => {
  const red = () => run('tags').then(({ rows }) => rows.find(({ tag }: { tag: string }) => tag === 'red').file_count);
  const before = await red();
  const added = await addItem(t.deps, photos, 'a/Read Me.txt', { tags: ['red', 'new'] });
  await addItem(t.deps, photos, 'a/read me.txt', { size: 5 });
  expect(await red()).toBe(before + 1);
  expect(column(await run('case_collisions'), 'rel_path')).toEqual(['a/README', 'a/Read Me.txt', 'a/read me.txt', 'a/readme']);
  await sql`update items set tags = '{blue}', size = 99, filename = 'Other.txt' where id = ${added}`.execute(t.deps.db);
  expect(await red()).toBe(before);
  expect(column(await run('case_collisions'), 'rel_path')).toEqual(['a/README', 'a/readme']);
  await sql`delete from items where rel_path = 'a/readme'`.execute(t.deps.db);
  expect((await run('case_collisions')).total).toBe(0);
  await sql`update items set status = 'missing', deleted_at = now() where rel_path = 'a/b/two.jpg'`.execute(t.deps.db);
  await sql`update items set content_hash = ${hash('d')} where rel_path = 'x/sampled1.bin'`.execute(t.deps.db);
  expect((await run('duplicate_files')).rows.map(({ copies }: { copies: number }) => copies)).toEqual([2, 2, 2]);
  for (const { name, run: check } of [...duplicateChecks, ...reportChecks]) expect(await check(t.deps), name).toEqual([]);
});
