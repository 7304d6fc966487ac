import { createPublicKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { bindingText, registrationText } from '@catalog/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { bindAgent, enrolAgent } from '../../../test/test-agent.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
});
afterAll(() => t.close());

const makeKey = (): KeyObject => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
/** The public key that is named, and a signature with the key. */
const prove = (key: KeyObject, text: string, named = key) => ({
  public_key: createPublicKey(named).export({ type: 'spki', format: 'pem' }).toString(),
  proof: sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' }).toString('base64'),
});
const issue = async (body: object = {}) => (await t.request('POST', '/agents/enrollment-tokens', body)).json();
const register = (token: string, body: object = {}) =>
  t.request('POST', '/agents/register', { token, hostname: 'nas-01', platform: 'linux', ...body }, { as: null });
const bind = ({ agent_id, enroll_secret }: { agent_id: string; enroll_secret: string }, key: KeyObject, signer = key) =>
  t.request(
    'POST',
    `/agents/${agent_id}/certificate`,
    { enroll_secret, ...prove(signer, bindingText(agent_id, enroll_secret), key) },
    { as: null },
  );
const outcome = (answer: { statusCode: number; json(): { code?: string } }) => [answer.statusCode, answer.json().code];

test('a certificate whose answer was lost is issued again for the same key, until the agent has made a request', async () => {
  const agent = await enrolAgent(t, { name: 'lost' });
  const again = (await bindAgent(t, agent)).json();
  const certificate = new X509Certificate(again.certificate_pem);
  expect(certificate.checkPrivateKey(agent.privateKey)).toBe(true);
  expect(again).toMatchObject({ status: 'active', cert_fingerprint: certificate.fingerprint256.replaceAll(':', '').toLowerCase() });
  const given = { agent_id: agent.id, enroll_secret: agent.secret };
  expect(outcome(await bind(given, makeKey())), 'another key').toEqual([409, 'conflict']);
  expect(outcome(await bind(given, agent.privateKey, makeKey())), 'without the key').toEqual([422, 'validation_failed']);
  expect((await agent.send('POST', `/agents/${agent.id}/heartbeat`, {})).statusCode).toBe(200);
  expect(outcome(await bindAgent(t, agent)), 'after a request').toEqual([409, 'conflict']);
  expect((await t.request('DELETE', `/agents/${agent.id}`)).statusCode).toBe(200);
  expect(outcome(await bindAgent(t, agent)), 'revoked').toEqual([403, 'agent_revoked']);
});

test('a registration whose answer was lost is repeated with the same key, until its certificate is bound', async () => {
  const { token } = await issue({ requires_approval: true, labels: ['attic'] });
  const key = makeKey();
  const proof = prove(key, registrationText(token));
  expect(outcome(await register(token, { ...proof, proof: prove(makeKey(), registrationText(token)).proof }))).toEqual([
    422,
    'validation_failed',
  ]);
  const lost = (await register(token, proof)).json();
  await t.request('POST', `/agents/${lost.agent_id}/approve`);
  const repeated = await register(token, proof);
  expect(repeated.statusCode).toBe(201);
  expect(repeated.json()).toMatchObject({ ...lost, approved: true, enroll_secret: expect.not.stringMatching(lost.enroll_secret) });
  const { items } = (await t.request('GET', '/agents?q=nas-01')).json();
  expect(items).toMatchObject([{ id: lost.agent_id, labels: ['attic'] }]);

  expect(outcome(await register(token)), 'without a key').toEqual([401, 'enrolment_refused']);
  expect(outcome(await register(token, prove(makeKey(), registrationText(token)))), 'another key').toEqual([401, 'enrolment_refused']);
  expect(outcome(await register(token, { ...proof, proof: prove(key, registrationText('x')).proof })), 'another proof').toEqual([
    422,
    'validation_failed',
  ]);
  expect(outcome(await bind(lost, key)), 'the secret of the lost answer').toEqual([401, 'credentials_bad']);
  expect(outcome(await bind(repeated.json(), makeKey())), 'a certificate for another key').toEqual([409, 'conflict']);
  expect((await bind(repeated.json(), key)).json()).toMatchObject({ status: 'active' });
  expect(outcome(await register(token, proof)), 'after the certificate').toEqual([401, 'enrolment_refused']);
});

test('a registration is not repeated for an expired token, another host or a revoked agent', async () => {
  const { token, token_hash } = await issue({ hostname: 'nas-01' });
  const proof = prove(makeKey(), registrationText(token));
  const { agent_id } = (await register(token, proof)).json();
  expect((await register(token, { ...proof, hostname: 'nas-02' })).statusCode).toBe(401);
  const expire = (when: string) =>
    sql`update agent_enrollment_tokens set expires_at = now() + ${when}::interval where token_hash = ${token_hash}`.execute(t.deps.db);
  await expire('-1 second');
  expect((await register(token, proof)).statusCode).toBe(401);
  await expire('1 hour');
  expect((await register(token, proof)).statusCode).toBe(201);
  await t.request('DELETE', `/agents/${agent_id}`);
  expect((await register(token, proof)).statusCode).toBe(401);
});
