import { sql } from 'kysely';
import { Attribute, Change, Client } from 'ldapts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { directoryNames, nestedGroups } from '../src/people/directory/names.ts';
import { syncDirectories } from '../src/people/directory/sync.ts';
import { silentLog } from '../src/platform/log/index.ts';
import { createTestApp, sessionCookie, type TestApp } from './app.ts';
import { hasSamba, type Samba, startSamba } from './samba.ts';

const people = 'CN=Users,DC=ad,DC=test';
const dn = (name: string): string => `CN=${name},${people}`;
const foreignSid = 'S-1-5-21-9-9-9-1234';

describe.runIf(hasSamba)('Active Directory (Samba domain controller)', () => {
  let t: TestApp;
  let samba: Samba;
  let client: Client;
  beforeAll(async () => {
    samba = await startSamba();
    client = new Client({ url: samba.url, tlsOptions: { ca: samba.ca } });
    await client.bind(samba.admin.dn, samba.admin.password);
    for (const name of ['vera', 'paul', 'gone', 'late']) await addUser(name);
    await addUser('blocked', { userAccountControl: '514' });
    await addUser('expired', { accountExpires: '1' });
    await replace(dn('late'), 'pwdLastSet', '0');
    await replace(dn('vera'), 'uidNumber', '4711');
    await client.add(`CN=WS1,CN=Computers,DC=ad,DC=test`, {
      objectClass: ['computer'],
      sAMAccountName: 'WS1$',
      userAccountControl: '4096',
    });
    await addGroup('draughtsmen', dn('vera'));
    await addGroup('engineering', dn('draughtsmen'));
    await addGroup('everyone here', dn('Domain Users'));
    // The server makes a placeholder for a member of another domain.
    await addGroup('partners', `<SID=${foreignSid}>`);
    t = await createTestApp({ SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64') });
    await t.request('POST', '/auth/bootstrap', { username: 'root', password: 'local password' }, { as: null });
    const configured = await t.request('PUT', '/auth-config/ldap?confirm=true', {
      enabled: true,
      server: samba.url,
      ca_pem: samba.ca,
      bind_dn: samba.admin.dn,
      bind_password: samba.admin.password,
      user_base: samba.base,
      group_base: samba.base,
      role_map: `${dn('engineering')}=>user`,
    });
    expect(configured.statusCode, configured.body).toBe(200);
    await t.request('PUT', '/auth-config/directory', { sync_enabled: true });
  }, 300_000);
  afterAll(async () => {
    await t?.close();
    await client?.unbind();
    await samba?.close();
  });
  beforeEach(() => sql`delete from auth_failures`.execute(t.deps.db));

  async function addUser(name: string, more: Record<string, string> = {}): Promise<void> {
    // The password must be given in UTF-16 and in quotes.
    const unicodePwd = Buffer.from(`"Pass-word ${name}"`, 'utf16le') as unknown as string;
    await client.add(dn(name), { objectClass: ['user'], sAMAccountName: name, userAccountControl: '512', unicodePwd, ...more });
  }
  async function addGroup(name: string, member: string): Promise<void> {
    // A group of the domain (4) may have members of other domains.
    await client.add(dn(name), { objectClass: ['group'], sAMAccountName: name, groupType: '-2147483644', member });
  }
  const replace = (entry: string, type: string, value: string) =>
    client.modify(entry, new Change({ operation: 'replace', modification: new Attribute({ type, values: [value] }) }));
  const member = (operation: 'add' | 'delete', group: string, name: string) =>
    client.modify(dn(group), new Change({ operation, modification: new Attribute({ type: 'member', values: [dn(name)] }) }));
  const signIn = (username: string, password: string) => t.request('POST', '/auth/login', { username, password }, { as: null });
  const sync = (full = false) => syncDirectories({ ...t.deps, log: silentLog }, { full });
  const object = async (name: string) => {
    const { objects } = (await t.request('GET', `/directory/objects?include_deleted=true&q=${encodeURIComponent(name)}`)).json();
    return objects.find((each: { sam_account_name: string }) => each.sam_account_name === name);
  };
  const groupsOf = async (name: string): Promise<string[]> => {
    const entry = (await directoryNames(t.deps.db)).byName.get(`ad\\${name}`);
    return entry ? [...nestedGroups(entry)].map(({ account }) => account ?? '').sort() : [];
  };

  test('people sign in by account, DOMAIN\\account and user@domain, with the role of a nested group', async () => {
    for (const typed of ['vera', 'AD\\vera', 'vera@ad.test']) {
      const answer = await signIn(typed, 'Pass-word vera');
      expect(answer.statusCode, answer.body).toBe(200);
      const me = await t.request('GET', '/auth/me', undefined, { as: null, headers: sessionCookie(answer) });
      expect(me.json()).toMatchObject({ username: 'vera', auth_provider: 'ldap', global_role: 'user' });
    }
  });

  test('the primary group counts, and so do the groups that it is a member of', async () => {
    const id = (await t.request('POST', '/rbac/groups', { name: 'everyone here' })).json().id;
    expect((await signIn('paul', 'Pass-word paul')).statusCode).toBe(200);
    const members = (await t.request('GET', `/rbac/groups/${id}/members`)).json();
    expect(members.map((each: { username: string }) => each.username)).toContain('paul');
  });

  test.each([
    ['paul', 'wrong', 'the password is wrong'],
    ['blocked', 'Pass-word blocked', 'the account is disabled'],
    ['expired', 'Pass-word expired', 'the account has expired'],
    ['late', 'Pass-word late', 'the password must be changed'],
  ])('the refusal of %s tells nobody but administrators why', async (name, password, reason) => {
    const answer = await signIn(name, password);
    expect(answer.statusCode).toBe(401);
    expect(answer.json()).toMatchObject({ code: 'login_failed' });
    const { events } = (await t.request('GET', '/audit?event_type=login_failure&limit=1')).json();
    expect(events[0].details).toMatchObject({ reason });
  });

  test('users, groups and computers are read with SIDs, GUIDs and UNIX ids', async () => {
    expect(await sync()).toMatchObject([{ full: true, error: null }]);
    const { rows } = await sql<{ subject: string }>`select i.subject from identities i join principals p on p.id = i.principal_id
      where p.username = 'vera'`.execute(t.deps.db);
    expect(await object('vera')).toMatchObject({
      object_guid: rows[0]?.subject,
      object_sid: expect.stringMatching(/^S-1-5-21-\d+-\d+-\d+-\d+$/),
      domain: 'AD',
      kind: 'user',
    });
    expect(await object('WS1$')).toMatchObject({ kind: 'computer' });
    expect(await object('blocked')).toMatchObject({ disabled: true });
    expect((await directoryNames(t.deps.db)).byUid.get(4711)?.account).toBe('vera');
    expect(await groupsOf('vera')).toEqual(expect.arrayContaining(['Domain Users', 'draughtsmen', 'engineering', 'everyone here']));
    expect((await groupsOf('paul')).includes('engineering')).toBe(false);
  });

  test('members of other domains are found by their SID', async () => {
    const foreign = (await directoryNames(t.deps.db)).bySid.get(foreignSid);
    expect(foreign).toMatchObject({ account: null, domain: null });
    expect(foreign && [...nestedGroups(foreign)].map(({ account }) => account)).toEqual(['partners']);
    // The same SID in the directory of that domain is the person.
    await sql`insert into directory_objects (object_guid, object_sid, sam_account_name, distinguished_name, kind, domain, disabled, member_of, source_directory, sweep_id)
      values ('00000000-0000-4000-8000-000000000001', ${foreignSid}, 'fred', 'cn=fred,dc=other', 'user', 'OTHER', false, '{}', 'other', gen_random_uuid())`.execute(
      t.deps.db,
    );
    const names = await directoryNames(t.deps.db);
    expect(names.bySid.get(foreignSid)).toMatchObject({ account: 'fred', domain: 'OTHER' });
    expect([...nestedGroups(names.byName.get('other\\fred')!)].map(({ account }) => account)).toEqual(['partners']);
  });

  test('between full sweeps memberships follow changes of groups, which do not change the person', async () => {
    await member('add', 'draughtsmen', 'paul');
    await member('delete', 'draughtsmen', 'vera');
    await addUser('nora');
    const [result] = await sync();
    expect(result).toMatchObject({ full: false, error: null, deleted: 0 });
    expect(result?.read).toBeLessThan(10);
    expect(await groupsOf('paul')).toEqual(expect.arrayContaining(['draughtsmen', 'engineering']));
    expect((await groupsOf('vera')).includes('engineering')).toBe(false);
    expect(await object('nora')).toMatchObject({ kind: 'user' });
    expect(await sync()).toMatchObject([{ full: false, changed: 0 }]);
  });

  test('groups outside the base DN for groups are reported', async () => {
    await t.request('PUT', '/auth-config/directory', { group_base: 'CN=Builtin,DC=ad,DC=test' });
    const [result] = await sync(true);
    expect(result?.unread_groups).toBeGreaterThan(3);
    await t.request('PUT', '/auth-config/directory', { group_base: null });
    expect(await sync(true)).toMatchObject([{ unread_groups: 0, error: null }]);
  });

  test('a person who left is marked as deleted by a full sweep', async () => {
    await client.del(dn('gone'));
    expect(await sync(true)).toMatchObject([{ full: true, deleted: 1, error: null }]);
    expect(await object('gone')).toMatchObject({ deleted: true });
    expect(await groupsOf('paul')).toEqual(expect.arrayContaining(['draughtsmen', 'engineering']));
  });

  test('another controller is read completely, because each counts changes on its own', async () => {
    await sql`update directory_sources set watermark = regexp_replace(watermark, 'CN=DC1', 'CN=DC2') where watermark like 'usn:%'`.execute(
      t.deps.db,
    );
    expect(await sync()).toMatchObject([{ full: true, deleted: 0, error: null }]);
  });
});
