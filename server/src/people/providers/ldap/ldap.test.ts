import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTestApp, sessionCookie, type TestApp } from '../../../../test/app.ts';
import { hasSlapd, type Slapd, startSlapd } from '../../../../test/slapd.ts';
import { endRemovedDirectories } from '../directory-hosts.ts';

const base = 'dc=example,dc=org';
const person = (uid: string, more = ''): string =>
  `dn: uid=${uid},ou=people,${base}\nobjectClass: inetOrgPerson\nuid: ${uid}\ncn: ${uid}\nsn: ${uid}\nmail: ${uid}@example.org\nuserPassword: pass ${uid}\n${more}\n`;
const group = (dn: string, ...members: string[]): string =>
  `dn: ${dn}\nobjectClass: groupOfNames\n${members.map((member) => `member: ${member}`).join('\n')}\n\n`;
const uid = (name: string): string => `uid=${name},ou=people,${base}`;
const ldif = [
  `dn: ${base}\nobjectClass: dcObject\nobjectClass: organization\no: Example\n\n`,
  ...['people', 'groups', 'branch'].map((ou) => `dn: ou=${ou},${base}\nobjectClass: organizationalUnit\n\n`),
  `dn: ou=twins,ou=people,${base}\nobjectClass: organizationalUnit\n\n`,
  ...['vera', 'paul', 'nora', 'twin', 'mole', 'root', 'stan', 'pay$$roll'].map((name) => person(name)),
  `dn: uid=twin,ou=twins,ou=people,${base}\nobjectClass: inetOrgPerson\nuid: twin\ncn: t\nsn: t\nuserPassword: pass twin\n\n`,
  group(`cn=draughtsmen,ou=groups,${base}`, uid('vera')),
  group(`cn=engineering,ou=groups,${base}`, `cn=draughtsmen,ou=groups,${base}`, `cn=ring,ou=groups,${base}`),
  group(`cn=ring,ou=groups,${base}`, `cn=engineering,ou=groups,${base}`),
  group(`cn=admins,ou=groups,${base}`, uid('paul')),
  // Two groups with the same common name in different branches.
  group(`cn=archive,ou=groups,${base}`, uid('nora')),
  group(`cn=archive,ou=branch,${base}`, uid('nora'), uid('stan'), uid('pay$$roll')),
].join('');

describe.runIf(hasSlapd)('sign-in with an LDAP directory', () => {
  let t: TestApp;
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd(ldif);
    t = await createTestApp({ SVC_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'), SVC_AUTH_RATELIMIT_MAX_ATTEMPTS: '5' });
    await t.request('POST', '/auth/bootstrap', { username: 'root', password: 'local password' }, { as: null });
  }, 60_000);
  afterAll(async () => {
    await t?.close();
    await slapd?.close();
  });

  const standard = () => ({
    enabled: true,
    server: slapd.url,
    bind_dn: slapd.admin.dn,
    bind_password: slapd.admin.password,
    user_base: `ou=people,${base}`,
    group_base: base,
    user_filter: null,
    role_map: null,
    default_role: null,
    admin_groups: null,
    user_dn_template: null,
    start_tls: null,
    ca_pem: null,
    ca_file: null,
    failover: null,
    nested_groups: null,
    auto_provision: null,
  });
  const configure = async (values: Record<string, unknown>) => {
    const answer = await t.request('PUT', '/auth-config/ldap?confirm=true', values);
    expect(answer.statusCode, answer.body).toBe(200);
  };
  beforeEach(async () => {
    await configure(standard());
    await sql`delete from auth_failures`.execute(t.deps.db);
  });
  const signIn = (username: string, password = `pass ${username}`) =>
    t.request('POST', '/auth/login', { username, password }, { as: null });
  const me = async (answer: Awaited<ReturnType<typeof signIn>>) =>
    (await t.request('GET', '/auth/me', undefined, { as: null, headers: sessionCookie(answer) })).json();

  test('the password is checked by the directory, and the account is kept under the entry’s identifier', async () => {
    const answer = await signIn('vera');
    expect(answer.statusCode, answer.body).toBe(200);
    expect(await me(answer)).toMatchObject({ username: 'vera', email: 'vera@example.org', auth_provider: 'ldap', global_role: 'viewer' });
    const { rows } = await sql<{ subject: string }>`select subject from identities where provider = 'ldap'`.execute(t.deps.db);
    expect(rows[0]?.subject).toMatch(/^[0-9a-f]{8}-/);
    expect((await me(await signIn('VERA', 'pass vera'))).id).toBe((await me(answer)).id);
    for (const typed of ['EXAMPLE\\vera', 'vera@example.org']) expect((await signIn(typed, 'pass vera')).statusCode, typed).toBe(200);
  });

  test('wrong, empty and unknown are all the same 401 and are counted', async () => {
    for (const [name, password] of [
      ['vera', 'wrong'],
      ['vera', ''],
      ['nobody', 'wrong'],
      ['*', 'pass vera'],
      ['vera)(uid=*', 'pass vera'],
      ['twin', 'pass twin'],
    ] as const) {
      await sql`delete from auth_failures`.execute(t.deps.db);
      const answer = await signIn(name, password);
      expect(answer.statusCode, name).toBe(401);
      expect(answer.json()).toMatchObject({ code: 'login_failed' });
    }
    for (let attempt = 0; attempt < 5; attempt++) await signIn('mole', 'wrong');
    expect((await signIn('mole')).statusCode).toBe(429);
  });

  test('a dollar sign in a name or a DN stands for itself', async () => {
    await configure({ role_map: `cn=archive,ou=branch,${base}=>user` });
    for (const template of [null, `uid={username},ou=people,${base}`]) {
      await configure({ user_dn_template: template });
      expect(await me(await signIn('pay$$roll')), String(template)).toMatchObject({ username: 'pay$$roll', global_role: 'user' });
      // These are not replaced by what stands before and after the name.
      for (const typed of ['$`', "$'"]) expect((await signIn(typed, 'x')).statusCode, typed).toBe(401);
    }
  });

  test('a base DN that does not exist is a matter of the directory, and no error of the service', async () => {
    await configure({ user_base: `ou=nowhere,${base}` });
    expect((await signIn('vera')).json()).toMatchObject({ code: 'directory_unavailable' });
  });

  test('a local account wins: its wrong password is not tried at the directory', async () => {
    expect((await signIn('root', 'pass root')).statusCode).toBe(401);
    expect((await signIn('root', 'local password')).statusCode).toBe(200);
  });

  test('nested groups are resolved, a ring of groups ends, and same-named groups of other branches are told apart', async () => {
    const make = async (name: string, external_name?: string) =>
      (await t.request('POST', '/rbac/groups', { name, ...(external_name ? { external_name } : {}) })).json().id as string;
    const [engineering, archive, branch] = [
      await make('Engineering'),
      await make('Archive'),
      await make('Branch archive', `cn=archive,ou=branch,${base}`),
    ];
    const members = async (id: string) =>
      (await t.request('GET', `/rbac/groups/${id}/members`)).json().map((each: { username: string }) => each.username);
    await signIn('vera');
    await signIn('nora');
    await signIn('stan');
    expect(await members(engineering)).toEqual(['vera']);
    // Nora is in two groups named archive, so the name alone says nothing; Stan is in the one of the branch only.
    expect(await members(archive)).toEqual(['stan']);
    expect(await members(branch)).toEqual(['nora', 'stan']);
    await configure({ nested_groups: false });
    await signIn('vera');
    expect(await members(engineering)).toEqual([]);
  });

  test('roles by group DN and by group of administrators; none refuses everybody else', async () => {
    await configure({ default_role: 'none', admin_groups: ['admins'], role_map: `CN=Draughtsmen, OU=Groups, ${base}=>user` });
    expect(await me(await signIn('paul'))).toMatchObject({ global_role: 'admin', role_source: 'ldap', role_reason: 'group admins' });
    expect(await me(await signIn('vera'))).toMatchObject({ global_role: 'user' });
    const refused = await signIn('nora');
    expect(refused.statusCode).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'sign_in_refused' });
  });

  test('StartTLS and LDAPS with a certificate authority as text or file; an unknown authority is refused', async () => {
    await configure({ server: slapd.tlsUrl, ca_pem: slapd.ca });
    expect((await signIn('vera')).statusCode).toBe(200);
    await configure({ server: slapd.url, start_tls: true });
    expect((await signIn('vera')).statusCode).toBe(200);
    await configure({ ca_pem: null, ca_file: slapd.caFile });
    expect((await signIn('vera')).statusCode).toBe(200);
    await configure({ ca_file: null });
    expect((await signIn('vera')).statusCode).toBe(503);
    expect((await t.request('PUT', '/auth-config/ldap', { ca_pem: 'not a certificate' })).statusCode).toBe(422);
  });

  test('passwords are never sent unencrypted to another machine', async () => {
    await configure({ server: 'ldap://directory.example.org' });
    expect((await t.request('POST', '/auth-config/ldap/test', {})).json()).toMatchObject({
      ok: false,
      error: 'Passwords are not sent unencrypted. Use ldaps:// or turn on StartTLS.',
    });
  });

  test('template mode binds without a search', async () => {
    await configure({ user_dn_template: `uid={username},ou=people,${base}` });
    expect((await signIn('vera')).statusCode).toBe(200);
    expect((await signIn('vera', 'wrong')).statusCode).toBe(401);
    expect((await signIn(`vera,ou=people,${base}`, 'pass vera')).statusCode).toBe(401);
  });

  test('an outage is told apart from a wrong password, is not counted, and the next server takes over', async () => {
    await configure({ server: 'ldap://127.0.0.1:9' });
    for (let attempt = 0; attempt < 7; attempt++) {
      const answer = await signIn('vera');
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ code: 'directory_unavailable' });
    }
    expect((await signIn('root', 'local password')).statusCode).toBe(200);
    const { events } = (await t.request('GET', '/audit?event_type=login_failure&limit=1')).json();
    expect(events[0].details).toMatchObject({ method: 'ldap', reason: 'directory_unavailable' });
    await configure({ failover: [slapd.url] });
    expect((await signIn('vera')).statusCode).toBe(200);
  });

  test('connections that the server closed are replaced', async () => {
    expect((await signIn('vera')).statusCode).toBe(200);
    await slapd.stop();
    expect((await signIn('vera')).statusCode).toBe(503);
    await slapd.start();
    expect((await signIn('vera')).statusCode).toBe(200);
  });

  test('unsaved values are tested with a bind, a sample search and a sample sign-in', async () => {
    const run = async (values: Record<string, unknown>) => (await t.request('POST', '/auth-config/ldap/test', values)).json();
    expect(await run({})).toMatchObject({ ok: true, users: expect.any(Number), groups: expect.any(Number) });
    expect(await run({ bind_password: 'wrong' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('refuses the service account'),
    });
    expect(await run({ user_base: 'ou=nowhere,dc=example,dc=org' })).toMatchObject({ ok: false });
    expect(await run({ sample_username: 'vera', sample_password: 'pass vera' })).toMatchObject({
      ok: true,
      sample: { dn: uid('vera'), role: 'viewer', groups: expect.arrayContaining([`cn=engineering,ou=groups,${base}`]) },
    });
    expect(await run({ sample_username: 'vera', sample_password: 'wrong' })).toMatchObject({
      ok: false,
      error: expect.stringContaining('the password is wrong'),
    });
  });

  test('another host, where everybody would get a new account, needs a confirmation', async () => {
    await signIn('vera');
    const refused = await t.request('PUT', '/auth-config/ldap', { server: 'ldaps://elsewhere.example.org' });
    expect(refused.json()).toMatchObject({
      code: 'would_lock_out',
      warnings: [expect.stringMatching(/in with 127.0.0.1 only.*new accounts/), expect.stringContaining('from 127.0.0.1 would end')],
    });
    expect((await t.request('PUT', '/auth-config/ldap', { server: slapd.tlsUrl })).statusCode).toBe(200);
  });

  describe('when a directory is removed', () => {
    const elsewhere = { server: 'ldaps://elsewhere.example.org' };
    const rights = async (username: string) => {
      const { rows } = await sql<{ global_role: string; role_source: string; groups: string[] }>`select global_role, role_source,
          array(select g.name from principal_group_members m join principal_groups g on g.id = m.group_id where m.principal_id = p.id and g.name in ('ring', 'by hand') order by g.name) as groups
        from principals p where username = ${username}`.execute(t.deps.db);
      return rows[0];
    };
    const events = async (type: string) => (await t.request('GET', `/audit?event_type=${type}&limit=3`)).json().events;
    let session: Record<string, string>;
    const isSignedIn = async () => (await t.request('GET', '/auth/me', undefined, { as: null, headers: session })).statusCode === 200;
    beforeEach(async () => {
      for (const name of ['ring', 'by hand']) await t.request('POST', '/rbac/groups', { name });
      await configure({ role_map: `cn=ring,ou=groups,${base}=>user` });
      session = sessionCookie(await signIn('vera'));
      const { id } = (await t.request('GET', '/auth/me', undefined, { as: null, headers: session })).json();
      const groups: { id: string; name: string }[] = (await t.request('GET', '/rbac/groups')).json();
      const byHand = groups.find(({ name }) => name === 'by hand');
      await t.request('POST', `/rbac/groups/${byHand?.id}/members`, { principal_id: id });
    });
    const before = { global_role: 'user', role_source: 'ldap', groups: ['by hand', 'ring'] };
    const after = { global_role: 'viewer', role_source: 'local', groups: ['by hand'] };

    test('its sessions, and the role and groups that it gave, end at once and after a warning', async () => {
      expect(await rights('vera')).toEqual(before);
      expect((await t.request('PUT', '/auth-config/ldap', elsewhere)).json().warnings).toContainEqual(
        expect.stringMatching(/^The sessions? of .* from 127.0.0.1 would end, with the roles and groups that this directory gave.$/),
      );
      expect(await isSignedIn()).toBe(true);
      await configure(elsewhere);
      expect(await isSignedIn()).toBe(false);
      expect(await rights('vera')).toEqual(after);
      expect(await events('role_changed')).toContainEqual(
        expect.objectContaining({
          details: expect.objectContaining({ before: 'user', role: 'viewer', reason: 'The directory was removed.' }),
        }),
      );
      expect((await events('group_membership_changed'))[0].details).toMatchObject({ member: false, source: 'ldap' });
      await configure({ ...standard(), role_map: `cn=ring,ou=groups,${base}=>user` });
      session = sessionCookie(await signIn('vera'));
      expect(await rights('vera')).toEqual(before);
    });

    test('one that is only switched off takes nothing away, also by a start', async () => {
      const start = () => endRemovedDirectories(t.deps, { principalId: null, ip: '' });
      await configure({ enabled: false });
      await start();
      expect([await isSignedIn(), await rights('vera')]).toEqual([true, before]);
      // As after a start with another environment.
      await sql`update auth_config set value = '"ldaps://elsewhere.example.org"' where field = 'server'`.execute(t.deps.db);
      await start();
      expect([await isSignedIn(), await rights('vera')]).toEqual([false, after]);
    });

    test('secrets that cannot be read do not stand in the way', async () => {
      await sql`insert into secrets (name, key_id, ciphertext) values ('auth-config/directory/directories/ldaps://other.example.org', 'lost', 'lost')`.execute(
        t.deps.db,
      );
      await sql`insert into auth_config (provider, field, value) values ('directory', 'directories', '[{"server": "ldaps://other.example.org"}]')`.execute(
        t.deps.db,
      );
      await configure(elsewhere);
      expect(await rights('vera')).toEqual(after);
      await sql`delete from auth_config where provider = 'directory'`.execute(t.deps.db);
      await sql`delete from secrets where name like 'auth-config/directory/%'`.execute(t.deps.db);
    });

    test('a role with no more rights, and that of the last administrator, stay', async () => {
      await t.request('POST', '/rbac/roles', {
        name: 'less',
        display_name: 'Less',
        scopes: ['read'],
        ceiling_actions: ['search_metadata'],
      });
      await sql`update principals set global_role = 'less' where username = 'vera'`.execute(t.deps.db);
      await configure(elsewhere);
      expect(await rights('vera')).toEqual({ ...after, global_role: 'less' });
      await configure(standard());
      await signIn('vera');
      await sql`update principals set global_role = 'viewer' where username = 'root'`.execute(t.deps.db);
      await sql`update principals set global_role = 'admin', password_hash = 'x' where username = 'vera'`.execute(t.deps.db);
      await configure(elsewhere);
      expect(await rights('vera')).toMatchObject({ global_role: 'admin', role_source: 'local' });
      await sql`update principals set global_role = 'admin' where username = 'root'`.execute(t.deps.db);
      await sql`update principals set password_hash = null where username = 'vera'`.execute(t.deps.db);
    });
  });

  test('the certificate of a server is fetched by LDAPS and by StartTLS, and nothing is saved', async () => {
    for (const values of [{ server: slapd.tlsUrl }, { server: slapd.url, start_tls: true }]) {
      const fetched = (await t.request('POST', '/auth-config/ldap/fetch-cert', values)).json();
      expect(fetched).toMatchObject({
        ok: true,
        host: '127.0.0.1',
        chain: [{ subject: 'CN=127.0.0.1', issuer: 'CN=Test CA', is_ca: false }],
      });
    }
    expect((await t.request('POST', '/auth-config/ldap/fetch-cert', { server: 'ldaps://127.0.0.1:9' })).json()).toMatchObject({
      ok: false,
    });
  });

  test('SVC_LDAP_ENABLED=false switches it off whatever the console says', async () => {
    const off = await createTestApp({ SVC_LDAP_ENABLED: 'false', SVC_LDAP_SERVER: slapd.url });
    try {
      await sql`insert into auth_config (provider, field, value) values ('ldap', 'enabled', 'true')`.execute(off.deps.db);
      expect((await off.request('GET', '/auth/status', undefined, { as: null })).json().ldap_enabled).toBe(false);
    } finally {
      await off.close();
    }
  });
});
