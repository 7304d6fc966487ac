/**
 * Rollouts: a new version of a policy is handed out in steps, each to a larger share of the agents. States:
 *
 * scheduled  waits for its start -> running, cancelled
 * running    the agents of the steps that have begun use the new version -> completed, stopped, cancelled
 *            A step begins when its delay is over and no covered agent is still pending. When all agents are covered and none is pending, the
 *            version becomes the current one of the group: completed.
 *            While it is paused no step begins, but the health gate goes on.
 * stopped    more covered agents failed than allowed. They go back to the current version at their next poll.
 * completed, cancelled, stopped are final.
 *
 * A covered agent is healthy once it has reported the version as applied and, after that, a heartbeat without new errors. It has failed when
 * it reports errors that it did not have before, falls silent after it applied the version, or goes on polling without applying it.
 */
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { auditOf } from '../agents/index.ts';
import {
  beginRollout,
  type Coverage,
  completeRollout,
  coverageOf,
  endRollout,
  enterTier,
  findLive,
  insertRollout,
  isRising,
  liveRollouts,
  lockGroup,
  lockRollout,
  type RolloutRow,
  setPaused,
  type Tier,
} from './rollout-store.ts';

export interface NewRollout {
  tiers: Tier[];
  starts_at?: string | undefined;
  max_failed_percent?: number | undefined;
}

export async function requireNoRollout(tx: Db, groupId: string): Promise<void> {
  await lockGroup(tx, groupId);
  if (await findLive(tx, groupId))
    throw problem('conflict', 'A rollout of this group is under way. Wait until it has ended, or cancel it, then change the policy.');
}

/** Called in the transaction that adds the version. */
export async function startRollout(tx: Db, groupId: string, version: number, given: NewRollout, actor: Actor): Promise<void> {
  if (!isRising(given.tiers))
    throw fieldProblem(['body', 'rollout', 'tiers'], 'The shares of the steps must rise, and the last one must be 100 percent.', 'tiers');
  const id = await insertRollout(tx, {
    groupId,
    version,
    tiers: given.tiers,
    maxFailedPercent: given.max_failed_percent ?? 0,
    startsAt: given.starts_at ?? null,
    actorId: actor.principalId,
  });
  await recordEvent(tx, {
    event_type: 'agent_config_rollout_created',
    ...auditOf(actor),
    details: { rollout_id: id, group_id: groupId, version, tiers: given.tiers },
  });
}

/** Ends a rollout of the group, if one is under way. */
export async function endLive(tx: Db, groupId: string, reason: string): Promise<void> {
  await lockGroup(tx, groupId);
  const live = await findLive(tx, groupId);
  if (live) await endRollout(tx, live, 'cancelled', reason);
}

async function requireLive(tx: Db, id: string): Promise<RolloutRow> {
  const rollout = await lockRollout(tx, id);
  if (!rollout) throw notFound('rollout');
  if (rollout.status !== 'scheduled' && rollout.status !== 'running') throw problem('conflict', 'This rollout has ended.');
  return rollout;
}

export async function cancelRollout(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const { group_id, target_version } = await requireLive(tx, id);
    await endRollout(tx, id, 'cancelled', 'Cancelled by an administrator.');
    const details = { rollout_id: id, group_id, version: target_version };
    await recordEvent(tx, { event_type: 'agent_config_rollout_cancelled', ...auditOf(actor), details });
  });
}

/** A pause holds the next step back until it is resumed. Repeating either changes nothing. */
export async function pauseRollout(db: Db, id: string, paused: boolean, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const { group_id, target_version, paused_at } = await requireLive(tx, id);
    if ((paused_at !== null) === paused) return;
    await setPaused(tx, id, paused);
    const details = { rollout_id: id, group_id, version: target_version };
    await recordEvent(tx, {
      event_type: paused ? 'agent_config_rollout_paused' : 'agent_config_rollout_resumed',
      ...auditOf(actor),
      details,
    });
  });
}

/** Begins the next step without waiting; after the last one, the version becomes current. */
export async function promoteRollout(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const rollout = await requireLive(tx, id);
    if (rollout.paused_at !== null) throw problem('conflict', 'This rollout is paused. Resume it first.');
    if (rollout.status === 'scheduled') await beginRollout(tx, id);
    const details = { rollout_id: id, group_id: rollout.group_id, version: rollout.target_version, tier: rollout.current_tier + 1 };
    await recordEvent(tx, { event_type: 'agent_config_rollout_promoted', ...auditOf(actor), details });
    await advance(tx, rollout);
  });
}

async function advance(tx: Db, rollout: RolloutRow): Promise<void> {
  const next = rollout.tiers[rollout.current_tier];
  if (next) return enterTier(tx, rollout.id, next.percent);
  await completeRollout(tx, rollout);
  const details = { rollout_id: rollout.id, group_id: rollout.group_id, version: rollout.target_version };
  await recordEvent(tx, { event_type: 'agent_config_rollout_completed', details });
}

/** One step of every rollout at most. Nothing moves in maintenance mode. Returns what happened. */
export async function advanceRollouts(db: Db): Promise<{ advanced: number; stopped: number }> {
  const counts = { advanced: 0, stopped: 0 };
  if ((await maintenanceMode(db)).active) return counts;
  for (const id of await liveRollouts(db)) {
    const done = await db.transaction().execute((tx) => tick(tx as Db, id));
    if (done !== 'waits') counts[done] += 1;
  }
  return counts;
}

async function tick(tx: Db, id: string): Promise<'advanced' | 'stopped' | 'waits'> {
  const rollout = await lockRollout(tx, id);
  if (!rollout || (rollout.status !== 'scheduled' && rollout.status !== 'running') || !rollout.start_due) return 'waits';
  if (rollout.status === 'scheduled' && rollout.paused_at !== null) return 'waits';
  if (rollout.status === 'scheduled') await beginRollout(tx, id);
  const now = rollout.status === 'scheduled' ? ((await lockRollout(tx, id)) ?? rollout) : rollout;
  const coverage = await coverageOf(tx, now);
  const judged = coverage.failed + coverage.healthy + coverage.pending;
  if (coverage.failed > 0 && coverage.failed * 100 > now.max_failed_percent * judged) {
    await stop(tx, now, coverage, judged);
    return 'stopped';
  }
  if (!now.tier_due || coverage.pending > 0 || now.paused_at !== null) return 'waits';
  await advance(tx, now);
  return 'advanced';
}

async function stop(tx: Db, rollout: RolloutRow, { failed, failed_names }: Coverage, judged: number): Promise<void> {
  const names = `${failed_names.join(', ')}${failed > failed_names.length ? ', …' : ''}`;
  const reason = `${failed} of ${judged} covered agents failed: ${names}. All agents go back to the version before.`;
  await endRollout(tx, rollout.id, 'stopped', reason);
  const details = { rollout_id: rollout.id, group_id: rollout.group_id, version: rollout.target_version, reason };
  await recordEvent(tx, { event_type: 'agent_config_rollout_stopped', details });
}
