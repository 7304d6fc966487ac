import { generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bindingText, contentDigest, signRequest } from '@catalog/protocol';
import type { LightMyRequestResponse } from 'fastify';
import type { TestApp } from './app.ts';

/** An agent that speaks the protocol in a test, without files. */
export interface TestAgent {
  id: string;
  secret: string;
  privateKey: KeyObject;
  publicKey: string;
  /** Sends a signed request; `changed` replaces what is signed. */
  send(
    method: string,
    url: string,
    body?: unknown,
    options?: { created?: number; nonce?: string; key?: KeyObject; keyId?: string; sentBody?: string; headers?: Record<string, string> },
  ): Promise<LightMyRequestResponse>;
}

/** Registers a machine; `bound: false` stops before its certificate. */
export async function enrolAgent(
  t: TestApp,
  { name = 'nas-01', token = {}, bound = true }: { name?: string; token?: Record<string, unknown>; bound?: boolean } = {},
): Promise<TestAgent> {
  const issued = (await t.request('POST', '/agents/enrollment-tokens', token)).json();
  const registered = await t.request(
    'POST',
    '/agents/register',
    { token: issued.token, hostname: name, platform: 'linux', agent_version: '0.1.0' },
    { as: null },
  );
  if (registered.statusCode !== 201) throw new Error(`Registration failed: ${registered.body}`);
  const { agent_id: id, enroll_secret: secret } = registered.json();
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const agent: TestAgent = {
    id,
    secret,
    privateKey,
    publicKey: publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    async send(method, url, body, options = {}) {
      const payload = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
      const [path = '', query = ''] = `/api/v1${url}`.split('?');
      const headers = signRequest(options.key ?? privateKey, {
        method,
        path,
        query,
        digest: payload === undefined ? null : contentDigest(payload),
        created: options.created ?? Math.floor(Date.now() / 1000),
        nonce: options.nonce ?? randomBytes(16).toString('base64url'),
        keyId: options.keyId ?? id,
      });
      const sent = options.sentBody ?? payload;
      return t.app.inject({
        method: method as 'GET',
        url: `/api/v1${url}`,
        ...(sent === undefined ? {} : { payload: sent }),
        headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers, ...options.headers },
      });
    },
  };
  if (bound) {
    const answer = await bindAgent(t, agent);
    if (answer.statusCode !== 200) throw new Error(`Binding failed: ${answer.body}`);
  }
  return agent;
}

/** Has the agent's key certified by the built-in authority. */
export function bindAgent(t: TestApp, { id, secret, privateKey, publicKey }: TestAgent): Promise<LightMyRequestResponse> {
  const proof = sign('sha256', Buffer.from(bindingText(id, secret)), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64');
  return t.request('POST', `/agents/${id}/certificate`, { enroll_secret: secret, public_key: publicKey, proof }, { as: null });
}
