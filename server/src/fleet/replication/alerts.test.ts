import { afterAll, beforeAll, expect, test } from 'vitest';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { type AlertsApp, createAlertsApp, type Receiver, startReceiver } from '../../insight/alerts/alerts.fixture.ts';

let t: AlertsApp;
let hook: Receiver;
let agent: TestAgent;

beforeAll(async () => {
  t = await createAlertsApp({ SVC_AGENTS_ENABLED: 'true' });
  hook = await startReceiver();
  agent = await enrolAgent(t, { name: 'nas-01' });
});
afterAll(async () => {
  hook.close();
  await t.close();
});

test('file alert rules are evaluated for changes that an agent reports, and not for its first listing', async () => {
  await t.rule({ event_types: ['created', 'deleted', 'moved'], channel_ids: [await t.channel(hook.port)], group_wait_s: 0 });
  let seq = 0;
  const push = async (entries: object[]) => {
    const numbered = entries.map((entry) => {
      seq += 1;
      return { seq_no: seq, library_ref: '/data/photos', size: 1, mtime_ns: '1', quick_hash: 'a'.repeat(16), ...entry };
    });
    const answer = await agent.send('POST', `/agents/${agent.id}/replication-batch`, { agent_id: agent.id, entries: numbered });
    expect(answer.json()).toMatchObject({ quarantined: 0 });
  };
  await push(['one.jpg', 'two.jpg'].map((rel_path) => ({ event_type: 'created', rel_path, initial: true })));
  await t.pump();
  expect(hook.messages).toEqual([]);
  await push([
    { event_type: 'created', rel_path: 'new.jpg' },
    { event_type: 'deleted', rel_path: 'one.jpg' },
    { event_type: 'moved', rel_path: 'there/two.jpg', from_rel_path: 'two.jpg' },
  ]);
  await t.pump();
  expect(hook.messages.map(({ event_type, paths }) => [event_type, ...paths]).sort()).toEqual([
    ['created', 'new.jpg'],
    ['deleted', 'one.jpg'],
    ['moved', 'there/two.jpg'],
  ]);
});
