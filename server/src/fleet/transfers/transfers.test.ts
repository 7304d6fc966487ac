import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { createHasher } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson, type Grant } from '../../../test/catalog-rows.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { transferChecks } from './checks.ts';
import { sweepTransfers } from './service.ts';
import { stagedFile, stagingFolder } from './staging.ts';

let t: TestApp;
let agent: TestAgent;
let other: TestAgent;
let library: string;
const bytes = Buffer.from('0123456789'.repeat(100_000));
const items = new Map<string, string>();

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true', SVC_AGENT_STAGING_MAX_GB: '1' });
  agent = await enrolAgent(t, { name: 'nas-01' });
  other = await enrolAgent(t, { name: 'nas-02' });
  const local = path.join(mkdtempSync(path.join(os.tmpdir(), 'catalog-transfer-')), 'file');
  writeFileSync(local, bytes);
  const hasher = createHasher({ threads: 1 });
  const [hash] = await hasher.hash([
    { path: local, size: bytes.length, mtimeNs: String(statSync(local, { bigint: true }).mtimeNs), content: true },
  ]);
  await hasher.close();
  const names = ['a.bin', 'b.bin', 'c.bin', 'd.bin', 'secret/e.bin', 'huge.bin', 'empty.bin', 'live.bin'];
  const entries = names.map((rel_path, at) => ({
    seq_no: at + 1,
    event_type: 'created',
    library_ref: '/data/photos',
    rel_path,
    size: rel_path === 'huge.bin' ? 2e9 : rel_path === 'empty.bin' ? 0 : bytes.length,
    mtime_ns: '1700000000000000001',
    content_hash: rel_path === 'empty.bin' ? null : (hash as { content: string }).content,
    initial: true,
  }));
  await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries });
  const { rows } = await sql<{ id: string; rel_path: string; library_id: string }>`select id, rel_path, library_id from items`.execute(
    t.deps.db,
  );
  for (const { id, rel_path, library_id } of rows) {
    items.set(rel_path, id);
    library = library_id;
  }
});
afterAll(async () => {
  for (const check of transferChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

const request = async (name: string, body = {}) => t.request('POST', `/items/${items.get(name)}/transfer`, body);
const state = async (id: string) => (await t.request('GET', `/transfers/${id}`)).json();
/** The agent takes its newest command. */
const take = async () => {
  const found = (await agent.send('POST', `/agents/${agent.id}/commands/poll`, { max: 50 })).json();
  return found.at(-1) as { id: string; payload: { transfer_id: string; rel_path: string } };
};
const begin = (command_id: string, total_bytes = bytes.length, as = agent) =>
  as.send('POST', `/agents/${as.id}/staging`, { command_id, total_bytes });
const part = (id: string, from: number, to: number, as = agent, content = bytes) =>
  as.send('PATCH', `/agents/${as.id}/staging/${id}`, content.subarray(from, to), {
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': String(from) },
  });
const download = (id: string, headers: Record<string, string> = {}) =>
  t.app.inject({
    method: 'GET',
    url: `/api/v1/transfers/${id}/download`,
    headers: { authorization: `Bearer ${t.keys.admin}`, ...headers },
  });

test('a file is fetched in parts that continue where the last one ended, verified, and downloaded with ranges', async () => {
  const answer = await request('a.bin', { max_bytes_per_sec: 1000 });
  expect([answer.statusCode, answer.json().state]).toEqual([202, 'pending']);
  const { transfer_id: id } = answer.json();
  expect((await request('a.bin')).json()).toMatchObject({ status: 409, code: 'transfer_active', transfer_id: id });
  expect((await download(id)).json()).toMatchObject({ status: 409, code: 'transfer_not_ready' });
  const command = await take();
  expect(command.payload).toEqual({ transfer_id: id, library_ref: '/data/photos', rel_path: 'a.bin', max_bytes_per_sec: 1000 });
  const begun = await begin(command.id);
  expect([begun.statusCode, begun.headers['upload-offset']]).toEqual([201, '0']);
  expect((await part(id, 0, 400_000)).json()).toMatchObject({ state: 'uploading', bytes_transferred: 400_000 });
  expect((await part(id, 0, 400_000)).json()).toMatchObject({ status: 409, reason: 'offset_mismatch', offset: 400_000 });
  expect((await part(id, 500_000, 600_000)).json()).toMatchObject({ reason: 'offset_mismatch', offset: 400_000 });
  // A restarted agent asks again.
  expect((await begin(command.id)).json()).toMatchObject({ bytes_transferred: 400_000 });
  expect((await agent.send('GET', `/agents/${agent.id}/staging/${id}`)).headers['upload-offset']).toBe('400000');
  expect((await part(id, 400_000, bytes.length)).json()).toMatchObject({ state: 'staged' });
  expect(await state(id)).toMatchObject({ state: 'staged', verified: true, bytes_transferred: bytes.length });
  expect(statSync(stagedFile(t.deps.settings, id)).mode & 0o777).toBe(0o600);
  const whole = await download(id);
  expect([whole.statusCode, whole.rawPayload.equals(bytes), whole.headers['content-disposition']]).toEqual([
    200,
    true,
    expect.stringContaining('a.bin'),
  ]);
  const range = await download(id, { range: 'bytes=10-19' });
  expect([range.statusCode, range.body, range.headers['content-range']]).toEqual([206, '0123456789', `bytes 10-19/${bytes.length}`]);
});

test('the first byte arrives before the last was uploaded, and the last part only after verification', async () => {
  const { transfer_id: id } = (await request('b.bin')).json();
  const command = await take();
  await begin(command.id);
  await t.app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = t.app.server.address() as { port: number };
  await part(id, 0, 500_000);
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/transfers/${id}/download`, {
    headers: { authorization: `Bearer ${t.keys.admin}` },
  });
  const reader = answer.body!.getReader();
  const received: Buffer[] = [];
  const count = () => received.reduce((sum, { length }) => sum + length, 0);
  while (count() < 500_000) received.push(Buffer.from((await reader.read()).value!));
  expect(await state(id)).toMatchObject({ state: 'uploading', bytes_transferred: 500_000 });
  await part(id, 500_000, bytes.length);
  for (let next = await reader.read(); !next.done; next = await reader.read()) received.push(Buffer.from(next.value));
  expect(Buffer.concat(received).equals(bytes)).toBe(true);
});

test('other bytes than the catalogued ones are refused, and no reader gets the end of them', async () => {
  const { transfer_id: id } = (await request('c.bin')).json();
  const command = await take();
  expect((await begin(command.id)).statusCode).toBe(201);
  const wrong = Buffer.alloc(bytes.length, 'x');
  expect((await part(id, 0, bytes.length, agent, wrong)).json()).toMatchObject({ state: 'failed' });
  expect(await state(id)).toMatchObject({ state: 'failed', error: expect.stringContaining('content hash differs') });
  expect((await download(id)).statusCode).toBe(409);
  expect(existsSync(stagedFile(t.deps.settings, id))).toBe(false);
  const again = (await request('c.bin')).json().transfer_id;
  expect((await begin((await take()).id, 5)).json()).toMatchObject({ status: 409, reason: 'changed' });
  expect((await state(again)).error).toContain('5 bytes now');
});

test('a command that fails, is cancelled or expires ends its transfer, and its file is removed', async () => {
  const { transfer_id: id } = (await request('d.bin')).json();
  const command = await take();
  await begin(command.id);
  await part(id, 0, 10);
  await agent.send('POST', `/agents/${agent.id}/commands/${command.id}/complete`, { ok: false, result: { error: 'The disk is gone.' } });
  expect(await state(id)).toMatchObject({ state: 'failed', error: 'The disk is gone.' });
  expect(existsSync(stagedFile(t.deps.settings, id))).toBe(false);
  const second = (await request('d.bin')).json().transfer_id;
  const running = await take();
  await begin(running.id);
  expect((await t.request('DELETE', `/transfers/${second}`)).json()).toMatchObject({ state: 'expired' });
  expect((await part(second, 0, 10)).statusCode).toBe(409);
  expect((await t.request('GET', `/agent-commands/${running.id}`)).json()).toMatchObject({ status: 'cancelled' });
  expect((await t.request('DELETE', `/transfers/${second}`)).statusCode).toBe(409);
  const third = (await request('empty.bin')).json().transfer_id;
  expect((await begin((await take()).id, 0)).json()).toMatchObject({ state: 'staged' });
  await sql`update agent_transfers set expires_at = now() where id = ${third}`.execute(t.deps.db);
  writeFileSync(stagedFile(t.deps.settings, '01a1dcfe-9952-7896-a4ba-953f2deb22a4'), 'left over');
  await sweepTransfers(t.deps);
  expect(await state(third)).toMatchObject({ state: 'expired' });
  expect(readdirSync(stagingFolder(t.deps.settings))).toHaveLength(2);
});

test('a file that does not fit into the space for transfers is not fetched', async () => {
  expect((await request('huge.bin')).json()).toMatchObject({ status: 409, code: 'staging_full', detail: expect.stringContaining('1 GB') });
});

test('an agent reaches its own transfers only, and a person those of items that they may download', async () => {
  const { transfer_id: id } = (await request('secret/e.bin')).json();
  const command = await take();
  expect((await begin(command.id, bytes.length, other)).statusCode).toBe(404);
  await begin(command.id);
  expect((await part(id, 0, 10, other)).statusCode).toBe(404);
  expect((await other.send('GET', `/agents/${other.id}/staging/${id}`)).statusCode).toBe(404);
  expect((await other.send('GET', `/agents/${agent.id}/staging/${id}`)).statusCode).toBe(401);
  await part(id, 0, bytes.length);
  const every = ['search_metadata', 'search_content', 'download'] as const;
  const may = (await addPerson(t.deps, every.map((action) => [library, 'secret', action] as const) as never, 'user')).key;
  const sees = (await addPerson(t.deps, [[library, 'secret', 'search_metadata']], 'user')).key;
  const blind = (await addPerson(t.deps, [[library, 'open', 'search_metadata']], 'user')).key;
  for (const [key, read, write] of [
    [sees, 403, 403],
    [blind, 404, 404],
    [may, 200, 409],
  ] as const) {
    expect((await t.request('GET', `/transfers/${id}`, undefined, { as: key })).statusCode).toBe(read);
    expect((await t.request('GET', `/transfers/${id}/download`, undefined, { as: key })).statusCode).toBe(read);
    expect((await t.request('POST', `/items/${items.get('secret/e.bin')}/transfer`, {}, { as: key })).statusCode).toBe(write);
    if (key !== may) expect((await t.request('DELETE', `/transfers/${id}`, undefined, { as: key })).statusCode).toBe(read);
  }
  expect((await t.request('GET', `/agent-commands/${command.id}`, undefined, { as: blind })).statusCode).toBe(404);
  expect((await t.request('GET', `/agent-commands/${command.id}`, undefined, { as: sees })).statusCode).toBe(200);
  expect((await t.request('DELETE', `/transfers/${id}`, undefined, { as: may })).statusCode).toBe(200);
});

test('opening a file of an agent fetches it, and says so when the agent is not connected', async () => {
  const id = items.get('d.bin');
  const opened = t.request('GET', `/items/${id}/file`);
  await expect
    .poll(async () => (await sql`select from agent_transfers where item_id = ${id} and state = 'pending'`.execute(t.deps.db)).rows.length)
    .toBe(1);
  const command = await take();
  await begin(command.id);
  await part(command.payload.transfer_id, 0, bytes.length);
  expect((await opened).rawPayload.equals(bytes)).toBe(true);
  expect(readFileSync(stagedFile(t.deps.settings, command.payload.transfer_id)).equals(bytes)).toBe(true);
  await sql`update agents set last_seen_at = now() - interval '1 hour'`.execute(t.deps.db);
  // What is here is served without the agent.
  expect((await t.request('GET', `/items/${id}/file`)).statusCode).toBe(200);
  expect((await t.request('GET', `/items/${items.get('empty.bin')}/file`)).json()).toMatchObject({ status: 409, code: 'agent_offline' });
});

test('a transfer is followed live with the rights of its item: progress, then done', async () => {
  if (!t.app.server.listening) await t.app.listen({ port: 0, host: '127.0.0.1' });
  const { port } = t.app.server.address() as AddressInfo;
  const transfer = (await request('live.bin')).json().transfer_id;
  const downloads: Grant[] = [
    [library, '', 'search_metadata'],
    [library, '', 'download'],
  ];
  const url = `/transfers/${transfer}/events`;
  const { token, expires_in } = (await t.request('POST', `${url}-token`)).json();
  expect(expires_in).toBe(60);
  const follow = async (query: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1${url}${query}`, { headers });
    expect(answer.headers.get('content-type')).toContain('text/event-stream');
    const stream = { text: '', reading: Promise.resolve() };
    stream.reading = (async () => {
      for await (const chunk of answer.body!.pipeThrough(new TextDecoderStream() as never) as unknown as AsyncIterable<string>)
        stream.text += chunk;
    })();
    await expect.poll(() => stream.text).toContain('"waiting_for_agent":true');
    return stream;
  };
  const followed = await follow(`?stream_token=${token}`);
  // Those of others end with their account or their right to download.
  const people = [await addPerson(t.deps, downloads), await addPerson(t.deps, downloads)];
  const others = await Promise.all(people.map(({ key }) => follow('', { authorization: `Bearer ${key}` })));
  await sql`update principals set disabled = true where id = ${people[0]!.id}`.execute(t.deps.db);
  await sql`delete from grants where principal_id = ${people[1]!.id} and action = 'download'`.execute(t.deps.db);
  await Promise.all(others.map(({ reading }) => reading));
  const command = await take();
  await begin(command.id);
  await part(transfer, 0, 400_000);
  await expect.poll(() => followed.text).toContain('"bytes_transferred":400000');
  await part(transfer, 400_000, bytes.length);
  await followed.reading;
  const events = [...followed.text.matchAll(/event: (.*)\ndata: (.*)\n/g)].map(([, event, data]) => ({ event, ...JSON.parse(data!) }));
  expect(events.at(-1)).toMatchObject({ event: 'done', reason: 'staged', bytes_transferred: bytes.length, total_bytes: bytes.length });
  // Once, and only for those who may download the item.
  expect((await fetch(`http://127.0.0.1:${port}/api/v1${url}?stream_token=${token}`)).status).toBe(401);
  const { key: stranger } = await addPerson(t.deps, [[library, 'secret', 'search_metadata']]);
  expect((await t.request('GET', url, undefined, { as: stranger })).statusCode).toBe(404);
  expect((await t.request('POST', `${url}-token`, undefined, { as: stranger })).statusCode).toBe(404);
});
