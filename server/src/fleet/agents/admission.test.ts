import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { enrolAgent, type TestAgent } from '../../../test/test-agent.ts';
import { createAdmission } from './admission.ts';

test('more than the limit are refused with a time to come back, until one has ended', () => {
  const { enter } = createAdmission({ most: 2, comeback: { served: () => {}, refused: () => 30 } });
  const first = enter();
  enter();
  expect(enter).toThrow(expect.objectContaining({ code: 'agents_busy', extras: expect.objectContaining({ retryAfter: 30 }) }));
  first();
  first();
  enter();
  expect(enter).toThrow();
});

let t: TestApp;
let agent: TestAgent;
beforeAll(async () => {
  t = await createTestApp({ SVC_AGENTS_ENABLED: 'true' });
  agent = await enrolAgent(t, { name: 'nas-01' });
});
afterAll(() => t.close());

test('agents that wait for commands do not keep others from reporting', async () => {
  const poll = () => agent.send('POST', `/agents/${agent.id}/commands/poll`, { wait_seconds: 5 });
  const beat = async () => (await agent.send('POST', `/agents/${agent.id}/heartbeat`, {})).statusCode;
  const polls = Array.from({ length: 90 }, poll);
  for (let turn = 0; turn < 40; turn += 1) expect(await beat()).toBe(200);
  polls.push(...Array.from({ length: 90 }, poll));
  for (let turn = 0; turn < 40; turn += 1) expect(await beat()).toBe(200);
  expect(new Set((await Promise.all(polls)).map(({ statusCode }) => statusCode))).toEqual(new Set([200]));
});
