/**
 * Rollouts of releases: a version is offered in steps, each to a larger share of the agents. A release without a rollout is offered to all.
 * States:
 *
 * scheduled  waits for its start, and until all programs are here; nobody is offered the version -> running, cancelled, stopped
 * running    the agents of the steps that have begun are asked to update themselves -> completed, stopped, cancelled
 *            A step begins when its delay is over and no covered agent is still pending.
 *            While it is paused no step begins, nobody else is asked or offered the version, but the health gate goes on.
 * completed  every agent is offered the version, or every one of the target of the rollout.
 * stopped    more covered agents failed than allowed, or the release was withdrawn. After a failure, the updated agents go back.
 * cancelled  the version is offered to nobody; updated agents keep it unless they are rolled back.
 * completed, stopped, cancelled are final.
 *
 * A covered agent is healthy once it has worked with the new program for the health window: it has scanned, its changes arrive, and it
 * reports no new errors. It has failed when it refuses the program, puts the old one back, falls silent, reports new errors, or does no work.
 */
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { auditOf } from '../agents/index.ts';
import { insertForAgents } from '../commands/index.ts';
import { groupNames, isRising, type Tier } from '../config/index.ts';
import {
  agentsToAsk,
  agentsToPutBack,
  beginReleaseRollout,
  endReleaseRollout,
  enterReleaseTier,
  findReleaseRollout,
  insertReleaseRollout,
  liveReleaseRollouts,
  type ReleaseRolloutRow,
  releaseCoverage,
  setReleasePaused,
} from './rollout-store.ts';
import { requireRelease } from './service.ts';

export interface NewReleaseRollout {
  tiers: Tier[];
  starts_at?: string | undefined;
  max_failed_percent?: number | undefined;
  health_minutes?: number | undefined;
  target?: { platforms: string[]; labels: string[]; group_ids?: string[] | undefined } | undefined;
}

/** Agents are asked in portions, so that they do not all download at once. */
const askedPerMinute = 200;
const commandSeconds = 21_600;

export async function startReleaseRollout(db: Db, version: string, given: NewReleaseRollout, actor: Actor): Promise<string> {
  const { withdrawn_at } = await requireRelease(db, version);
  if (withdrawn_at !== null) throw problem('conflict', 'This release was withdrawn.');
  if (!isRising(given.tiers))
    throw fieldProblem(['body', 'tiers'], 'The shares of the steps must rise, and the last one must be 100 percent.', 'tiers');
  await requireGroups(db, given.target?.group_ids ?? []);
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const id = await insertReleaseRollout(tx, {
      version,
      tiers: given.tiers,
      max_failed_percent: given.max_failed_percent ?? 0,
      health_minutes: given.health_minutes ?? 15,
      target_platforms: given.target?.platforms ?? [],
      target_labels: given.target?.labels ?? [],
      target_groups: given.target?.group_ids ?? [],
      startsAt: given.starts_at ?? null,
      actorId: actor.principalId,
    });
    if (id === null) throw problem('conflict', 'A rollout of this release is under way.');
    const details = { rollout_id: id, version, tiers: given.tiers };
    await recordEvent(tx, { event_type: 'agent_release_rollout_created', ...auditOf(actor), details });
    return id;
  });
}

/** A target that exists nowhere would cover nobody, and nobody would notice. */
async function requireGroups(db: Db, ids: readonly string[]): Promise<void> {
  const names = await groupNames(db, ids);
  if (names.length !== new Set(ids).size)
    throw fieldProblem(['body', 'target', 'group_ids'], 'One of the groups does not exist, or is the group of all agents.', 'group_ids');
}

export async function requireReleaseRollout(db: Db, id: string): Promise<ReleaseRolloutRow> {
  const rollout = await findReleaseRollout(db, id);
  if (!rollout) throw notFound('rollout');
  return rollout;
}

const isLive = ({ status }: ReleaseRolloutRow): boolean => status === 'scheduled' || status === 'running';

async function requireLive(tx: Db, id: string): Promise<ReleaseRolloutRow> {
  const rollout = await findReleaseRollout(tx, id, true);
  if (!rollout) throw notFound('rollout');
  if (!isLive(rollout)) throw problem('conflict', 'This rollout has ended.');
  return rollout;
}

export async function cancelReleaseRollout(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const { version } = await requireLive(tx, id);
    await endReleaseRollout(tx, id, 'cancelled', 'Cancelled by an administrator.');
    await recordEvent(tx, { event_type: 'agent_release_rollout_cancelled', ...auditOf(actor), details: { rollout_id: id, version } });
  });
}

/** A pause holds the next step back, and further agents of this one, until it is resumed. Repeating either changes nothing. */
export async function pauseReleaseRollout(db: Db, id: string, paused: boolean, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const { version, paused_at } = await requireLive(tx, id);
    if ((paused_at !== null) === paused) return;
    await setReleasePaused(tx, id, paused);
    const event_type = paused ? 'agent_release_rollout_paused' : 'agent_release_rollout_resumed';
    await recordEvent(tx, { event_type, ...auditOf(actor), details: { rollout_id: id, version } });
  });
}

/** Begins the next step without waiting; after the last one, the version is offered to all. */
export async function promoteReleaseRollout(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const rollout = await requireLive(tx, id);
    if (rollout.paused_at !== null) throw problem('conflict', 'This rollout is paused. Resume it first.');
    if (rollout.status === 'scheduled') await beginReleaseRollout(tx, id);
    const details = { rollout_id: id, version: rollout.version, tier: rollout.current_tier + 1 };
    await recordEvent(tx, { event_type: 'agent_release_rollout_promoted', ...auditOf(actor), details });
    await advance(tx, rollout);
    await ask(tx, await requireReleaseRollout(tx, id));
  });
}

/** Ends the rollout if it is under way, and asks the agents that it updated to put their program before back. Returns how many. */
export async function rollBackRelease(db: Db, id: string, actor: Actor): Promise<number> {
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const rollout = await findReleaseRollout(tx, id, true);
    if (!rollout) throw notFound('rollout');
    if (rollout.started_at === null) throw problem('conflict', 'This rollout has not begun. Cancel it instead.');
    if (isLive(rollout) || rollout.status === 'completed') await endReleaseRollout(tx, id, 'cancelled', 'Rolled back by an administrator.');
    const asked = await putBack(tx, rollout, actor.principalId);
    const details = { rollout_id: id, version: rollout.version, agents: asked };
    await recordEvent(tx, { event_type: 'agent_release_rolled_back', ...auditOf(actor), details });
    return asked;
  });
}

async function putBack(tx: Db, rollout: ReleaseRolloutRow, requestedBy: string | null): Promise<number> {
  const payload = { put_back: rollout.version };
  const agents = await agentsToPutBack(tx, rollout);
  return (await insertForAgents(tx, agents, { kind: 'self_update', payload, ttlSeconds: commandSeconds, requestedBy })).length;
}

async function ask(tx: Db, rollout: ReleaseRolloutRow): Promise<void> {
  if (rollout.status !== 'running' || rollout.paused_at !== null) return;
  const payload = { rollout_id: rollout.id, target: rollout.version };
  const agents = await agentsToAsk(tx, rollout, askedPerMinute);
  await insertForAgents(tx, agents, { kind: 'self_update', payload, ttlSeconds: commandSeconds, requestedBy: null });
}

async function advance(tx: Db, rollout: ReleaseRolloutRow): Promise<void> {
  const next = rollout.tiers[rollout.current_tier];
  if (next) return enterReleaseTier(tx, rollout.id, next.percent);
  await endReleaseRollout(tx, rollout.id, 'completed', null);
  await recordEvent(tx, {
    event_type: 'agent_release_rollout_completed',
    details: { rollout_id: rollout.id, version: rollout.version },
  });
}

/** One step of every rollout at most. Nothing moves in maintenance mode. */
export async function advanceReleaseRollouts(db: Db): Promise<{ advanced: number; stopped: number }> {
  const counts = { advanced: 0, stopped: 0 };
  if ((await maintenanceMode(db)).active) return counts;
  for (const id of await liveReleaseRollouts(db)) {
    const done = await db.transaction().execute((tx) => tick(tx as Db, id));
    if (done !== 'waits') counts[done] += 1;
  }
  return counts;
}

async function tick(tx: Db, id: string): Promise<'advanced' | 'stopped' | 'waits'> {
  const found = await findReleaseRollout(tx, id, true);
  if (!found || !isLive(found) || (found.status === 'scheduled' && (!found.start_due || found.paused_at !== null))) return 'waits';
  if (found.status === 'scheduled') await beginReleaseRollout(tx, id);
  const rollout = found.status === 'scheduled' ? await requireReleaseRollout(tx, id) : found;
  const { failed, healthy, pending, failed_names } = await releaseCoverage(tx, rollout);
  const judged = failed + healthy + pending;
  if (failed > 0 && failed * 100 > rollout.max_failed_percent * judged) {
    const names = `${failed_names.join(', ')}${failed > failed_names.length ? ', …' : ''}`;
    const reason = `${failed} of ${judged} covered agents failed: ${names}. Updated agents go back to the version before.`;
    await endReleaseRollout(tx, id, 'stopped', reason);
    const agents = await putBack(tx, rollout, null);
    const details = { rollout_id: id, version: rollout.version, reason, agents };
    await recordEvent(tx, { event_type: 'agent_release_rollout_stopped', details });
    return 'stopped';
  }
  const goesOn = rollout.tier_due && pending === 0 && rollout.paused_at === null;
  if (goesOn) await advance(tx, rollout);
  await ask(tx, goesOn ? await requireReleaseRollout(tx, id) : rollout);
  return goesOn ? 'advanced' : 'waits';
}
