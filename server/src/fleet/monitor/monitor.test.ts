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
  expect(await pass()).toEqual({ offline: 0, stalled: 0, events: [] });
  await set('1 minute', '30 days', 0);
  expect(await pass()).toEqual({ offline: 0, stalled: 0, events: [] });
  await set('1 minute', '7 hours', 5);
  expect(await pass()).toEqual({ offline: 0, stalled: 1, events: ['agent_replication_stalled firing'] });
  expect((await pass()).events).toEqual(['agent_replication_stalled firing']);
  await set('49 hours', '50 hours', 5);
  expect(await pass()).toEqual({ offline: 1, stalled: 0, events: ['agent_offline firing', 'agent_replication_stalled recovered'] });
  await set('1 minute', '1 minute', 5);
  expect(await pass()).toEqual({ offline: 0, stalled: 0, events: ['agent_offline recovered'] });
  expect((await pass()).events).toEqual([]);
  await set('49 hours', '1 minute', 0);
  await t.request('DELETE', `/agents/${id}`);
  expect((await pass()).events).toEqual([]);
});
