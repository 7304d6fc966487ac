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

test('a field can be edited after one of its libraries was deleted', async () => {
  const [kept, deleted] = [await addLibrary(t.deps), await addLibrary(t.deps)];
  const field = { name: 'shelf', label: 'Shelf', data_type: 'string', library_ids: [kept, deleted] };
  const { id } = (await t.request('POST', '/custom-fields', field)).json();
  const { name } = (await t.request('GET', `/libraries/${deleted}`)).json();
  expect((await t.request('DELETE', `/libraries/${deleted}?confirm=${encodeURIComponent(name)}`)).statusCode).toBeLessThan(300);
  const edited = await t.request('PATCH', `/custom-fields/${id}`, { label: 'Rack', library_ids: [kept, deleted] });
  expect([edited.statusCode, edited.json().label]).toEqual([200, 'Rack']);
  expect((await t.request('PATCH', `/custom-fields/${id}`, { library_ids: ['01890000-0000-7000-8000-000000000009'] })).statusCode).toBe(
    422,
  );
});
