// An enrolled machine that does not keep to the protocol: it repeats requests, lies about its files and reaches for those of others.
import { generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { mustCall } from './service.mjs';

const { bindingText, contentDigest, signRequest } = await import('../../../protocol/src/index.ts');

export async function enrolHostile(url, name) {
  const { token } = await mustCall(url, 'POST', '/agents/enrollment-tokens', {});
  const registered = await mustCall(url, 'POST', '/agents/register', {
    token,
    hostname: name,
    platform: 'linux',
    name,
    agent_version: '0.1.0',
  });
  const { agent_id: id, enroll_secret } = registered;
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const proof = sign('sha256', Buffer.from(bindingText(id, enroll_secret)), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString(
    'base64',
  );
  const public_key = publicKey.export({ type: 'spki', format: 'pem' }).toString();
  await mustCall(url, 'POST', `/agents/${id}/certificate`, { enroll_secret, public_key, proof });
  const prepare = (method, path, body, headers = {}) => {
    const payload = body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body));
    const signed = signRequest(privateKey, {
      method,
      path: `/api/v1${path}`,
      query: '',
      digest: payload === undefined ? null : contentDigest(payload),
      created: Math.floor(Date.now() / 1000),
      nonce: randomBytes(16).toString('base64url'),
      keyId: id,
    });
    return { method, path, body: payload, headers: { ...(payload ? { 'content-type': 'application/json' } : {}), ...headers, ...signed } };
  };
  /** Sends a prepared request, which may be sent twice. */
  const deliver = async ({ method, path, body, headers }) => {
    const answer = await fetch(url + path, { method, headers, ...(body ? { body } : {}), signal: AbortSignal.timeout(30_000) });
    const text = await answer.text();
    return { status: answer.status, body: text === '' ? null : JSON.parse(text) };
  };
  return { id, prepare, deliver, send: (...request) => deliver(prepare(...request)) };
}

const file = (seq_no, rel_path, more = {}) => ({
  seq_no,
  event_type: 'created',
  library_ref: '/hostile',
  rel_path,
  size: 5,
  mtime_ns: '1700000000000000000',
  ...more,
});

/** Returns what the service let through although it must not. */
export async function attack(hostile, { victimId, victimRoot, victimItem }) {
  const faults = [];
  const expect = (what, { status }, allowed) => {
    if (!allowed.includes(status)) faults.push(`${what}: status ${status}.`);
  };
  const batch = (entries) => ({ agent_id: hostile.id, entries });
  const own = `/agents/${hostile.id}/replication-batch`;
  const first = hostile.prepare('POST', own, batch([file(1, 'a.txt'), file(2, 'b.txt')]));
  expect('a batch', await hostile.deliver(first), [200]);
  expect('a replayed request', await hostile.deliver(first), [401, 403, 409]);
  expect('a repeated batch', await hostile.send('POST', own, batch([file(1, 'a.txt'), file(2, 'b.txt')])), [200]);
  expect('a gap', await hostile.send('POST', own, batch([file(9, 'c.txt')])), [409]);
  expect(
    'too many entries',
    await hostile.send('POST', own, batch(Array.from({ length: 1001 }, (_, n) => file(3 + n, `x${n}`)))),
    [400, 413, 422],
  );
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024));
  const packed = { 'content-type': 'application/x-ndjson', 'content-encoding': 'gzip' };
  expect('a packed bomb', await hostile.send('POST', own, bomb, packed), [400, 413]);
  const lies = [
    file(3, '../../etc/passwd'),
    file(4, 'a\u0000b'),
    file(5, 'x'.repeat(5000)),
    file(6, 'lie.txt', { size: -1 }),
    file(7, 'lie.txt', { mtime_ns: 'yesterday' }),
    file(8, 'lie.txt', { content_hash: 'not a hash' }),
    file(9, 'lie.txt', { library_ref: 'relative' }),
    file(10, 'kept.txt', { library_ref: victimRoot, extracted: { meta: { half: '\ud800' }, body_text: 'forged' } }),
    null,
  ].map((entry, at) => entry ?? { seq_no: 3 + at });
  const lines = Buffer.from(lies.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const answer = await hostile.send('POST', own, lines, { 'content-type': 'application/x-ndjson' });
  expect('lies', answer, [200]);
  if (answer.body?.quarantined !== 8) faults.push(`Of 8 lies, ${answer.body?.quarantined} were put into quarantine.`);
  for (const [what, method, path, body] of [
    ['the batch of another', 'POST', `/agents/${victimId}/replication-batch`, { agent_id: victimId, entries: [file(1, 'a.txt')] }],
    ['the policy of another', 'GET', `/agents/${victimId}/policy`],
    ['commands of another', 'POST', `/agents/${victimId}/commands/poll`, {}],
    [
      'a comparison for another',
      'POST',
      `/agents/${victimId}/reconcile/start`,
      { library_ref: victimRoot, digest: '0'.repeat(16), row_count: 0, seq_no: 0 },
    ],
    [
      'a comparison of a foreign root',
      'POST',
      `/agents/${hostile.id}/reconcile/start`,
      { library_ref: '/not/mine', digest: '0'.repeat(16), row_count: 1, seq_no: 11 },
    ],
    ['an upload without a command', 'POST', `/agents/${hostile.id}/staging`, { command_id: victimItem, total_bytes: 5 }],
  ])
    expect(what, await hostile.send(method, path, body), [400, 401, 403, 404, 409, 422]);
  return faults;
}
