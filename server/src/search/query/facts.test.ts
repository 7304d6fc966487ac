import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { meilisearchProgram, startMeilisearch } from '../../../test/meilisearch-server.ts';
import { openSearchJars, startOpenSearch } from '../../../test/opensearch-server.ts';

interface Server {
  env: Record<string, string>;
  close(): Promise<void>;
}
const engines: [name: string, isThere: boolean, start: () => Promise<Server>][] = [
  ['the embedded engine', true, async () => ({ env: {}, close: async () => {} })],
  [
    'Meilisearch',
    meilisearchProgram !== undefined,
    async () => {
      const server = await startMeilisearch(String(meilisearchProgram));
      return { env: { SVC_SEARCH_URL: server.url, SVC_SEARCH_MASTER_KEY: server.key }, close: server.close };
    },
  ],
  [
    'OpenSearch',
    openSearchJars !== undefined,
    async () => {
      const server = await startOpenSearch(String(openSearchJars));
      return { env: { SVC_SEARCH_URL: String(server.urls[0]), SVC_SEARCH_ENGINE: 'opensearch' }, close: server.close };
    },
  ],
];

/** The servers run by `npm run test:engines`. */
describe.for(engines.filter(([, isThere]) => isThere))('facts in %s', ([, , start]) => {
  let t: IndexedApp;
  let server: Server;
  beforeAll(async () => {
    server = await start();
    t = await createIndexedApp(server.env);
    const library = await t.addLibrary('Media');
    await t.addItems(library, [
      { path: 'a.mp3', category: 'audio', metadata: { artist: 'Nina Simone', album: 'Pastel Blues', duration: 180 } },
      { path: 'b.mp3', category: 'audio', metadata: { artist: 'Nina Simone', album: 'Wild Is the Wind', duration: 420 } },
      { path: 'c.pdf', category: 'document', metadata: { author: 'Ada', language: 'en', pages: 12 } },
      { path: 'd.pdf', category: 'document', metadata: { author: 'Ada', language: 'de', pages: 300 } },
      { path: 'e.jpg', category: 'image', metadata: { lens: '50mm f/1.8', camera: 'Nikon D70', width: 6000 } },
      { path: 'f.mp4', category: 'video', metadata: { resolution: '1080p', camera: 'Canon EOS 5D', width: 1920, duration: 60 } },
      { path: 'g.mp3', category: 'audio', metadata: { artist: 'abbey Lincoln' } },
      { path: 'h.eml', category: 'document', metadata: { email_from: 'aaron <a@example.org>' } },
    ]);
    await t.waitForIndex();
  }, 420_000);
  afterAll(async () => {
    await t.close();
    await server.close();
  });

  const ask = async (query: string) => (await t.request('GET', `/search?${query}`)).json();
  const names = async (query: string): Promise<string[]> => (await ask(query)).hits.map((hit: { filename: string }) => hit.filename);

  test('lens, artist, album, author, language and resolution are facets and filters', async () => {
    const { facets } = await ask('histograms=true');
    expect(facets).toMatchObject({
      lens: { '50mm f/1.8': 1 },
      artist: { 'Nina Simone': 2, 'abbey Lincoln': 1 },
      album: { 'Pastel Blues': 1, 'Wild Is the Wind': 1 },
      author: { Ada: 2, 'aaron <a@example.org>': 1 },
      language: { en: 1, de: 1 },
      resolution: { '1080p': 1 },
    });
    expect((await names('artist=Nina%20Simone&sort=name')).sort()).toEqual(['a.mp3', 'b.mp3']);
    expect(await names('album=Pastel%20Blues')).toEqual(['a.mp3']);
    expect(await names('author=Ada&language=de')).toEqual(['d.pdf']);
    expect(await names(`lens=${encodeURIComponent('50mm f/1.8')}`)).toEqual(['e.jpg']);
    expect(await names('resolution=1080p')).toEqual(['f.mp4']);
  });

  test('artist, album, author, camera, lens and language sort a search without regard to case; files without them come last', async () => {
    expect((await names('sort=artist')).slice(0, 3)).toEqual(['g.mp3', 'a.mp3', 'b.mp3']);
    expect((await names('sort=album:desc')).slice(0, 2)).toEqual(['b.mp3', 'a.mp3']);
    expect((await names('sort=author')).slice(0, 3)).toEqual(['h.eml', 'c.pdf', 'd.pdf']);
    expect((await names('sort=language')).slice(0, 2)).toEqual(['d.pdf', 'c.pdf']);
    expect((await names('sort=camera')).slice(0, 2)).toEqual(['f.mp4', 'e.jpg']);
    expect((await names('sort=lens:desc'))[0]).toBe('e.jpg');
  });

  test('duration, page count and width sort a search; files without them come last', async () => {
    expect((await names('sort=duration')).slice(0, 3)).toEqual(['b.mp3', 'a.mp3', 'f.mp4']);
    expect((await names('sort=pages:asc')).slice(0, 2)).toEqual(['c.pdf', 'd.pdf']);
    expect((await names('sort=width')).slice(0, 2)).toEqual(['e.jpg', 'f.mp4']);
  });
});
