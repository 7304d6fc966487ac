import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('a person learns nothing of hidden libraries from the custom fields', async () => {
  const [seen, hidden] = [await addLibrary(t.deps), await addLibrary(t.deps)];
  const add = (name: string, library_ids: string[]) =>
    t.request('POST', '/custom-fields', { name, label: name, data_type: 'string', library_ids });
  await add('both', [seen, hidden]);
  await add('elsewhere', [hidden]);
  await add('everywhere', []);
  const { key } = await addPerson(t.deps, [[seen, '', 'search_metadata']]);
  const fieldsFor = async (as: string) =>
    ((await t.request('GET', '/custom-fields', undefined, { as })).json() as { name: string; library_ids: string[] }[]).map(
      ({ name, library_ids }) => [name, library_ids],
    );
  expect(await fieldsFor(key)).toEqual([
    ['both', [seen]],
    ['everywhere', []],
  ]);
  expect(await fieldsFor('admin')).toEqual([
    ['both', [seen, hidden]],
    ['elsewhere', [hidden]],
    ['everywhere', []],
  ]);
});
