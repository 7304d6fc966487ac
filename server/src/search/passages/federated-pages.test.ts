import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

let t: IndexedApp;
beforeAll(async () => {
  t = await createIndexedApp({ SVC_FRECENCY_ENABLED: 'false' });
  const docs = await t.addLibrary('Docs', { passages: true });
  await t.addItems(docs, [
    // Without a typo, so it comes before the next one, although its words are far apart and its score is lower.
    { path: 'harbour 1 2 3 4 5 6 7 8 9 crane.bin' },
    { path: 'harbuor crane.bin' },
    { path: 'note.txt', body: 'harbour one two three four five crane' },
  ]);
  await t.waitForIndex();
  await t.waitForPassages();
});
afterAll(() => t.close());

interface Hit {
  source: string;
  item_id: string;
  score: number;
}

test('pages of the merged list follow each other, also where an item with a lower score comes first', async () => {
  const get = async (query: string): Promise<Hit[]> => (await t.request('GET', `/search/federated?q=harbour%20crane&${query}`)).json().hits;
  const whole = await get('limit=50');
  expect(whole).toHaveLength(4);
  const items = whole.filter(({ source }) => source === 'items').map(({ score }) => score);
  const passage = whole.find(({ source }) => source === 'passages')!;
  expect(items.at(-1)).toBeGreaterThan(passage.score);
  expect(items.at(-2)).toBeLessThan(passage.score);
  for (const limit of [1, 2]) {
    const paged: Hit[] = [];
    for (let offset = 0; offset < whole.length; offset += limit) paged.push(...(await get(`limit=${limit}&offset=${offset}`)));
    expect(paged.map(({ source, item_id }) => `${source} ${item_id}`)).toEqual(whole.map(({ source, item_id }) => `${source} ${item_id}`));
  }
});
