import { sql } from 'kysely';
import { Attribute, Change, Client } from 'ldapts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { performTask } from '../../../test/perform.ts';
import { hasSlapd, type Slapd, startSlapd } from '../../../test/slapd.ts';
import { silentLog } from '../../platform/log/index.ts';
import { endRemovedDirectories } from '../providers/index.ts';
import { syncDirectories } from './sync.ts';
import { directorySyncTask } from './tasks.ts';

const base = 'dc=example,dc=org';
/** Binary values of Active Directory, in its byte order. */
const guid = (n: number): string =>
  Buffer.from(`33221100554477668899aabbccddee${n.toString(16).padStart(2, '0')}`, 'hex').toString('base64');
const sid = (rid: number): string => {
  const bytes = Buffer.alloc(28);
  bytes.set([1, 5, 0, 0, 0, 0, 0, 5]);
  for (const [at, part] of [21, 1, 2, 3, rid].entries()) bytes.writeUInt32LE(part, 8 + 4 * at);
  return bytes.toString('base64');
};
const user = (name: string, n: number, more = ''): string =>
  `dn: cn=${name},ou=people,${base}\nobjectClass: user\nobjectClass: organizationalPerson\nobjectClass: person\ncn: ${name}\nsn: ${name}\nsAMAccountName: ${name}\ndisplayName: ${name} Aas\nobjectGUID:: ${guid(n)}\nobjectSid:: ${sid(1000 + n)}\n${more}\n`;
const ldif = [
  `dn: ${base}\nobjectClass: dcObject\nobjectClass: organization\no: Example\n\n`,
  `dn: ou=people,${base}\nobjectClass: organizationalUnit\n\ndn: ou=groups,${base}\nobjectClass: organizationalUnit\n\n`,
  user('vera', 1, 'userAccountControl: 512\nprimaryGroupID: 513\n'),
  user('paul', 2, 'userAccountControl: 514\n'),
  `dn: uid=unix,ou=people,${base}\nobjectClass: inetOrgPerson\nobjectClass: posixAccount\nuid: unix\ncn: Unix\nsn: Unix\nuidNumber: 1234\ngidNumber: 100\nhomeDirectory: /\n\n`,
  `dn: cn=staff,ou=groups,${base}\nobjectClass: groupOfNames\nstructuralObjectClass: groupOfNames\ncn: staff\nmember: cn=vera,ou=people,${base}\nmember: cn=paul,ou=people,${base}\nmember: cn=inner,ou=groups,${base}\n\n`,
  ...['other', 'inner'].map(
    (name) =>
      `dn: cn=${name},ou=groups,${base}\nobjectClass: groupOfNames\nstructuralObjectClass: groupOfNames\ncn: ${name}\nmember: cn=nobody\n\n`,
  ),
].join('');

describe.runIf(hasSlapd)('directory sync', () => {
  let t: TestApp;
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd(ldif, { checkSchema: false });
    t = await createTestApp({ SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
    await t.request('PUT', '/auth-config/ldap', {
      server: slapd.url,
      bind_dn: slapd.admin.dn,
      bind_password: slapd.admin.password,
      user_base: `ou=people,${base}`,
      group_base: `ou=groups,${base}`,
    });
  }, 60_000);
  afterAll(async () => {
    await t?.close();
    await slapd?.close();
  });
  const sync = (full = false) => syncDirectories({ ...t.deps, log: silentLog }, { full });
  const objects = async (query = '') => (await t.request('GET', `/directory/objects${query}`)).json();
  async function change(dn: string, changes: Change[] | 'delete'): Promise<void> {
    const client = new Client({ url: slapd.url });
    await client.bind(slapd.admin.dn, slapd.admin.password);
    if (changes === 'delete') await client.del(dn);
    else await client.modify(dn, changes);
    await client.unbind();
  }

  test('it is off by default and refused with 422 until it is switched on in the console', async () => {
    expect((await t.request('POST', '/directory/sync')).statusCode).toBe(422);
    await t.request('PUT', '/auth-config/directory', {
      sync_enabled: true,
      user_filter: '(|(objectClass=user)(objectClass=inetOrgPerson))',
      group_filter: '(objectClass=groupOfNames)',
      page_size: 2,
    });
    expect((await t.request('GET', '/directory/status')).json()).toMatchObject({ enabled: true, users: 0, last_synced_at: null });
    expect((await t.request('POST', '/directory/sync')).json().job_id).toMatch(/./);
    expect((await t.request('POST', '/directory/sync')).json()).toEqual({ job_id: null, already_queued: true });
  });

  test('users and groups are read in pages, with SIDs and GUIDs in canonical form', async () => {
    expect(await sync()).toMatchObject([{ full: true, read: 6, changed: 6, deleted: 0, error: null }]);
    const { objects: found, total } = await objects('?q=vera');
    expect(total).toBe(1);
    expect(found[0]).toMatchObject({
      object_guid: '00112233-4455-6677-8899-aabbccddee01',
      object_sid: 'S-1-5-21-1-2-3-1001',
      sam_account_name: 'vera',
      domain: 'EXAMPLE',
      kind: 'user',
      disabled: false,
    });
    expect((await objects('?q=paul')).objects[0].disabled).toBe(true);
    const { rows } = await sql<{ uid_number: string }>`select uid_number from directory_objects where sam_account_name = 'unix'`.execute(
      t.deps.db,
    );
    expect(Number(rows[0]?.uid_number)).toBe(1234);
    expect((await t.request('GET', '/directory/status')).json()).toMatchObject({ users: 3, groups: 3 });
  });

  test('the groups of a person are those that list them and the primary group', async () => {
    const { rows } = await sql<{ member_of: string[] }>`select member_of from directory_objects where sam_account_name = 'vera'`.execute(
      t.deps.db,
    );
    expect(rows[0]?.member_of.sort()).toEqual([`cn=staff,ou=groups,${base}`, 'sid:S-1-5-21-1-2-3-513']);
  });

  test('a group inside another one is a member of it, although it is read on a later page', async () => {
    await sync(true);
    const { rows } = await sql<{ member_of: string[] }>`select member_of from directory_objects where sam_account_name = 'inner'`.execute(
      t.deps.db,
    );
    expect(rows[0]?.member_of).toEqual([`cn=staff,ou=groups,${base}`]);
  });

  test('between full sweeps only changed entries are read, and memberships follow the group', async () => {
    await sql`update directory_sources set watermark = regexp_replace(watermark, '[0-9]{14}', to_char(now() at time zone 'utc' + interval '1 hour', 'YYYYMMDDHH24MISS'))`.execute(
      t.deps.db,
    );
    expect(await sync()).toMatchObject([{ full: false, read: 0 }]);
    await change(`cn=staff,ou=groups,${base}`, [
      new Change({ operation: 'delete', modification: new Attribute({ type: 'member', values: [`cn=vera,ou=people,${base}`] }) }),
    ]);
    await sync();
    const { rows } = await sql<{ member_of: string[] }>`select member_of from directory_objects where sam_account_name = 'vera'`.execute(
      t.deps.db,
    );
    expect(rows[0]?.member_of).toEqual(['sid:S-1-5-21-1-2-3-513']);
  });

  test('deletions are noticed by a full sweep, and a directory that does not answer keeps its objects', async () => {
    await change(`cn=paul,ou=people,${base}`, 'delete');
    await slapd.stop();
    expect(await sync(true)).toMatchObject([{ error: expect.stringContaining('127.0.0.1') }]);
    expect((await t.request('GET', '/directory/status')).json()).toMatchObject({ users: 3, sources: [{ last_error: expect.any(String) }] });
    await expect(performTask(t.deps, directorySyncTask(t.deps), {})).rejects.toThrow('No directory could be read');
    await slapd.start();
    expect(await sync(true)).toMatchObject([{ full: true, deleted: 1, error: null }]);
    expect((await objects('?q=paul')).total).toBe(0);
    expect((await objects('?q=paul&include_deleted=true')).objects[0].deleted).toBe(true);
  });

  test('after a change of what is read, the next run reads everything', async () => {
    expect(await sync()).toMatchObject([{ full: false }]);
    await t.request('PUT', '/auth-config/directory', { group_filter: '(&(objectClass=groupOfNames)(!(cn=other)))' });
    expect(await sync()).toMatchObject([{ full: true, deleted: 1 }]);
    expect((await t.request('GET', '/directory/status')).json()).toMatchObject({ groups: 2 });
    await t.request('PUT', '/auth-config/directory', { group_filter: '(objectClass=groupOfNames)' });
    expect(await sync()).toMatchObject([{ full: true, error: null }]);
    expect((await t.request('GET', '/directory/status')).json()).toMatchObject({ groups: 3 });
  });

  test('a full run that finds nobody where people are known fails, and nothing is marked as deleted', async () => {
    const before = (await t.request('GET', '/directory/status')).json();
    for (const [filter, kind] of [
      ['user_filter', 'user'],
      ['group_filter', 'group'],
    ] as const) {
      const { [filter]: kept } = (await t.request('GET', '/auth-config/directory')).json();
      await t.request('PUT', '/auth-config/directory', { [filter]: '(cn=nobody at all)' });
      expect((await sync(true))[0]?.error).toContain(`The search for ${kind}s below ou=`);
      expect((await t.request('GET', '/directory/status')).json()).toMatchObject({ users: before.users, groups: before.groups });
      await t.request('PUT', '/auth-config/directory', { [filter]: kept });
    }
    expect(await sync(true)).toMatchObject([{ deleted: 0, error: null }]);
  });

  test('directories at one server with bases of their own keep their objects', async () => {
    const part = (ou: string) => ({ server: slapd.url, user_base: `ou=${ou},${base}`, group_base: `ou=${ou},${base}` });
    const before = (await t.request('GET', '/directory/status')).json();
    await t.request('PUT', '/auth-config/directory', { user_base: `ou=people,${base}`, directories: [part('groups')] });
    for (let run = 1; run <= 2; run++) {
      const results = await sync(true);
      expect(results.map(({ label }) => label)).toEqual(['127.0.0.1', `127.0.0.1 (ou=groups,${base})`]);
      expect(results).toMatchObject([{ read: 5 }, { read: 3, deleted: 0 }]);
      expect((await t.request('GET', '/directory/status')).json()).toMatchObject({ users: before.users, groups: before.groups });
    }
    await t.request('PUT', '/auth-config/directory', { user_base: null, directories: null });
    await sync(true);
  });

  test('values of an additional directory that are empty are those of the directory above', async () => {
    const branch = { server: slapd.url, label: 'Branch', domain: '', bind_dn: '', bind_password: '', user_base: '', group_base: '' };
    await t.request('PUT', '/auth-config/directory', { directories: [branch] });
    const [main, second] = await sync(true);
    expect(second).toMatchObject({ label: 'Branch', read: main?.read, error: null });
    await t.request('PUT', '/auth-config/directory', { directories: null });
    await sync(true);
  });

  test('objects of a directory that was removed are marked as deleted, and read again when it returns', async () => {
    const night = () => performTask(t.deps, directorySyncTask(t.deps), {});
    const status = async () => (await t.request('GET', '/directory/status')).json();
    await sync(true);
    const before = await status();
    const { directories } = (await t.request('GET', '/auth-config/directory')).json();
    // Under another label, while it cannot be read: nobody knows that it is the same one.
    const renamed = { server: slapd.url, label: 'Head office', user_base: `ou=people,${base}`, group_base: `ou=groups,${base}` };
    await t.request('PUT', '/auth-config/ldap?confirm=true', { server: null });
    await t.request('PUT', '/auth-config/directory', { directories: [renamed] });
    await slapd.stop();
    await expect(night()).rejects.toThrow('No directory could be read');
    expect(await status()).toMatchObject({ users: before.users, groups: before.groups });
    await slapd.start();
    await night();
    expect(await status()).toMatchObject({ users: before.users, groups: before.groups, sources: [{ label: 'Head office' }] });
    await t.request('PUT', '/auth-config/directory', { directories, sync_enabled: false });
    await night();
    expect(await status()).toMatchObject({ users: 0, groups: 0, sources: [] });
    expect((await objects('?q=vera&include_deleted=true')).objects[0].deleted).toBe(true);
    await t.request('PUT', '/auth-config/directory', { sync_enabled: true });
    await t.request('PUT', '/auth-config/ldap', { server: slapd.url });
    await night();
    expect(await status()).toMatchObject({ users: before.users, groups: before.groups });
  });

  test('a worker that does not know the directories of the environment marks nothing as deleted', async () => {
    const app = await createTestApp({
      SVC_LDAP_SERVER: slapd.url,
      SVC_LDAP_BIND_DN: slapd.admin.dn,
      SVC_LDAP_BIND_PASSWORD: slapd.admin.password,
      SVC_LDAP_USER_BASE: `ou=people,${base}`,
      SVC_LDAP_DIRECTORY_SYNC_ENABLED: 'true',
    });
    try {
      const elsewhere = { ...app.deps, settings: t.deps.settings };
      const start = (deps: typeof elsewhere) => endRemovedDirectories(deps, { principalId: null, ip: '' });
      const night = (deps: typeof elsewhere) => performTask(deps, directorySyncTask(deps), {});
      const status = async () => (await app.request('GET', '/directory/status')).json();
      await start(app.deps);
      await night(app.deps);
      const before = await status();
      expect(before.users).toBeGreaterThan(0);
      await night(elsewhere);
      expect(await status()).toEqual(before);
      // Once the app does not know the directory any more either, it was removed.
      await start(elsewhere);
      await night(elsewhere);
      expect(await status()).toMatchObject({ users: 0, sources: [] });
    } finally {
      await app.close();
    }
  });

  test('more objects than the limit are an error, and nothing is marked as deleted', async () => {
    await t.request('PUT', '/auth-config/directory', { max_objects: 1 });
    expect((await sync(true))[0]?.error).toMatch(/More than 1 objects/);
    await t.request('PUT', '/auth-config/directory', { max_objects: null });
    expect((await t.request('GET', '/directory/status')).json().users).toBe(2);
  });

  test('identifiers have names: a name given by hand wins over the directory', async () => {
    const names = async () => (await t.request('GET', '/principal-aliases?q=S-1-5-21-1-2-3-1001')).json().aliases;
    expect(await names()).toMatchObject([{ canonical: 'EXAMPLE\\vera', display: 'vera Aas', source: 'ldap' }]);
    const put = (force: boolean) =>
      t.request('PUT', `/principal-aliases?force=${force}`, [
        { alias: 'S-1-5-21-1-2-3-1001', canonical: 'Vera' },
        { alias: 'OLD\\vera/x', canonical: 'Vera' },
      ]);
    expect((await put(false)).json()).toEqual({ upserted: 1, skipped: 1 });
    expect((await put(true)).json()).toEqual({ upserted: 2, skipped: 0 });
    expect(await names()).toMatchObject([{ canonical: 'Vera', source: 'manual' }]);
    const remove = (alias: string) => t.request('DELETE', `/principal-aliases/${encodeURIComponent(alias)}`);
    expect((await remove('OLD\\vera/x')).statusCode).toBe(204);
    expect((await remove('OLD\\vera/x')).statusCode).toBe(404);
    await sync(true);
    expect(await names()).toMatchObject([{ source: 'manual' }]);
  });
});
