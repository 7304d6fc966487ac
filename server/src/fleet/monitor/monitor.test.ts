import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent } from '../../../test/test-agent.ts';
import { watchAgents } from './service.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
});
afterAll(() => t.close());

const pass = async () => {
  await sql`delete from system_events`.execute(t.deps.db);
  const counts = await watchAgents(t.deps.db, t.deps.settings);
  const { rows } = await sql<{ kind: string; status: string }>`select kind, status from system_events order by kind`.execute(t.deps.db);
  return { ...counts, events: rows.map(({ kind, status }) => `${kind} ${status}`) };
};

test('an agent is offline after 48 hours and stalled after 6; quiet is not stalled, offline silences stalled, and both recover', async () => {
  const { id } = await enrolAgent(t);
  const set = (seen: string, batch: string, pending: number) =>
    sql`update agents set last_seen_at = now() - ${seen}::interval, last_batch_at = now() - ${batch}::interval, created_at = now() - interval '90 days',
      health = ${JSON.stringify({ outbox_pending: pending })}::jsonb where id = ${id}`.execute(t.deps.db);
  expect(await pass()).toEqual({ offline: 0, stalled: 0, cloned: 0, events: [] });
  await set('1 minute', '30 days', 0);
  expect(await pass()).toEqual({ offline: 0, stalled: 0, cloned: 0, events: [] });
  await set('1 minute', '7 hours', 5);
  expect(await pass()).toEqual({ offline: 0, stalled: 1, cloned: 0, events: ['agent_replication_stalled firing'] });
  expect((await pass()).events).toEqual(['agent_replication_stalled firing']);
  await set('49 hours', '50 hours', 5);
  expect(await pass()).toEqual({
    offline: 1,
    stalled: 0,
    cloned: 0,
    events: ['agent_offline firing', 'agent_replication_stalled recovered'],
  });
  await set('1 minute', '1 minute', 5);
  expect(await pass()).toEqual({ offline: 0, stalled: 0, cloned: 0, events: ['agent_offline recovered'] });
  expect((await pass()).events).toEqual([]);
  // A machine that is expected to be away.
  for (const away of [{ health: { stopping: true } }, { health: { power: 'battery' } }, { capabilities: { portable: true } }]) {
    const told = { health: {}, capabilities: {}, ...away };
    await sql`update agents set last_seen_at = now() - interval '49 hours', health = ${JSON.stringify(told.health)}::jsonb,
      capabilities = ${JSON.stringify(told.capabilities)}::jsonb where id = ${id}`.execute(t.deps.db);
    expect(await pass(), JSON.stringify(away)).toEqual({ offline: 0, stalled: 0, cloned: 0, events: [] });
    expect((await t.request('GET', '/agents/summary')).json()).toMatchObject({ connected: 0, disconnected: 1, asleep: 1 });
    expect((await t.request('GET', `/agents/${id}`)).json()).toMatchObject({ expected_away: true });
  }
  await sql`update agents set last_seen_at = now() - interval '15 days' where id = ${id}`.execute(t.deps.db);
  expect((await pass()).events).toEqual(['agent_offline firing']);
  await sql`update agents set capabilities = '{}' where id = ${id}`.execute(t.deps.db);
  await set('1 minute', '1 minute', 0);
  expect((await pass()).events).toEqual(['agent_offline recovered']);
  await set('49 hours', '1 minute', 0);
  await t.request('DELETE', `/agents/${id}`);
  expect((await pass()).events).toEqual([]);
});

test('an agent whose identity two machines use is reported until an administrator has decided', async () => {
  const { id } = await enrolAgent(t, { name: 'copied' });
  const hold = (held: boolean) =>
    sql`update agents set last_seen_at = now(), clone_held_at = case when ${held} then now() end where id = ${id}`.execute(t.deps.db);
  await hold(true);
  expect(await pass()).toEqual({ offline: 0, stalled: 0, cloned: 1, events: ['agent_cloned firing'] });
  expect((await pass()).events).toEqual(['agent_cloned firing']);
  await hold(false);
  expect(await pass()).toEqual({ offline: 0, stalled: 0, cloned: 0, events: ['agent_cloned recovered'] });
  // Noticed and decided between two passes.
  const agent = await enrolAgent(t, { name: 'copied for a moment' });
  const [a, b] = [randomUUID(), randomUUID()];
  for (const run_id of [a, b, a, b, a]) await agent.send('POST', `/agents/${agent.id}/heartbeat`, { run_id });
  expect((await t.request('POST', `/agents/${agent.id}/resolve-clone`, {})).statusCode).toBe(200);
  expect((await pass()).events).toEqual(['agent_cloned recovered']);
  expect((await pass()).events).toEqual([]);
});

test('the most waiting changes of each hour are kept for a week', async () => {
  const { id } = await enrolAgent(t, { name: 'laptop' });
  const other = await enrolAgent(t, { name: 'silent' });
  const lag = async (of = id) => (await t.request('GET', `/agents/${of}/lag`)).json();
  for (const waiting of [7, 40, 3]) {
    await sql`update agents set last_seen_at = now(), health = ${JSON.stringify({ outbox_pending: waiting })}::jsonb where id = ${id}`.execute(
      t.deps.db,
    );
    await sql`update agents set last_seen_at = now(), health = '{"outbox_pending": "many"}' where id = ${other.id}`.execute(t.deps.db);
    await pass();
  }
  expect(await lag()).toEqual([{ hour: expect.stringMatching(/:00:00\.000Z$/), waiting: 40 }]);
  expect(await lag(other.id)).toEqual([]);
  await sql`insert into agent_lag (agent_id, hour, waiting) values (${id}, date_trunc('hour', now()) - interval '3 hours', 5),
    (${id}, now() - interval '8 days', 9)`.execute(t.deps.db);
  await pass();
  expect((await lag()).map(({ waiting }: { waiting: number }) => waiting)).toEqual([5, 40]);
  expect((await t.request('GET', '/agents/01a1dcfe-9952-7896-a4ba-953f2deb22a4/lag')).statusCode).toBe(404);
});
