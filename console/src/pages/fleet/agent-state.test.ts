import { expect, test } from 'vitest';
import type { Agent, ConfigGroup } from '../../api/types.ts';
import { lagOf, readsOf, sectionsOf, stateOf, summaryOf } from './agent-state.ts';

const now = Date.parse('2026-11-16T12:00:00Z');
const ago = (seconds: number): string => new Date(now - seconds * 1000).toISOString();
const agent = (fields: Partial<Agent>): Agent =>
  ({
    status: 'active',
    approved: true,
    last_seen_at: ago(10),
    last_batch_at: ago(10),
    health: { outbox_pending: 0 },
    clone_held_at: null,
    expected_away: false,
    ...fields,
  }) as Agent;

test('an agent is offline after five minutes of silence, and behind when its changes wait longer than a minute', () => {
  expect(stateOf(agent({}), now).name).toBe('connected');
  expect(stateOf(agent({ last_seen_at: ago(301) }), now).name).toBe('offline');
  expect(stateOf(agent({ last_seen_at: null }), now).name).toBe('offline');
  expect(stateOf(agent({ health: { outbox_pending: 5 } }), now).name).toBe('connected');
  expect(stateOf(agent({ health: { outbox_pending: 5 }, last_batch_at: ago(61) }), now).name).toBe('behind');
  // Quiet is not behind.
  expect(stateOf(agent({ last_batch_at: ago(86_400) }), now).name).toBe('connected');
});

test('the lag is that of the oldest waiting change, or of a silent agent the time since it was seen', () => {
  expect(lagOf(agent({ health: { lag_seconds: 0.4 } }), now)).toBe(0.4);
  expect(lagOf(agent({ health: { lag_seconds: 0.4 }, last_seen_at: ago(1560) }), now)).toBe(1560);
  expect(lagOf(agent({}), now)).toBeNull();
  expect(stateOf(agent({ health: { lag_seconds: 61, outbox_pending: 1 } }), now).name).toBe('behind');
  // The last batch was long ago, but nothing waits longer than a minute.
  expect(stateOf(agent({ health: { lag_seconds: 59, outbox_pending: 5 }, last_batch_at: ago(600) }), now).name).toBe('connected');
  expect(readsOf(agent({}))).toBeNull();
  expect(readsOf(agent({ health: { read_bytes_per_second: 12_000_000 } }))).toBe(12_000_000);
});

test('a silent machine that is expected to be away is asleep, and two machines with one identity are shown as such', () => {
  expect(stateOf(agent({ last_seen_at: ago(301), expected_away: true }), now).name).toBe('asleep');
  expect(stateOf(agent({ expected_away: true }), now).name).toBe('connected');
  expect(stateOf(agent({ clone_held_at: ago(360_000) }), now).name).toBe('cloned');
});

test('an agent that is not active says why', () => {
  expect(stateOf(agent({ status: 'pending', approved: false }), now).label).toBe('Waits for approval');
  expect(stateOf(agent({ status: 'pending' }), now).label).toBe('Enrolling');
  expect(stateOf(agent({ status: 'revoked' }), now).label).toBe('Revoked');
});

test('the summary counts agents by state', () => {
  expect(summaryOf([agent({}), agent({}), agent({ status: 'revoked' })], 3, now)).toBe('3 agents: 2 connected, 1 revoked');
  expect(summaryOf([agent({})], 1, now)).toBe('1 agent: 1 connected');
});

test('agents stand under the group whose settings win, or under their state, the urgent ones first', () => {
  const groups = [
    { id: 'all', name: 'Global', priority: 0, is_system: true, target: { platforms: [], labels: [] } },
    { id: 'studio', name: 'Studio', priority: 100, is_system: false, target: { platforms: [], labels: [] } },
    { id: 'fast', name: 'Fast disks', priority: 200, is_system: false, target: { platforms: [], labels: [] } },
    { id: 'edge', name: 'Edge', priority: 50, is_system: false, target: { platforms: ['linux'], labels: ['edge', 'north'] } },
  ] as unknown as ConfigGroup[];
  const list = [
    agent({ id: 'lone', config_group_ids: [], platform: 'linux', labels: ['edge'] }),
    agent({ id: 'far', config_group_ids: [], platform: 'macos', labels: ['north', 'edge'] }),
    agent({ id: 'labelled', config_group_ids: [], platform: 'linux', labels: ['north', 'edge'] }),
    agent({ id: 'both', config_group_ids: ['studio', 'fast'] }),
    agent({ id: 'silent', config_group_ids: ['studio'], last_seen_at: ago(301) }),
  ];
  const shown = (by: 'group' | 'state') => {
    const { agents, sectionOf } = sectionsOf(list, by, groups, now);
    return agents.map((each) => `${sectionOf(each)}: ${each.id}`);
  };
  expect(shown('group')).toEqual(['Studio: silent', 'Fast disks: both', 'Edge: labelled', 'In no group: lone', 'In no group: far']);
  expect(shown('state')).toEqual(['Offline: silent', 'Connected: lone', 'Connected: far', 'Connected: labelled', 'Connected: both']);
});
