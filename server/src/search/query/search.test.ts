import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sessionCookie } from '../../../test/app.ts';
import { addPerson, type Grant } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { openPrincipal } from '../../people/identity/index.ts';
import { openSearchReader, type SearchReader } from '../engines/index.ts';
import { HitOut, SearchResponse } from './schemas.ts';
import { search } from './service.ts';

let t: IndexedApp;
let photos: string;
let studio: string;
let ids: Record<string, string>;

beforeAll(async () => {
  t = await createIndexedApp();
  photos = await t.addLibrary('Photos', { exposeGps: true });
  studio = await t.addLibrary('Studio');
  const inPhotos = await t.addItems(photos, [
    {
      path: '2023/bergen/IMG_20240301-final.v2.PSD',
      category: 'image',
      group: 'layered-image',
      size: 5000,
      mtime: 1_710_000_000,
      tags: ['print', 'harbour'],
      year: 2024,
      metadata: { exif: { gps_latitude: 60.39, gps_longitude: 5.32 } },
    },
    {
      path: '2023/bergen/boats.jpg',
      category: 'image',
      group: 'raster-photo',
      size: 900,
      metadata: { exif: { gps_latitude: 59.91, gps_longitude: 10.75 }, width: 6000 },
    },
    { path: '2023/private/año nuevo.jpg', category: 'image', group: 'raster-photo', size: 1 },
  ]);
  const inStudio = await t.addItems(studio, [
    {
      path: 'docs/quarterlyReport.xlsx',
      category: 'document',
      group: 'spreadsheet',
      body: 'The mooring fee for the inner <b>harbour</b> rises to 412 a month from March & on.',
    },
    { path: 'docs/北京旅行.pdf', contentHash: 'abcdef0123456789'.repeat(4) },
    { path: 'code/vector.C++', category: 'development', group: 'source-code' },
    { path: 'code/notes C and D.txt', category: 'document', group: 'document-text' },
    { path: 'old/gone.pdf', status: 'missing' },
    { path: 'docs/quarterlyReport.nfo', metadata: { _extract_error: 'The file ends too early.' } },
  ]);
  ids = Object.fromEntries(
    ['psd', 'boats', 'ano', 'report', 'beijing', 'cpp', 'notes', 'gone', 'nfo'].map((name, at) => [name, [...inPhotos, ...inStudio][at]!]),
  );
  await t.waitForIndex();
});
afterAll(() => t.close());

const ask = async (query: string, options = {}) => (await t.request('GET', `/search?${query}`, undefined, options)).json();
const names = async (query: string): Promise<string[]> =>
  (await ask(query)).hits.map((hit: { id: string }) => Object.entries(ids).find(([, id]) => id === hit.id)?.[0]);
const q = (text: string) => `q=${encodeURIComponent(text)}`;

describe('a person finds', () => {
  test.each([
    ['IMG_20240301-final.v2.PSD', 'psd'],
    ['img 20240301', 'psd'],
    ['final v2', 'psd'],
    ['quarterlyReport', 'report'],
    ['quarterly rep', 'report'],
    ['quarterlyreport', 'report'],
    ['quartrely', 'report'],
    ['año', 'ano'],
    ['ano nuevo', 'ano'],
    ['北京', 'beijing'],
    ['C++', 'cpp'],
    ['mooring fee', 'report'],
    ['terlyrep', 'report'],
  ])('%s', async (text, name) => {
    expect((await names(q(text)))[0]).toBe(name);
  });
});

test('the response has hits, total, facets, statistics, histograms and the time taken', async () => {
  const answer = await ask('histograms=true');
  expect(answer.total).toBe(8);
  expect(answer.facets.library_id).toEqual({ [photos]: 3, [studio]: 5 });
  expect(answer.facets.file_category).toMatchObject({ image: 3 });
  expect(answer.facets.tags).toEqual({ print: 1, harbour: 1 });
  expect(answer.facets.year).toEqual({ 2024: 1 });
  expect(answer.facet_stats.size).toEqual({ min: 1, max: 5000 });
  expect(answer.histograms.size.reduce((sum: number, bar: { count: number }) => sum + bar.count, 0)).toBe(8);
  expect(answer.facets.has).toMatchObject({ error: 1 });
  expect(answer).toMatchObject({ degraded: false, next_cursor: null, total_bytes: 10_901 });
  // Histograms cost as much as all facets together, so they are opt-in.
  expect(await ask('')).toMatchObject({ total: 8, histograms: {}, facets: { has: {}, tags: { print: 1 } } });
});

test('tags are offered however the beginning is written', async () => {
  for (const q of ['pr', 'PR', 'Pr'])
    expect((await t.request('GET', `/search/tags?q=${q}`)).json().tags, q).toEqual([{ value: 'print', count: 1 }]);
});

test('a glob over tags or extensions is evaluated on index values, not on every item', async () => {
  expect(await names(q('tag:har*'))).toEqual(['psd']);
  expect(await names(q('tag:*r*;nothing'))).toEqual(['psd']);
  expect((await names(q('ext:x*s?;ps*'))).sort()).toEqual(['psd']);
  expect((await names(q('ext:xls*;ps*'))).sort()).toEqual(['psd', 'report']);
  expect(await names(q('tag:nothing*'))).toEqual([]);
  const asked: unknown[] = [];
  const reader = openSearchReader(t.deps.settings);
  const watched: SearchReader = {
    ...reader,
    search(query) {
      asked.push(query.facets);
      return reader.search(query);
    },
  };
  await search(t.deps, watched, openPrincipal, { q: 'tag:har*', facets: false });
  await reader.close();
  expect(asked[0]).toEqual([{ field: 'tag', limit: 1000 }]);
});

test('a hit shows the fields of its schema and no other', async () => {
  const { hits, ...rest } = await ask('');
  for (const hit of hits) expect(Object.keys(hit).sort()).toEqual(Object.keys(HitOut.properties).sort());
  expect(Object.keys({ hits, ...rest }).sort()).toEqual(Object.keys(SearchResponse.properties).sort());
});

test('the response has the content type JSON', async () => {
  expect((await t.request('GET', '/search')).headers['content-type']).toMatch(/^application\/json/);
});

test('search_in content or names restricts where words match; without it both match', async () => {
  expect(await names(q('harbour'))).toEqual(['psd', 'report']);
  expect(await names(`${q('harbour')}&search_in=content`)).toEqual(['report']);
  expect(await names(`${q('harbour')}&search_in=names`)).toEqual(['psd']);
});

test('a snippet is cut around the match, marked and escaped; names are highlighted', async () => {
  const [hit] = (await ask(`${q('harbour')}&search_in=content`)).hits;
  expect(hit.snippet).toContain('inner &#60;b&#62;<em>harbour</em>&#60;/b&#62; rises');
  expect(hit.snippet).toContain('&#38;');
  expect((await ask(q('report'))).hits[0].highlight.filename).toBe('quarterly<em>Report</em>.xlsx');
});

test('filters: categories and groups OR inside, AND between; unknown ones are 422', async () => {
  expect(await names('file_group=layered-image&file_group=source-code&sort=name')).toEqual(['psd', 'cpp']);
  expect(await names(`file_category=image&library=${studio}`)).toEqual([]);
  expect(await names(`library=${photos}&library=${studio}&extension=PSD`)).toEqual(['psd']);
  for (const bad of ['file_category=movies', 'file_group=nope'])
    expect((await t.request('GET', `/search?${bad}`)).json()).toMatchObject({ status: 422, code: 'taxonomy_unknown' });
});

test('filters: status, sizes, dates, tags, years, path, hash, errors', async () => {
  expect(await names('status=missing')).toEqual(['gone']);
  expect(await names('size_gte=900&size_lte=999')).toEqual(['boats']);
  expect(await names('mtime_gte=1710000000')).toEqual(['psd']);
  expect(await names('tags=print,harbour')).toEqual(['psd']);
  expect(await names('tags=print,absent')).toEqual([]);
  expect(await names('year_gte=2024')).toEqual(['psd']);
  expect(await names('path=2023/private')).toEqual(['ano']);
  expect(await names('hash=abcdef01')).toEqual(['beijing']);
  expect(await names('has_error=true')).toEqual(['nfo']);
});

test('sort by size, name and newest, and paging by cursor gives every hit once', async () => {
  expect((await names('sort=size:desc'))[0]).toBe('psd');
  expect((await names('sort=newest'))[0]).toBe('psd');
  const seen: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await ask(`sort=name&limit=3${cursor}`);
    seen.push(...page.hits.map((hit: { id: string }) => hit.id));
    if (!page.next_cursor) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(new Set(seen).size).toBe(8);
  expect(seen).toHaveLength(8);
});

test('a forged cursor or one of another query is rejected', async () => {
  const { next_cursor } = await ask('limit=2');
  expect((await t.request('GET', `/search?limit=2&q=boats&cursor=${next_cursor}`)).json()).toMatchObject({
    status: 422,
    code: 'cursor_invalid',
  });
  expect((await t.request('GET', '/search?cursor=AAAA')).json()).toMatchObject({ status: 422, code: 'cursor_invalid' });
});

describe('geo', () => {
  const oslo = 'geo_lat=59.91&geo_lng=10.75';
  test('radius, box and distance order', async () => {
    expect(await names(`${oslo}&geo_radius_m=5000`)).toEqual(['boats']);
    expect(await names('geo_top_lat=61&geo_right_lng=6&geo_bottom_lat=60&geo_left_lng=5')).toEqual(['psd']);
    expect((await names(`${oslo}&geo_sort=asc`)).slice(0, 2)).toEqual(['boats', 'psd']);
    expect((await ask(`${oslo}&geo_sort=asc`)).hits[0].distance_m).toBeLessThan(1);
  });

  test.each([
    'geo_lat=59',
    'geo_lng=10',
    'geo_radius_m=5',
    oslo,
    `${oslo}&geo_radius_m=0`,
    `${oslo}&geo_radius_m=-1`,
    'geo_lat=91&geo_lng=0&geo_radius_m=1',
    'geo_lat=0&geo_lng=181&geo_radius_m=1',
    'geo_sort=asc',
    'geo_top_lat=1&geo_right_lng=1&geo_bottom_lat=0',
    'geo_top_lat=0&geo_right_lng=1&geo_bottom_lat=1&geo_left_lng=0',
    'geo_top_lat=1&geo_right_lng=-170&geo_bottom_lat=0&geo_left_lng=170',
    'geo_lat=NaN&geo_lng=0&geo_radius_m=1',
  ])('%s is 422', async (query) => {
    const answer = await t.request('GET', `/search?${query}`);
    expect(answer.statusCode).toBe(422);
    expect(answer.json().errors.length).toBeGreaterThan(0);
  });
});

test('an empty result names the filter that caused it, and suggests similar words', async () => {
  const empty = await ask(`${q('boats')}&library=${studio}`);
  expect(empty.total).toBe(0);
  expect(empty.emptied_by).toEqual([{ filter: 'library', value: studio, without: 1 }]);
  expect((await ask(q('qarterlyrepo'))).did_you_mean.length + (await ask(q('qarterlyrepo'))).total).toBeGreaterThan(0);
});

describe('words and filters in one box', () => {
  test.each([
    ['harbour kind:image', ['psd']],
    ['kind:image -tag:print', ['boats', 'ano']],
    ['(tag:print OR path:code) -ext:txt', ['psd', 'cpp']],
    ['is:missing', ['gone']],
    ['meta.width:>4000', ['boats']],
    ['meta.width:>4000 -harbour', ['boats']],
    ['hash:abcdef01', ['beijing']],
    ['library:Studio has:error', ['nfo']],
    ['path:*/private', ['ano']],
    ['size:5000 modified:2024', ['psd']],
  ])('%s', async (line, expected) => {
    expect((await names(`${q(line)}&sort=size:desc`)).sort()).toEqual([...expected].sort());
  });

  test('recognised filters are returned as chips', async () => {
    expect((await ask(q('boats -tag:print'))).understood).toEqual([
      { field: 'tag', value: 'print', negated: true, text: 'tag:print', start: 7, end: 16 },
    ]);
  });

  test('a mistake is 422 query_invalid with its position', async () => {
    const answer = await t.request('GET', `/search?${q('boats size:>big')}`);
    expect(answer.json()).toMatchObject({ status: 422, code: 'query_invalid', position: 12, reason: 'bad_size_value' });
    expect((await t.request('GET', `/search?${q('kind:movies')}`)).json()).toMatchObject({
      code: 'query_invalid',
      reason: 'unknown_kind',
      position: 0,
    });
    expect((await t.request('GET', `/search?${q('boats OR kind:image')}`)).json()).toMatchObject({ reason: 'words_in_or', position: 0 });
  });

  test('an empty result names the filter of the query that caused it', async () => {
    expect((await ask(q('boats tag:absent'))).emptied_by).toEqual([{ filter: 'tag', value: 'absent', without: 1 }]);
  });

  test.each(['🐙', '§', '#', '*', '❤️', '"§"', '… &', '🐙 -harbour'])(
    '%s has no letter or digit, so it finds nothing and says so',
    async (line) => {
      const value = line.replace(' -harbour', '').replaceAll('"', '');
      expect(await ask(q(line))).toMatchObject({ total: 0, emptied_by: [{ filter: 'words', value }] });
      expect(await names(q(`${line} kind:image`))).toEqual([]);
    },
  );

  test('symbols beside a word, and an operator that is still being typed, do not change the result', async () => {
    expect(await names(q('harbour & 🐙'))).toEqual(await names(q('harbour')));
    for (const unfinished of ['-', '!', '"']) expect(await names(q(`kind:image ${unfinished}`))).toEqual(await names(q('kind:image')));
  });

  test('pages of a query with relative ages are consistent', async () => {
    const { next_cursor } = await ask(`${q('modified:>1d')}&limit=2`);
    expect((await ask(`${q('modified:>1d')}&limit=2&cursor=${next_cursor}`)).hits).toHaveLength(2);
  });
});

test('recently opened items rank higher for that person only, when sorting by relevance', async () => {
  const before = await names(q('harbour'));
  expect(before).toEqual(['psd', 'report']);
  await t.request('POST', `/items/${ids['report']}/touch`, undefined, { as: 'write' });
  const order = async (key: string, more = '') =>
    (await t.request('GET', `/search?${q('harbour')}${more}`, undefined, { as: key })).json().hits.map((hit: { id: string }) => hit.id);
  expect(await order('write')).toEqual([ids['report'], ids['psd']]);
  expect(await order('admin')).toEqual([ids['psd'], ids['report']]);
  expect(await order('write', '&sort=size:desc')).toEqual([ids['psd'], ids['report']]);
});

test('a restricted person neither sees nor counts items outside their grants', async () => {
  await t.request('POST', '/auth/bootstrap', { username: 'ann', password: 'long enough' }, { as: null });
  const eve = (await t.request('POST', '/auth/users', { username: 'eve', password: 'long enough', global_role: 'viewer' })).json();
  const cookie = sessionCookie(await t.request('POST', '/auth/login', { username: 'eve', password: 'long enough' }, { as: null }));
  const asEve = (query: string) => ask(query, { as: null, headers: cookie });
  expect((await asEve('')).total).toBe(0);
  const grant = (rel_path: string, effect: string, action = 'search_metadata') =>
    t.request('POST', '/rbac/grants', { subject_kind: 'principal', subject_id: eve.id, library_id: photos, rel_path, action, effect });
  await grant('2023', 'allow');
  await grant('2023/private', 'deny');
  const answer = await asEve('');
  expect(answer.total).toBe(2);
  expect(answer.facets.library_id).toEqual({ [photos]: 2 });
  expect((await asEve(q('nuevo'))).hits).toEqual([]);
  expect((await ask(q('nuevpp'))).did_you_mean).toEqual(['nuevo']);
  expect((await asEve(q('nuevpp'))).did_you_mean).toEqual([]);
  expect((await asEve('search_in=content')).total).toBe(0);
  expect((await t.request('GET', '/search/tags?q=pr', undefined, { as: null, headers: cookie })).json().tags).toEqual([
    { value: 'print', count: 1 },
  ]);
  await t.request('POST', '/rbac/grants', { subject_kind: 'principal', subject_id: eve.id, library_id: studio, action: 'search_metadata' });
  expect((await asEve(q('mooring'))).hits).toEqual([]);
  await t.request('POST', '/rbac/grants', { subject_kind: 'principal', subject_id: eve.id, library_id: studio, action: 'search_content' });
  expect((await asEve(`${q('mooring')}&search_in=content`)).hits).toHaveLength(1);
});

test('bad input is a clear 4xx', async () => {
  for (const query of [
    'limit=0',
    'limit=201',
    'library=nope',
    'sort=magic',
    'unknown=1',
    'hash=XYZ',
    'geo_sort=up',
    `q=${'x'.repeat(10_001)}`,
  ])
    expect((await t.request('GET', `/search?${query}`)).statusCode, query).toBe(422);
  for (const text of ['"', '\\', '\u0000', '(((((', "'; drop table items", 'a'.repeat(9000), '-', '""', '𐍈'.repeat(500)])
    expect((await t.request('GET', `/search?${q(text)}`)).statusCode, text.slice(0, 20)).toBeLessThan(500);
});

test('a page can start at an offset and continue by cursor; both at once, or a too large offset, is rejected', async () => {
  const all = await names('sort=size:desc');
  const page = await ask('sort=size:desc&offset=3&limit=2');
  expect(page.total).toBe(8);
  expect(page.hits.map((hit: { id: string }) => hit.id)).toEqual(all.slice(3, 5).map((name) => ids[name]));
  const next = await ask(`sort=size:desc&limit=2&cursor=${page.next_cursor}`);
  expect(next.hits.map((hit: { id: string }) => hit.id)).toEqual(all.slice(5, 7).map((name) => ids[name]));
  expect(await ask('sort=size:desc&offset=2147483647')).toMatchObject({ total: 8, hits: [], next_cursor: null, emptied_by: [] });
  expect((await ask('offset=2147483648')).status).toBe(422);
  expect((await ask('offset=-1')).status).toBe(422);
  expect((await ask(`sort=size:desc&limit=2&offset=2&cursor=${page.next_cursor}`)).errors[0]).toMatchObject({ type: 'cursor_and_offset' });
});

test('hostile queries take bounded time: many wildcards, parentheses, quotes, operators and long words', async () => {
  const bombs = [
    `path:${'*a'.repeat(200)}`,
    `path:${'**/'.repeat(300)}x`,
    `tag:${'?*'.repeat(150)}`,
    `meta.x:${'*'.repeat(300)}b`,
    `cf.x:${'(a+)+'.repeat(60)}$`,
    `${'('.repeat(500)}a${')'.repeat(500)}`,
    'NOT '.repeat(300),
    `${'a OR '.repeat(300)}b`,
    `size:${'9'.repeat(400)}..${'9'.repeat(400)}`,
    `modified:<${'9'.repeat(300)}d`,
    '"'.repeat(999),
    '\\'.repeat(2000),
    'x\u0000y kind:im\u0000age',
    `tag:"a\u0000b"`,
    'é'.repeat(5000),
    'ab '.repeat(3300),
    '\ud800 \udfff',
  ];
  for (const line of bombs) {
    const { statusCode } = await t.request('GET', `/search?${new URLSearchParams({ q: line.toWellFormed() })}`);
    expect([200, 422], `${line.slice(0, 40)} answered ${statusCode}`).toContain(statusCode);
  }
}, 60_000);

test('a cursor is rejected when forged, truncated, of another sort order or of another person', async () => {
  const { next_cursor } = await ask('limit=2&sort=name');
  const inside = JSON.parse(Buffer.from(next_cursor, 'base64url').toString('utf8'));
  const forged = (change: object) => Buffer.from(JSON.stringify({ ...inside, ...change })).toString('base64url');
  const cursors = [
    next_cursor.slice(0, -4),
    'x'.repeat(4096),
    forged({ a: 'AAAA' }),
    forged({ a: '' }),
    forged({ a: 's0-0' }),
    forged({ k: 'another' }),
    forged({ n: 1e300 }),
    forged({ n: 'now' }),
    Buffer.from('[]').toString('base64url'),
    Buffer.from('null').toString('base64url'),
  ];
  for (const cursor of cursors) expect((await ask(`limit=2&sort=name&cursor=${cursor}`)).code, cursor.slice(0, 40)).toBe('cursor_invalid');
  expect((await ask(`limit=2&sort=size&cursor=${next_cursor}`)).code).toBe('cursor_invalid');
  expect((await ask(`limit=5&sort=name&facets=false&cursor=${next_cursor}`)).hits).toHaveLength(5);
  const { key } = await addPerson(t.deps, [[photos, '', 'search_metadata']]);
  expect((await ask(`limit=2&sort=name&cursor=${next_cursor}`, { as: key })).code).toBe('cursor_invalid');
});

test('a removed library disappears from results at once, before its documents have left the index', async () => {
  const gone = await t.addLibrary('Gone');
  await t.addItems(gone, [{ path: 'wharf/vanishing.pdf', tags: ['leaving'] }]);
  await t.waitForIndex();
  expect((await ask(q('vanishing'))).total).toBe(1);
  await sql`update all_libraries set removed_at = now() where id = ${gone}`.execute(t.deps.db);
  const after = await ask(q('vanishing'));
  expect([after.total, after.facets.library_id, after.emptied_by, after.did_you_mean]).toEqual([0, {}, [], []]);
  expect((await t.request('GET', `/search/federated?${q('vanishing')}`)).json().total).toBe(0);
  expect((await t.request('GET', '/search/tags?q=leaving')).json().tags).toEqual([]);
  await sql`update all_libraries set removed_at = null where id = ${gone}`.execute(t.deps.db);
  expect((await ask(q('vanishing'))).total).toBe(1);
  await sql`delete from all_libraries where id = ${gone}`.execute(t.deps.db);
  await t.waitForIndex();
});

test('a search that reaches SVC_SEARCH_CUTOFF_MS returns what it has and is marked degraded', async () => {
  const slow: SearchReader = {
    ...({} as SearchReader),
    search: async (query) => ({
      hits: [],
      total: 3,
      facets: {},
      stats: {},
      histograms: {},
      after: null,
      degraded: query.deadlineMs === 1500,
      tookMs: 1500,
    }),
  };
  expect(await search(t.deps, slow, openPrincipal, { q: 'x' })).toMatchObject({ degraded: true, total: 3, took_ms: 1500 });
});

test('the embedded engine returns a partial result marked degraded when its deadline is zero', async () => {
  const reader = openSearchReader(t.deps.settings);
  try {
    const within = (searchCutoffMs: number) =>
      search({ ...t.deps, settings: { ...t.deps.settings, searchCutoffMs } }, reader, openPrincipal, { q: 'harbour' });
    const whole = await within(60_000);
    expect(whole).toMatchObject({ degraded: false, total: 2 });
    const cut = await within(0);
    expect(cut.degraded).toBe(true);
    // A partial result may contain only real hits.
    const real = new Set(whole.hits.map(({ id }) => id));
    expect(cut.hits.every(({ id }) => real.has(id))).toBe(true);
  } finally {
    await reader.close();
  }
});

test('principal and world_readable match nothing, without an error, while no permissions are recorded', async () => {
  expect(await ask('principal=S-1-5-32-545')).toMatchObject({ total: 0, emptied_by: [{ filter: 'principal' }] });
  expect((await ask('world_readable=true')).total).toBe(0);
  expect((await ask('world_readable=false')).total).toBe(0);
});

test('every search is audited when SVC_AUDIT_READS asks for it', async () => {
  const audited = await createIndexedApp({ SVC_AUDIT_READS: 'true' });
  try {
    const library = await audited.addLibrary('L');
    const [item] = await audited.addItems(library, [{ path: 'a.txt', body: 'harbour harbour' }]);
    await audited.waitForIndex();
    for (const url of [
      '/search?q=one',
      '/search/federated?q=two',
      '/search/tags?q=three',
      '/search/principals?q=four',
      `/items/${item}/similar`,
    ])
      expect((await audited.request('GET', url)).statusCode, url).toBe(200);
    expect((await audited.request('POST', '/query/preview', { query: 'five' })).statusCode).toBe(200);
    const { events } = (await audited.request('GET', '/audit?event_type=search')).json();
    expect(
      events
        .map((event: { details: object }) => event.details)
        .reverse()
        .slice(-6),
    ).toMatchObject([
      { route: '/search', q: 'one' },
      { route: '/search/federated', q: 'two' },
      { route: '/search/tags', q: 'three' },
      { route: '/search/principals', q: 'four' },
      { route: '/items/:item_id/similar', item_id: item },
      { route: '/query/preview', query: 'five' },
    ]);
  } finally {
    await audited.close();
  }
});

test('the library facet lists every library, also when a caller may read the content of only some', async () => {
  const many = await createIndexedApp();
  try {
    const { rows } = await sql<{
      id: string;
    }>`insert into libraries (name, root_path) select 'L' || n, '/l/' || n from generate_series(1, 130) n returning id`.execute(
      many.deps.db,
    );
    for (const { id } of rows) await many.addItems(id, [{ path: 'a.txt' }]);
    await many.waitForIndex();
    const counts = (await many.request('GET', '/search?q=a')).json().facets.library_id;
    expect(Object.keys(counts)).toHaveLength(130);
    const federated = (await many.request('GET', '/search/federated?q=a&facets=true')).json();
    expect(Object.keys(federated.facets_by_index.items.library_id)).toHaveLength(130);
    const grants = rows.map(({ id }): Grant => [id, '', 'search_metadata']);
    const { key } = await addPerson(many.deps, [...grants.slice(1), [rows[1]!.id, '', 'search_content']]);
    const seen = (await many.request('GET', '/search?q=a', undefined, { as: key })).json().facets.library_id;
    expect(Object.keys(seen).sort()).toEqual(
      rows
        .slice(1)
        .map(({ id }) => id)
        .sort(),
    );
  } finally {
    await many.close();
  }
});

test('semantic is ignored while search by meaning is off, and the answer says so', async () => {
  const answer = (await t.request('GET', '/search?q=boat&semantic=0.5')).json();
  expect(answer.semantic).toEqual({ applied: false, detail: 'Search by meaning is off.' });
  const plain = (await t.request('GET', '/search?q=boat&semantic=0')).json();
  expect(plain.semantic).toBeNull();
  expect(answer.total).toBe(plain.total);
});
