/**
 * Which release an agent gets, and why not. The same rules decide what is offered to an agent and what administrators are told about it.
 * A request for one agent passes every rollout.
 */
import { createHash } from 'node:crypto';
import { compareVersions, type ReleaseManifest } from '@catalog/protocol';
import type { Db } from '../../platform/database/index.ts';
import type { AgentRow, UpdateState } from '../agents/index.ts';
import { policyValues, type UpdateRules, updateHold, updateRuleKeys } from '../config/index.ts';
import { groupMembers, openUpdates, type ReleaseCandidate, releaseCandidates } from './store.ts';

type Machine = Pick<AgentRow, 'id' | 'platform' | 'labels'>;
interface Asked {
  target: string | null;
  rollout_id: string | null;
}

/** The newest release that is offered to an agent and newer than what it runs; null when there is none. */
export async function offerFor(db: Db, agent: AgentRow, current: string, arch: string): Promise<ReleaseManifest | null> {
  const newer = newerFor(await releaseCandidates(db), agent.platform, arch, current);
  if (newer.length === 0) return null;
  const known = await readKnown(db, newer, [agent.id]);
  return newer.find((candidate) => holdOf(candidate, agent, known) === null)?.manifest ?? null;
}

/** What administrators are told about the updates of agents. */
export async function updatesOf(db: Db, agents: readonly AgentRow[]): Promise<Map<string, UpdateState>> {
  const candidates = await releaseCandidates(db);
  const known = await readKnown(
    db,
    candidates,
    agents.map(({ id }) => id),
  );
  return new Map(agents.map((agent) => [agent.id, stateOf(agent, candidates, known)]));
}

/** What decides about agents besides the releases. */
interface Known {
  /** Requests to update that they have not finished. */
  asked: ReadonlyMap<string, Asked[]>;
  /** Memberships in the groups that rollouts target, as `<group id> <agent id>`. */
  members: ReadonlySet<string>;
  rules: ReadonlyMap<string, UpdateRules>;
}

async function readKnown(db: Db, candidates: readonly ReleaseCandidate[], ids: readonly string[]): Promise<Known> {
  const groups = candidates.flatMap(({ target_groups }) => target_groups ?? []);
  return {
    asked: await openUpdates(db, ids),
    members: await groupMembers(db, groups, ids),
    rules: await policyValues(db, ids, updateRuleKeys),
  };
}

function stateOf(agent: AgentRow, candidates: readonly ReleaseCandidate[], known: Known): UpdateState {
  const { id, platform, capabilities, agent_version, revoked_at } = agent;
  const newer = revoked_at === null ? newerFor(candidates, platform, String(capabilities?.['arch'] ?? ''), agent_version ?? '0.0.0') : [];
  const judged = newer.map((candidate) => ({ version: candidate.version, hold: holdOf(candidate, agent, known) }));
  const target = judged.find(({ hold }) => hold === null) ?? judged[0];
  const isFixed = target !== undefined && capabilities?.['self_update'] !== true;
  return {
    update_available: target !== undefined,
    update_target: target?.version ?? null,
    update_hold: isFixed ? 'This agent cannot replace its program. Update it on its machine.' : (target?.hold ?? null),
    update_pending: (known.asked.get(id) ?? []).length > 0,
  };
}

/** Newest first. */
function newerFor(candidates: readonly ReleaseCandidate[], platform: string, arch: string, current: string): ReleaseCandidate[] {
  return candidates
    .filter(({ version }) => compareVersions(version, current) > 0)
    .filter(({ manifest }) => manifest.artifacts.some((each) => each.platform === platform && each.arch === arch))
    .sort((a, b) => compareVersions(b.version, a.version));
}

/** Why a release is not offered to an agent; null when it is. */
function holdOf(rollout: ReleaseCandidate, { id, platform, labels }: Machine, { asked, members, rules }: Known): string | null {
  const open = (asked.get(id) ?? []).filter(({ target }) => target === rollout.version);
  if (open.some((each) => each.rollout_id === null)) return null;
  const ruled = open.length === 0 ? updateHold(rules.get(id) ?? {}, new Date()) : null;
  if (ruled !== null || rollout.rollout_id === null) return ruled;
  const { rollout_id, target_platforms, target_labels, target_groups } = rollout;
  const isTarget =
    (target_platforms.length === 0 || target_platforms.includes(platform)) &&
    target_labels.every((label) => labels.includes(label)) &&
    (target_groups.length === 0 || target_groups.some((group) => members.has(`${group} ${id}`)));
  switch (rollout.status) {
    case 'scheduled':
      return 'The rollout has not begun.';
    case 'stopped':
      return 'The rollout stopped because agents failed, or its release was withdrawn.';
    case 'cancelled':
      return 'The rollout was cancelled.';
    case 'completed':
      return isTarget ? null : 'The rollout is for other agents.';
    case 'running':
      if (!isTarget) return 'The rollout is for other agents.';
      if (bucketOf(id) >= rollout.percent) return 'The rollout has not reached this agent yet.';
      // An agent that was asked before the pause may finish.
      if (rollout.paused && !open.some((each) => each.rollout_id === rollout_id)) return 'The rollout is paused.';
      return null;
  }
}

/** The same number as `bucketOf` of the configuration, which is written in SQL. */
function bucketOf(id: string): number {
  const bytes = Buffer.from(id.replaceAll('-', ''), 'hex');
  return createHash('sha256').update(bytes).digest().readUInt32BE(0) % 100;
}
