import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson } from '../../../test/catalog-rows.ts';
import { runBackfill } from '../../../test/embed-items.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { until } from '../../../test/service.ts';
import { writeTinyModel } from '../../../test/tiny-model.ts';
import { embeddingChecks } from '../../content/embeddings/checks.ts';
import { passageChecks } from '../../content/passages/checks.ts';
import { passageIndexChecks } from './checks.ts';

let t: IndexedApp;
let library: string;
let ids: string[];

const pages = ['Chapter 1\nyacht vessel yacht', 'Chapter 2\ninvoice payment', 'Chapter 3\npuppy hound'];
const search = async (query: string, as = 'read') => (await t.request('GET', `/search/passages?${query}`, undefined, { as })).json();
const state = async () => (await t.request('GET', '/system/embeddings')).json();
const applied = async (): Promise<boolean> => (await search('q=ship&semantic=1')).semantic?.applied === true;

/** Resolves when every passage has a vector and the index has them. */
async function embedAll(): Promise<void> {
  await runBackfill(t);
  await t.waitForIndex();
  await t.waitForPassages();
  await runBackfill(t);
  await t.waitForPassages();
  await until(applied, 'the passage index to have vectors');
}

beforeAll(async () => {
  t = await createIndexedApp({ SVC_SEMANTIC_ENABLED: 'true', SVC_EMBED_MODEL: writeTinyModel() });
  library = await t.addLibrary('Docs', { passages: true });
  ids = await t.addItems(library, [
    { path: 'open/first.pdf', body: pages.join('\f') },
    { path: 'secret/copy.pdf', body: pages.join('\f') },
    { path: 'open/boat.txt', body: 'Chapter 1\nboat and payment' },
  ]);
  await t.waitForIndex();
  await t.waitForPassages();
  await embedAll();
}, 600_000);
afterAll(() => t.close());

test('a passage is found by its meaning, at its place', async () => {
  expect((await search('q=ship')).files).toEqual([]);
  const { files, semantic } = await search('q=ship&semantic=1');
  expect(semantic).toEqual({ applied: true, detail: null });
  const first = files.find(({ item_id }: { item_id: string }) => item_id === ids[0]);
  expect(first.passages[0]).toMatchObject({
    page: 1,
    chunk_no: 0,
    matched_by: 'meaning',
    text: pages[0],
    snippet: expect.stringContaining('yacht'),
  });
});

test('words and meaning count together', async () => {
  const { files } = await search('q=boat&semantic=0.5');
  expect(files[0].item_id).toBe(ids[2]);
  expect(files[0].passages[0]).toMatchObject({ matched_by: 'both', snippet: expect.stringContaining('<em>boat</em>') });
  expect(
    files
      .slice(1, 3)
      .map(({ item_id }: { item_id: string }) => item_id)
      .sort(),
  ).toEqual(ids.slice(0, 2).sort());
});

test('a person finds passages by meaning only where they may read content', async () => {
  const { key } = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, 'open', 'search_content'],
  ]);
  const found = (await search('q=ship&semantic=1', key)).files.map(({ item_id }: { item_id: string }) => item_id);
  expect(found).toContain(ids[0]);
  expect(found).not.toContain(ids[1]);
});

test('federated search merges items and passages by meaning under the rights of the caller, and says what found a hit', async () => {
  const federated = async (query: string, as = 'read') => (await t.request('GET', `/search/federated?${query}`, undefined, { as })).json();
  expect(await federated('q=ship')).toMatchObject({ total: 0, semantic: null });
  await until(async () => (await federated('q=ship&semantic=1')).semantic?.applied === true, 'both indexes to have vectors');
  const { hits, indexes, semantic } = await federated('q=ship&semantic=1');
  expect(indexes).toEqual(['items', 'passages']);
  expect(semantic).toEqual({ applied: true, detail: null });
  expect(hits[0]).toMatchObject({ source: 'passages', fields: { page: 1, matched_by: 'meaning', text: pages[0] } });
  const item = hits.find(({ source, item_id }: { source: string; item_id: string }) => source === 'items' && item_id === ids[0]);
  expect(item.fields).toMatchObject({ matched_by: 'meaning', snippet: expect.stringContaining('yacht') });
  const scores = hits.map(({ score }: { score: number }) => score);
  expect(scores).toEqual(scores.toSorted((a: number, b: number) => b - a));
  const { key } = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, 'open', 'search_content'],
  ]);
  const found = (await federated('q=ship&semantic=1', key)).hits.map(({ item_id }: { item_id: string }) => item_id);
  expect(found).toContain(ids[0]);
  expect(found).not.toContain(ids[1]);
});

test('equal texts are embedded once, and the state counts passages', async () => {
  const before = await state();
  expect(before.passages).toEqual({ embedded: 4, pending: 0 });
  await t.addItems(library, [{ path: 'open/third.pdf', body: pages.join('\f') }]);
  await t.waitForIndex();
  await t.waitForPassages();
  expect((await state()).passages).toEqual({ embedded: 4, pending: 0 });
  await until(async () => (await search('q=ship&semantic=1')).total === 4, 'the copy to be found by the vectors of the first');
});

test('the checks of passages, vectors and their index find nothing', async () => {
  const checks = [...embeddingChecks, ...passageChecks, ...passageIndexChecks];
  await until(async () => (await Promise.all(checks.map(({ run }) => run(t.deps)))).flat().length === 0, 'no violation');
});
