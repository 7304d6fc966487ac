import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson } from '../../../test/catalog-rows.ts';
import { editAtOnce } from '../../../test/edit-at-once.ts';

let t: TestApp;
let ann: { id: string; key: string };
let bob: { id: string; key: string };

beforeAll(async () => {
  t = await createTestApp();
  ann = await addPerson(t.deps, []);
  bob = await addPerson(t.deps, []);
});
afterAll(() => t.close());

const ask = (as: string, method: string, url = '', body?: unknown) => t.request(method, `/saved-searches${url}`, body, { as });
const namesFor = async (as: string, query = '') => (await ask(as, 'GET', query)).json().map(({ name }: { name: string }) => name);

test('a private search is visible to its owner and administrators only; a shared one can be read by all and changed by its owner', async () => {
  const made = (await ask(ann.key, 'POST', '', { name: 'Boats', params: { q: 'boat kind:image', sort: 'newest' } })).json();
  expect(made).toMatchObject({
    name: 'Boats',
    params: { q: 'boat kind:image', sort: 'newest' },
    owner_principal: ann.id,
    shared: false,
    may_edit: true,
  });
  expect(await namesFor(bob.key)).toEqual([]);
  expect((await ask(bob.key, 'GET', `/${made.id}`)).statusCode).toBe(404);
  expect((await ask(bob.key, 'PATCH', `/${made.id}`, { name: 'Mine' })).statusCode).toBe(404);
  expect(await namesFor('admin')).toEqual(['Boats']);

  expect((await ask(ann.key, 'PATCH', `/${made.id}`, { shared: true })).json()).toMatchObject({ shared: true, name: 'Boats' });
  expect((await ask(bob.key, 'GET', `/${made.id}`)).json()).toMatchObject({ name: 'Boats', may_edit: false });
  for (const method of ['PATCH', 'DELETE'])
    expect((await ask(bob.key, method, `/${made.id}`, method === 'PATCH' ? { name: 'Mine' } : undefined)).json()).toMatchObject({
      status: 403,
      code: 'action_denied',
    });
  expect((await ask('admin', 'PATCH', `/${made.id}`, { name: 'All boats' })).json()).toMatchObject({
    name: 'All boats',
    owner_principal: ann.id,
  });
  expect(await namesFor(bob.key, `?owner_principal=${ann.id}`)).toEqual(['All boats']);
  expect(await namesFor(bob.key, `?owner_principal=${bob.id}`)).toEqual([]);
  expect((await ask(ann.key, 'DELETE', `/${made.id}`)).statusCode).toBe(204);
  expect(await namesFor('admin')).toEqual([]);
});

test('a search cannot be saved for another person or twice under one name', async () => {
  expect((await ask(bob.key, 'POST', '', { name: 'x', owner_principal: ann.id })).statusCode).toBe(422);
  expect((await ask(bob.key, 'POST', '', { name: 'Twice' })).statusCode).toBe(201);
  expect((await ask(bob.key, 'POST', '', { name: 'twice ' })).json()).toMatchObject({ status: 409, code: 'name_taken' });
  expect((await ask(ann.key, 'POST', '', { name: 'Twice' })).statusCode).toBe(201);
});

test('only a valid search can be saved', async () => {
  for (const [params, code] of [
    [{ file_category: ['imgae'] }, 'taxonomy_unknown'],
    [{ file_group: ['nothing'] }, 'taxonomy_unknown'],
    [{ geo_lat: 60.4 }, 'geo_invalid'],
  ] as const)
    expect((await ask(ann.key, 'POST', '', { name: 'bad', params })).json(), code).toMatchObject({ status: 422, code });
  expect((await ask(ann.key, 'POST', '', { name: 'bad', params: { q: 'size:>big' } })).json()).toMatchObject({
    status: 422,
    code: 'query_invalid',
    position: 6,
  });
  for (const body of [
    {},
    { name: '' },
    { name: '   ' },
    { name: 'x'.repeat(201) },
    { name: 'a', params: { cursor: 'x' } },
    { name: 'a', params: { limit: 5000 } },
    { name: 'a', params: { unknown: 1 } },
    { name: 'a', params: { path: 'a\0' } },
    { name: 'a', bogus: 1 },
  ])
    expect((await ask(ann.key, 'POST', '', body)).statusCode, JSON.stringify(body)).toBe(422);
});

test('saving needs write; reading needs a credential', async () => {
  expect((await ask('read', 'POST', '', { name: 'x' })).statusCode).toBe(403);
  expect((await t.request('GET', '/saved-searches', undefined, { as: null })).statusCode).toBe(401);
  expect((await ask('read', 'GET', '/nope')).statusCode).toBe(422);
});

const share = async (name: string): Promise<string> => (await ask(ann.key, 'POST', '', { name, shared: true })).json().id;
const watch = async (name: string, search: string, db = t.deps.db): Promise<string> => {
  const { rows } = await sql<{
    id: string;
  }>`insert into alert_rules (name, event_types, saved_search_id) values (${name}, '{search_match}', ${search}) returning id`.execute(db);
  return rows[0]!.id;
};

test('a search that an alert rule uses is not deleted; only administrators read the names of the rules', async () => {
  const id = await share('Watched');
  const rule = await watch('New contracts', id);
  const refused = (await ask(ann.key, 'DELETE', `/${id}`)).json();
  expect(refused).toMatchObject({ status: 409, code: 'search_in_use', detail: expect.stringContaining('Ask an administrator') });
  expect(refused.detail).toContain('(1)');
  expect(JSON.stringify(refused)).not.toContain('New contracts');
  expect((await ask('admin', 'DELETE', `/${id}`)).json()).toMatchObject({
    status: 409,
    code: 'search_in_use',
    detail: expect.stringContaining('"New contracts"'),
  });
  expect((await t.request('GET', `/alert-rules/${rule}`)).json()).toMatchObject({ name: 'New contracts', saved_search_id: id });
  expect((await t.request('DELETE', `/alert-rules/${rule}`)).statusCode).toBe(204);
  expect((await ask(ann.key, 'DELETE', `/${id}`)).statusCode).toBe(204);
});

test('a search is not deleted either while a rule that uses it is being saved', async () => {
  const id = await share('Raced');
  const { db } = t.deps;
  let deleting: ReturnType<typeof ask> | undefined;
  await db.transaction().execute(async (trx) => {
    await watch('Raced', id, trx);
    deleting = ask(ann.key, 'DELETE', `/${id}`);
    void deleting.then(() => {});
    await vi.waitFor(
      async () => {
        const { rows } = await sql`select from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock' and query like 'delete from saved_searches%'`.execute(db);
        expect(rows).toHaveLength(1);
      },
      { timeout: 30_000 },
    );
  });
  expect((await deleting)?.statusCode).toBe(409);
});

test('the searches of a deleted account and the rules that use them stay', async () => {
  const carl = await addPerson(t.deps, []);
  const { id } = (await ask(carl.key, 'POST', '', { name: 'Left behind', shared: true })).json();
  const rule = await watch('Still watched', id);
  await t.request('POST', '/auth/users', { username: 'chief', password: 'long enough', global_role: 'admin' });
  expect((await t.request('DELETE', `/auth/users/${carl.id}`)).statusCode).toBe(204);
  expect((await ask('admin', 'GET', `/${id}`)).json()).toMatchObject({ name: 'Left behind' });
  expect((await t.request('GET', `/alert-rules/${rule}`)).json()).toMatchObject({ saved_search_id: id });
});

test('concurrent changes of different fields of a search are all kept', async () => {
  const id = (await ask(ann.key, 'POST', '', { name: 'Before', params: { q: 'boat' } })).json().id;
  await editAtOnce(t.deps.db, { table: 'saved_searches', id }, [
    () => ask(ann.key, 'PATCH', `/${id}`, { name: 'After' }),
    () => ask(ann.key, 'PATCH', `/${id}`, { params: { q: 'ship' } }),
    () => ask(ann.key, 'PATCH', `/${id}`, { shared: true }),
  ]);
  expect((await ask(ann.key, 'GET', `/${id}`)).json()).toMatchObject({ name: 'After', params: { q: 'ship' }, shared: true });
});
