import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import { bindingText, contentDigest, signRequest } from '@catalog/protocol';
import type { TestEnvironment } from './test-environment.ts';

type Send = (method: string, path: string, options?: { body?: unknown; headers?: Record<string, string> }) => Promise<{ body: unknown }>;

const inventory_collectors = ['stat', 'owner', 'perms', 'placeholder'];

/** An agent that speaks the protocol over HTTP and reports what a test wants. */
export interface FleetAgent {
  id: string;
  name: string;
  root: string;
  /** Sends a signed request to a path below the agent's own; fails on a status from 400 on. */
  send: Send;
  /** A heartbeat, as of an agent that works well unless `health` says otherwise. */
  beat(report?: { version?: string; health?: object }): Promise<void>;
  /** Takes the configuration and reports it as applied. */
  configure(): Promise<void>;
  /** Reports a file; returns its bytes. */
  addFile(name: string, size: number): Promise<Buffer>;
  /** Commands that are not completed yet. */
  commands(): Promise<{ id: string; kind: string; payload: Record<string, unknown> }[]>;
}

export async function enrolFleetAgent(env: TestEnvironment, name: string): Promise<FleetAgent> {
  const { token } = (await env.api('POST', '/agents/enrollment-tokens', {})).body;
  const root = `/srv/${name}`;
  const { agent_id: id, enroll_secret: secret } = (
    await env.api('POST', '/agents/register', { token, hostname: name, platform: 'linux', name, agent_version: '1.0.0' })
  ).body;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const proof = sign('sha256', Buffer.from(bindingText(id, secret)), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64');
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  const bound = await env.api('POST', `/agents/${id}/certificate`, { enroll_secret: secret, public_key, proof });
  assert.equal(bound.status, 200, JSON.stringify(bound.body));
  const send = createSend(env.base, id, privateKey);
  let seq = 0;
  let version = '1.0.0';
  return {
    id,
    name,
    root,
    send,
    async beat(report = {}) {
      version = report.version ?? version;
      const roots = [{ path: root, last_scan_at: new Date(Date.now() + 1000).toISOString(), last_error: null }];
      await send('POST', '/heartbeat', {
        body: {
          version,
          health: { outbox_pending: 0, index_items: seq, roots, ...report.health },
          capabilities: { os: 'Debian 12', arch: 'x64', cores: 8, memory_bytes: 16_000_000_000, self_update: true, inventory_collectors },
        },
      });
    },
    async configure() {
      const { version: generation } = (await send('GET', '/policy')).body as { version: number };
      await send('GET', `/policy?applied=${generation}`);
    },
    async addFile(file, size) {
      const bytes = Buffer.alloc(size, file);
      seq += 1;
      const entry = {
        seq_no: seq,
        event_type: 'created',
        library_ref: root,
        rel_path: file,
        size,
        mtime_ns: '1700000000000000001',
        inode: String(seq),
        device: 1,
        links: 1,
        quick_hash: createHash('sha256').update(file).digest('hex').slice(0, 16),
        content_hash: createHash('sha256').update(bytes).digest('hex'),
        policy_version: 'h1:full',
      };
      await send('POST', '/replication-batch', { body: { agent_id: id, entries: [entry] } });
      return bytes;
    },
    async commands() {
      return (await send('POST', '/commands/poll', { body: { wait_seconds: 0 } })).body as never;
    },
  };
}

function createSend(base: string, id: string, key: KeyObject): Send {
  return async (method, path, { body, headers = {} } = {}) => {
    const payload = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const url = new URL(`${base}/api/v1/agents/${id}${path}`);
    const signed = signRequest(key, {
      method,
      path: url.pathname,
      query: url.search.slice(1),
      digest: payload === undefined ? null : contentDigest(payload),
      created: Math.floor(Date.now() / 1000),
      nonce: randomBytes(16).toString('base64url'),
      keyId: id,
    });
    const answer = await fetch(url, {
      method,
      ...(payload === undefined ? {} : { body: new Uint8Array(payload) }),
      headers: { ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers, ...signed },
    });
    const text = await answer.text();
    assert.ok(answer.ok, text);
    return { body: text === '' ? null : JSON.parse(text) };
  };
}
