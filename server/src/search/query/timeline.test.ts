import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

let t: IndexedApp;
const photo = (path: string, taken_at: string | null, extra: object = {}) => ({
  path,
  category: 'image',
  group: 'raster-photo',
  mtime: Date.UTC(2025, 0, 5) / 1000,
  metadata: taken_at === null ? {} : { taken_at, camera: 'Nikon Z6' },
  ...extra,
});
beforeAll(async () => {
  t = await createIndexedApp();
  const library = await t.addLibrary('Photos');
  await t.addItems(library, [
    photo('a.jpg', '2023-06-30T23:30:00-07:00'),
    photo('b.jpg', '2023-06-01T08:00:00'),
    photo('c.jpg', '1931-05-01T00:00:00'),
    photo('unknown.jpg', null, { mtime: Date.UTC(2020, 1, 3) / 1000 }),
    photo('broken.jpg', '2023-02-31T00:00:00', { mtime: Date.UTC(2199, 1, 3) / 1000 }),
    photo('future.jpg', '2099-01-01T00:00:00'),
    { path: 'notes.txt', mtime: Date.UTC(2025, 0, 9) / 1000 },
  ]);
  await t.waitForIndex();
});
afterAll(() => t.close());

const month = (year: number, number: number) => Date.UTC(year, number - 1, 1) / 1000;
const timeline = async (query: string) => (await t.request('GET', `/search/timeline?${query}`)).json();

test('photos are counted by the month in which they were taken, by the clock of the camera; the rest has no date', async () => {
  expect(await timeline('file_category=image')).toEqual({
    date: 'taken',
    months: [
      { from: month(2023, 6), to: month(2023, 7), count: 2 },
      { from: month(1931, 5), to: month(1931, 6), count: 1 },
    ],
    undated: 3,
    total: 6,
  });
});

test('the order of a search by date taken agrees with the months, with undated files last', async () => {
  const { hits } = (await t.request('GET', '/search?file_category=image&sort=taken')).json();
  expect(hits.slice(0, 3).map(({ filename, taken }: { filename: string; taken: string }) => [filename, taken])).toEqual([
    ['a.jpg', '2023-06-30T23:30:00-07:00'],
    ['b.jpg', '2023-06-01T08:00:00'],
    ['c.jpg', '1931-05-01T00:00:00'],
  ]);
});

test('by date modified, a date in the future counts as none', async () => {
  expect(await timeline('date=modified&q=ext:jpg')).toMatchObject({
    months: [
      { from: month(2025, 1), count: 4 },
      { from: month(2020, 2), count: 1 },
    ],
    undated: 1,
    total: 6,
  });
  expect((await t.request('GET', '/search/timeline?sort=size')).statusCode).toBe(422);
});

test('taken: and camera: filter the search, and both have counts', async () => {
  const names = async (q: string) =>
    (await t.request('GET', `/search?q=${encodeURIComponent(q)}&sort=name`))
      .json()
      .hits.map(({ filename }: { filename: string }) => filename);
  expect(await names('taken:2023-06')).toEqual(['a.jpg', 'b.jpg']);
  expect(await names('taken:<1950-01-01')).toEqual(['c.jpg']);
  expect(await names('camera:"Nikon Z6" taken:2023')).toEqual(['a.jpg', 'b.jpg']);
  expect(await names('camera:Nikon*')).toHaveLength(5);
  const found = (await t.request('GET', `/search?camera=Nikon%20Z6&taken_gte=${month(2023, 6)}&taken_lte=${month(2023, 7)}`)).json();
  expect(found.total).toBe(2);
  const { facets, histograms } = (await t.request('GET', '/search?histograms=true')).json();
  expect(facets.camera).toEqual({ 'Nikon Z6': 5 });
  expect(histograms.taken).toEqual([{ from: month(2023, 6), to: month(2023, 7), count: 2 }]);
});

test('a library without photos has an empty timeline', async () => {
  expect(await timeline('q=nothing-like-this')).toEqual({ date: 'taken', months: [], undated: 0, total: 0 });
});
