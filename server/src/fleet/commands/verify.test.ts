import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { commandChecks } from './checks.ts';

let t: TestApp;
let agent: TestAgent;
let item: string;
const catalogued = { exists: true, size: 10, mtime_ns: '1700000000000000001', content_hash: 'a'.repeat(64) };

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t, { name: 'nas-01' });
  const entry = {
    seq_no: 1,
    event_type: 'created',
    library_ref: '/data/photos',
    rel_path: '2024/a.jpg',
    size: 10,
    mtime_ns: catalogued.mtime_ns,
    inode: '7',
    device: 1,
    links: 1,
    quick_hash: 'a'.repeat(16),
    content_hash: catalogued.content_hash,
    policy_version: 'h1:full',
  };
  const sent = await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries: [entry] });
  expect(sent.statusCode, sent.body).toBe(200);
  item = (await sql<{ id: string }>`select id from items`.execute(t.deps.db)).rows[0]!.id;
});
afterAll(async () => {
  for (const check of commandChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

const verify = (mode: string, as = 'admin') => t.request('POST', `/items/${item}/verify`, { mode }, { as });
const status = async () => (await t.request('GET', `/items/${item}/agent-status`)).json();
const take = async () =>
  (await agent.send('POST', `/agents/${agent.id}/commands/poll`, {})).json() as { id: string; kind: string; payload: object }[];
const complete = async (id: string, body: object) => (await agent.send('POST', `/agents/${agent.id}/commands/${id}/complete`, body)).json();

test('a file that the agent finds as catalogued is verified, by its bytes only when they were read', async () => {
  expect(await status()).toMatchObject({
    agent_hosted: true,
    agent_id: agent.id,
    agent_name: 'nas-01',
    agent_status: 'active',
    online: true,
    last_verified_at: null,
    verify_in_flight: false,
  });
  const asked = (await verify('stat', 'read')).json();
  expect(asked).toMatchObject({ kind: 'stat_check', mode: 'stat', item_id: item, status: 'pending' });
  expect((await verify('stat')).json()).toMatchObject({ status: 409 });
  expect((await status()).verify_in_flight).toBe(true);
  const [command] = await take();
  expect(command).toMatchObject({ id: asked.id, payload: { library_ref: '/data/photos', rel_path: '2024/a.jpg' } });
  const { content_hash: _unread, ...seen } = catalogued;
  expect(await complete(asked.id, { result: seen })).toMatchObject({ status: 'done', result: { matches: true } });
  expect(await status()).toMatchObject({ last_verified_at: null, verify_in_flight: false });
  const read = (await verify('rehash')).json();
  await take();
  expect(await complete(read.id, { result: catalogued })).toMatchObject({ result: { matches: true } });
  expect((await status()).last_verified_at).toEqual(expect.any(String));
});

test('a command about a file does not tell where the file was when it was asked for', async () => {
  const { id } = (await verify('stat')).json();
  expect((await t.request('GET', `/agent-commands/${id}`)).json()).toMatchObject({ item_id: item });
  expect((await t.request('GET', `/agent-commands/${id}`)).json().payload).toEqual({});
  const [listed] = (await t.request('GET', '/agent-commands?limit=1')).json();
  expect([listed.id, listed.payload]).toEqual([id, {}]);
  expect(await take()).toMatchObject([{ id, payload: { library_ref: '/data/photos', rel_path: '2024/a.jpg' } }]);
  const { content_hash: _unread, ...seen } = catalogued;
  await complete(id, { result: seen });
});

test('a file that differs or is gone is reported, and its library is scanned; a refusal changes nothing', async () => {
  for (const result of [{ ...catalogued, content_hash: 'b'.repeat(64) }, { ...catalogued, size: 11 }, { exists: false }]) {
    const { id } = (await verify('rehash')).json();
    await take();
    expect(await complete(id, { result })).toMatchObject({ result: { matches: false } });
    const [scan] = await take();
    expect(scan).toMatchObject({ kind: 'rescan', payload: { library_ref: '/data/photos' } });
    await complete(scan!.id, {});
  }
  const { id } = (await verify('stat')).json();
  await take();
  expect(await complete(id, { ok: false, result: { error: 'The disk is away.' } })).toMatchObject({ status: 'failed' });
  expect(await take()).toEqual([]);
  const { rows } = await sql<{ status: string; size: number }>`select status, size from items`.execute(t.deps.db);
  expect(rows).toEqual([{ status: 'active', size: 10 }]);
});

test('scans of an agent are paused and resumed, and a request that it has not taken yet is replaced', async () => {
  const suspend = (suspended: boolean, as = 'admin') => t.request('POST', `/agents/${agent.id}/suspend`, { suspended }, { as });
  const first = (await suspend(true)).json();
  expect(first).toMatchObject({ kind: 'suspend', payload: { suspended: true }, status: 'pending' });
  expect((await suspend(false)).json()).toMatchObject({ id: first.id, payload: { suspended: false } });
  expect(await take()).toMatchObject([{ id: first.id, payload: { suspended: false } }]);
  expect((await suspend(true)).statusCode).toBe(409);
  await complete(first.id, { result: { suspended: false } });
  expect((await suspend(true, 'read')).statusCode).toBe(403);
});

test('a file of this server has no agent, and an unknown one is not found', async () => {
  const unknown = '00000000-0000-7000-8000-000000000000';
  expect((await t.request('GET', `/items/${unknown}/agent-status`)).statusCode).toBe(404);
  await sql`update all_libraries set source_agent_id = null`.execute(t.deps.db);
  expect(await status()).toMatchObject({ agent_hosted: false, agent_id: null, online: false });
  expect((await verify('stat')).statusCode).toBe(404);
  await sql`update all_libraries set source_agent_id = ${agent.id}`.execute(t.deps.db);
});
