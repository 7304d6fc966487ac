import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { createIndexedApp } from '../../../test/indexed-app.ts';
import { runSections } from './http.ts';

test('a section that fails or is late is reported under degraded, and the rest is returned', async () => {
  const never = new Promise<number>(() => {});
  const { values, degraded } = await runSections(
    { good: async () => 1, bad: async () => Promise.reject(new Error('is away')), slow: () => never },
    { sectionMs: 50, deadlineMs: 5000 },
  );
  expect(values).toEqual({ good: 1 });
  expect(degraded).toEqual({ bad: 'is away', slow: 'took longer than 0.05 seconds' });
  const late = await runSections({ one: () => never, two: () => never }, { sectionMs: 5000, deadlineMs: 50 });
  expect(Object.keys(late.degraded)).toEqual(['one', 'two']);
});

test('GET /stats returns seven aggregates', async () => {
  const t = await createIndexedApp();
  const library = await t.addLibrary('A');
  await t.addItems(library, [
    { path: 'a.jpg', category: 'image', group: 'raster-photo', size: 5 },
    { path: 'b.pdf', metadata: { _extract_error: 'x' }, size: 7 },
  ]);
  await t.waitForIndex();
  const stats = (await t.request('GET', '/stats')).json();
  expect(stats).toMatchObject({
    by_type: { image: { count: 1, bytes: 5 }, document: { count: 1, bytes: 7 } },
    extract: { failed: 1 },
    extract_errors: { [library]: 1 },
    meili: { document_count: 2, drift: 0, in_sync: true },
    thumbs: { count: 0, over_budget: false },
    degraded: {},
  });
  expect(stats.disk.paths[0].label).toBe('config');
  await t.close();
});

let t: TestApp;
let films: string;
let photos: string;
beforeAll(async () => {
  t = await createTestApp();
  films = await addLibrary(t.deps, { name: 'films' });
  photos = await addLibrary(t.deps, { name: 'Photos' });
  await addLibrary(t.deps, { name: 'empty' });
  const at = (text: string) => ({ mtime: new Date(text) });
  const film = await addItem(t.deps, films, 'a.mkv', { size: 100, ...at('2023-12-31T23:59:59Z') });
  await addItem(t.deps, films, 'a.nfo', { size: 1, sidecar_of: film, ...at('2024-01-01T00:00:00Z') });
  await addItem(t.deps, films, 'b.mkv', { status: 'missing', size: 1000 });
  await addItem(t.deps, photos, 'x/c.jpg', { size: 10, ...at('2024-01-31T10:00:00Z') });
  await addItem(t.deps, photos, 'y/d.jpg', { size: 20, ...at('2199-01-01T00:00:00Z') });
  await addItem(t.deps, photos, 'y/e.jpg', { size: 20, ...at('1969-01-01T00:00:00Z') });
  await addItem(t.deps, photos, 'y/f.jpg', { status: 'trashed', size: 1000 });
});
afterAll(() => t.close());

test('each library is counted; only active files have bytes', async () => {
  const row = { is_agent: false, sidecar_count: 0, missing_count: 0, trashed_count: 0 };
  expect((await t.request('GET', '/stats/libraries', undefined, { as: 'read' })).json()).toEqual({
    libraries: [
      { ...row, library_id: expect.any(String), name: 'empty', file_count: 0, total_bytes: 0 },
      { ...row, library_id: films, name: 'films', file_count: 2, total_bytes: 101, sidecar_count: 1, missing_count: 1 },
      { ...row, library_id: photos, name: 'Photos', file_count: 3, total_bytes: 50, trashed_count: 1 },
    ],
    total_files: 5,
    total_bytes: 151,
  });
});

test('the timeline counts by day, month or year in UTC; invalid times are counted separately', async () => {
  const counts = async (query: string) => {
    const answer = (await t.request('GET', `/stats/timeline${query}`)).json();
    return [
      answer.invalid_count,
      Object.fromEntries(answer.buckets.map((bucket: { start: string; count: number }) => [bucket.start.slice(0, 10), bucket.count])),
    ];
  };
  expect(await counts('')).toEqual([2, { '2023-12-01': 1, '2024-01-01': 2 }]);
  expect(await counts('?bucket=year')).toEqual([2, { '2023-01-01': 1, '2024-01-01': 2 }]);
  expect(await counts(`?bucket=day&library=${photos}`)).toEqual([2, { '2024-01-31': 1 }]);
  const { buckets } = (await t.request('GET', `/stats/timeline?library=${films}`)).json();
  expect(buckets[0]).toEqual({ start: '2023-12-01T00:00:00.000Z', start_epoch: 1_701_388_800, end_epoch: 1_704_067_200, count: 1 });
  expect((await t.request('GET', '/stats/timeline?bucket=week')).statusCode).toBe(422);
});

test('both count only what a person may see', async () => {
  const { key } = await addPerson(t.deps, [[photos, 'x', 'search_metadata']]);
  expect((await t.request('GET', '/stats/libraries', undefined, { as: key })).json()).toMatchObject({
    libraries: [{ library_id: photos, file_count: 1 }],
    total_bytes: 10,
  });
  const mixed = await addPerson(t.deps, [
    [photos, 'x', 'search_metadata'],
    [films, '', 'search_metadata'],
  ]);
  expect((await t.request('GET', '/stats/libraries', undefined, { as: mixed.key })).json()).toMatchObject({
    libraries: [
      { library_id: films, file_count: 2, total_bytes: 101, sidecar_count: 1, missing_count: 1 },
      { library_id: photos, file_count: 1, sidecar_count: 0, trashed_count: 0 },
    ],
    total_bytes: 111,
  });
  expect((await t.request('GET', '/stats/timeline', undefined, { as: key })).json()).toMatchObject({
    invalid_count: 0,
    buckets: [{ count: 1 }],
  });
  expect((await t.request('GET', `/stats/timeline?library=${films}`, undefined, { as: key })).statusCode).toBe(404);
});
