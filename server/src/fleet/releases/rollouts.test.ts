import { createHash } from 'node:crypto';
import { type ReleaseManifest, signRelease } from '@catalog/protocol';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { setMaintenanceMode } from '../../platform/maintenance-mode.ts';
import { releaseChecks } from './checks.ts';
import { readKey } from './index.ts';
import { advanceReleaseRollouts } from './rollouts.ts';

let t: TestApp;
/** Sorted by bucket: a rollout covers the first ones first. */
let agents: (TestAgent & { bucket: number; runs: string })[] = [];
const linux = 'catalog-agent-linux-x64';

const bucketOf = (id: string): number =>
  createHash('sha256')
    .update(Buffer.from(id.replaceAll('-', ''), 'hex'))
    .digest()
    .readUInt32BE(0) % 100;

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  for (let n = 0; agents.length < 3; n += 1) {
    const agent = await enrolAgent(t, { name: `nas-${n}` });
    const bucket = bucketOf(agent.id);
    if (bucket < 99 && agents.every((other) => other.bucket !== bucket)) agents.push({ ...agent, bucket, runs: '1.0.0' });
    else await t.request('DELETE', `/agents/${agent.id}`);
  }
  agents = agents.sort((a, b) => a.bucket - b.bucket);
  for (const agent of agents) await beat(agent);
});
afterAll(async () => {
  for (const check of releaseChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

/** A heartbeat of an agent that has scanned and sent everything. */
const beat = (agent: (typeof agents)[number], health: object = {}) =>
  agent.send('POST', `/agents/${agent.id}/heartbeat`, {
    version: agent.runs,
    health: {
      outbox_pending: 0,
      roots: [{ path: '/data', last_scan_at: new Date(Date.now() + 1000).toISOString(), last_error: null }],
      ...health,
    },
    capabilities: { arch: 'x64', self_update: true },
  });
async function publish(version: string, upload = true): Promise<void> {
  const artifact = {
    platform: 'linux',
    arch: 'x64',
    sha256: createHash('sha256').update(version).digest('hex'),
    size: version.length,
    url: linux,
  };
  const manifest: ReleaseManifest = signRelease(readKey(t.deps.settings), {
    version,
    created_at: '2030-01-01T00:00:00.000Z',
    artifacts: [artifact] as ReleaseManifest['artifacts'],
  });
  expect((await t.request('POST', '/agent-releases', manifest)).statusCode).toBe(201);
  if (upload) await uploadProgram(version);
}
const uploadProgram = (version: string) =>
  t.app.inject({
    method: 'PUT',
    url: `/api/v1/agent-releases/${version}/artifacts/${linux}`,
    payload: Buffer.from(version),
    headers: { authorization: `Bearer ${t.keys.admin}`, 'content-type': 'application/octet-stream' },
  });
const roll = (version: string, body: object) => t.request('POST', `/agent-releases/${version}/rollouts`, body);
const newest = async () => (await t.request('GET', '/agent-release-rollouts?limit=1')).json()[0];
const act = (id: string, what: string) => t.request('POST', `/agent-release-rollouts/${id}/${what}`);
const offered = async (agent: TestAgent & { runs: string }): Promise<string | null> => {
  const answer = await agent.send('GET', `/agents/${agent.id}/update-manifest?current=${agent.runs}&arch=x64`);
  return answer.statusCode === 204 ? null : answer.json().version;
};
const allOffered = () => Promise.all(agents.map(offered));
/** What the agent is asked to do; it completes each command. */
const take = async (agent: TestAgent, ok = true): Promise<Record<string, unknown>[]> => {
  const commands = (await agent.send('POST', `/agents/${agent.id}/commands/poll`, { wait_seconds: 0 })).json();
  for (const { id } of commands)
    await agent.send('POST', `/agents/${agent.id}/commands/${id}/complete`, { ok, result: ok ? {} : { error: 'The disk is full.' } });
  return commands.map(({ payload }: { payload: object }) => payload);
};
/** Moves the clock of rollouts and agents; all agents stay connected. */
const step = async (minutes: number) => {
  const by = `${minutes} minutes`;
  await sql`update agent_release_rollouts set starts_at = starts_at - ${by}::interval, started_at = started_at - ${by}::interval,
    tier_started_at = tier_started_at - ${by}::interval where status in ('scheduled', 'running')`.execute(t.deps.db);
  await sql`update agents set version_at = version_at - ${by}::interval, last_seen_at = now()`.execute(t.deps.db);
  await sql`update agent_commands set completed_at = completed_at - ${by}::interval`.execute(t.deps.db);
  return advanceReleaseRollouts(t.deps.db);
};
const updateTo = async (agent: (typeof agents)[number], version: string) => {
  await take(agent);
  agent.runs = version;
  await beat(agent);
};
const firstOnly = () => agents[0]!.bucket + 1;

test('a release is handed out in steps, and a step waits until the agents of the one before have worked with it', async () => {
  await publish('1.1.0', false);
  expect((await roll('9.9.9', { tiers: [{ percent: 100, delay_minutes: 0 }] })).statusCode).toBe(404);
  expect((await roll('1.1.0', { tiers: [{ percent: 50, delay_minutes: 0 }] })).statusCode).toBe(422);
  const tiers = [
    { percent: firstOnly(), delay_minutes: 0 },
    { percent: 100, delay_minutes: 0 },
  ];
  const created = await roll('1.1.0', { tiers, health_minutes: 10 });
  expect(created.json()).toMatchObject({
    release_version: '1.1.0',
    status: 'scheduled',
    covered_percent: 0,
    health_minutes: 10,
    agents: null,
    // Started with the key of a service account.
    actor: expect.stringMatching(/^test \d+ admin$/),
  });
  expect((await roll('1.1.0', { tiers })).statusCode).toBe(409);
  // Without its program a rollout does not begin.
  await step(1);
  expect(await newest()).toMatchObject({ status: 'scheduled' });
  await uploadProgram('1.1.0');
  expect(await allOffered()).toEqual([null, null, null]);
  expect(await step(1)).toEqual({ advanced: 1, stopped: 0 });
  expect(await allOffered()).toEqual(['1.1.0', null, null]);
  expect(await newest()).toMatchObject({ status: 'running', current_tier: 1, agents: { covered: 1, pending: 1, healthy: 0 } });
  expect(await take(agents[0]!)).toEqual([{ rollout_id: created.json().id, target: '1.1.0' }]);
  expect(await take(agents[1]!)).toEqual([]);
  agents[0]!.runs = '1.1.0';
  // It runs, but has not scanned since.
  await beat(agents[0]!, { roots: [{ path: '/data', last_scan_at: '2020-01-01T00:00:00.000Z', last_error: null }] });
  await step(20);
  expect(await newest()).toMatchObject({ current_tier: 1, agents: { covered: 1, pending: 1, healthy: 0 } });
  await beat(agents[0]!);
  expect(await newest()).toMatchObject({ agents: { healthy: 1 }, running_count: 1 });
  await setMaintenanceMode(t.deps.db, true, 'update');
  expect(await step(1)).toEqual({ advanced: 0, stopped: 0 });
  await setMaintenanceMode(t.deps.db, false, null);
  expect(await step(1)).toEqual({ advanced: 1, stopped: 0 });
  expect(await allOffered()).toEqual([null, '1.1.0', '1.1.0']);
  for (const agent of agents.slice(1)) await updateTo(agent, '1.1.0');
  await step(11);
  for (const agent of agents) await beat(agent);
  await step(1);
  expect(await newest()).toMatchObject({ status: 'completed', reason: null, running_count: 3 });
});

test('a rollout stops itself when an agent fails, and the updated agents are asked to go back', async () => {
  await publish('1.2.0', false);
  await roll('1.2.0', { tiers: [{ percent: 100, delay_minutes: 0 }] });
  await uploadProgram('1.2.0');
  await step(1);
  await updateTo(agents[0]!, '1.2.0');
  // The second one cannot install it.
  expect(await take(agents[1]!, false)).toHaveLength(1);
  expect(await step(1)).toEqual({ advanced: 0, stopped: 1 });
  const stopped = await newest();
  expect(stopped).toMatchObject({
    status: 'stopped',
    reason: expect.stringMatching(/^1 of 3 covered agents failed: nas-\d+\. Updated agents go back/),
  });
  expect(await take(agents[0]!)).toEqual([{ put_back: '1.2.0' }]);
  expect(await allOffered()).toEqual([null, null, null]);
  agents[0]!.runs = '1.1.0';
  await beat(agents[0]!);
  expect((await act(stopped.id, 'promote')).statusCode).toBe(409);
  await take(agents[2]!);
});

test('an agent that put the old program back, fell silent or does no work has failed', async () => {
  const outcomes: [string, (agent: (typeof agents)[number]) => Promise<unknown>][] = [
    [
      '1.3.1',
      async (agent) => {
        agent.runs = '1.1.0';
        await beat(agent);
      },
    ],
    [
      '1.3.2',
      async (agent) => sql`update agents set last_seen_at = now() - interval '6 minutes' where id = ${agent.id}`.execute(t.deps.db),
    ],
    [
      '1.3.3',
      async (agent) => {
        await beat(agent, { roots: [] });
        await sql`update agents set version_at = version_at - interval '80 minutes' where id = ${agent.id}`.execute(t.deps.db);
      },
    ],
    ['1.3.4', async (agent) => beat(agent, { roots: [{ path: '/data', last_scan_at: null, last_error: 'The folder is gone.' }] })],
  ];
  for (const [version, fail] of outcomes) {
    await publish(version, false);
    const { id } = (
      await roll(version, {
        tiers: [
          { percent: firstOnly(), delay_minutes: 0 },
          { percent: 100, delay_minutes: 0 },
        ],
      })
    ).json();
    await uploadProgram(version);
    await step(1);
    await updateTo(agents[0]!, version);
    expect((await newest()).agents, version).toMatchObject({ pending: 1, failed: 0 });
    await fail(agents[0]!);
    expect((await newest()).agents, version).toMatchObject({ pending: 0, failed: 1 });
    expect((await act(id, 'cancel')).json().status).toBe('cancelled');
    agents[0]!.runs = '1.1.0';
    await beat(agents[0]!);
  }
});

test('withdrawing a release stops its rollout, and a rollback asks the updated agents to go back', async () => {
  await publish('1.4.0', false);
  const { id } = (await roll('1.4.0', { tiers: [{ percent: 100, delay_minutes: 0 }] })).json();
  expect((await act(id, 'rollback')).statusCode).toBe(409);
  await uploadProgram('1.4.0');
  expect((await act(id, 'promote')).json()).toMatchObject({ status: 'running', current_tier: 1 });
  await updateTo(agents[0]!, '1.4.0');
  expect((await t.request('DELETE', '/agent-releases/1.4.0')).statusCode).toBe(200);
  expect(await newest()).toMatchObject({ status: 'stopped', reason: 'The release was withdrawn.' });
  expect((await roll('1.4.0', { tiers: [{ percent: 100, delay_minutes: 0 }] })).statusCode).toBe(409);
  expect((await act(id, 'rollback')).json()).toMatchObject({ status: 'stopped', running_count: 1 });
  expect(await take(agents[0]!)).toEqual([{ put_back: '1.4.0' }]);
  agents[0]!.runs = '1.1.0';
  await beat(agents[0]!);
  for (const agent of agents) await take(agent);
});

test('an administrator updates one agent now, past a rollout', async () => {
  const ask = (as?: string) => t.request('POST', `/agents/${agents[2]!.id}/self-update`, undefined, as ? { as } : {});
  expect((await ask()).json()).toMatchObject({ target: '1.3.4' });
  expect((await ask()).statusCode).toBe(409);
  expect(await offered(agents[2]!)).toBe('1.3.4');
  expect(await offered(agents[1]!)).toBe(null);
  await updateTo(agents[2]!, '1.3.4');
  expect((await ask()).json()).toMatchObject({ status: 409, detail: 'There is no newer release for this agent.' });
  expect((await ask(t.keys.read)).statusCode).toBe(403);
});

test('a paused rollout asks nobody and begins no step until it is resumed', async () => {
  for (const agent of agents) {
    await take(agent);
    await beat(agent);
  }
  await publish('8.0.0');
  const { id } = (await roll('8.0.0', { tiers: [{ percent: 100, delay_minutes: 0 }], health_minutes: 1 })).json();
  expect((await act(id, 'pause')).json()).toMatchObject({ status: 'scheduled', paused_at: expect.any(String) });
  expect(await step(5)).toEqual({ advanced: 0, stopped: 0 });
  expect(await take(agents[0]!)).toEqual([]);
  expect((await act(id, 'promote')).statusCode).toBe(409);
  expect((await act(id, 'resume')).json()).toMatchObject({ paused_at: null });
  expect(await step(0)).toEqual({ advanced: 1, stopped: 0 });
  expect(await take(agents[0]!)).toEqual([{ rollout_id: id, target: '8.0.0' }]);
  expect((await act(id, 'cancel')).json()).toMatchObject({ status: 'cancelled', paused_at: null });
  expect((await act(id, 'resume')).statusCode).toBe(409);
});

const updateOf = async (agent: TestAgent) => {
  const { update_available, update_target, update_hold, update_pending } = (await t.request('GET', `/agents/${agent.id}`)).json();
  return [update_available, update_target, update_hold, update_pending];
};

test('a paused rollout offers nothing new to agents that ask by themselves; an agent that was asked before may finish', async () => {
  for (const agent of agents) {
    await take(agent);
    await beat(agent);
  }
  await publish('8.0.5');
  const { id } = (await roll('8.0.5', { tiers: [{ percent: 100, delay_minutes: 0 }], health_minutes: 1 })).json();
  expect(await updateOf(agents[1]!)).toEqual([true, '8.0.5', 'The rollout has not begun.', false]);
  await step(1);
  expect(await allOffered()).toEqual(['8.0.5', '8.0.5', '8.0.5']);
  expect(await updateOf(agents[1]!)).toEqual([true, '8.0.5', null, true]);
  await take(agents[1]!);
  await act(id, 'pause');
  expect(await allOffered()).toEqual(['8.0.5', null, '8.0.5']);
  expect(await updateOf(agents[1]!)).toEqual([true, '8.0.5', 'The rollout is paused.', false]);
  await act(id, 'resume');
  expect(await allOffered()).toEqual(['8.0.5', '8.0.5', '8.0.5']);
  await act(id, 'cancel');
  expect(await updateOf(agents[1]!)).toEqual([true, '8.0.5', 'The rollout was cancelled.', false]);
  const { items } = (await t.request('GET', '/agents?limit=200')).json();
  expect(items.find((each: { id: string }) => each.id === agents[1]!.id)).toMatchObject({ update_target: '8.0.5', update_available: true });
  for (const agent of agents) await take(agent);
});

test('settings hold updates back, also those of a rollout, but not a request of an administrator', async () => {
  const { id: group } = (await t.request('POST', '/agents/config-groups', { name: 'careful', priority: 900 })).json();
  await t.request('PUT', `/agents/${agents[0]!.id}/config-groups`, { group_ids: [group] });
  const set = (policy: object) => t.request('PATCH', `/agents/config-groups/${group}`, { policy });
  expect((await set({ update_window: 'at night' })).statusCode).toBe(422);
  await publish('8.0.55');
  expect(await offered(agents[0]!)).toBe('8.0.55');
  const hour = new Date().getUTCHours();
  const away = `* ${String((hour + 2) % 24).padStart(2, '0')}:00-${String((hour + 3) % 24).padStart(2, '0')}:00`;
  const holds: [object, string][] = [
    [{ auto_update: false }, 'The settings of this agent do not let it update itself.'],
    [{ update_not_before: '2999-01-01T00:00:00Z' }, 'The settings of this agent let it update itself on a later day only.'],
    [{ update_window: away }, 'The settings of this agent let it update itself at other hours only.'],
  ];
  for (const [policy, reason] of holds) {
    expect((await set(policy)).statusCode, reason).toBe(200);
    expect(await allOffered(), reason).toEqual([null, '8.0.55', '8.0.55']);
    expect(await updateOf(agents[0]!)).toEqual([true, '8.0.55', reason, false]);
  }
  // A rollout waits for the hours of an agent, and does not wait for one that never updates itself.
  const { id } = (await roll('8.0.55', { tiers: [{ percent: 100, delay_minutes: 0 }], health_minutes: 1 })).json();
  await step(1);
  expect(await take(agents[0]!)).toEqual([]);
  expect(await newest()).toMatchObject({ agents: { covered: 3 } });
  await set({ auto_update: false });
  expect(await newest()).toMatchObject({ agents: { covered: 2 } });
  await act(id, 'cancel');
  expect((await t.request('POST', `/agents/${agents[0]!.id}/self-update`)).statusCode).toBe(201);
  expect(await offered(agents[0]!)).toBe('8.0.55');
  await t.request('DELETE', `/agents/config-groups/${group}`);
  for (const agent of agents) await take(agent);
});

test('a rollout can be for the agents of a group', async () => {
  const { id: group } = (await t.request('POST', '/agents/config-groups', { name: 'pilots' })).json();
  await t.request('PUT', `/agents/${agents[2]!.id}/config-groups`, { group_ids: [group] });
  await publish('8.0.60');
  const target = { platforms: [], labels: [], group_ids: [group] };
  const unknown = { ...target, group_ids: [agents[0]!.id] };
  expect((await roll('8.0.60', { tiers: [{ percent: 100, delay_minutes: 0 }], target: unknown })).statusCode).toBe(422);
  const created = await roll('8.0.60', { tiers: [{ percent: 100, delay_minutes: 0 }], health_minutes: 1, target });
  expect(created.json()).toMatchObject({ target });
  await step(1);
  expect(await newest()).toMatchObject({ agents: { covered: 1 } });
  expect(await allOffered()).toEqual([null, null, '8.0.60']);
  expect(await updateOf(agents[0]!)).toEqual([true, '8.0.60', 'The rollout is for other agents.', false]);
  await act(created.json().id, 'cancel');
  for (const agent of agents) await take(agent);
});

test('a rollout with a target reaches only agents with its labels, also after it has completed', async () => {
  await t.request('PATCH', `/agents/${agents[1]!.id}`, { labels: ['pilot', 'nas'] });
  await publish('8.1.0');
  const target = { platforms: ['linux'], labels: ['pilot'], group_ids: [] };
  const created = await roll('8.1.0', { tiers: [{ percent: 100, delay_minutes: 0 }], health_minutes: 1, target });
  expect(created.json()).toMatchObject({ target });
  const { id } = created.json();
  expect(await step(1)).toEqual({ advanced: 1, stopped: 0 });
  expect(await newest()).toMatchObject({ agents: { covered: 1 } });
  expect((await allOffered())[1]).toBe('8.1.0');
  expect([(await allOffered())[0], (await allOffered())[2]]).not.toContain('8.1.0');
  await act(id, 'promote');
  expect(await newest()).toMatchObject({ status: 'completed' });
  expect((await allOffered()).map((version) => version === '8.1.0')).toEqual([false, true, false]);
  // A rollout for everyone follows.
  await roll('8.1.0', { tiers: [{ percent: 100, delay_minutes: 0 }] });
  await step(1);
  expect(await allOffered()).toEqual(['8.1.0', '8.1.0', '8.1.0']);
  await act((await newest()).id, 'cancel');
  await roll('8.1.0', { tiers: [{ percent: 100, delay_minutes: 0 }], target: { platforms: ['windows'], labels: [] } });
  await step(1);
  expect(await newest()).toMatchObject({ agents: { covered: 0 } });
  expect(await allOffered()).not.toContain('8.1.0');
});
