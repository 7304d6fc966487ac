import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addLibrary } from '../../../test/catalog-rows.ts';
import type { Scope } from '../../platform/principal.ts';
import { digestOf, newApiKey } from './credentials.ts';
import { keyPrincipal } from './key-owner.ts';
import { ownerOf } from './owner.ts';
import { renewPrincipal } from './renew.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('a caller whose rights are read again has those of the key, not all of its account', async () => {
  const { db, database, settings } = t.deps;
  const library = await addLibrary(t.deps);
  const person = async (role: string) =>
    (await sql<{ id: string }>`insert into principals (username, global_role) values (${role}, ${role}) returning id`.execute(db)).rows[0]!
      .id;
  const { id: service } = (await t.request('POST', '/service-accounts', { name: 'robot' })).json();
  const [admin, viewer] = [await person('admin'), await person('viewer')];
  const cases: [owner: { service?: string; person?: string }, scopes: Scope[], libraries: string[] | null, expected: Scope[]][] = [
    [{ service }, ['read'], null, ['read']],
    [{ service }, ['write'], [library], ['read', 'write']],
    [{ service }, ['admin'], null, ['admin']],
    [{ person: admin }, ['read'], null, ['read']],
    [{ person: admin }, ['write'], [library], ['read', 'write']],
    [{ person: viewer }, ['admin'], null, ['read']],
  ];
  for (const [owner, scopes, libraries, expected] of cases) {
    const { key, prefix } = newApiKey();
    await sql`insert into api_keys (name, prefix, key_hash, scopes, service_account_id, principal_id, libraries)
      values ('k', ${prefix}, ${digestOf(key)}, ${scopes}::text[], ${owner.service ?? null}, ${owner.person ?? null}, ${libraries}::uuid[])`.execute(
      db,
    );
    const caller = await keyPrincipal(database, key);
    expect(caller.scopes).toEqual(expected);
    expect(await renewPrincipal(db, settings, ownerOf(caller))).toEqual(caller);
  }
});
