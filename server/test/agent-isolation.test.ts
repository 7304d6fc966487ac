import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from './app.ts';
import { enrolAgent, type TestAgent } from './test-agent.ts';

// An agent reaches only what is its own, on every route that agents can call.
let t: TestApp;
let victim: TestAgent;
let thief: TestAgent;
let command: string;
const root = '/data/victim';
const entry = (seq_no: number, rel_path: string) => ({
  ...{ seq_no, event_type: 'created', library_ref: root, rel_path, size: 5, mtime_ns: '1700000000000000000' },
  ...{ quick_hash: 'a'.repeat(16), content_hash: 'b'.repeat(64) },
});
const digest = '0'.repeat(16);
/** The header of a WebP picture of one pixel. */
const picture = Buffer.concat([Buffer.from('RIFF\x1a\0\0\0WEBPVP8L\x0d\0\0\0\x2f', 'latin1'), Buffer.alloc(12)]).toString('base64');

/** A valid body and headers for each route, so that nothing but the identity can be the reason of a refusal. */
const requests: Record<string, { body?: unknown; headers?: Record<string, string> }> = {
  'POST /agents/{agent_id}/certificate/renew': { body: {} },
  'POST /agents/{agent_id}/heartbeat': { body: { version: '9.9.9', health: {}, capabilities: {} } },
  'GET /agents/{agent_id}/policy': {},
  'GET /agents/{agent_id}/taxonomy': {},
  'POST /agents/{agent_id}/replication-batch': { body: { agent_id: 'VICTIM', entries: [entry(3, 'stolen.txt')] } },
  'POST /agents/{agent_id}/reconcile/start': { body: { library_ref: root, digest, row_count: 1, seq_no: 2 } },
  'POST /agents/{agent_id}/reconcile/{session_id}/folders': { body: { folders: [{ path: '', digest, children: [] }] } },
  'POST /agents/{agent_id}/reconcile/{session_id}/buckets': { body: { path: '', digests: [digest] } },
  'POST /agents/{agent_id}/reconcile/{session_id}/rows': { body: { folders: [{ path: '', files: [] }] } },
  'POST /agents/{agent_id}/reconcile/{session_id}/finish': { body: {} },
  'POST /agents/{agent_id}/commands/poll': { body: { wait_seconds: 0 } },
  'POST /agents/{agent_id}/commands/{command_id}/ack': { body: {} },
  'POST /agents/{agent_id}/commands/{command_id}/complete': { body: { ok: true, result: {} } },
  'POST /agents/{agent_id}/inventory-results': {
    body: Buffer.from('not gzip'),
    headers: { 'content-type': 'application/gzip', 'x-svc-command-id': 'COMMAND' },
  },
  'POST /agents/{agent_id}/staging': { body: { command_id: 'COMMAND', total_bytes: 5 } },
  'PATCH /agents/{agent_id}/staging/{transfer_id}': {
    body: Buffer.from('bytes'),
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
  },
  'GET /agents/{agent_id}/staging/{transfer_id}': {},
  'POST /agents/{agent_id}/thumbs': {
    body: { library_ref: root, rel_path: 'a.txt', content_hash: 'b'.repeat(64), renderer: 'image@1', grid: picture, preview: picture },
  },
  'GET /agents/{agent_id}/update-manifest': {},
  'GET /agents/{agent_id}/releases/{version}/artifacts/{filename}': {},
};

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  [victim, thief] = [await enrolAgent(t, { name: 'victim' }), await enrolAgent(t, { name: 'thief' })];
  const sent = await victim.send('POST', `/agents/${victim.id}/replication-batch`, {
    agent_id: victim.id,
    entries: [entry(1, 'a.txt'), entry(2, 'b.txt')],
  });
  expect(sent.statusCode).toBe(200);
  command = (await t.request('POST', `/agents/${victim.id}/commands`, { kind: 'rescan' })).json().id;
});
afterAll(() => t.close());

const agentRoutes = async (): Promise<string[]> => {
  const { paths } = (await t.request('GET', '/api/openapi.json')).json() as {
    paths: Record<string, Record<string, { 'x-scope'?: string }>>;
  };
  return Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([method, { 'x-scope': scope }]) =>
        scope === 'agent' ? [`${method.toUpperCase()} ${path.replace('/api/v1', '')}`] : [],
      ),
    )
    .sort();
};
/** Everything that belongs to the victim. */
const state = async () =>
  (
    await sql`select a.last_contiguous_seq_no, a.agent_version, a.cert_fingerprint, a.last_seen_at, a.config_generation_applied,
      (select jsonb_agg(to_jsonb(i) order by i.id) from items i join all_libraries l on l.id = i.library_id where l.source_agent_id = a.id) as items,
      (select jsonb_agg(to_jsonb(c) order by c.id) from agent_commands c where c.agent_id = a.id) as commands,
      (select count(*) from agent_reconcile_sessions s where s.agent_id = a.id) as sessions
    from agents a where a.id = ${victim.id}`.execute(t.deps.db)
  ).rows[0];
const fill = (value: unknown): unknown =>
  Buffer.isBuffer(value) || value === undefined
    ? value
    : JSON.parse(JSON.stringify(value).replaceAll('VICTIM', victim.id).replaceAll('COMMAND', command));

test('the list below has every route of agents', async () => {
  const known = Object.keys(requests);
  expect((await agentRoutes()).filter((route) => !known.includes(route) && !route.startsWith('HEAD '))).toEqual([]);
  expect(known.filter((route) => !requests[route])).toEqual([]);
});

describe.each(Object.entries(requests))('%s', (route, { body, headers }) => {
  const [method = '', template = ''] = route.split(' ');
  const pathFor = (agentId: string) =>
    template
      .replace('{agent_id}', agentId)
      .replace('{command_id}', command)
      .replace('{version}', '1.0.0')
      .replace('{filename}', 'catalog-agent-linux-x64')
      .replace(/\{[a-z_]+\}/, randomUUID());
  const given = () => ({ headers: fill(headers ?? {}) as Record<string, string> });

  test('refuses the signature of another agent, and changes nothing', async () => {
    const before = await state();
    const answer = await thief.send(method, pathFor(victim.id), fill(body), given());
    expect([401, 403], answer.body).toContain(answer.statusCode);
    // Signed by the thief in the name of the victim.
    const forged = await thief.send(method, pathFor(victim.id), fill(body), { ...given(), keyId: victim.id });
    expect([401, 403], forged.body).toContain(forged.statusCode);
    const unsigned = await t.request(method as 'GET', pathFor(victim.id), undefined, { as: null });
    expect(unsigned.statusCode).toBeGreaterThanOrEqual(400);
    expect(await state()).toEqual(before);
  });

  test('gives an agent nothing of another under its own name', async () => {
    const before = await state();
    const answer = await thief.send(method, pathFor(thief.id), fill(body), given());
    expect(await state()).toEqual(before);
    expect(answer.body).not.toContain(victim.id);
    if (/\{(command_id|session_id|transfer_id)\}/.test(template) || /staging$|inventory-results$/.test(template))
      expect([400, 404, 409, 422], answer.body).toContain(answer.statusCode);
  });
});

test('a root of another agent is a library of its own', async () => {
  const before = await state();
  const { rows } = await sql<{ seq: number }>`select last_contiguous_seq_no as seq from agents where id = ${thief.id}`.execute(t.deps.db);
  const seq = Number(rows[0]?.seq) + 1;
  const gone = { seq_no: seq, event_type: 'deleted', library_ref: root, rel_path: 'a.txt' };
  const moved = { ...entry(seq + 1, 'c.txt'), event_type: 'moved', from_rel_path: 'b.txt' };
  const sent = await thief.send('POST', `/agents/${thief.id}/replication-batch`, { agent_id: thief.id, entries: [gone, moved] });
  expect(sent.statusCode, sent.body).toBe(200);
  expect(await state()).toEqual(before);
});
