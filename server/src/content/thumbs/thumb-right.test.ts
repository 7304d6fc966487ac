import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { addPerson } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { openThumbStore } from './index.ts';

let t: IndexedApp;
let library: string;
beforeAll(async () => {
  t = await createIndexedApp();
  library = await t.addLibrary('Mixed');
});
afterAll(() => t.close());

const items: Record<string, { category: string; group: string; content: boolean; metadata?: Record<string, unknown> }> = {
  'plan.pdf': { category: 'document', group: 'pdf', content: true },
  'letter.docx': { category: 'document', group: 'document-office', content: true },
  'book.epub': { category: 'document', group: 'ebook', content: true },
  'comic.cbz': { category: 'document', group: 'comic', content: true },
  // A PDF that an administrator filed under images, and a file of no known type.
  'drawing.pdf': { category: 'image', group: 'vector-image', content: true },
  'unknown.zzz': { category: 'other', group: 'other', content: true },
  // Named like photos, but drawn as what their bytes are.
  'contract.jpg': { category: 'image', group: 'raster-photo', content: true, metadata: { read_as: 'pdf' } },
  scan: { category: 'image', group: 'raster-photo', content: true, metadata: { sniffed: { extension: 'pdf', mime: null } } },
  'picture.jpg': { category: 'image', group: 'raster-photo', content: false, metadata: { read_as: 'png' } },
  'photo.jpg': { category: 'image', group: 'raster-photo', content: false },
  'song.mp3': { category: 'audio', group: 'audio-lossy', content: false },
  'film.mp4': { category: 'video', group: 'video', content: false },
  'part.stl': { category: 'three-d-cad', group: '3d-model', content: false },
  'font.ttf': { category: 'system', group: 'font', content: false },
};

test('thumbnails that show a page need the right to read content, in every tier, and are offered to nobody else', async () => {
  const names = Object.keys(items);
  const ids = await t.addItems(
    library,
    Object.entries(items).map(([path, { content: _, ...item }]) => ({ path, ...item })),
  );
  const key = '0123456789abcdef0123456789abcdef';
  const picture = Buffer.from('a picture');
  await openThumbStore(t.deps.settings).write(key, { grid: picture, preview: picture });
  await sql`update items set thumb_key = ${key}`.execute(t.deps.db);
  await t.waitForIndex();
  const finder = await addPerson(t.deps, [[library, '', 'search_metadata']]);
  const reader = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, '', 'search_content'],
  ]);
  for (const { key: as } of [finder, reader]) {
    const get = (url: string) => t.request('GET', url, undefined, { as });
    const hits: { id: string; has_thumb: boolean; thumb_version: string | null }[] = (await get('/search?limit=50')).json().hits;
    const listed: typeof hits = (await get('/items?limit=50')).json().items;
    const browsed: typeof hits = (await get(`/libraries/${library}/tree`)).json().items;
    for (const [n, name] of names.entries()) {
      const id = ids[n]!;
      const allowed = as === reader.key || !items[name]!.content;
      for (const tier of ['grid', 'preview'])
        expect((await get(`/items/${id}/thumb?tier=${tier}`)).statusCode, `${name} ${tier}`).toBe(allowed ? 200 : 403);
      const lists = [hits, listed, browsed].map((list) => list.find((one) => one.id === id));
      const offers = [(await get(`/items/${id}`)).json(), ...lists];
      for (const offer of offers)
        expect([offer.has_thumb, offer.thumb_version], name).toEqual(allowed ? [true, key.slice(0, 16)] : [false, null]);
    }
  }
});

test('a list looks at the facts of the files on its page, not of all files that it sorts', async () => {
  const { db, database } = t.deps;
  const large = await t.addLibrary('Large');
  await t.addItems(
    large,
    Array.from({ length: 300 }, (_, n) => ({ path: `${n}.jpg`, category: 'image', group: 'raster-photo' })),
  );
  // So large that each is stored in pieces of its own.
  await sql`update items i set metadata = jsonb_build_object('comment', large.text) from (
      select id, string_agg(md5(random()::text), '') as text from items, generate_series(1, 500) where library_id = ${large} group by id) large
    where large.id = i.id`.execute(db);
  await sql`analyze item_rows`.execute(db);
  for (const url of [`/libraries/${large}/tree?items_sort=size&limit=10`, `/items?library_id=${large}&limit=10`]) {
    const query = vi.spyOn(pg.Client.prototype, 'query');
    expect((await t.request('GET', url)).json().items).toHaveLength(10);
    const sent = query.mock.calls.map(
      ([given, values]) => (typeof given === 'string' ? { text: given, values } : given) as unknown as pg.QueryConfig,
    );
    query.mockRestore();
    const { text, values } = sent.find((each) => each.text?.includes('shown_as'))!;
    const { rows } = await database.pool.query(`explain (analyze, buffers, format json) ${text}`, values);
    expect(rows[0]['QUERY PLAN'][0].Plan['Shared Hit Blocks'], url).toBeLessThan(1500);
  }
});
