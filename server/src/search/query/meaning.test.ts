import type { Query } from '@catalog/engine';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson } from '../../../test/catalog-rows.ts';
import { embedItems, runBackfill } from '../../../test/embed-items.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { until } from '../../../test/service.ts';
import { writeTinyModel } from '../../../test/tiny-model.ts';
import { openPrincipal } from '../../people/identity/index.ts';
import { wantedVectors } from '../documents/index.ts';
import { openSearchReader } from '../engines/index.ts';
import { compareIndex } from '../projection/checks.ts';
import { similarTo } from '../similar/service.ts';
import { search } from './service.ts';

let t: IndexedApp;
let library: string;
let ids: string[];

const embed = (): Promise<void> => runBackfill(t);
const state = async () => (await t.request('GET', '/system/embeddings')).json();
const ask = async (query: string, as?: string) => (await t.request('GET', `/search?${query}`, undefined, as ? { as } : {})).json();
const names = (answer: { hits: { filename: string }[] }): string[] => answer.hits.map(({ filename }) => filename);

beforeAll(async () => {
  t = await createIndexedApp({ SVC_SEMANTIC_ENABLED: 'true', SVC_EMBED_MODEL: writeTinyModel() });
  library = await t.addLibrary('A');
  ids = await t.addItems(library, [
    { path: 'public/harbour.txt', body: 'the yacht and the vessel' },
    { path: 'secret/quay.txt', body: 'a ship a ship' },
    { path: 'public/boat.txt', body: 'puppy hound' },
    { path: 'public/account.txt', body: 'invoice payment' },
    { path: 'public/park.txt', body: 'flowers plants', status: 'missing' },
  ]);
  await t.waitForIndex();
  await embedItems(t);
}, 600_000);
afterAll(() => t.close());

test('semantic=0 is words only; 1 is meaning only; between them both count', async () => {
  expect(names(await ask('q=boat'))).toEqual(['boat.txt']);
  expect((await ask('q=boat')).semantic).toBeNull();
  const meaning = await ask('q=boat&semantic=1');
  expect(names(meaning).slice(0, 2).sort()).toEqual(['harbour.txt', 'quay.txt']);
  const mixed = await ask('q=boat&semantic=0.5');
  expect(names(mixed)[0]).toBe('boat.txt');
  expect(names(mixed).slice(1, 3).sort()).toEqual(['harbour.txt', 'quay.txt']);
  expect(mixed.semantic).toEqual({ applied: true, detail: null });
});

test('a hit says whether words or meaning found it, and shows the text that was found', async () => {
  const { hits } = await ask('q=boat&semantic=0.5');
  const [words, near] = hits;
  expect(words.matched_by).toMatch(/words|both/);
  expect(near).toMatchObject({
    matched_by: 'meaning',
    similarity_to_query: expect.any(Number),
    snippet: expect.stringMatching(/yacht|ship/),
  });
  expect(near.similarity_to_query).toBeGreaterThan(0.8);
});

test('filters apply inside the search by meaning', async () => {
  expect(names(await ask('q=boat%20path:secret&semantic=1'))).toEqual(['quay.txt']);
  expect(names(await ask('q=boat&semantic=1&status=missing'))).toEqual(['park.txt']);
});

test('a person finds by meaning only where they may read content', async () => {
  const { key } = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, 'public', 'search_content'],
  ]);
  const found = await ask('q=boat&semantic=1', key);
  expect(names(found)).not.toContain('quay.txt');
  expect(names(found)).toContain('harbour.txt');
  const metadata = await addPerson(t.deps, [[library, '', 'search_metadata']]);
  const words = await ask('q=boat&semantic=1', metadata.key);
  expect(names(words)).toEqual(['boat.txt']);
  expect(words.semantic.applied).toBe(false);
});

test('pages of a search by meaning continue where the last one ended', async () => {
  const first = await ask('q=boat&semantic=1&limit=2');
  const second = await ask(`q=boat&semantic=1&limit=2&cursor=${encodeURIComponent(first.next_cursor)}`);
  expect([...names(first), ...names(second)]).toEqual(names(await ask('q=boat&semantic=1')));
  expect(second.next_cursor).toBeNull();
});

test('a list goes on as it began when the model becomes available or fails between two pages', async () => {
  const reader = openSearchReader(t.deps.settings);
  const near = new Float32Array(16).fill(1);
  const page = async (hasModel: boolean, cursor: string | null = null) => {
    const mix = async (query: Query) =>
      hasModel
        ? { query: { ...query, vector: { near, ratio: 0.5 } }, report: { applied: true, detail: null } }
        : { query, report: { applied: false, detail: 'The model is loading.' } };
    const params = { q: 'txt', semantic: 0.5, limit: 1, ...(cursor === null ? {} : { cursor }) };
    return search(t.deps, reader, openPrincipal, params, { mix, mixPassages: mix });
  };
  const words = await page(false);
  const second = await page(true, words.next_cursor);
  expect(second.hits).toHaveLength(1);
  expect(second.hits[0]!.id).not.toBe(words.hits[0]!.id);
  expect(second.semantic).toMatchObject({ applied: false });
  const mixed = await page(true);
  expect((await page(true, mixed.next_cursor)).semantic).toMatchObject({ applied: true });
  await expect(page(false, mixed.next_cursor)).rejects.toMatchObject({ code: 'cursor_expired' });
  await reader.close();
});

test('a vector of another model than that of the index in use is 503, not an invalid query', async () => {
  const reader = openSearchReader(t.deps.settings);
  const mix = async (query: Query) => ({
    query: { ...query, vector: { near: new Float32Array(8).fill(1), ratio: 0.5 } },
    report: { applied: true, detail: null },
  });
  const params = { q: 'boat', semantic: 0.5 };
  await expect(search(t.deps, reader, openPrincipal, params, { mix, mixPassages: mix })).rejects.toMatchObject({
    code: 'search_unavailable',
  });
  await reader.close();
});

test('the total of a search by meaning is what can be listed', async () => {
  const result = { hits: [], total: 5100, facets: {}, stats: {}, histograms: {}, after: null, degraded: false, tookMs: 1 };
  const reader = { ...openSearchReader(t.deps.settings), search: async () => result };
  const mix = async (query: Query) => ({
    query: { ...query, vector: { near: new Float32Array(16).fill(1), ratio: 0.5 } },
    report: { applied: true, detail: null },
  });
  const params = { q: 'txt', semantic: 0.5, facets: false };
  expect((await search(t.deps, reader, openPrincipal, params, { mix, mixPassages: mix })).total).toBe(1000);
});

test('similar items are neighbours by meaning, under the rights of the caller', async () => {
  const answer = (await t.request('GET', `/items/${ids[0]}/similar`)).json();
  expect(answer.by).toBe('meaning');
  expect(names(answer)[0]).toBe('quay.txt');
  expect(names(answer)).not.toContain('harbour.txt');
  expect(names(answer)).not.toContain('park.txt');
  const { key } = await addPerson(t.deps, [
    [library, 'public', 'search_content'],
    [library, '', 'search_metadata'],
  ]);
  const own = (await t.request('GET', `/items/${ids[0]}/similar`, undefined, { as: key })).json();
  expect(own.by).toBe('meaning');
  expect(names(own)).not.toContain('quay.txt');
  const hidden = (await t.request('GET', `/items/${ids[1]}/similar`, undefined, { as: key })).json();
  expect(hidden.by ?? hidden.code).toMatch(/words|similar_unavailable/);
});

test('similar items are provisional while the index takes over a change of the item', async () => {
  const { db } = t.deps;
  const similar = async () => (await t.request('GET', `/items/${ids[0]}/similar`)).json();
  expect(await similar()).toMatchObject({ by: 'meaning', pending: false });
  await sql`create function keep_row() returns trigger language plpgsql as 'begin raise exception $$kept$$; end'`.execute(db);
  await sql`create trigger keep_row before delete on index_outbox execute function keep_row()`.execute(db);
  await sql`insert into index_outbox (item_id) values (${ids[0]})`.execute(db);
  expect(await similar()).toMatchObject({ by: 'words', pending: true });
  await sql`drop function keep_row cascade`.execute(db);
  await until(async () => !(await similar()).pending, 'the change to be in the index');
  expect((await similar()).by).toBe('meaning');
});

test('similar items are provisional while the index does not have the vector of the item', async () => {
  const real = openSearchReader(t.deps.settings);
  const withoutVector: typeof real.search = async (query) => {
    if (query.likeId !== undefined) throw Object.assign(new Error('no vector'), { code: 'bad_query' });
    return real.search(query);
  };
  const answer = await similarTo(t.deps, { ...real, search: withoutVector }, openPrincipal, ids[0]!, 10);
  expect(answer).toMatchObject({ by: 'words', pending: true });
  await real.close();
});

test('a change of the text is embedded again, and equal texts are embedded once', async () => {
  const { embedded } = await state();
  const [copy] = await t.addItems(library, [{ path: 'public/copy/harbour.txt', body: 'the yacht and the vessel' }]);
  await t.waitForIndex();
  await until(async () => (await state()).pending === 1, 'the new item to wait');
  await embed();
  expect(await state()).toMatchObject({ embedded: embedded + 1, pending: 0, mismatched: 0, failed: 0, error: null });
  await t.waitForIndex();
  await until(async () => names(await ask('q=boat&semantic=1')).filter((name) => name === 'harbour.txt').length === 2, 'the copy');
  await sql`update items set body_text = 'puppy' where id = ${copy}`.execute(t.deps.db);
  await until(async () => (await state()).pending === 1, 'the changed item to wait');
  await embed();
  await until(
    async () =>
      names(await ask('q=hound&semantic=1'))
        .slice(0, 2)
        .includes('harbour.txt'),
    'the changed item to be found by its new text',
  );
  expect((await state()).pending).toBe(0);
});

test('the check of the index and its vectors finds nothing', async () => {
  await t.waitForIndex();
  const reader = openSearchReader(t.deps.settings);
  await until(
    async () => (await compareIndex(t.deps.db, reader, await wantedVectors(t.deps.db, t.deps.settings))).length === 0,
    'no drift',
  );
  await reader.close();
});

test('pause stops the embedding, and continuing queues it', async () => {
  expect((await t.request('PUT', '/system/embeddings/paused', { paused: true })).json()).toMatchObject({ paused: true });
  await t.addItems(library, [{ path: 'public/later.txt', body: 'automobile' }]);
  await until(async () => (await state()).pending === 1, 'the new item to wait');
  await embed();
  expect(await state()).toMatchObject({ pending: 1, paused: true, remaining_seconds: null });
  expect((await t.request('POST', '/system/embed-backfill')).statusCode).toBe(202);
  expect(await state()).toMatchObject({ paused: false, pending: 1, remaining_seconds: expect.any(Number) });
  await embed();
  expect((await state()).pending).toBe(0);
  expect((await t.request('GET', '/stats')).json().semantic).toMatchObject({ enabled: true, pending: 0, fp_mismatches: 0 });
});

test('sorting by a field and searching in names say that meaning does not apply', async () => {
  for (const query of ['sort=size', 'search_in=names']) {
    const { semantic } = await ask(`q=boat&semantic=0.5&${query}`);
    expect(semantic).toEqual({ applied: false, detail: expect.stringMatching(/\.$/) });
  }
});
