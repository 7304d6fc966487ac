import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { databaseChecks } from '../../assembly/checks.ts';

let t: TestApp;
let agent: TestAgent;
let seq = 0;
const root = '/data/photos';
const acl = { uid: 1000, gid: 100, mode: 0o644, fidelity: 'posix_mode_only' };
const file = (size: number) => ({ size, mtime_ns: '1700000000000000001', policy_version: 'h1:full', acl });

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t, { name: 'nas-01' });
});
afterAll(async () => {
  for (const check of databaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

const push = async (...changes: object[]) => {
  const entries = changes.map((change) => {
    seq += 1;
    return { seq_no: seq, library_ref: root, ...change };
  });
  const answer = await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries });
  expect(answer.json()).toMatchObject({ quarantined: 0 });
};
const recorded = async () => {
  const { rows } = await sql<{ name: string }>`
    select filename as name from items where access_class is not null union all select 'folder' from folders where acl_id is not null
    order by 1`.execute(t.deps.db);
  return rows.map(({ name }) => name);
};
const record = async (permissions_enabled: boolean) => {
  const { rows } = await sql<{ id: string }>`select id from libraries where root_path = ${root}`.execute(t.deps.db);
  const answer = await t.request('PATCH', `/libraries/${rows[0]!.id}`, { permissions_enabled });
  expect([answer.statusCode, answer.json().permissions_enabled]).toEqual([200, permissions_enabled]);
};

test('lists of a library that records no permissions are dropped, whether an agent reports or compares', async () => {
  await push({ event_type: 'folder', rel_path: '', acl }, { event_type: 'created', rel_path: 'a.txt', ...file(1) });
  expect(await recorded()).toEqual(['a.txt', 'folder']);
  await record(false);
  await push(
    { event_type: 'folder', rel_path: '', acl },
    { event_type: 'modified', rel_path: 'a.txt', ...file(2) },
    { event_type: 'created', rel_path: 'b.txt', ...file(1) },
  );
  expect(await recorded()).toEqual([]);
  const { id } = (await sql<{ id: string }>`select id from items where filename = 'b.txt'`.execute(t.deps.db)).rows[0]!;
  expect((await t.request('GET', `/items/${id}/permissions`)).json()).toMatchObject({ state: 'off', record: null });

  const compare = (step: string, body: object) => agent.send('POST', `/agents/${agent.id}/reconcile/${step}`, body);
  const session = (await compare('start', { library_ref: root, digest: '0'.repeat(16), row_count: 3, seq_no: seq })).json();
  const files = ['a.txt', 'b.txt', 'c.txt'].map((name) => ({ name, ...file(3) }));
  expect((await compare(`${session.session_id}/rows`, { folders: [{ path: '', files }] })).json()).toMatchObject({ differing: 3 });
  expect((await compare(`${session.session_id}/finish`, {})).statusCode).toBe(200);
  expect(await recorded()).toEqual([]);

  await record(true);
  await push({ event_type: 'folder', rel_path: '', acl }, { event_type: 'modified', rel_path: 'c.txt', ...file(4) });
  expect(await recorded()).toEqual(['c.txt', 'folder']);
});
