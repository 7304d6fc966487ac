import type { Query } from '@catalog/engine';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { embedItems } from '../../../test/embed-items.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';
import { performTask } from '../../../test/perform.ts';
import { writeTinyModel } from '../../../test/tiny-model.ts';
import { openPrincipal } from '../../people/identity/index.ts';
import { openSearchReader } from '../../search/engines/index.ts';
import { findAllHits } from '../../search/query/index.ts';
import { exportTasks } from './tasks.ts';

let t: IndexedApp;

beforeAll(async () => {
  t = await createIndexedApp({ SVC_SEMANTIC_ENABLED: 'true', SVC_EMBED_MODEL: writeTinyModel() });
  await t.addItems(await t.addLibrary('A'), [
    { path: 'harbour.txt', body: 'the yacht and the vessel' },
    { path: 'quay.txt', body: 'a ship a ship' },
    { path: 'boat.txt', body: 'puppy hound' },
    { path: 'account.txt', body: 'invoice payment' },
  ]);
  await t.waitForIndex();
  await embedItems(t);
}, 600_000);
afterAll(() => t.close());

const listed = async (query: string): Promise<string[]> =>
  (await t.request('GET', `/search?${query}`)).json().hits.map(({ filename }: { filename: string }) => filename);
const lines = (text: string): string[] => text.trim().split('\r\n').slice(1);
const exported = async (query: string): Promise<string[]> =>
  lines((await t.request('GET', `/search/export?${query}&format=csv&columns=filename`)).body);

test.each(['q=boat&semantic=1', 'q=boat&semantic=0.5', 'q=boat&semantic=1&sort=size:asc', 'q=boat'])(
  'an export of %s has the files that the search lists, in their order',
  async (query) => {
    const files = await listed(query);
    expect(files.length).toBeGreaterThan(0);
    expect(await exported(query)).toEqual(files);
  },
);

test('an export ends after as many hits as were asked for', async () => {
  const files = await listed('q=boat&semantic=1');
  expect(files.length).toBeGreaterThan(2);
  expect(await exported('q=boat&semantic=1&limit=2')).toEqual(files.slice(0, 2));
  expect(await exported('q=txt&sort=name:asc&limit=3')).toEqual((await listed('q=txt&sort=name:asc')).slice(0, 3));
});

test('an export in the background loads the model itself', async () => {
  const params = { q: 'boat', semantic: 1, limit: 2 };
  const { id } = (await t.request('POST', '/exports', { source: { kind: 'search', params, columns: ['filename'] } })).json();
  await performTask(t.deps, exportTasks(t.deps)[0]!, { export_id: id, byte_order_mark: false });
  expect((await t.request('GET', `/exports/${id}`)).json()).toMatchObject({ status: 'complete', row_count: 2 });
  expect(lines((await t.request('GET', `/exports/${id}/download`)).body)).toEqual((await listed('q=boat&semantic=1')).slice(0, 2));
});

test('while the model is not available there is no export by words instead', async () => {
  const reader = openSearchReader(t.deps.settings);
  const mix = async (query: Query) => ({ query, report: { applied: false, detail: 'The model is loading.' }, passing: true });
  const found = findAllHits(t.deps, { reader, meaning: { mix, mixPassages: mix } }, openPrincipal, { q: 'boat', semantic: 1 });
  await expect(found).rejects.toMatchObject({ code: 'unavailable' });
  await reader.close();
});

test('an export whose model or index is not ready runs again before it fails', async () => {
  const { id } = (await t.request('POST', '/exports', { source: { kind: 'search', params: { q: 'boat', semantic: 1 } } })).json();
  const [task] = exportTasks({ ...t.deps, settings: { ...t.deps.settings, embedModel: '/no/such/model' } });
  const state = async () => (await t.request('GET', `/exports/${id}`)).json().status;
  const run = (attempt: number) => performTask(t.deps, task!, { export_id: id, byte_order_mark: false }, { attempt });
  await expect(run(1)).rejects.toMatchObject({ code: 'unavailable' });
  expect(await state()).toBe('running');
  await expect(run(3)).rejects.toThrow('Search by meaning is not available');
  expect(await state()).toBe('failed');
});
