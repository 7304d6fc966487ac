import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createIndexedApp, type IndexedApp } from '../../../test/indexed-app.ts';

const domain = 'S-1-5-21-1-2-3';
let t: IndexedApp;
let ids: string[];

/** Files with Windows lists, as Samba keeps them, and a directory with nested groups that explains them. */
beforeAll(async () => {
  t = await createIndexedApp();
  const library = await t.addLibrary('Share');
  ids = await t.addItems(library, [{ path: 'team.txt' }, { path: 'denied.txt' }, { path: 'unix.txt' }]);
  const read = 0x1200a9;
  const entry = (type: 'allow' | 'deny', sid: string) => ({ type, sid, mask: read, flags: 0 });
  const nt = (...dacl: ReturnType<typeof entry>[]) => ({
    mode: 0o600,
    nt: { owner: `${domain}-1001`, group: `${domain}-513`, control: 4, dacl },
  });
  await withList(ids[0]!, nt(entry('allow', `${domain}-2002`)));
  await withList(ids[1]!, nt(entry('deny', `${domain}-2001`), entry('allow', `${domain}-2002`)));
  await withList(ids[2]!, { mode: 0o640, gid: 7002, nt: null });
  await sql`insert into directory_sources (label) values ('test')`.execute(t.deps.db);
  // anna is in Designers, which is in Staff; the group on disk is Staff.
  await object('anna', 'user', `${domain}-1104`, { member_of: ['cn=designers,dc=example'], uid_number: 61_104 });
  await object('ben', 'user', `${domain}-1105`, {});
  await object('designers', 'group', `${domain}-2001`, { member_of: ['cn=staff,dc=example'] });
  await object('staff', 'group', `${domain}-2002`, { gid_number: 7002, member_of: ['cn=designers,dc=example'] });
  await t.waitForIndex();
});
afterAll(() => t.close());

async function withList(item: string, fields: Record<string, unknown>): Promise<void> {
  const acl = JSON.stringify({ uid: 0, gid: 0, fidelity: 'full_native', access: null, default: null, nfs: null, ...fields });
  await sql`
    with a as (insert into file_acls (digest, acl) values (sha256(${acl}::text::bytea), ${acl}::jsonb) returning id),
      p as (insert into access_paths (acl_ids) values ('{}') on conflict (acl_ids) do update set acl_ids = '{}' returning id),
      c as (insert into access_classes (acl_id, path_id) select a.id, p.id from a, p returning id)
    update items set access_class = c.id from c where items.id = ${item}`.execute(t.deps.db);
}
async function object(
  name: string,
  kind: string,
  sid: string,
  more: { member_of?: string[]; uid_number?: number; gid_number?: number },
): Promise<void> {
  await sql`insert into directory_objects (object_guid, object_sid, sam_account_name, user_principal_name, distinguished_name, kind, domain, uid_number, gid_number, member_of, source_directory, sweep_id)
    values (${name}, ${sid}, ${name}, ${`${name}@example.org`}, ${`CN=${name},DC=example`}, ${kind}, 'EXAMPLE', ${more.uid_number ?? null}, ${more.gid_number ?? null},
      ${more.member_of ?? []}::text[], 'test', gen_random_uuid())`.execute(t.deps.db);
}
const search = async (query: string): Promise<string[]> =>
  (await t.request('GET', `/search?${query}`))
    .json()
    .hits.map((hit: { rel_path: string }) => hit.rel_path)
    .sort();
const check = async (item: string, principal: string) =>
  (await t.request('GET', `/items/${item}/permissions/check?principal=${encodeURIComponent(principal)}`)).json();

test('effective access follows nested groups of the directory, and says through which', async () => {
  expect(await check(ids[0]!, 'EXAMPLE\\anna')).toMatchObject({
    principal: { id: 'uid:61104', name: 'EXAMPLE\\anna' },
    read: { allowed: true, through: { id: `${domain}-2002`, name: 'EXAMPLE\\staff' } },
  });
  expect((await check(ids[0]!, 'EXAMPLE\\anna')).groups.map(({ name }: { name: string }) => name).sort()).toEqual([
    'EXAMPLE\\designers',
    'EXAMPLE\\staff',
  ]);
  expect((await check(ids[1]!, 'anna@example.org')).read).toMatchObject({ allowed: false, through: { name: 'EXAMPLE\\designers' } });
  expect((await check(ids[2]!, 'anna')).read.allowed).toBe(true);
  expect((await check(ids[0]!, 'EXAMPLE\\ben')).read.allowed).toBe(false);
});

test('search by principal, readable-by and owner accepts account, user principal name, SID, uid and names given by hand', async () => {
  for (const who of ['anna', 'EXAMPLE\\anna', 'anna@example.org', `${domain}-1104`, 'uid:61104'])
    expect([who, await search(`principal=${encodeURIComponent(who)}`)]).toEqual([who, ['team.txt', 'unix.txt']]);
  await t.request('PUT', '/principal-aliases', [{ alias: `${domain}-1001`, canonical: 'The archive', display: 'Archive' }]);
  expect(await search(`q=${encodeURIComponent('owner:"The archive"')}`)).toEqual(['denied.txt', 'team.txt']);
  expect(await search(`q=${encodeURIComponent('readable-by:EXAMPLE\\staff')}`)).toEqual(['team.txt', 'unix.txt']);
});

test('principals and the facet of owners use the names of today, and a new name needs no new index', async () => {
  const principals = async (q: string) => (await t.request('GET', `/search/principals?q=${q}`)).json().principals;
  expect(await principals('sta')).toEqual([{ value: 'EXAMPLE\\staff', count: 2 }]);
  const owners = async () => (await t.request('GET', '/search?histograms=true')).json().facets.owner;
  expect(await owners()).toEqual({ 'The archive': 2, root: 1 });
  await t.request('PUT', '/principal-aliases', [{ alias: `${domain}-1001`, canonical: 'Records' }]);
  expect(await owners()).toEqual({ Records: 2, root: 1 });
});
