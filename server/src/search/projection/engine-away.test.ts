import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { until } from '../../../test/service.ts';
import { indexChecks } from './checks.ts';
import { type FakeServer, startFakeServer } from '../engines/meilisearch/protocol-double.fixture.ts';

/** The whole way with an external engine: rows to index to hits, and back in step after it was away, wiped or talking nonsense. */
let double: FakeServer;
let t: IndexedApp;
let library: string;

beforeAll(async () => {
  double = await startFakeServer();
  t = await createIndexedApp({ SVC_SEARCH_URL: double.url, SVC_SEARCH_MASTER_KEY: 'a master key' });
  library = await t.addLibrary('Docs', { exposeGps: true });
  await t.addItems(library, [
    { path: 'a/harbour one.pdf', tags: ['print'], body: 'the mooring fee', metadata: { exif: { gps_latitude: 60, gps_longitude: 5 } } },
    { path: 'b/harbour two.jpg', category: 'image', group: 'raster-photo' },
  ]);
  await t.waitForIndex();
});
afterAll(async () => {
  await t.close();
  await double.close();
});

const search = async (query: string) => (await t.request('GET', `/search?${query}`)).json();

test('search, filters, facets, snippets, geo and tags answer through the server', async () => {
  const answer = await search('q=harbour&histograms=true');
  expect(answer).toMatchObject({
    total: 2,
    facets: { library_id: { [library]: 2 }, tags: { print: 1 } },
    degraded: false,
    total_bytes: 2000,
    facet_stats: { size: { min: 1000, max: 1000 } },
  });
  expect(answer.histograms.size).toEqual([{ from: 724, to: 1024, count: 2 }]);
  expect((await search('q=harbour%20kind:image')).total).toBe(1);
  expect((await search('q=mooring&search_in=content')).hits[0].snippet).toContain('<em>mooring</em>');
  expect((await search('geo_lat=60&geo_lng=5&geo_radius_m=1000')).total).toBe(1);
  expect((await t.request('GET', '/search/tags?q=pr')).json().tags).toEqual([{ value: 'print', count: 1 }]);
  expect((await search('limit=1&cursor=AAAA')).code).toBe('cursor_invalid');
  expect(await indexChecks[0]!.run(t.deps)).toEqual([]);
});

test.each([
  ['away', () => double.misbehave({ status: 503, body: '{}' })],
  ['talking nonsense', () => double.misbehave({ status: 200, body: 'nonsense' })],
  ['wiped', () => double.wipe()],
])('while the server is %s search answers 503; afterwards nothing is missing, without a person', async (harm, hurt) => {
  hurt();
  expect(await search('q=harbour')).toMatchObject({ status: 503, code: 'search_unavailable' });
  await t.addItems(library, [{ path: `c/harbour ${harm}.pdf` }]);
  double.misbehave(null);
  await t.waitForIndex();
  await until(async () => (await indexChecks[0]!.run(t.deps)).length === 0, 'parity');
  expect((await search(`q=${encodeURIComponent(harm)}`)).total).toBe(1);
});
