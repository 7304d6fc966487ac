import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { assembleApp } from '../../assembly/app.ts';
import { connect, type Database } from '../../platform/database/index.ts';
import type { App } from '../../platform/http/index.ts';
import type { Principal } from '../../platform/principal.ts';
import { visibilityOf } from './index.ts';

/** Rights are cached between requests; every change must apply from the next request on, in every process. */
let t: TestApp;
let other: App;
let elsewhere: Database;
let library: string;
let item: string;
let person: { id: string; key: string };

beforeAll(async () => {
  t = await createTestApp();
  // Stands for another process of the same deployment.
  elsewhere = connect(t.deps.database.address);
  other = await assembleApp({ ...t.deps, db: elsewhere.db, database: elsewhere });
  await other.ready();
  await t.request('POST', '/auth/bootstrap', { username: 'ann', password: 'long enough' }, { as: null });
  library = await addLibrary(t.deps);
  item = await addItem(t.deps, library, 'docs/plan.pdf');
  person = await addPerson(t.deps, []);
});
afterAll(async () => {
  await other.close();
  await elsewhere.close();
  await t.close();
});

/** The status codes of both processes for the item. */
async function seen(key = person.key): Promise<number[]> {
  const own = (await t.request('GET', `/items/${item}`, undefined, { as: key })).statusCode;
  const there = await other.inject({ url: `/api/v1/items/${item}`, headers: { authorization: `Bearer ${key}` } });
  return [own, there.statusCode];
}

const generation = async (): Promise<string> =>
  (await sql<{ generation: string }>`select generation from access_generation`.execute(t.deps.db)).rows[0]!.generation;

async function grant(subject_kind: string, subject_id: string, effect = 'allow'): Promise<string> {
  const body = { subject_kind, subject_id, library_id: library, rel_path: 'docs', action: 'search_metadata', effect };
  return (await t.request('POST', '/rbac/grants', body)).json().id;
}

test('creating or revoking a grant applies from the next request on, in every process', async () => {
  expect(await seen()).toEqual([404, 404]);
  const id = await grant('principal', person.id);
  expect(await seen()).toEqual([200, 200]);
  await t.request('DELETE', `/rbac/grants/${id}`);
  expect(await seen()).toEqual([404, 404]);
});

test('so does joining or leaving a group, and deleting the group', async () => {
  const group = (await t.request('POST', '/rbac/groups', { name: 'Readers' })).json().id;
  await grant('group', group);
  expect(await seen()).toEqual([404, 404]);
  await t.request('POST', `/rbac/groups/${group}/members`, { principal_id: person.id });
  expect(await seen()).toEqual([200, 200]);
  await t.request('DELETE', `/rbac/groups/${group}/members/${person.id}`);
  expect(await seen()).toEqual([404, 404]);
  await t.request('POST', `/rbac/groups/${group}/members`, { principal_id: person.id });
  expect(await seen()).toEqual([200, 200]);
  await t.request('DELETE', `/rbac/groups/${group}`);
  expect(await seen()).toEqual([404, 404]);
});

test('so does a change of role, or of the role’s ceiling', async () => {
  await grant('principal', person.id);
  expect(await seen()).toEqual([200, 200]);
  await t.request('POST', '/rbac/roles', { name: 'clerk', display_name: 'Clerk', clone_from: 'user' });
  expect((await t.request('PATCH', `/auth/users/${person.id}`, { global_role: 'clerk' })).json()).toMatchObject({ global_role: 'clerk' });
  expect(await seen()).toEqual([200, 200]);
  expect((await t.request('PATCH', '/rbac/roles/clerk', { ceiling_actions: ['download'] })).json()).toMatchObject({
    ceiling_actions: ['download'],
  });
  expect(await seen()).toEqual([404, 404]);
  await t.request('PATCH', '/rbac/roles/clerk', { ceiling_actions: ['search_metadata'] });
  expect(await seen()).toEqual([200, 200]);
});

test('unchanged rights are read once; a rolled back change has no effect; without a generation nothing is cached', async () => {
  const asked = async (): Promise<Principal> => ({
    kind: 'user',
    id: person.id,
    name: 'x',
    role: 'clerk',
    scopes: ['read'],
    carrier: 'session',
    accessGeneration: await generation(),
    bypass: false,
  });
  const first = await visibilityOf(t.deps.db, await asked());
  expect(await visibilityOf(t.deps.db, await asked())).toBe(first);
  const before = await generation();
  await t.deps.db
    .transaction()
    .execute(async (trx) => {
      await sql`delete from grants`.execute(trx);
      throw new Error('no');
    })
    .catch(() => {});
  expect(await generation()).toBe(before);
  await sql`update grants set effect = 'deny'`.execute(t.deps.db);
  expect(await generation()).not.toBe(before);
  expect((await visibilityOf(t.deps.db, await asked())).allows(library, 'docs/plan.pdf', 'search_metadata')).toBe(false);
  const { accessGeneration: _, ...bare } = await asked();
  expect(await visibilityOf(t.deps.db, bare)).not.toBe(await visibilityOf(t.deps.db, bare));
});

test('a key limited to a folder sees it in libraries created later, and no longer in deleted ones', async () => {
  const [account] = (await sql<{ id: string }>`insert into service_accounts (name) values ('robot') returning id`.execute(t.deps.db)).rows;
  const made = await t.request('POST', '/api-keys', { name: 'k', scopes: ['read'], service_account_id: account!.id, path_scope: 'docs' });
  const { key } = made.json();
  const list = async () => (await t.request('GET', '/items', undefined, { as: key })).json().total;
  expect(await list()).toBe(1);
  const later = await addLibrary(t.deps);
  await addItem(t.deps, later, 'docs/late.pdf');
  expect(await list()).toBe(2);
  await sql`delete from libraries where id = ${later}`.execute(t.deps.db);
  expect(await list()).toBe(1);
});

describe('the owner of a key is cached too', () => {
  /** The status codes of both processes for a request that needs only a valid key. */
  const admitted = async (key: string): Promise<number[]> => {
    const own = (await t.request('GET', '/libraries', undefined, { as: key })).statusCode;
    const there = await other.inject({ url: '/api/v1/libraries', headers: { authorization: `Bearer ${key}` } });
    return [own, there.statusCode];
  };
  const account = async (name: string): Promise<string> => (await t.request('POST', '/service-accounts', { name })).json().id;
  const keyOf = async (service_account_id: string): Promise<{ id: string; key: string }> =>
    (await t.request('POST', '/api-keys', { name: 'robot', scopes: ['read'], service_account_id })).json();

  test('a revoked key is rejected from the next request on, in every process', async () => {
    const { id, key } = await keyOf(await account('revoked'));
    expect(await admitted(key)).toEqual([200, 200]);
    await t.request('DELETE', `/api-keys/${id}`);
    expect(await admitted(key)).toEqual([401, 401]);
  });

  test('so is one whose account is disabled or deleted; it works again when the account is enabled', async () => {
    const owner = await account('paused');
    const { key } = await keyOf(owner);
    expect(await admitted(key)).toEqual([200, 200]);
    await t.request('PATCH', `/service-accounts/${owner}`, { disabled: true });
    expect(await admitted(key)).toEqual([401, 401]);
    await t.request('PATCH', `/service-accounts/${owner}`, { disabled: false });
    expect(await admitted(key)).toEqual([200, 200]);
    await t.request('DELETE', `/service-accounts/${owner}`);
    expect(await admitted(key)).toEqual([401, 401]);
  });

  test('a key expires although no row changes', async () => {
    const { id, key } = await keyOf(await account('short'));
    // The expiry is near, so that the test can wait for it.
    await sql`update api_keys set expires_at = now() + interval '3 seconds' where id = ${id}`.execute(t.deps.db);
    expect(await admitted(key)).toEqual([200, 200]);
    await expect.poll(() => admitted(key), { timeout: 10_000 }).toEqual([401, 401]);
  });

  test('reduced scopes of a key or role apply from the next request on', async () => {
    const { id, key } = await keyOf(await account('narrowed'));
    const write = async () => (await t.request('POST', `/items/${item}/restore`, undefined, { as: key })).statusCode;
    await sql`update api_keys set scopes = '{write}' where id = ${id}`.execute(t.deps.db);
    expect(await write()).not.toBe(403);
    await sql`update api_keys set scopes = '{read}' where id = ${id}`.execute(t.deps.db);
    expect(await write()).toBe(403);
  });

  test('recording the use of a key does not clear the cache', async () => {
    const { id, key } = await keyOf(await account('stamped'));
    const before = await generation();
    await admitted(key);
    const { rows } = await sql<{ used: boolean }>`select last_used_at is not null as used from api_keys where id = ${id}`.execute(
      t.deps.db,
    );
    expect(rows[0]!.used).toBe(true);
    expect(await generation()).toBe(before);
  });
});
