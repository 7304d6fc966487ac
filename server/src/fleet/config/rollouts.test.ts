import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { setMaintenanceMode } from '../../platform/maintenance-mode.ts';
import { configChecks } from './checks.ts';
import { advanceRollouts } from './rollouts.ts';

let t: TestApp;
/** Sorted by bucket: a rollout covers the first ones first. */
let agents: (TestAgent & { bucket: number })[] = [];
let group: { id: string; current_version: number };
const count = 6;

/** The first four bytes of the SHA-256 of the id, modulo 100. */
const bucketOf = (id: string): number =>
  createHash('sha256')
    .update(Buffer.from(id.replaceAll('-', ''), 'hex'))
    .digest()
    .readUInt32BE(0) % 100;

beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  // Different buckets, so that a share can cover exactly the first ones.
  for (let n = 0; agents.length < count; n += 1) {
    const agent = await enrolAgent(t, { name: `nas-${n}` });
    const bucket = bucketOf(agent.id);
    if (agents.every((other) => other.bucket !== bucket)) agents.push({ ...agent, bucket });
  }
  agents = agents.sort((a, b) => a.bucket - b.bucket);
  group = (await t.request('POST', '/agents/config-groups', { name: 'Staged', policy: { scan_interval_seconds: 100 } })).json();
  for (const { id } of agents) await t.request('PUT', `/agents/${id}/config-groups`, { group_ids: [group.id] });
});
afterAll(async () => {
  for (const check of configChecks) expect(await check.run(t.deps), check.name).toEqual([]);
  await t.close();
});

const patch = (body: object) => t.request('PATCH', `/agents/config-groups/${group.id}`, body);
const rollouts = async () => (await t.request('GET', `/agents/config-rollouts?group_id=${group.id}`)).json();
const policyOf = async (agent: TestAgent, applied?: number) => {
  const answer = await agent.send('GET', `/agents/${agent.id}/policy${applied === undefined ? '' : `?applied=${applied}`}`);
  return answer.json() as { version: number; policy: { scan_interval_seconds: number } };
};
/** The agent takes its configuration, and reports how it fares. */
const work = async (agent: TestAgent, error: string | null = null) => {
  const { version } = await policyOf(agent);
  await policyOf(agent, version);
  await agent.send('POST', `/agents/${agent.id}/heartbeat`, { health: { roots: [{ path: '/data', last_error: error }] } });
};
/** Moves the clock of the rollout and of its agents. */
const pass = async (minutes: number) => {
  const by = `${minutes} minutes`;
  await sql`update agent_rollouts set starts_at = starts_at - ${by}::interval, started_at = started_at - ${by}::interval,
    tier_started_at = tier_started_at - ${by}::interval where status in ('scheduled', 'running')`.execute(t.deps.db);
  await sql`update agents set config_applied_at = config_applied_at - ${by}::interval, health_at = health_at - ${by}::interval`.execute(
    t.deps.db,
  );
};
const step = async (minutes: number) => {
  await pass(minutes);
  const done = await advanceRollouts(t.deps.db);
  // All agents are connected.
  await sql`update agents set last_seen_at = now()`.execute(t.deps.db);
  return done;
};
const intervals = async () => Promise.all(agents.map(async (agent) => (await policyOf(agent)).policy.scan_interval_seconds));
/** A share that covers exactly the first of the agents. */
const firstOnly = () => agents[0]!.bucket + 1;

test('steps must rise to 100 percent, need a change, and only one rollout of a group is under way', async () => {
  const start = (rollout: object, policy: object = { scan_interval_seconds: 200 }) => patch({ policy, rollout });
  expect((await start({ tiers: [{ percent: 50, delay_minutes: 0 }] })).statusCode).toBe(422);
  expect((await start({ tiers: [50, 50, 100].map((percent) => ({ percent, delay_minutes: 0 })) })).statusCode).toBe(422);
  expect((await start({ tiers: [{ percent: 100, delay_minutes: 0 }] }, { scan_interval_seconds: 100 })).statusCode).toBe(422);
  const tiers = [
    { percent: firstOnly(), delay_minutes: 0 },
    { percent: 100, delay_minutes: 30 },
  ];
  const started = await start({ tiers });
  expect(started.json(), started.body).toMatchObject({ current_version: 1, policy: { scan_interval_seconds: 100 } });
  expect((await start({ tiers })).statusCode).toBe(409);
  expect((await patch({ policy: { scan_interval_seconds: 300 } })).statusCode).toBe(409);
  // Started with the key of a service account.
  const actor = expect.stringMatching(/^test \d+ admin$/);
  expect(await rollouts()).toMatchObject([{ status: 'scheduled', target_version: 2, covered_percent: 0, group_name: 'Staged', actor }]);
});

test('a step reaches only its share of the agents; the next one waits for its delay and for agents that have not taken it', async () => {
  expect(await intervals()).toEqual(Array(count).fill(100));
  expect(await step(0)).toEqual({ advanced: 1, stopped: 0 });
  expect(await intervals()).toEqual([200, ...Array(count - 1).fill(100)]);
  const config = (await t.request('GET', `/agents/${agents[0]!.id}/effective-config`)).json();
  expect(config.groups).toContainEqual(expect.objectContaining({ name: 'Staged', version_used: 2, via_rollout: true }));
  expect((await rollouts())[0]).toMatchObject({ status: 'running', current_tier: 1, agents: { covered: 1, healthy: 0, pending: 1 } });
  expect(await step(5)).toEqual({ advanced: 0, stopped: 0 });
  for (const agent of agents) await work(agent);
  expect((await rollouts())[0]).toMatchObject({ agents: { covered: 1, healthy: 1, pending: 0, failed: 0 } });
  expect(await step(5)).toEqual({ advanced: 0, stopped: 0 });
  await setMaintenanceMode(t.deps.db, true, 'update');
  expect(await step(30)).toEqual({ advanced: 0, stopped: 0 });
  await setMaintenanceMode(t.deps.db, false, null);
  expect(await step(0)).toEqual({ advanced: 1, stopped: 0 });
  expect(await intervals()).toEqual(Array(count).fill(200));
});

test('the version becomes current when all connected agents work with it', async () => {
  expect(await step(2)).toEqual({ advanced: 0, stopped: 0 });
  for (const agent of agents) await work(agent);
  expect(await step(0)).toEqual({ advanced: 1, stopped: 0 });
  expect((await rollouts())[0]).toMatchObject({ status: 'completed', finished_at: expect.any(String), agents: null });
  const [, staged] = (await t.request('GET', '/agents/config-groups')).json();
  expect(staged).toMatchObject({ current_version: 2, policy: { scan_interval_seconds: 200 } });
  expect(await intervals()).toEqual(Array(count).fill(200));
});

test('a rollout stops itself when covered agents report errors they did not have, and all go back', async () => {
  // This one failed before; that is not the fault of the rollout.
  await work(agents[1]!, 'The folder does not exist.');
  await patch({
    policy: { scan_interval_seconds: 300 },
    rollout: {
      tiers: [
        { percent: agents[1]!.bucket + 1, delay_minutes: 0 },
        { percent: 100, delay_minutes: 1 },
      ],
    },
  });
  await step(0);
  await work(agents[1]!, 'The folder does not exist.');
  expect(await step(0)).toEqual({ advanced: 0, stopped: 0 });
  await work(agents[0]!, 'Nothing can be read.');
  expect(await step(0)).toEqual({ advanced: 0, stopped: 1 });
  const [stopped] = await rollouts();
  expect(stopped).toMatchObject({ status: 'stopped', reason: expect.stringContaining('1 of 2 covered agents failed') });
  expect(await intervals()).toEqual(Array(count).fill(200));
  expect((await t.request('POST', `/agents/config-rollouts/${stopped.id}/promote`)).statusCode).toBe(409);
});

test('an agent that falls silent after it took the version, or never takes it, has failed; a share of failures can be allowed', async () => {
  for (const agent of agents) await work(agent);
  const rollout = { tiers: [{ percent: 100, delay_minutes: 0 }], max_failed_percent: 20 };
  await patch({ policy: { scan_interval_seconds: 400 }, rollout });
  await step(0);
  for (const agent of agents.slice(2)) await work(agent);
  const [first, second] = [agents[0]!, agents[1]!];
  const { version } = await policyOf(first);
  await policyOf(first, version);
  // One of six has failed: it applied the version and was not heard of again.
  await sql`update agents set health_at = config_applied_at - interval '1 minute' where id = ${first.id}`.execute(t.deps.db);
  expect(await step(11)).toEqual({ advanced: 0, stopped: 0 });
  expect((await rollouts())[0]).toMatchObject({ status: 'running', agents: { failed: 1, pending: 1, healthy: 4 } });
  await sql`update agents set last_seen_at = now() + interval '1 second' where id = ${second.id}`.execute(t.deps.db);
  expect(await step(6)).toEqual({ advanced: 0, stopped: 1 });
  expect((await rollouts())[0]).toMatchObject({ status: 'stopped', reason: expect.stringContaining('2 of 6') });
});

test('a rollback is staged too; promote begins the next step at once, and cancel takes it back', async () => {
  const back = await t.request('POST', `/agents/config-groups/${group.id}/rollback`, {
    version: 1,
    rollout: {
      tiers: [
        { percent: firstOnly(), delay_minutes: 0 },
        { percent: 100, delay_minutes: 600 },
      ],
      starts_at: '2099-01-01T00:00:00Z',
    },
  });
  expect(back.json(), back.body).toMatchObject({ current_version: 2, policy: { scan_interval_seconds: 200 } });
  expect(await advanceRollouts(t.deps.db)).toEqual({ advanced: 0, stopped: 0 });
  const [{ id }] = await rollouts();
  const act = async (what: string) => (await t.request('POST', `/agents/config-rollouts/${id}/${what}`)).json();
  expect(await act('promote')).toMatchObject({ status: 'running', current_tier: 1 });
  expect(await intervals()).toEqual([100, ...Array(count - 1).fill(200)]);
  expect(await act('promote')).toMatchObject({ status: 'running', current_tier: 2, covered_percent: 100 });
  expect(await intervals()).toEqual(Array(count).fill(100));
  expect(await act('cancel')).toMatchObject({ status: 'cancelled' });
  expect(await intervals()).toEqual(Array(count).fill(200));
  // At once, which needs no rollout.
  expect((await t.request('POST', `/agents/config-groups/${group.id}/rollback`, { version: 1 })).statusCode).toBe(200);
  expect(await intervals()).toEqual(Array(count).fill(100));
});

test('a paused rollout begins no step, but its health gate goes on; resumed, it waits for the rest of its delay', async () => {
  for (const agent of agents) await work(agent);
  const tiers = [
    { percent: firstOnly(), delay_minutes: 0 },
    { percent: 100, delay_minutes: 30 },
  ];
  await patch({ policy: { scan_interval_seconds: 500 }, rollout: { tiers, starts_at: '2099-01-01T00:00:00Z' } });
  const [{ id }] = await rollouts();
  const act = (what: string) => t.request('POST', `/agents/config-rollouts/${id}/${what}`);
  // Before its start as well.
  expect((await act('pause')).json()).toMatchObject({ status: 'scheduled', paused_at: expect.any(String) });
  await sql`update agent_rollouts set starts_at = now() - interval '1 day' where id = ${id}`.execute(t.deps.db);
  expect(await step(0)).toEqual({ advanced: 0, stopped: 0 });
  expect((await act('resume')).json()).toMatchObject({ paused_at: null });
  expect(await step(0)).toEqual({ advanced: 1, stopped: 0 });
  for (const agent of agents) await work(agent);
  expect((await act('pause')).statusCode).toBe(200);
  expect((await act('pause')).statusCode).toBe(200);
  expect((await act('promote')).statusCode).toBe(409);
  expect(await step(31)).toEqual({ advanced: 0, stopped: 0 });
  expect(await intervals()).toEqual([500, ...Array(count - 1).fill(100)]);
  // Paused for 25 minutes of the 31.
  await sql`update agent_rollouts set paused_at = now() - interval '25 minutes' where id = ${id}`.execute(t.deps.db);
  await act('resume');
  for (const agent of agents) await work(agent);
  expect(await step(0)).toEqual({ advanced: 0, stopped: 0 });
  await act('pause');
  await work(agents[0]!, 'Nothing can be read.');
  expect(await step(0)).toEqual({ advanced: 0, stopped: 1 });
  expect((await rollouts())[0]).toMatchObject({ status: 'stopped', paused_at: null });
  expect((await act('pause')).statusCode).toBe(409);
  const { rows } = await sql<{ n: number }>`select count(*) as n from security_events
    where event_type in ('agent_config_rollout_paused', 'agent_config_rollout_resumed')`.execute(t.deps.db);
  expect(rows[0]!.n).toBe(5);
});

test('a rollout covers agents that are in the group by their labels', async () => {
  await work(agents[0]!);
  const { id, name } = (
    await t.request('POST', '/agents/config-groups', { name: 'By label', target: { platforms: [], labels: ['edge'] } })
  ).json();
  await t.request('PATCH', `/agents/${agents[0]!.id}`, { labels: ['edge'] });
  const rollout = { tiers: [{ percent: 100, delay_minutes: 0 }] };
  await t.request('PATCH', `/agents/config-groups/${id}`, { policy: { read_bytes_per_second: 9 }, rollout });
  await step(0);
  const [shown] = (await t.request('GET', `/agents/config-rollouts?group_id=${id}`)).json();
  expect(shown).toMatchObject({ group_name: name, status: 'running', agents: { covered: 1 } });
  await t.request('POST', `/agents/config-rollouts/${shown.id}/cancel`);
});
