import { createPublicKey, generateKeyPairSync, type KeyObject, sign, X509Certificate } from 'node:crypto';
import { rebindText } from '@catalog/protocol';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { createRoot, fingerprintOf, issueCertificate, issueServerCertificate } from '../authority/certificates.ts';

// An authority of its own, as an external one would be.
const root = createRoot(new Date());
const foreign = createRoot(new Date());
let t: TestApp;
let id: string;
let first: { pem: string; fingerprint: string };
const makeKey = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const certify = (name: string, key: KeyObject, hours = 48, by = root, at = new Date()) =>
  issueCertificate(by, name, createPublicKey(key), at, hours);
/** The last byte belongs to the signature. */
const withOtherSignature = (pem: string): string => {
  const der = Buffer.from(new X509Certificate(pem).raw);
  der.writeUInt8(der.readUInt8(der.length - 1) ^ 1, der.length - 1);
  return `-----BEGIN CERTIFICATE-----\n${der.toString('base64')}\n-----END CERTIFICATE-----\n`;
};
const now = () => Math.floor(Date.now() / 1000);

beforeAll(async () => {
  t = await createTestApp({
    SVC_AGENTS_ENABLED: 'true',
    SVC_CA_URL: 'https://ca.test',
    SVC_CA_FINGERPRINT: fingerprintOf(root.certificatePem),
    SVC_AUTH_RATELIMIT_MAX_ATTEMPTS: '100',
  });
  ({ id, first } = await enrolExternal('nas-01'));
});
afterAll(() => t.close());

async function enrolExternal(hostname: string) {
  const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
  const registered = (await t.request('POST', '/agents/register', { token, hostname, platform: 'linux' }, { as: null })).json();
  const pem = certify(registered.agent_id, makeKey());
  const body = { enroll_secret: registered.enroll_secret, certificate_pem: pem.pem };
  expect((await t.request('POST', `/agents/${registered.agent_id}/certificate`, body, { as: null })).statusCode).toBe(200);
  return { id: registered.agent_id as string, first: pem };
}

const send = (body: object, agent = id) => t.request('POST', `/agents/${agent}/rebind`, body, { as: null });
const bodyFor = (leaf: string, key: KeyObject, { at = now(), chain = [leaf, root.certificatePem], agent = id } = {}) => ({
  cert_chain_pem: chain.join('\n'),
  timestamp: at,
  signature: sign('sha256', Buffer.from(rebindText(agent, at, fingerprintOf(leaf))), key).toString('base64'),
});
const bound = async () => (await t.request('GET', `/agents/${id}`)).json().cert_fingerprint;

test('a renewed certificate of the pinned authority replaces the one before, and the same again changes nothing', async () => {
  expect(await bound()).toBe(first.fingerprint);
  const key = makeKey();
  const renewed = certify(id, key);
  const body = bodyFor(renewed.pem, key);
  const answer = await send(body);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(await bound()).toBe(renewed.fingerprint);
  expect((await send(body)).statusCode).toBe(200);
  // Replayed after another renewal, it does not bring the earlier certificate back.
  const later = makeKey();
  const next = certify(id, later);
  expect((await send(bodyFor(next.pem, later))).statusCode).toBe(200);
  expect((await send(body)).statusCode).toBe(401);
  expect(await bound()).toBe(next.fingerprint);
});

test('nothing else is accepted: other roots, names, keys, times, usages and broken chains', async () => {
  const before = await bound();
  const key = makeKey();
  const own = certify(id, key);
  const other = certify('01a1dcfe-9952-7896-a4ba-953f2deb22a4', key);
  const expired = certify(id, key, 1, root, new Date(Date.now() - 7_200_000));
  const server = issueServerCertificate(root, id, createPublicKey(key), new Date(), 24);
  const elsewhere = certify(id, key, 48, foreign);
  const attacker = makeKey();
  const stolen = { keyPem: attacker.export({ type: 'pkcs8', format: 'pem' }).toString(), certificatePem: certify('x', attacker).pem };
  const forged = certify(id, key, 48, stolen);
  const bodies: [number, object][] = [
    [422, bodyFor(elsewhere.pem, key)],
    // Sound in itself, but of another authority.
    [422, bodyFor(elsewhere.pem, key, { chain: [elsewhere.pem, foreign.certificatePem] })],
    // Everything is right but the signature of the authority.
    [422, bodyFor(withOtherSignature(own.pem), key)],
    // Issued with the certificate of an agent.
    [422, bodyFor(forged.pem, key, { chain: [forged.pem, stolen.certificatePem, root.certificatePem] })],
    [422, bodyFor(own.pem, key, { chain: [own.pem, foreign.certificatePem] })],
    [422, bodyFor(own.pem, key, { chain: [own.pem] })],
    [422, bodyFor(own.pem, key, { chain: [root.certificatePem] })],
    [422, bodyFor(own.pem, key, { chain: Array(5).fill(root.certificatePem) })],
    [422, bodyFor(expired.pem, key)],
    [422, bodyFor(server, key)],
    [422, { ...bodyFor(own.pem, key), cert_chain_pem: 'nonsense' }],
    [403, bodyFor(other.pem, key)],
    [401, bodyFor(own.pem, makeKey())],
    [401, bodyFor(own.pem, key, { at: now() - 400 })],
    [401, { ...bodyFor(own.pem, key), timestamp: now() - 1 }],
    [401, bodyFor(own.pem, key, { agent: '01a1dcfe-9952-7896-a4ba-953f2deb22a4' })],
  ];
  for (const [at, [status, body]] of bodies.entries()) expect((await send(body)).statusCode, `body ${at}`).toBe(status);
  expect((await send(bodyFor(own.pem, key), '01a1dcfe-9952-7896-a4ba-953f2deb22a4')).statusCode).toBe(404);
  expect(await bound()).toBe(before);
  await t.request('DELETE', `/agents/${id}`);
  expect((await send(bodyFor(own.pem, key))).statusCode).toBe(403);
});

test('with the built-in authority there is nothing to report', async () => {
  const builtIn = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  try {
    const body = { cert_chain_pem: 'x', timestamp: 1, signature: 'x' };
    expect((await builtIn.request('POST', `/agents/${id}/rebind`, body, { as: null })).statusCode).toBe(409);
  } finally {
    await builtIn.close();
  }
});
