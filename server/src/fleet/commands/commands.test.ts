import { gzipSync } from 'node:zlib';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson } from '../../../test/catalog-rows.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { setMaintenanceMode } from '../../platform/maintenance-mode.ts';
import { agentChecks } from '../agents/checks.ts';
import { commandChecks } from './checks.ts';
import { sweep } from './service.ts';

let t: TestApp;
let agent: TestAgent;
let other: TestAgent;
let photos: string;
let work: string;

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t, { name: 'nas-01' });
  other = await enrolAgent(t, { name: 'nas-02' });
  const entry = (seq_no: number, root: string) => ({
    seq_no,
    event_type: 'created',
    library_ref: root,
    rel_path: 'a.jpg',
    size: 1,
    mtime_ns: '1',
    initial: true,
  });
  await agent.send('POST', `/agents/${agent.id}/replication-batch`, {
    agent_id: agent.id,
    entries: [entry(1, '/data/photos'), entry(2, '/data/work')],
  });
  const { libraries } = (await t.request('GET', `/agents/${agent.id}`)).json();
  [photos, work] = libraries.map(({ id }: { id: string }) => id);
});
afterAll(async () => {
  for (const check of [...agentChecks, ...commandChecks]) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

const ask = async (body: Record<string, unknown>, id = agent.id) => {
  const answer = await t.request('POST', `/agents/${id}/commands`, body);
  if (answer.statusCode !== 201) throw new Error(answer.body);
  return answer.json();
};
const poll = async (body: Record<string, unknown> = {}, as = agent) => {
  const answer = await as.send('POST', `/agents/${as.id}/commands/poll`, body);
  if (answer.statusCode !== 200) throw new Error(answer.body);
  return answer.json() as { id: string; kind: string; status: string; payload: Record<string, unknown> }[];
};
const act = (what: string, id: string, body: Record<string, unknown> = {}, as = agent) =>
  as.send('POST', `/agents/${as.id}/commands/${id}/${what}`, body);
const shown = async (id: string) => (await t.request('GET', `/agent-commands/${id}`)).json();
const finish = async (id: string) => expect((await act('complete', id)).statusCode).toBe(200);

test('a waiting poll is answered as soon as a command is added, with the root of the library', async () => {
  const waiting = poll({ wait_seconds: 50 });
  const added = await ask({ kind: 'rescan', payload: { library_id: photos } });
  expect(added).toMatchObject({ status: 'pending', kind: 'rescan', agent_id: agent.id, payload: { library_ref: '/data/photos' } });
  expect(await waiting).toMatchObject([{ id: added.id, status: 'picked_up', attempts: 1 }]);
  expect((await act('ack', added.id, { progress: { done: 3, total: 10 } })).json()).toMatchObject({ progress: { done: 3, total: 10 } });
  expect((await act('complete', added.id, { result: { files: 4 } })).json()).toMatchObject({ status: 'done', result: { files: 4 } });
  // The answer may have been lost.
  expect((await act('complete', added.id, { result: { files: 5 } })).json()).toMatchObject({ status: 'done', result: { files: 4 } });
  expect((await act('ack', added.id)).json()).toMatchObject({ status: 409, code: 'command_ended' });
  expect(await shown(added.id)).toMatchObject({ status: 'done', result: { files: 4 } });
});

test('a command is cancelled while the agent works on it: its waiting poll says so', async () => {
  const { id } = await ask({ kind: 'rescan' });
  expect(await poll()).toMatchObject([{ id }]);
  const waiting = poll({ wait_seconds: 50, working: [id] });
  expect((await t.request('POST', `/agent-commands/${id}/cancel`)).json()).toMatchObject({ status: 'cancelled' });
  expect(await waiting).toMatchObject([{ id, status: 'cancelled' }]);
  expect((await act('complete', id)).json()).toMatchObject({ code: 'command_ended' });
  expect((await t.request('POST', `/agent-commands/${id}/cancel`)).json()).toMatchObject({ status: 409, code: 'command_ended' });
});

test('a command whose delivery was lost is delivered again at once; without an agent that says so, after its lease', async () => {
  const { id } = await ask({ kind: 'rescan' });
  expect(await poll()).toHaveLength(1);
  expect(await poll({ working: [id] })).toEqual([]);
  expect(await poll({ working: [] })).toMatchObject([{ id, attempts: 2 }]);
  // An agent that does not say what it works on.
  expect(await poll()).toEqual([]);
  await sql`update agent_commands set lease_until = now() - interval '1 second' where id = ${id}`.execute(t.deps.db);
  await sweep(t.deps.db);
  expect(await poll()).toMatchObject([{ id, attempts: 3 }]);
  await sql`update agent_commands set attempts = 5, lease_until = now() where id = ${id}`.execute(t.deps.db);
  await sweep(t.deps.db);
  expect(await shown(id)).toMatchObject({ status: 'failed', result: { error: expect.stringContaining('never completed') } });
});

test('a command that nobody carries out expires; ended commands are removed after 30 days', async () => {
  const { id } = await ask({ kind: 'rescan', ttl_seconds: 60 });
  await sql`update agent_commands set expires_at = now() where id = ${id}`.execute(t.deps.db);
  expect(await poll()).toEqual([]);
  await sweep(t.deps.db);
  expect(await shown(id)).toMatchObject({ status: 'expired' });
  await sql`update agent_commands set completed_at = now() - interval '31 days' where id = ${id}`.execute(t.deps.db);
  await sweep(t.deps.db);
  expect((await t.request('GET', `/agent-commands/${id}`)).statusCode).toBe(404);
});

test('a second rescan is refused while one is open, and other kinds are delivered beside it', async () => {
  const first = await ask({ kind: 'rescan' });
  expect((await t.request('POST', `/agents/${agent.id}/commands`, { kind: 'rescan' })).json()).toMatchObject({ code: 'command_open' });
  const second = await ask({ kind: 'inventory', payload: { library_id: work, path: 'a/b', max_entries: 5 } });
  expect(await poll()).toMatchObject([
    { id: first.id },
    { id: second.id, payload: { library_ref: '/data/work', path: 'a/b', max_entries: 5 } },
  ]);
  await finish(first.id);
  await finish(second.id);
  for (const body of [
    { kind: 'rescan', payload: { path: 'a' } },
    { kind: 'inventory', payload: { path: 'a' } },
    { kind: 'inventory', payload: { library_id: work, path: '../etc' } },
  ])
    expect((await t.request('POST', `/agents/${agent.id}/commands`, body)).statusCode).toBe(400);
  expect((await t.request('POST', `/agents/${agent.id}/commands`, { kind: 'format_disk' })).statusCode).toBe(422);
});

test('an inventory collects what it is asked to; an unknown collector is refused with the names of those that exist', async () => {
  const payload = { library_id: work, collectors: ['stat', 'placeholder'] };
  const { id } = await ask({ kind: 'inventory', payload });
  expect(await poll()).toMatchObject([{ id, payload: { library_ref: '/data/work', collectors: ['stat', 'placeholder'] } }]);
  await finish(id);
  const url = `/agents/${agent.id}/commands`;
  const refused = await t.request('POST', url, { kind: 'inventory', payload: { collectors: ['stat', 'contents'] } });
  expect(refused.statusCode).toBe(422);
  expect(refused.body).toContain('must be one of stat, owner, perms, permissions, placeholder');
  for (const collectors of [[], ['stat', 'stat'], 'stat'])
    expect((await t.request('POST', url, { kind: 'inventory', payload: { collectors } })).statusCode).toBe(422);
  expect((await t.request('POST', url, { kind: 'rescan', payload: { collectors: ['stat'] } })).statusCode).toBe(400);
});

test('collectors are listed with the number of agents that report them', async () => {
  const list = async () => (await t.request('GET', '/agents/inventory-collectors')).json();
  const told = (inventory_collectors: unknown) =>
    agent.send('POST', `/agents/${agent.id}/heartbeat`, { capabilities: { inventory_collectors } });
  await told(['stat', 'owner', 'stat', 7]);
  expect((await list()).map(({ name, advertised_by }: Record<string, unknown>) => [name, advertised_by])).toEqual([
    ['stat', 1],
    ['owner', 1],
    ['perms', 0],
    ['permissions', 0],
    ['placeholder', 0],
  ]);
  expect((await list())[3]).toEqual({
    ...{ name: 'permissions', label: 'Access list', description: expect.stringContaining('access list'), platforms: ['linux'] },
    ...{ cost: 'medium', by_default: false, advertised_by: 0 },
  });
  await told({ stat: 1 });
  expect((await list())[0]).toMatchObject({ advertised_by: 0, by_default: true });
  expect((await t.request('GET', '/agents/inventory-collectors', undefined, { as: 'write' })).statusCode).toBe(403);
});

test('the result of an inventory can be read, and only the agent that was asked can store it', async () => {
  const { id } = await ask({ kind: 'inventory' });
  await poll();
  const store = (body: Buffer, as = agent) =>
    as.send('POST', `/agents/${as.id}/inventory-results`, body, {
      headers: { 'content-type': 'application/gzip', 'x-svc-command-id': id },
    });
  expect((await t.request('GET', `/agent-commands/${id}/inventory`)).statusCode).toBe(404);
  expect((await store(gzipSync('{}\n'), other)).statusCode).toBe(404);
  expect((await store(Buffer.from('plain'))).statusCode).toBe(400);
  expect((await store(gzipSync('no json\n'))).statusCode).toBe(400);
  expect((await store(gzipSync(Buffer.alloc(70_000_000)))).statusCode).toBe(413);
  const body = gzipSync('{"path":"a.jpg"}\n{"path":"b"}\n');
  expect([(await store(body)).statusCode, (await store(body)).statusCode]).toEqual([201, 200]);
  const read = await t.request('GET', `/agent-commands/${id}/inventory`);
  expect([read.body, read.headers['content-type']]).toEqual(['{"path":"a.jpg"}\n{"path":"b"}\n', expect.stringContaining('ndjson')]);
  expect((await act('complete', id, { result: { text: 'x'.repeat(70_000) } })).statusCode).toBe(413);
  await finish(id);
});

test('an agent reaches its own commands only, and a revoked one none', async () => {
  const { id } = await ask({ kind: 'rescan' });
  for (const what of ['ack', 'complete']) {
    expect((await act(what, id, {}, other)).statusCode, what).toBe(404);
    expect((await other.send('POST', `/agents/${agent.id}/commands/${id}/${what}`, {})).statusCode, what).toBe(401);
  }
  expect(await poll({}, other)).toEqual([]);
  expect((await other.send('POST', `/agents/${agent.id}/commands/poll`, {})).statusCode).toBe(401);
  const leaving = await enrolAgent(t, { name: 'leaving' });
  await t.request('DELETE', `/agents/${leaving.id}`);
  expect((await leaving.send('POST', `/agents/${leaving.id}/commands/poll`, {})).statusCode).toBe(403);
  expect((await t.request('POST', `/agents/${leaving.id}/commands`, { kind: 'rescan' })).statusCode).toBe(409);
  await t.request('POST', `/agent-commands/${id}/cancel`);
});

test('people see, request and cancel only commands about libraries that they see in whole', async () => {
  const all = await ask({ kind: 'rescan' });
  const one = await ask({ kind: 'inventory', payload: { library_id: photos } });
  const whole = (await addPerson(t.deps, [[photos, '', 'search_metadata']], 'user')).key;
  const part = (await addPerson(t.deps, [[photos, 'some/folder', 'search_metadata']], 'user')).key;
  const ids = async (as: string) =>
    (await t.request('GET', `/agent-commands?agent_id=${agent.id}&state=pending`, undefined, { as }))
      .json()
      .map(({ id }: { id: string }) => id);
  expect(await ids(whole)).toEqual([one.id]);
  expect(await ids(part)).toEqual([]);
  expect(await ids('admin')).toEqual([one.id, all.id]);
  const status = async (method: string, url: string, body: unknown, as: string) =>
    (await t.request(method, url, body as undefined, { as })).statusCode;
  for (const [key, command, expected] of [
    [whole, one, 200],
    [whole, all, 404],
    [part, one, 404],
  ] as const) {
    expect(await status('GET', `/agent-commands/${command.id}`, undefined, key)).toBe(expected);
    expect(await status('GET', `/agent-commands/${command.id}/inventory`, undefined, key)).toBe(404);
    expect(await status('POST', `/agent-commands/${command.id}/cancel`, {}, key)).toBe(expected);
  }
  const url = `/agents/${agent.id}/commands`;
  expect(await status('POST', url, { kind: 'inventory', payload: { library_id: photos } }, whole)).toBe(201);
  expect(await status('POST', url, { kind: 'inventory', payload: { library_id: work } }, whole)).toBe(404);
  expect(await status('POST', url, { kind: 'inventory' }, whole)).toBe(403);
  expect(await status('POST', url, { kind: 'inventory', payload: { library_id: photos } }, part)).toBe(404);
});

test('in maintenance mode a poll carries a header, and commands are delivered', async () => {
  await setMaintenanceMode(t.deps.db, true, 'update');
  const answer = await agent.send('POST', `/agents/${agent.id}/commands/poll`, { max: 1 });
  expect([answer.statusCode, answer.headers['x-svc-maintenance'], answer.json().length]).toEqual([200, '1', 1]);
  await setMaintenanceMode(t.deps.db, false, null);
});

test('a service that stops ends waiting polls', async () => {
  const second = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  await second.app.listen({ host: '127.0.0.1', port: 0 });
  const lone = await enrolAgent(second, { name: 'lone' });
  const waiting = lone.send('POST', `/agents/${lone.id}/commands/poll`, { wait_seconds: 55 });
  await expect
    .poll(
      async () =>
        (
          await sql`select from pg_stat_activity where application_name = 'catalog-agent-commands' and datname = current_database()`.execute(
            second.deps.db,
          )
        ).rows.length,
    )
    .toBe(1);
  const closed = second.app.close();
  expect((await waiting).json()).toEqual([]);
  // At the beginning, because a poll that waits would be cut off with its connection.
  expect(second.app.server.listening).toBe(true);
  await closed;
  await second.close();
});

test('sweeps over all files of an agent are commands of their own kind: one at a time, with their options, and cancellable', async () => {
  const post = (what: string, body: object | undefined, as?: 'read' | 'write' | 'admin') =>
    t.request('POST', `/agents/${agent.id}/${what}`, body, as ? { as } : {});
  for (const { id } of await poll()) await finish(id);
  const asked = [
    ['reextract', { force: true, max_items: 5 }, 'reextract', { force: true, max_items: 5 }],
    [
      'rehash-sweep',
      { library_id: photos, min_size: 10, max_size: 20 },
      'rehash_sweep',
      { library_ref: '/data/photos', min_size: 10, max_size: 20 },
    ],
    ['reconcile', { library_id: work }, 'reconcile', { library_ref: '/data/work' }],
    ['maintenance', undefined, 'agent_maintenance', {}],
  ] as const;
  for (const [what, body, kind, payload] of asked) {
    const added = await post(what, body);
    expect(added.json(), added.body).toMatchObject({ kind, payload, status: 'pending' });
    expect((await post(what, body)).json()).toMatchObject({ code: 'command_open' });
  }
  const given = await poll();
  expect(given.map(({ kind }) => kind)).toEqual(['reextract', 'rehash_sweep', 'reconcile', 'agent_maintenance']);
  const [first] = given;
  expect((await t.request('POST', `/agent-commands/${first!.id}/cancel`)).json()).toMatchObject({ status: 'cancelled' });
  const told = await poll({ working: given.map(({ id }) => id) });
  expect(told).toContainEqual(expect.objectContaining({ id: first!.id, status: 'cancelled' }));
  for (const { id } of given.slice(1)) await finish(id);
  expect((await post('rehash-sweep', { min_size: 20, max_size: 10 })).statusCode).toBe(422);
  expect((await post('rehash-sweep', {}, 'write')).statusCode).toBe(403);
  for (const what of ['reextract', 'reconcile', 'maintenance']) expect((await post(what, {}, 'read')).statusCode, what).toBe(403);
  expect((await post('reextract', { wat: 1 })).statusCode).toBe(422);
  expect((await post('reextract', { library_id: '01a1dcfe-9952-7896-a4ba-953f2deb22a4' })).statusCode).toBe(404);
});
