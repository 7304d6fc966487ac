import { afterAll, beforeAll, expect, test } from 'vitest';
import { addPerson } from '../../../test/catalog-rows.ts';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

let t: IndexedApp;
beforeAll(async () => {
  t = await createIndexedApp();
});
afterAll(() => t.close());

test('did_you_mean does not tell words that only hidden files have', async () => {
  const [open, hidden] = [await t.addLibrary('Open'), await t.addLibrary('Hidden')];
  await t.addItems(open, [
    { path: 'andersen report.pdf', body: 'x' },
    { path: 'layoutplan.pdf', body: 'x' },
  ]);
  await t.addItems(hidden, [{ path: 'x.pdf', body: 'termination of anderson' }]);
  await t.waitForIndex();
  const { key } = await addPerson(t.deps, [[open, '', 'search_metadata']]);
  const suggested = async (q: string, as: string): Promise<string[]> =>
    (await t.request('GET', `/search?q=${q}`, undefined, { as })).json().did_you_mean;
  for (const q of ['andexsox', 'anderxxn']) {
    expect(await suggested(q, key)).not.toContain('anderson');
    expect(await suggested(q, t.keys.admin)).toContain('anderson');
  }
  expect(await suggested('anderxxn', key)).toEqual(['andersen']);
});

test('a suggestion keeps the filters of the query', async () => {
  const { did_you_mean } = (await t.request('GET', `/search?q=${encodeURIComponent('anderxxn ext:pdf -draft')}`)).json();
  expect(did_you_mean).toContain('andersen ext:pdf -draft');
  expect((await t.request('GET', `/search?q=${encodeURIComponent('anderxxn ext:txt')}`)).json().did_you_mean).toEqual([]);
});
