import { expect, test } from 'vitest';
import { createPolicyTurns } from './policy.ts';

test('the policy is asked for when the service says that it changed, once more to confirm a change, and every ten minutes', () => {
  let now = 0;
  const turns = createPolicyTurns(() => now);
  expect(turns.isDue()).toBe(true);
  turns.tell('1.1');
  turns.asked(true);
  now += 5000;
  expect(turns.isDue()).toBe(false);
  now += 5000;
  expect(turns.isDue()).toBe(true);
  turns.asked(false);
  now += 590_000;
  turns.tell('1.1');
  expect(turns.isDue()).toBe(false);
  turns.tell('2.1');
  expect(turns.isDue()).toBe(true);
  turns.asked(false);
  now += 599_000;
  expect(turns.isDue()).toBe(false);
  now += 1000;
  expect(turns.isDue()).toBe(true);
});

test('a service that does not say it is asked every minute', () => {
  let now = 0;
  const turns = createPolicyTurns(() => now);
  turns.asked(true);
  turns.tell(undefined);
  now += 59_000;
  expect(turns.isDue()).toBe(false);
  now += 1000;
  expect(turns.isDue()).toBe(true);
});
