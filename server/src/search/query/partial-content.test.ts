import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson, type Grant } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

/** A person who may read content in one folder and only metadata in another searches both at once, each within their rights. */
let t: IndexedApp;
let library: string;
let key: string;
const count = 40;

beforeAll(async () => {
  t = await createIndexedApp();
  library = await t.addLibrary('Docs');
  await t.addItems(
    library,
    Array.from({ length: count }, (_, n) => ({
      path: `${n % 2 === 0 ? 'open' : 'closed'}/ledger ${n}.pdf`,
      body: n % 4 < 2 ? 'mooring fee' : 'nothing much',
      title: n % 3 === 0 ? 'ledger' : `volume ${n}`,
      size: ((n * 7919) % 1000) + 1,
      mtime: 1_700_000_000 + ((n * 31) % 97) * 1000,
      tags: [`t${n % 5}`],
      // Every third item has no year and must come last in both sort orders.
      ...(n % 3 === 0 ? {} : { year: 1990 + (n % 7) }),
      metadata: n % 3 === 0 ? {} : { artist: ['zoë', 'Åse', 'adele', 'Björk'][n % 4], taken_at: `2024-05-${10 + (n % 17)}T10:00:00` },
    })),
  );
  await sql`update items set first_seen = now() - size * interval '1 hour', tags = tags || '{seen}'::text[]`.execute(t.deps.db);
  await t.waitForIndex();
  const grants: Grant[] = [
    [library, '', 'search_metadata'],
    [library, 'open', 'search_content'],
  ];
  key = (await addPerson(t.deps, grants)).key;
});
afterAll(() => t.close());

const ask = async (query: string, as = key) => (await t.request('GET', `/search?${query}`, undefined, { as })).json();
const idsOf = (answer: { hits: { id: string }[] }): string[] => answer.hits.map(({ id }) => id);

test('words match content only where it may be read, and names everywhere; totals, facets, histograms and snippets agree', async () => {
  const mooring = await ask('q=mooring&histograms=true');
  expect(mooring.total).toBe(10);
  expect(mooring.hits.every((hit: { rel_path: string; snippet: string }) => hit.rel_path.startsWith('open/') && hit.snippet)).toBe(true);
  expect(mooring.facets.library_id).toEqual({ [library]: 10 });
  expect(mooring.histograms.size.reduce((sum: number, bar: { count: number }) => sum + bar.count, 0)).toBe(10);
  expect((await ask('q=mooring', t.keys.admin)).total).toBe(20);
  const ledgers = await ask('q=ledger');
  const all = await ask('q=ledger', t.keys.admin);
  expect([ledgers.total, ledgers.facets, ledgers.facet_stats, ledgers.total_bytes]).toEqual([
    all.total,
    all.facets,
    all.facet_stats,
    all.total_bytes,
  ]);
  expect((await ask('q=ledger -mooring')).total).toBe(30);
  expect((await ask('q=mooring&search_in=names')).total).toBe(0);
  expect((await ask('q=mooring&search_in=content')).total).toBe(10);
  expect((await ask('q=mooring&path=closed')).emptied_by).toEqual([{ filter: 'path', value: 'closed', without: 10 }]);
});

test.each([
  'relevance',
  'size:asc',
  'name',
  'title:desc',
  'newest',
  'year:asc',
  'year:desc',
  'path',
  'added',
  'artist',
  'artist:desc',
  'taken',
])('by %s the merged order is that of one index, page by page and from any offset', async (sort) => {
  const whole = idsOf(await ask(`q=ledger&sort=${sort}&limit=200`, t.keys.admin));
  expect(idsOf(await ask(`q=ledger&sort=${sort}&limit=200`))).toEqual(whole);
  const paged: string[] = [];
  for (let cursor = ''; ; ) {
    const page = await ask(`q=ledger&sort=${sort}&limit=7${cursor}`);
    paged.push(...idsOf(page));
    if (!page.next_cursor) break;
    cursor = `&cursor=${page.next_cursor}`;
  }
  expect(paged).toEqual(whole);
  for (const offset of [1, 9, 20, 33, 39]) {
    expect(idsOf(await ask(`q=ledger&sort=${sort}&limit=5&offset=${offset}`)), `offset ${offset}`).toEqual(whole.slice(offset, offset + 5));
  }
  expect(idsOf(await ask(`q=ledger&sort=${sort}&offset=500`))).toEqual([]);
});

test.each(['relevance', 'size:asc', 'name'])(
  'by %s a page goes on behind its last hit, whatever came or went before it meanwhile',
  async (sort) => {
    const query = `q=ledger&sort=${sort}&limit=9`;
    const whole = idsOf(await ask(`q=ledger&sort=${sort}&limit=200`));
    const first = await ask(query);
    expect(idsOf(first)).toEqual(whole.slice(0, 9));
    // Two hits of the first page are removed, one in each folder: by offset, the next page would skip two hits.
    const gone = ['open/', 'closed/'].map((folder) => first.hits.find((hit: { rel_path: string }) => hit.rel_path.startsWith(folder)).id);
    await sql`update items set status = 'missing', deleted_at = now() where id = any(${gone}::uuid[])`.execute(t.deps.db);
    await expect.poll(async () => (await ask('q=ledger')).total, { timeout: 10_000 }).toBe(count - 2);
    expect(idsOf(await ask(`${query}&cursor=${first.next_cursor}`))).toEqual(whole.slice(9, 18));
    await sql`update items set status = 'active', deleted_at = null where id = any(${gone}::uuid[])`.execute(t.deps.db);
    await expect.poll(async () => (await ask('q=ledger')).total, { timeout: 10_000 }).toBe(count);
  },
);

test('a handwritten cursor is rejected', async () => {
  const { next_cursor } = await ask('q=ledger&limit=3');
  const inside = JSON.parse(Buffer.from(next_cursor, 'base64url').toString('utf8'));
  for (const a of ['', '[]', '[5,0]', '["x","y"]', '[0,0,0]', '{"0":1}', 's1-2']) {
    const forged = Buffer.from(JSON.stringify({ ...inside, a })).toString('base64url');
    expect(await ask(`q=ledger&limit=3&cursor=${forged}`), a).toMatchObject({ status: 422, code: 'cursor_invalid' });
  }
});
