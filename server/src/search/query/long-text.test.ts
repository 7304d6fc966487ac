import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

let t: IndexedApp;
beforeAll(async () => {
  t = await createIndexedApp();
});
afterAll(() => t.close());

test('search and snippets reach the end of a novel', async () => {
  const library = await t.addLibrary('Books');
  const novel = `${'The sea was calm and the keeper wrote his log. '.repeat(25_000)}At last the albatross returned to the lantern.`;
  await t.addItems(library, [
    { path: 'novel.txt', category: 'document', group: 'plain-text', size: novel.length, body: novel },
    { path: 'locked.docx', category: 'document', group: 'word-processing', size: 5, metadata: { encrypted: true } },
  ]);
  await t.waitForIndex();
  const find = async (query: string) => (await t.request('GET', `/search?q=${query}`)).json();
  expect((await find('albatross')).hits).toMatchObject([
    { filename: 'novel.txt', snippet: expect.stringContaining('<em>albatross</em>') as string },
  ]);
  expect((await find('has:encrypted')).hits).toMatchObject([{ filename: 'locked.docx' }]);
}, 120_000);
