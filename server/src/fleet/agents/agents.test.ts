import { createPublicKey, generateKeyPairSync, verify, X509Certificate } from 'node:crypto';
import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { bindAgent, enrolAgent } from '../../../test/test-agent.ts';
import { statusOf } from '../../platform/http/status.ts';
import type { Problem } from '../../platform/problem.ts';
import { settingsForTests } from '../../settings/index.ts';
import { reportAuthority } from '../authority/index.ts';
import { authenticateAgent } from './authenticate.ts';
import { purgeEnrolments } from './store.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true', SVC_AUTH_RATELIMIT_MAX_ATTEMPTS: '4' });
});
afterAll(() => t.close());

const events = async (type: string) =>
  (
    await sql<{ details: Record<string, unknown> }>`select details from security_events where event_type = ${type} order by id`.execute(
      t.deps.db,
    )
  ).rows.map(({ details }) => details);
const issue = async (body: Record<string, unknown> = {}) => (await t.request('POST', '/agents/enrollment-tokens', body)).json();
const register = (token: string, body: Record<string, unknown> = {}) =>
  t.request('POST', '/agents/register', { token, hostname: 'nas-01', platform: 'linux', ...body }, { as: null });

test('everything answers 404 while SVC_AGENTS_ENABLED is false', async () => {
  const off = await createTestApp();
  try {
    const id = '01a1dcfe-9952-7896-a4ba-953f2deb22a4';
    for (const [method, url, body] of [
      ['GET', '/agents'],
      ['GET', '/agents/summary'],
      ['GET', `/agents/${id}`],
      ['POST', '/agents/enrollment-tokens', {}],
      ['POST', `/agents/${id}/ca-ott`],
      ['POST', `/agents/${id}/certificate/renew`, {}],
    ] as const)
      expect((await off.request(method, url, body)).statusCode, url).toBe(404);
    const bare = await off.request('POST', '/agents/register', { token: 'x', hostname: 'a', platform: 'linux' }, { as: null });
    expect(bare.json()).toMatchObject({ status: 404, detail: expect.stringContaining('SVC_AGENTS_ENABLED') });
  } finally {
    await off.close();
  }
});

test('a token enrols one machine: pending without a certificate, active once one is bound; the token is shown once', async () => {
  const issued = await issue({ config_group_names: ['Nowhere'] });
  expect(issued.token).toMatch(/^cat_[\w-]{43}$/);
  const first = await register(issued.token);
  expect(first.statusCode).toBe(201);
  const { agent_id, enroll_secret } = first.json();
  expect(first.json()).toMatchObject({ status: 'pending', ca_ott: null, ca: { kind: 'built-in', url: null, cert_ttl_hours: 48 } });
  expect(first.json().config_group_warning).toContain('Nowhere');
  const listed = (await t.request('GET', '/agents/enrollment-tokens')).json();
  expect(listed[0]).toMatchObject({ token_hash: issued.token_hash, status: 'consumed', consumed_by: agent_id });
  expect(JSON.stringify(listed)).not.toContain(issued.token);
  expect((await t.request('GET', `/agents/${agent_id}`)).json()).toMatchObject({
    status: 'pending',
    cert_fingerprint: null,
    libraries: [],
  });
  expect((await register(issued.token)).json()).toMatchObject({ status: 401, code: 'enrolment_refused' });
  expect(await events('agent_registered')).toContainEqual(expect.objectContaining({ outcome: 'rejected', reason: 'consumed' }));
  const wrong = await t.request(
    'POST',
    `/agents/${agent_id}/certificate`,
    { enroll_secret: 'no', cert_fingerprint: 'a'.repeat(64) },
    { as: null },
  );
  expect(wrong.statusCode).toBe(401);
  const body = { enroll_secret, cert_fingerprint: 'A'.repeat(64) };
  const bound = await t.request('POST', `/agents/${agent_id}/certificate`, body, { as: null });
  expect(bound.json()).toMatchObject({ status: 'active', cert_fingerprint: 'a'.repeat(64), certificate_pem: null });
  // The same again is a no-op; another fingerprint is a conflict, because the secret is spent.
  expect((await t.request('POST', `/agents/${agent_id}/certificate`, body, { as: null })).statusCode).toBe(200);
  const other = await t.request('POST', `/agents/${agent_id}/certificate`, { ...body, cert_fingerprint: 'b'.repeat(64) }, { as: null });
  expect(other.statusCode).toBe(409);
  expect((await t.request('DELETE', `/agents/enrollment-tokens/${issued.token_hash}`)).statusCode).toBe(409);
  expect((await t.request('DELETE', `/agents/enrollment-tokens/${issued.token_hash}?force=true`)).statusCode).toBe(204);
  expect(JSON.stringify(await t.request('GET', `/agents/${agent_id}`).then((r) => r.json()))).not.toContain('secret');
});

test('an expired token, another host, another network and an unknown platform are refused', async () => {
  const { token, token_hash } = await issue({ ttl_minutes: 1 });
  await sql`update agent_enrollment_tokens set expires_at = now() - interval '1 second' where token_hash = ${token_hash}`.execute(
    t.deps.db,
  );
  expect((await register(token)).statusCode).toBe(401);
  const bound = await issue({ hostname: 'studio-02' });
  expect((await register(bound.token)).statusCode).toBe(401);
  expect((await register(bound.token, { hostname: 'STUDIO-02' })).statusCode).toBe(201);
  const network = await issue({ network: '10.0.0.0/8' });
  expect((await register(network.token)).statusCode).toBe(401);
  expect((await register((await issue({ network: '127.0.0.0/8' })).token)).statusCode).toBe(201);
  expect((await register(network.token, { platform: 'amiga' })).statusCode).toBe(400);
});

test('a token can require approval: the agent gets its certificate only after an administrator approved it', async () => {
  const agent = await enrolAgent(t, { name: 'held', token: { requires_approval: true }, bound: false });
  expect((await bindAgent(t, agent)).json()).toMatchObject({ status: 403, code: 'agent_not_approved' });
  expect((await t.request('POST', `/agents/${agent.id}/approve`)).json()).toMatchObject({ approved: true });
  expect((await bindAgent(t, agent)).json()).toMatchObject({ status: 'active' });
});

test('the built-in authority issues P-256 client certificates for SVC_AGENT_CERT_TTL_HOURS; its root is a private file', async () => {
  const agent = await enrolAgent(t, { name: 'certified', bound: false });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const stolen = await bindAgent(t, { ...agent, privateKey: other.privateKey });
  expect(stolen.json()).toMatchObject({ status: 422, errors: [{ loc: ['body', 'proof'] }] });
  const answer = (await bindAgent(t, agent)).json();
  const certificate = new X509Certificate(answer.certificate_pem);
  const file = path.join(t.configDir, 'agent-ca.pem');
  const root = new X509Certificate(readFileSync(file, 'utf8').slice(readFileSync(file, 'utf8').indexOf('-----BEGIN CERTIFICATE')));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(certificate.verify(root.publicKey) && certificate.checkIssued(root) && root.ca && !certificate.ca).toBe(true);
  expect(certificate.subject).toBe(`CN=${agent.id}`);
  expect(certificate.subjectAltName).toBe(`DNS:${agent.id}`);
  expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2']);
  expect(certificate.publicKey.equals(createPublicKey(agent.publicKey))).toBe(true);
  const hours = (certificate.validToDate.getTime() - Date.now()) / 3_600_000;
  expect([hours > 47.9, hours <= 48]).toEqual([true, true]);
  expect(answer.cert_fingerprint).toBe(certificate.fingerprint256.replaceAll(':', '').toLowerCase());
});

test('by default an agent proves with every request that it holds its key', async () => {
  const agent = await enrolAgent(t, { name: 'signer' });
  const renew = `/agents/${agent.id}/certificate/renew`;
  const good = await agent.send('POST', renew, {});
  expect(good.statusCode).toBe(200);
  expect((await t.request('GET', `/agents/${agent.id}`)).json()).toMatchObject({
    last_auth_mode: 'signature',
    last_seen_at: expect.any(String),
  });
  const { cert_fingerprint } = (await t.request('GET', `/agents/${agent.id}`)).json();
  const refused = async (answer: Promise<{ statusCode: number }>) => expect((await answer).statusCode).toBe(401);
  await refused(t.request('POST', renew, {}, { as: null }));
  await refused(t.request('POST', renew, {}, { as: cert_fingerprint }));
  await refused(agent.send('POST', renew, {}, { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey }));
  await refused(agent.send('POST', renew, {}, { sentBody: '{ }' }));
  await refused(agent.send('POST', renew, {}, { keyId: 'another' }));
  await refused(agent.send('POST', renew, {}, { created: Math.floor(Date.now() / 1000) - 400 }));
  const nonce = 'a-nonce-used-only-once';
  expect((await agent.send('POST', renew, {}, { nonce })).statusCode).toBe(200);
  await refused(agent.send('POST', renew, {}, { nonce }));
  const stranger = await enrolAgent(t, { name: 'stranger' });
  await refused(stranger.send('POST', renew, {}));
  expect((await agent.send('POST', '/agents/01a1dcfe-9952-7896-a4ba-953f2deb22a4/certificate/renew', {})).statusCode).toBe(404);
  const pending = await enrolAgent(t, { name: 'early', bound: false });
  expect((await pending.send('POST', `/agents/${pending.id}/certificate/renew`, {})).json()).toMatchObject({
    status: 403,
    code: 'agent_pending',
  });
});

test('a key that an agent has used is refused as soon as it is no longer the agent’s', async () => {
  const agent = await enrolAgent(t, { name: 'new-key' });
  const outcome = async () => (await agent.send('POST', `/agents/${agent.id}/heartbeat`, {})).json();
  const setKey = (pem: string) => sql`update agents set public_key = ${pem} where id = ${agent.id}`.execute(t.deps.db);
  expect(await outcome()).toMatchObject({ maintenance: false });
  const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await setKey(other);
  expect(await outcome()).toMatchObject({ status: 401, code: 'agent_credentials' });
  await setKey(agent.publicKey);
  await sql`update agents set cert_not_after = now() - interval '1 day', last_seen_at = null where id = ${agent.id}`.execute(t.deps.db);
  expect(await outcome()).toMatchObject({ code: 'agent_certificate_expired' });
  await sql`update agents set cert_not_after = null, revoked_at = now() where id = ${agent.id}`.execute(t.deps.db);
  expect(await outcome()).toMatchObject({ code: 'agent_revoked' });
  const seen = await sql`select from agents where id = ${agent.id} and last_seen_at is null`.execute(t.deps.db);
  expect(seen.rows).toHaveLength(1);
  await sql`delete from agents where id = ${agent.id}`.execute(t.deps.db);
  expect(await outcome()).toMatchObject({ status: 404 });
});

test('renewal is possible after expiry; everything else is refused until then', async () => {
  const agent = await enrolAgent(t, { name: 'expired' });
  await sql`update agents set cert_not_after = now() - interval '90 days' where id = ${agent.id}`.execute(t.deps.db);
  const bearer = { authorization: `Bearer ${(await t.request('GET', `/agents/${agent.id}`)).json().cert_fingerprint}` };
  const settings = settingsForTests({ SVC_AGENT_REQUIRE_SIGNATURE: 'false' });
  const other = { method: 'GET', url: '/', hasBody: false, headers: bearer, address: '::1', acceptExpired: false, certificate: null };
  await expect(authenticateAgent({ ...t.deps, settings }, agent.id, other)).rejects.toMatchObject({ code: 'agent_certificate_expired' });
  const renewed = await agent.send('POST', `/agents/${agent.id}/certificate/renew`, {});
  expect(renewed.statusCode).toBe(200);
  expect(new X509Certificate(renewed.json().certificate_pem).validToDate.getTime()).toBeGreaterThan(Date.now());
  expect((await events('agent_cert_rebound')).at(-1)).toMatchObject({ agent_id: agent.id });
});

test('revoke keeps the row and denies the agent; purge removes it, 409 while a library references it', async () => {
  const agent = await enrolAgent(t, { name: 'leaving' });
  expect((await t.request('PATCH', `/agents/${agent.id}`, { name: 'Leaving soon' })).json()).toMatchObject({ name: 'Leaving soon' });
  await sql`insert into libraries (name, root_path, source_agent_id) values ('Leaving: data', '/data', ${agent.id})`.execute(t.deps.db);
  expect((await t.request('DELETE', `/agents/${agent.id}?purge=true`)).json()).toMatchObject({ status: 409, code: 'agent_referenced' });
  expect((await t.request('DELETE', `/agents/${agent.id}`)).json()).toMatchObject({ status: 'revoked', revoked_at: expect.any(String) });
  expect((await agent.send('POST', `/agents/${agent.id}/certificate/renew`, {})).json()).toMatchObject({
    status: 403,
    code: 'agent_revoked',
  });
  expect((await t.request('POST', `/agents/${agent.id}/ca-ott`)).statusCode).toBe(409);
  expect((await t.request('PATCH', `/agents/${agent.id}`, { name: 'x' })).statusCode).toBe(409);
  expect((await t.request('DELETE', `/agents/${agent.id}?purge=true&delete_libraries=true`)).statusCode).toBe(200);
  expect((await t.request('GET', `/agents/${agent.id}`)).statusCode).toBe(404);
  expect((await t.request('DELETE', `/agents/${agent.id}`)).statusCode).toBe(404);
  expect((await events('agent_deleted')).at(-1)).toMatchObject({ agent_id: agent.id });
});

test('the conditions of an agent that is deleted have ended for the alert rules', async () => {
  const agent = await enrolAgent(t, { name: 'scrapped' });
  expect((await t.request('DELETE', `/agents/${agent.id}?purge=true`)).statusCode).toBe(200);
  const { rows } = await sql<{
    kind: string;
  }>`select kind from system_events where subject = ${agent.id} and status = 'recovered' order by kind`.execute(t.deps.db);
  expect(rows.map(({ kind }) => kind)).toEqual(['agent_cloned', 'agent_offline', 'agent_replication_stalled']);
});

test('ca-ott answers 404 for an unknown agent and 503 while the provisioner key is unset', async () => {
  expect((await t.request('POST', '/agents/01a1dcfe-9952-7896-a4ba-953f2deb22a4/ca-ott')).statusCode).toBe(404);
  const agent = await enrolAgent(t, { name: 'no key', bound: false });
  expect((await t.request('POST', `/agents/${agent.id}/ca-ott`)).json()).toMatchObject({ status: 503, code: 'agent_provisioner_missing' });
});

test('enrolments that were not completed within a week, old tokens and old nonces are removed', async () => {
  const agent = await enrolAgent(t, { name: 'forgotten', bound: false });
  await sql`update agents set created_at = now() - interval '8 days' where id = ${agent.id}`.execute(t.deps.db);
  await sql`insert into agent_enrollment_tokens (token_hash, expires_at) values ('old', now() - interval '40 days')`.execute(t.deps.db);
  expect(await purgeEnrolments(t.deps.db)).toEqual({ tokens: 1, agents: 1 });
  expect((await t.request('GET', `/agents/${agent.id}`)).statusCode).toBe(404);
});

test('the list is filtered and paged, and the summary counts by state', async () => {
  const page = (await t.request('GET', '/agents?limit=2')).json();
  expect([page.items.length, page.total > 2]).toEqual([2, true]);
  expect((await t.request('GET', '/agents?q=SIGN')).json().items).toMatchObject([{ name: 'signer' }]);
  expect(
    (await t.request('GET', '/agents?status=pending')).json().items.every(({ status }: { status: string }) => status === 'pending'),
  ).toBe(true);
  const summary = (await t.request('GET', '/agents/summary', undefined, { as: 'read' })).json();
  expect(summary.total).toBe(summary.connected + summary.disconnected + summary.pending + summary.revoked);
  expect(summary.connected).toBeGreaterThan(0);
  expect((await t.request('GET', '/agents?wat=1')).statusCode).toBe(422);
});

test('a lost or different root is reported and never replaced, because every certificate would become void', async () => {
  const file = path.join(t.configDir, 'agent-ca.pem');
  const kept = readFileSync(file, 'utf8');
  expect(await reportAuthority(t.deps.db, t.deps.settings)).toBe(null);
  rmSync(file);
  expect(await reportAuthority(t.deps.db, t.deps.settings)).toContain('is missing');
  const { token } = await issue();
  expect((await register(token)).json()).toMatchObject({ status: 503, code: 'agent_authority_unusable' });
  writeFileSync(file, kept, { mode: 0o600 });
  expect((await register(token)).statusCode).toBe(201);
});

test('with an external authority, a one-time token is minted and audited by its identifier only', async () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const external = await createTestApp({
    SVC_AGENTS_ENABLED: 'true',
    SVC_CA_URL: 'https://ca.example.org:9000/',
    SVC_CA_FINGERPRINT: 'ab'.repeat(32),
    SVC_CA_PROVISIONER_JWK: JSON.stringify(privateKey.export({ format: 'jwk' })),
  });
  try {
    const token = (await external.request('POST', '/agents/enrollment-tokens', {})).json().token;
    const answer = (await external.request('POST', '/agents/register', { token, hostname: 'x', platform: 'macos' }, { as: null })).json();
    const [header = '', claims = '', signature = ''] = String(answer.ca_ott).split('.');
    expect(
      verify(
        'sha256',
        Buffer.from(`${header}.${claims}`),
        { key: publicKey, dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      ),
    ).toBe(true);
    const read = JSON.parse(Buffer.from(claims, 'base64url').toString());
    expect(read).toMatchObject({
      iss: 'catalog-agents',
      aud: 'https://ca.example.org:9000/1.0/sign',
      sub: answer.agent_id,
      sans: [answer.agent_id],
    });
    expect(read.exp - read.iat).toBe(300);
    expect(answer).toMatchObject({ root_pem: null, ca: { kind: 'external', fingerprint: 'ab'.repeat(32) } });
    const again = (await external.request('POST', `/agents/${answer.agent_id}/ca-ott`)).json();
    expect(again.ca_ott).not.toBe(answer.ca_ott);
    const { rows } = await sql<{
      details: Record<string, string>;
    }>`select details from security_events where event_type = 'agent_ca_ott_minted'`.execute(external.deps.db);
    expect(rows.map(({ details }) => details['via'])).toEqual(['register', 'reissue']);
    expect(JSON.stringify(rows)).toContain(read.jti);
    expect(JSON.stringify(rows)).not.toContain(signature);
  } finally {
    await external.close();
  }
});

test('mtls-header accepts only the proxy’s headers, fingerprint without signatures accepts the bearer, both accepts either', async () => {
  const secret = 'a-shared-secret-of-the-proxy';
  const agent = await enrolAgent(t, { name: 'modes' });
  const { cert_fingerprint } = (await t.request('GET', `/agents/${agent.id}`)).json();
  const proxy = (san: string, auth = secret) => ({ 'x-svc-proxy-auth': auth, 'x-svc-agent-san': san, 'x-svc-agent-fp': cert_fingerprint });
  const outcome = async (mode: string, env: Record<string, string> = {}) => {
    const settings = settingsForTests({
      SVC_AGENTS_ENABLED: 'true',
      SVC_AGENT_AUTH_MODE: mode,
      SVC_PROXY_SHARED_SECRET: secret,
      ...env,
    });
    const ask = (headers: Record<string, string>) =>
      authenticateAgent({ ...t.deps, settings }, agent.id, {
        method: 'POST',
        url: '/',
        hasBody: false,
        headers,
        address: '::1',
        acceptExpired: false,
        certificate: null,
      }).then(
        () => 200,
        (error: Problem) => statusOf[error.code],
      );
    return [
      await ask(proxy(agent.id)),
      await ask(proxy('01a1dcfe-9952-7896-a4ba-953f2deb22a4')),
      await ask(proxy(agent.id, 'wrong')),
      await ask({ authorization: `Bearer ${cert_fingerprint}` }),
    ];
  };
  expect(await outcome('mtls-header')).toEqual([200, 403, 401, 401]);
  expect(await outcome('mtls-header', { SVC_PROXY_SHARED_SECRET: '' })).toEqual([401, 401, 401, 401]);
  expect(await outcome('both')).toEqual([200, 403, 401, 401]);
  expect(await outcome('both', { SVC_AGENT_REQUIRE_SIGNATURE: 'false' })).toEqual([200, 403, 401, 200]);
  expect(await outcome('fingerprint', { SVC_AGENT_REQUIRE_SIGNATURE: 'false' })).toEqual([401, 401, 401, 200]);
});

test('failed enrolments are limited per address', async () => {
  const codes: number[] = [];
  while (codes.length < 60 && codes.at(-1) !== 429) codes.push((await register('x')).statusCode);
  expect([codes[0], codes.at(-1)]).toEqual([401, 429]);
});
