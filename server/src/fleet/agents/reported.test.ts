import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { bindingText } from '@catalog/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent } from '../../../test/test-agent.ts';
import type { Db } from '../../platform/database/index.ts';
import { releaseClone } from './store.ts';

// What agents say about themselves.
let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
});
afterAll(() => t.close());

const events = async (type: string) =>
  (await sql<{ details: object }>`select details from security_events where event_type = ${type} order by id`.execute(t.deps.db)).rows.map(
    ({ details }) => details,
  );

test('two programs that take turns with one identity are noticed; restarts are not', async () => {
  const agent = await enrolAgent(t, { name: 'copied' });
  const [a, b, c] = [randomUUID(), randomUUID(), randomUUID()];
  const beat = async (run_id: string | undefined) => {
    const answer = await agent.send('POST', `/agents/${agent.id}/heartbeat`, { run_id, health: {} });
    const { clone_seen_at } = (await t.request('GET', `/agents/${agent.id}`)).json();
    // The agent is told as well.
    expect(answer.json()).toMatchObject({ cloned: clone_seen_at !== null });
    return clone_seen_at;
  };
  for (const run of [a, a, b, c, c, undefined]) expect(await beat(run)).toBeNull();
  // One late request of the program before.
  expect(await beat(b)).toBeNull();
  expect(await beat(c)).toEqual(expect.any(String));
  expect(await beat(b)).toEqual(expect.any(String));
  expect(await events('agent_clone_seen')).toMatchObject([{ agent_id: agent.id, name: 'copied' }]);
  expect((await agent.send('POST', `/agents/${agent.id}/heartbeat`, { run_id: 'x' })).statusCode).toBe(422);
});

test('changes, comparisons and commands of a cloned agent are held back until an administrator decides; the chosen machine gets a new key', async () => {
  const agent = await enrolAgent(t, { name: 'twice' });
  const { db } = t.deps;
  const path = `/agents/${agent.id}`;
  const beat = async (run_id: string, hostname: string) => (await agent.send('POST', `${path}/heartbeat`, { run_id, hostname })).json();
  const file = { event_type: 'created', library_ref: '/data', size: 1, mtime_ns: '1', quick_hash: '0'.repeat(16) };
  const push = (seq_no: number) =>
    agent.send('POST', `${path}/replication-batch`, { agent_id: agent.id, entries: [{ ...file, seq_no, rel_path: `${seq_no}.txt` }] });
  const start = () =>
    agent.send('POST', `${path}/reconcile/start`, { library_ref: '/data', digest: '0'.repeat(16), row_count: 1, seq_no: 2 });
  const shown = async () => (await t.request('GET', path)).json();
  const resolve = (body: object, as?: string) => t.request('POST', `${path}/resolve-clone`, body, as ? { as } : {});
  expect((await push(1)).statusCode).toBe(200);
  expect(await shown()).toMatchObject({ clone_held_at: null, clone_runs: [] });
  expect((await resolve({})).statusCode).toBe(409);
  const [a, b] = [randomUUID(), randomUUID()];
  for (const [run, host] of [
    // Before a restart; it is not offered as a choice.
    [randomUUID(), 'old-laptop'],
    [a, 'old-laptop'],
    [b, 'new-laptop'],
    [a, 'old-laptop'],
    // So far one late request may be the reason.
    [b, 'new-laptop'],
  ] as const)
    expect(await beat(run, host)).toMatchObject({ held: false, renew_key: false });
  expect((await push(2)).statusCode).toBe(200);
  expect(await beat(a, 'old-laptop')).toMatchObject({ held: true, cloned: true, renew_key: false });
  const raised = await sql`select kind, status, facts ->> 'agent' as agent from system_events where subject = ${agent.id}`.execute(db);
  expect(raised.rows).toEqual([{ kind: 'agent_cloned', status: 'firing', agent: 'twice' }]);
  for (const refused of [await push(3), await start()]) {
    expect(refused.json()).toMatchObject({ status: 409, code: 'agent_cloned' });
    expect(refused.headers['retry-after']).toBe('60');
  }
  const { id: command } = (await t.request('POST', `${path}/reconcile`, {})).json();
  expect((await agent.send('POST', `${path}/commands/poll`, { wait_seconds: 0 })).json()).toEqual([]);
  expect(await shown()).toMatchObject({
    clone_held_at: expect.any(String),
    clone_kept_run: null,
    clone_runs: [
      { run_id: a, hostname: 'old-laptop', address: '127.0.0.1' },
      { run_id: b, hostname: 'new-laptop' },
    ],
  });
  // The hold does not end by itself.
  await sql`update agents set clone_seen_at = now() - interval '3 days', clone_suspected_at = now() - interval '3 days' where id = ${agent.id}`.execute(
    db,
  );
  expect(await beat(b, 'new-laptop')).toMatchObject({ cloned: false, held: true });
  expect((await resolve({ keep_run_id: a }, t.keys.write)).statusCode).toBe(403);
  expect((await resolve({ keep_run_id: randomUUID() })).statusCode).toBe(422);
  expect((await resolve({ keep_run_id: a })).json()).toMatchObject({ clone_kept_run: a, clone_held_at: expect.any(String) });
  expect(await beat(b, 'new-laptop')).toMatchObject({ held: true, renew_key: false });
  expect(await beat(a, 'old-laptop')).toMatchObject({ held: true, renew_key: true });
  // A renewal of the old key, by either machine, changes nothing.
  expect((await agent.send('POST', `${path}/certificate/renew`, {})).statusCode).toBe(200);
  expect((await push(3)).json()).toMatchObject({ code: 'agent_cloned' });
  const fresh = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const proof = sign('sha256', Buffer.from(bindingText(agent.id, '')), { key: fresh.privateKey, dsaEncoding: 'ieee-p1363' });
  const public_key = fresh.publicKey.export({ type: 'spki', format: 'pem' });
  const renewed = await agent.send('POST', `${path}/certificate/renew`, { public_key, proof: proof.toString('base64') });
  expect(renewed.statusCode, renewed.body).toBe(200);
  expect((await push(3)).statusCode).toBe(401);
  expect(await shown()).toMatchObject({ clone_held_at: null, clone_kept_run: null, clone_seen_at: null });
  const batch = { agent_id: agent.id, entries: [{ ...file, seq_no: 3, rel_path: '3.txt' }] };
  expect((await agent.send('POST', `${path}/replication-batch`, batch, { key: fresh.privateKey })).statusCode).toBe(200);
  const found = (await agent.send('POST', `${path}/commands/poll`, { wait_seconds: 0 }, { key: fresh.privateKey })).json();
  expect(found).toMatchObject([{ id: command }]);
  expect(await events('agent_clone_resolved')).toMatchObject([{ agent_id: agent.id, kept_run: a }]);
});

test('when only one machine is left, an administrator lets its changes through', async () => {
  const agent = await enrolAgent(t, { name: 'alone again' });
  const [a, b] = [randomUUID(), randomUUID()];
  for (const run_id of [a, b, a, b, a]) await agent.send('POST', `/agents/${agent.id}/heartbeat`, { run_id });
  const shown = (await t.request('POST', `/agents/${agent.id}/resolve-clone`, {})).json();
  expect(shown).toMatchObject({ clone_held_at: null, clone_seen_at: null, clone_runs: [] });
  const again = await agent.send('POST', `/agents/${agent.id}/heartbeat`, { run_id: b });
  expect(again.json()).toMatchObject({ held: false, cloned: false });
});

test('About shows what an agent has said of its machine, and judges the programs there', async () => {
  const agent = await enrolAgent(t, { name: 'told' });
  const about = async () => (await t.request('GET', `/agents/${agent.id}/about`)).json();
  expect(await about()).toMatchObject({
    reported: false,
    build: null,
    host_tools: [],
    extract: { available: false, extractors: [], ocr: null },
  });
  const minimums = (await t.request('GET', '/agents/host-tool-minimums')).json();
  expect(minimums).toContainEqual({ name: 'tesseract', minimum_version: '4.0', impact: 'Unavailable without it: text recognition' });
  expect(minimums).toContainEqual({ name: 'ffprobe', minimum_version: '4.1', impact: expect.stringContaining('video') });
  const capabilities = {
    ...{ os: 'Linux 6.1', arch: 'x64', node: '24.1.0', cores: 4, memory_bytes: 8e9, extract: true, portable: true, self_update: false },
    extractors: ['pdf@3', 7],
    ocr: { available: false, reason: 'tesseract has no data for the language "deu".' },
    tools: [
      { name: 'ffprobe', path: '/usr/bin/ffprobe', version: '6.1' },
      { name: 'exiftool', path: '/usr/bin/exiftool', version: '11.9' },
      { name: 'pdftotext', path: null, version: null },
      { name: 'other', path: '/x', version: 'new' },
      { name: 7 },
      null,
    ],
  };
  await agent.send('POST', `/agents/${agent.id}/heartbeat`, { capabilities });
  expect(await about()).toMatchObject({
    reported: true,
    build: { os: 'Linux 6.1', arch: 'x64', node: '24.1.0', cores: 4, single_executable: false },
    extract: { available: true, extractors: ['pdf@3'], ocr: capabilities.ocr },
    presence: { portable: true },
    host_tools: [
      { name: 'ffprobe', verdict: 'ok', present: true },
      { name: 'exiftool', verdict: 'outdated', minimum_version: '12.0' },
      { name: 'pdftotext', verdict: 'absent', present: false },
      { name: 'other', verdict: 'unknown', purpose: null },
    ],
  });
  expect((await t.request('GET', `/agents/${agent.id}`)).json().tool_verdicts).toEqual({
    ...{ ffprobe: 'ok', exiftool: 'outdated', pdftotext: 'absent', other: 'unknown' },
  });
  for (const capability of [
    { tools: 'all', extractors: {} },
    { os: 7, tools: [[]], ocr: 'yes' },
  ]) {
    await agent.send('POST', `/agents/${agent.id}/heartbeat`, { capabilities: capability });
    expect(await about()).toMatchObject({ host_tools: [], build: { os: null } });
  }
  expect((await t.request('GET', `/agents/${agent.id}/about`, undefined, { as: 'write' })).statusCode).toBe(403);
});

test('a report of the other machine that arrives while the chosen one gets its new key does not hold back changes again', async () => {
  const agent = await enrolAgent(t, { name: 'raced' });
  const { db } = t.deps;
  const [kept, other] = [randomUUID(), randomUUID()];
  const beat = (run_id: string) => agent.send('POST', `/agents/${agent.id}/heartbeat`, { run_id });
  for (const run of [kept, other, kept, other, kept, other, kept]) await beat(run);
  const held = async () => (await sql`select clone_held_at from agents where id = ${agent.id}`.execute(db)).rows;
  expect(await held()).toEqual([{ clone_held_at: expect.any(Date) }]);
  let late: ReturnType<typeof beat> | undefined;
  await db.transaction().execute(async (tx) => {
    await releaseClone(tx as Db, agent.id);
    late = beat(other);
    void late.then(() => {});
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()
              and query like '%held_before%'`.execute(db)
          ).rows.length,
        { timeout: 10_000 },
      )
      .toBe(1);
  });
  expect((await late)?.json()).toMatchObject({ held: false });
  expect(await held()).toEqual([{ clone_held_at: null }]);
});
