import { expect, test } from 'vitest';
import { type RolloutView, rolloutsToShow, stepsOf } from './rollout-view.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const rollout = (fields: Partial<RolloutView>): RolloutView =>
  ({ id: fields.title ?? 'a', title: 'Update to 1.1.0', status: 'running', finishedAt: null, ...fields }) as RolloutView;

test('rollouts under way are shown, and those that stopped themselves within a day', () => {
  const ago = (hours: number): string => new Date(now - hours * 3_600_000).toISOString();
  const shown = rolloutsToShow(
    [
      rollout({ title: 'running' }),
      rollout({ title: 'scheduled', status: 'scheduled' }),
      rollout({ title: 'stopped', status: 'stopped', finishedAt: ago(23) }),
      rollout({ title: 'stopped long ago', status: 'stopped', finishedAt: ago(25) }),
      rollout({ title: 'cancelled', status: 'cancelled', finishedAt: ago(1) }),
      rollout({ title: 'tried again', status: 'completed', finishedAt: ago(1) }),
      rollout({ title: 'tried again', status: 'stopped', finishedAt: ago(2) }),
    ],
    now,
  );
  expect(shown.map(({ title }) => title)).toEqual(['running', 'scheduled', 'stopped']);
});

test('steps before the current one are done, and all are done at the end', () => {
  const tiers = [10, 50, 100].map((percent) => ({ percent, delay_minutes: 5 }));
  const states = (current_tier: number, status: RolloutView['status'] = 'running') =>
    stepsOf({ tiers, current_tier, status }).map(({ state }) => state);
  expect(states(0)).toEqual(['waiting', 'waiting', 'waiting']);
  expect(states(2)).toEqual(['done', 'current', 'waiting']);
  expect(states(3, 'completed')).toEqual(['done', 'done', 'done']);
});
