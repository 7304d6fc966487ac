import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPerson } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

let t: IndexedApp;
let docs: string;
let other: string;
let ids: string[];

beforeAll(async () => {
  t = await createIndexedApp({ SVC_FRECENCY_ENABLED: 'false', SVC_AUDIT_READS: 'true' });
  docs = await t.addLibrary('Docs');
  other = await t.addLibrary('Other');
  ids = await t.addItems(docs, [
    { path: 'a/harbour survey 2023.pdf', body: 'The crane at the inner quay was tested for its load.' },
    { path: 'a/harbour survey 2024.pdf', body: 'The crane at the outer quay was tested for its load again.' },
    { path: 'b/harbour.nfo', sidecarOf: undefined as never },
    { path: 'b/recipe.txt', body: 'Flour, butter, sugar.' },
    { path: 'b/7', body: '' },
  ]);
  await t.addItems(other, [{ path: 'x/harbour plan.dwg', status: 'missing' }]);
  await t.waitForIndex();
});
afterAll(() => t.close());

const get = async (url: string, as = 'read') => (await t.request('GET', url, undefined, { as })).json();

describe('GET /search/federated', () => {
  test('returns items only while no passages exist', async () => {
    const answer = await get('/search/federated?q=harbour');
    expect(answer).toMatchObject({ total: 3, limit: 20, offset: 0, indexes: ['items'], facets_by_index: {} });
    expect(answer.hits[0]).toMatchObject({
      source: 'items',
      fields: { filename: expect.stringContaining('harbour'), rel_path: expect.any(String) },
    });
    for (const { score } of answer.hits) expect(score >= 0 && score <= 1).toBe(true);
  });

  test('library, status, facets, limit and offset', async () => {
    expect((await get(`/search/federated?q=harbour&library=${other}`)).total).toBe(0);
    expect((await get(`/search/federated?q=harbour&library=${other}&status=missing`)).total).toBe(1);
    const paged = await get('/search/federated?q=harbour&limit=1&offset=1&facets=true');
    expect(paged.hits).toHaveLength(1);
    expect(paged.facets_by_index.items.library_id).toEqual({ [docs]: 3 });
  });

  test.each(['library=Docs', 'limit=0', 'limit=101', 'offset=-1', 'offset=999999999', 'status=gone', 'bogus=1'])(
    '%s is 422',
    async (query) => {
      expect((await t.request('GET', `/search/federated?${query}`)).statusCode).toBe(422);
    },
  );

  test('is scoped like search', async () => {
    const { key } = await addPerson(t.deps, [[docs, 'b', 'search_metadata']]);
    expect(await get('/search/federated?q=harbour&facets=true', key)).toMatchObject({
      total: 1,
      facets_by_index: { items: { library_id: { [docs]: 1 } } },
    });
    expect((await get('/search/federated?q=crane', key)).total).toBe(0);
  });
});

test('GET /search/principals is empty while no permissions were collected', async () => {
  expect(await get('/search/principals?q=s')).toEqual({ principals: [] });
});

describe('GET /items/{id}/similar', () => {
  test('finds items that share describing terms', async () => {
    const answer = await get(`/items/${ids[0]}/similar`);
    expect(answer.by).toBe('words');
    expect(answer.hits[0].id).toBe(ids[1]);
    expect(answer.hits.map((hit: { id: string }) => hit.id)).not.toContain(ids[0]);
    expect(answer.hits.map((hit: { id: string }) => hit.id)).not.toContain(ids[3]);
    expect(answer.hits[0].similarity).toBeGreaterThan(answer.hits[1]?.similarity ?? 0);
  });

  test('nothing to compare by is provisional too while the index takes over a change of the item', async () => {
    const { db } = t.deps;
    await sql`create function keep_row() returns trigger language plpgsql as 'begin raise exception $$kept$$; end'`.execute(db);
    await sql`create trigger keep_row before delete on index_outbox execute function keep_row()`.execute(db);
    await sql`insert into index_outbox (item_id) values (${ids[4]})`.execute(db);
    expect(await get(`/items/${ids[4]}/similar`)).toMatchObject({ pending: true, hits: [] });
    expect(await get(`/items/${ids[0]}/similar`)).toMatchObject({ pending: false });
    await sql`insert into index_outbox (item_id) select ${ids[4]} from generate_series(1, 1000)`.execute(db);
    expect(await get(`/items/${ids[0]}/similar`)).toMatchObject({ pending: true });
    await sql`drop function keep_row cascade`.execute(db);
    await t.waitForIndex();
  });

  test('409 when there is nothing to compare by, 404 for what the caller cannot see', async () => {
    expect(await get(`/items/${ids[4]}/similar`)).toMatchObject({ status: 409, code: 'similar_unavailable' });
    const { key } = await addPerson(t.deps, [[docs, 'b', 'search_metadata']]);
    expect(await get(`/items/${ids[0]}/similar`, key)).toMatchObject({ status: 404 });
    expect((await get(`/items/${ids[2]}/similar`, key)).hits).toEqual([]);
  });
});

test('SVC_FRECENCY_ENABLED=false neither records nor boosts', async () => {
  await t.request('POST', `/items/${ids[1]}/touch`);
  expect((await sql`select * from item_touches`.execute(t.deps.db)).rows).toEqual([]);
});

test('SVC_AUDIT_READS records one event per query', async () => {
  await sql`delete from security_events`.execute(t.deps.db);
  expect((await t.request('GET', `/search?q=${encodeURIComponent('a b')}`)).statusCode).toBe(200);
  const { rows } = await sql<{ event_type: string; details: { q: string } }>`select event_type, details from security_events`.execute(
    t.deps.db,
  );
  expect(rows).toMatchObject([{ event_type: 'search', details: { q: 'a b' } }]);
});
