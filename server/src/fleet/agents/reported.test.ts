import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent } from '../../../test/test-agent.ts';

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

test('About shows what an agent has said of its machine, and judges the programs there', async () => {
  const agent = await enrolAgent(t, { name: 'told' });
  const about = async () => (await t.request('GET', `/agents/${agent.id}/about`)).json();
  expect(await about()).toMatchObject({ reported: false, build: null, host_tools: [], extract: { available: false, extractors: [] } });
  const minimums = (await t.request('GET', '/agents/host-tool-minimums')).json();
  expect(minimums).toContainEqual({ name: 'ffprobe', minimum_version: '4.1', impact: expect.stringContaining('video') });
  const capabilities = {
    ...{ os: 'Linux 6.1', arch: 'x64', node: '24.1.0', cores: 4, memory_bytes: 8e9, extract: true, portable: true, self_update: false },
    extractors: ['pdf@3', 7],
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
    extract: { available: true, extractors: ['pdf@3'] },
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
    { os: 7, tools: [[]] },
  ]) {
    await agent.send('POST', `/agents/${agent.id}/heartbeat`, { capabilities: capability });
    expect(await about()).toMatchObject({ host_tools: [], build: { os: null } });
  }
  expect((await t.request('GET', `/agents/${agent.id}/about`, undefined, { as: 'write' })).statusCode).toBe(403);
});
