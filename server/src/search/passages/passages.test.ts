import type { Query } from '@catalog/engine';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPerson, moveItem } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { performTask } from '../../../test/perform.ts';
import { until } from '../../../test/service.ts';
import { passageChecks } from '../../content/passages/checks.ts';
import { passageMaintenance } from '../../content/passages/tasks.ts';
import { openPrincipal } from '../../people/identity/index.ts';
import { openPassageReader, openSearchReader, SearchUnavailable } from '../engines/index.ts';
import { passageIndexChecks } from './checks.ts';
import { searchFederated } from './federated.ts';
import { searchPassages } from './service.ts';
import { passageIndexMaintenance } from './tasks.ts';

let t: IndexedApp;
let docs: string;
let plain: string;
let ids: string[];

const filler = 'The weather was dry and the road was long. '.repeat(30);
const lease = `Lease of the inner harbour.\n${filler}\fThe tenant pays the demurrage of a moored vessel within ten days.\n${filler}\fNotice is given in writing. The demurrage ends with the notice.`;

beforeAll(async () => {
  t = await createIndexedApp({ SVC_CHUNK_SIZE_CHARS: '400', SVC_CHUNK_OVERLAP_CHARS: '60' });
  docs = await t.addLibrary('Docs', { passages: true });
  plain = await t.addLibrary('Plain');
  ids = await t.addItems(docs, [
    { path: 'open/lease.pdf', body: lease, tags: ['contract'] },
    { path: 'secret/copy of lease.pdf', body: lease },
    { path: 'open/scan.png', body: 'x', metadata: { ocr_text: 'A scanned note about the demurrage of barges.' } },
    { path: 'open/old.txt', body: 'Old demurrage rules.', status: 'missing' },
    { path: 'open/demurrage.bin' },
  ]);
  await t.addItems(plain, [{ path: 'other.txt', body: 'Demurrage without passages.' }]);
  await t.waitForIndex();
  await t.waitForPassages();
});
afterAll(() => t.close());

const get = async (url: string, as = 'read') => (await t.request('GET', url, undefined, { as })).json();
const violations = async () => {
  const found = await Promise.all([...passageChecks, ...passageIndexChecks].map(({ run }) => run(t.deps)));
  return found.flat();
};
const run = (key: string) => {
  const tasks = [...passageMaintenance(t.deps), ...passageIndexMaintenance(t.deps)];
  return performTask(t.deps, tasks.find((task) => task.key === key)!.task, {});
};
interface File {
  item_id: string;
  passages: { chunk_no: number; page: number; start: number; end: number; text: string; snippet: string }[];
}
const found = async (q: string, as = 'read'): Promise<string[]> =>
  (await get(`/search/passages?q=${q}`, as)).files.map(({ item_id }: File) => item_id);

describe('GET /search/passages', () => {
  test('semantic is ignored while search by meaning is off, and the answer says so', async () => {
    const answer = await get('/search/passages?q=demurrage&semantic=0.5');
    expect(answer.total).toBe(3);
    expect(answer.semantic).toEqual({ applied: false, detail: 'Search by meaning is off.' });
    expect((await get('/search/passages?q=demurrage')).semantic).toBeNull();
  });

  test('finds passages of active files, grouped by file, with page and range', async () => {
    const answer = await get('/search/passages?q=demurrage');
    expect(answer).toMatchObject({ available: true, total: 3, degraded: false });
    const file: File = answer.files.find(({ item_id }: File) => item_id === ids[0]);
    expect(file.passages.map(({ page }) => page).sort()).toEqual([2, 3]);
    const { text } = await get(`/items/${ids[0]}/text`);
    for (const passage of file.passages) {
      expect(text.slice(passage.start, passage.end)).toBe(passage.text);
      expect(passage.snippet).toContain('<em>demurrage</em>');
    }
    expect(await found('demurrage')).toContain(ids[2]);
    expect(await violations()).toEqual([]);
  });

  test('applies the filters of the query inside the passage index', async () => {
    expect(await found('demurrage tag:contract')).toEqual([ids[0]]);
    expect(await found('demurrage ext:png')).toEqual([ids[2]]);
    expect(await found('demurrage path:secret')).toEqual([ids[1]]);
    expect(await found(`demurrage&library=${plain}`)).toEqual([]);
  });

  test('identical content is divided once', async () => {
    const { rows } = await sql<{
      hashes: number;
      items: number;
    }>`select count(distinct text_hash)::integer as hashes, count(*)::integer as items
      from item_passages where item_id = any(${[ids[0], ids[1]]}::uuid[])`.execute(t.deps.db);
    expect(rows).toEqual([{ hashes: 1, items: 2 }]);
  });

  test('a denied passage never leaves: content needs its own right', async () => {
    const reader = await addPerson(t.deps, [
      [docs, 'open', 'search_metadata'],
      [docs, 'open', 'search_content'],
    ]);
    expect((await found('demurrage', reader.key)).sort()).toEqual([ids[0], ids[2]].sort());
    const names = await addPerson(t.deps, [[docs, '', 'search_metadata']]);
    expect(await found('demurrage', names.key)).toEqual([]);
    expect((await get('/search/federated?q=demurrage', names.key)).hits.map(({ source }: { source: string }) => source)).toEqual(['items']);
    expect(await get(`/items/${ids[0]}/passages`, names.key)).toMatchObject({ status: 403 });
    expect(await get(`/items/${ids[1]}/passages`, reader.key)).toMatchObject({ status: 404 });
  });
});

test('a passage index that does not answer is 503, not a catalog without passages; items are still found', async () => {
  const items = openSearchReader(t.deps.settings);
  const answer = (rebuild: boolean) => {
    const passages = { ...items, search: () => Promise.reject(new SearchUnavailable('A node is down.', rebuild)) };
    return { items, passages };
  };
  const mix = async (query: Query) => ({ query, report: null });
  const meaning = { mix, mixPassages: mix };
  const q = 'demurrage';
  await expect(searchPassages(t.deps, answer(false), openPrincipal, { q }, meaning)).rejects.toMatchObject({ code: 'search_unavailable' });
  expect(await searchPassages(t.deps, answer(true), openPrincipal, { q }, meaning)).toMatchObject({ available: false });
  expect((await searchFederated(t.deps, answer(false), openPrincipal, { q }, meaning)).indexes).toEqual(['items']);
  await items.close();
});

describe('GET /search/federated', () => {
  test('merges items and passages by score; the passages of a file are one hit', async () => {
    const answer = await get('/search/federated?q=demurrage&limit=50');
    expect(answer.indexes).toEqual(['items', 'passages']);
    const passages = answer.hits.filter(({ source }: { source: string }) => source === 'passages');
    expect(passages).toHaveLength(3);
    const hit = passages.find(({ item_id }: { item_id: string }) => item_id === ids[0]);
    expect(hit.fields).toMatchObject({ filename: 'lease.pdf', rel_path: 'open/lease.pdf', chunk_no: expect.any(Number), matches: 2 });
    expect(hit.fields.others).toHaveLength(1);
    const scores = answer.hits.map(({ score }: { score: number }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    expect(answer.total).toBe(answer.hits.length);
  });

  test('pages of the merged list follow each other without gaps', async () => {
    const whole = (await get('/search/federated?q=demurrage&limit=50')).hits;
    for (const limit of [1, 2, 3]) {
      const hits: unknown[] = [];
      for (let offset = 0; offset < whole.length; offset += limit)
        hits.push(...(await get(`/search/federated?q=demurrage&limit=${limit}&offset=${offset}`)).hits);
      expect(hits).toEqual(whole);
    }
  });

  test('status applies to items only; without words only items are searched', async () => {
    const missing = (await get('/search/federated?q=demurrage&status=missing')).hits;
    expect(missing.filter(({ source }: { source: string }) => source === 'items')).toMatchObject([{ item_id: ids[3] }]);
    expect(missing.filter(({ source }: { source: string }) => source === 'passages')).toHaveLength(3);
    expect((await get('/search/federated')).indexes).toEqual(['items']);
  });

  test('says when it stopped early', async () => {
    expect(await get('/search/federated?q=demurrage')).toMatchObject({ degraded: false });
    expect(await get('/search/federated?q=demurrage&semantic=0.5')).toMatchObject({ degraded: true, semantic: { applied: false } });
    const hasty = { ...t.deps, settings: { ...t.deps.settings, searchCutoffMs: 0 } };
    const readers = { items: openSearchReader(t.deps.settings), passages: openPassageReader(t.deps.settings) };
    const meaning = async (query: Query) => ({ query, report: null });
    const answer = await searchFederated(hasty, readers, openPrincipal, { q: 'demurrage' }, { mix: meaning, mixPassages: meaning });
    expect(answer.degraded).toBe(true);
    await readers.items.close();
    await readers.passages.close();
  });
});

test('GET /items/{id}/passages lists them in order', async () => {
  const { passages, total } = await get(`/items/${ids[0]}/passages?from=1&limit=2`);
  expect(passages.map(({ chunk_no }: { chunk_no: number }) => chunk_no)).toEqual([1, 2]);
  expect(total).toBeGreaterThan(5);
  expect(await get(`/items/${ids[4]}/passages`)).toMatchObject({ code: 'no_text' });
  expect((await t.request('GET', `/items/${ids[0]}/passages?bogus=1`)).statusCode).toBe(422);
});

/** A reader follows the commits of the writer with a short delay. */
const untilFound = (q: string, expected: (string | undefined)[]) =>
  until(
    async () => JSON.stringify((await found(q)).sort()) === JSON.stringify([...expected].sort()),
    `${q} to find ${expected.length} files`,
  );

test('a changed, moved or deleted file changes its passages', async () => {
  const [changed] = await t.addItems(docs, [{ path: 'open/changing.txt', body: `${filler} The word is quokka.` }]);
  await untilFound('quokka', [changed]);
  await sql`update items set body_text = 'Now it is numbat.' where id = ${changed}`.execute(t.deps.db);
  await untilFound('numbat', [changed]);
  expect(await found('quokka')).toEqual([]);
  await moveItem(t.deps, changed!, 'moved/changing.txt');
  await untilFound('numbat path:moved', [changed]);
  await sql`update items set status = 'missing' where id = ${changed}`.execute(t.deps.db);
  await untilFound('numbat', []);
  await sql`delete from items where id = ${changed}`.execute(t.deps.db);
  await t.waitForPassages();
  expect(await violations()).toEqual([]);
});

test('a rebuild makes the same index in the shadow while searches continue', async () => {
  const rebuilt = run('rebuild_chunks_index');
  for (let n = 0; n < 5; n += 1) expect(await found('demurrage')).toHaveLength(3);
  await rebuilt;
  expect(await found('demurrage')).toHaveLength(3);
  expect(await violations()).toEqual([]);
});

test('chunking_enabled divides a library that is already scanned, and removes its passages again', async () => {
  expect((await t.request('PATCH', `/libraries/${plain}`, { chunking_enabled: true })).statusCode).toBe(200);
  await run('chunk_missing');
  await until(async () => (await found('demurrage')).length === 4, 'the passages of the library');
  expect((await t.request('PATCH', `/libraries/${plain}`, { chunking_enabled: false })).statusCode).toBe(200);
  await run('chunk_missing');
  await until(async () => (await found('demurrage')).length === 3, 'the passages of the library to be removed');
  await sql`delete from jobs where task = 'chunk_missing'`.execute(t.deps.db);
  expect(await violations()).toEqual([]);
});

test('a changed chunk size divides every text again', async () => {
  await sql`update item_passages set shape = 'another'`.execute(t.deps.db);
  expect(await violations()).not.toEqual([]);
  await run('chunk_missing');
  await until(async () => (await violations()).length === 0, 'the passages to be divided again');
});
