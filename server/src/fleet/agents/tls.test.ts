import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { Agent, createServer as createHttpsServer, request } from 'node:https';
import { type AddressInfo, createServer } from 'node:net';
import { checkServerIdentity } from 'node:tls';
import { agentPlaneName } from '@catalog/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { bindAgent, enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { issueCertificate, requireRoot } from '../authority/index.ts';

let t: TestApp;
let port: number;
let ca: string;

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const found = (server.address() as AddressInfo).port;
  await new Promise((resolve) => server.close(resolve));
  return found;
}

beforeAll(async () => {
  port = await freePort();
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true', SVC_AGENT_TLS_PORT: String(port) });
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  ca = (await requireRoot(t.deps.db, t.deps.settings, new Date())).certificatePem;
});
afterAll(() => t.close());

interface Answer {
  status: number;
  body: { code?: string };
}

function call(connections: Agent, path: string, at = port): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sending = request(
      {
        host: '127.0.0.1',
        port: at,
        path: `/api/v1${path}`,
        method: 'POST',
        agent: connections,
        headers: { 'content-type': 'application/json' },
      },
      (answer) => {
        let text = '';
        answer.on('data', (part) => (text += part));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body: text === '' ? {} : JSON.parse(text) }));
      },
    );
    sending.on('error', reject);
    sending.end('{}');
  });
}

/** One connection that stays open. */
const connect = (key: string | undefined, cert: string | undefined) =>
  new Agent({
    keepAlive: true,
    maxSockets: 1,
    ca,
    key,
    cert,
    servername: agentPlaneName,
    checkServerIdentity: (_host, presented) => checkServerIdentity(agentPlaneName, presented),
  });
const keyOf = ({ privateKey }: TestAgent) => privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

async function enrol(name: string): Promise<{ agent: TestAgent; connections: Agent }> {
  const agent = await enrolAgent(t, { name, bound: false });
  const { certificate_pem } = (await bindAgent(t, agent)).json();
  return { agent, connections: connect(keyOf(agent), certificate_pem) };
}

test('an agent is known by its certificate alone, and revocation counts on the next request of an open connection', async () => {
  const { agent, connections } = await enrol('nas-01');
  expect((await call(connections, `/agents/${agent.id}/heartbeat`)).status).toBe(200);
  expect((await t.request('GET', `/agents/${agent.id}`)).json()).toMatchObject({ last_auth_mode: 'mtls' });
  await t.request('DELETE', `/agents/${agent.id}`);
  expect(await call(connections, `/agents/${agent.id}/heartbeat`)).toMatchObject({ status: 403, body: { code: 'agent_revoked' } });
  connections.destroy();
});

test('a certificate reaches only the routes of its own agent, and nothing but routes of agents', async () => {
  const { connections } = await enrol('nas-02');
  const { agent: other } = await enrol('nas-03');
  expect((await call(connections, `/agents/${other.id}/heartbeat`)).status).toBe(403);
  expect((await call(connections, `/agents/${randomUUID()}/heartbeat`)).status).toBe(404);
  expect((await call(connections, '/auth/login')).status).toBe(404);
  connections.destroy();
});

test('without a certificate of the authority there is no connection, and an old key or an expired certificate is refused', async () => {
  const { agent, connections } = await enrol('nas-04');
  await expect(call(connect(undefined, undefined), `/agents/${agent.id}/heartbeat`)).rejects.toThrow();
  const root = await requireRoot(t.deps.db, t.deps.settings, new Date());
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  const forOtherKey = issueCertificate(root, agent.id, publicKey, new Date(), 48).pem;
  expect((await call(connect(pem, forOtherKey), `/agents/${agent.id}/heartbeat`)).status).toBe(401);
  const expired = issueCertificate(root, agent.id, publicKey, new Date(Date.now() - 100 * 3_600_000), 48).pem;
  await expect(call(connect(pem, expired), `/agents/${agent.id}/heartbeat`)).rejects.toThrow();
  expect((await call(connections, `/agents/${agent.id}/heartbeat`)).status).toBe(200);
  await sql`update agents set public_key = ${publicKey.export({ type: 'spki', format: 'pem' }).toString()} where id = ${agent.id}`.execute(
    t.deps.db,
  );
  expect((await call(connections, `/agents/${agent.id}/heartbeat`)).status).toBe(401);
  connections.destroy();
});

test('the certificate of an agent cannot stand in for the service, and enrolment names the port', async () => {
  const agent = await enrolAgent(t, { name: 'nas-05', bound: false });
  const { certificate_pem: cert } = (await bindAgent(t, agent)).json();
  const impostor = createHttpsServer({ key: keyOf(agent), cert }, (_request, response) => response.end('{}'));
  await new Promise<void>((resolve) => impostor.listen(0, '127.0.0.1', resolve));
  const at = (impostor.address() as AddressInfo).port;
  await expect(call(connect(keyOf(agent), cert), `/agents/${agent.id}/heartbeat`, at)).rejects.toThrow(/purpose|altnames/);
  impostor.close();
  const { token } = (await t.request('POST', '/agents/enrollment-tokens', {})).json();
  const registered = await t.request('POST', '/agents/register', { token, hostname: 'x', platform: 'linux' }, { as: null });
  expect(registered.json().agent_plane_url).toMatch(new RegExp(`^https://[^/]+:${port}$`));
});
