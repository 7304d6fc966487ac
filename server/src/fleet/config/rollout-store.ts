import { sql } from 'kysely';
import { actorName } from '../../people/identity/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import { bucketOf } from './store.ts';

export interface Tier {
  percent: number;
  delay_minutes: number;
}

export type RolloutStatus = 'scheduled' | 'running' | 'completed' | 'cancelled' | 'stopped';

/** The share of every step is larger than the one before, and the last step covers all agents. */
export const isRising = (tiers: readonly Tier[]): boolean =>
  tiers.every(({ percent }, at) => percent > (tiers[at - 1]?.percent ?? 0)) && tiers.at(-1)?.percent === 100;

export interface RolloutRow {
  id: string;
  group_id: string;
  group_name: string;
  target_version: number;
  generation: number;
  tiers: Tier[];
  max_failed_percent: number;
  status: RolloutStatus;
  current_tier: number;
  percent: number;
  starts_at: Date;
  started_at: Date | null;
  tier_started_at: Date | null;
  finished_at: Date | null;
  paused_at: Date | null;
  failing_before: string[];
  reason: string | null;
  actor: string | null;
  created_at: Date;
  start_due: boolean;
  /** When the delay of the next step, or of the completion, is over; null before the start and after the end. */
  next_at: Date | null;
  tier_due: boolean;
}

/** A step lasts a minute at least, so that every connected agent was seen during it. */
export const nextStepAt = sql`case when r.status = 'running' then r.tier_started_at + make_interval(mins => greatest(
  case when r.current_tier > 0 then 1 else 0 end, coalesce((r.tiers -> r.current_tier ->> 'delay_minutes')::integer, 0))) end`;
const columns = sql`r.id, r.group_id, g.name as group_name, r.target_version, r.generation, r.tiers, r.max_failed_percent, r.status,
  r.current_tier, r.percent, r.starts_at, r.started_at, r.tier_started_at, r.finished_at, r.paused_at, r.failing_before, r.reason,
  ${actorName(sql`r.actor_id`)} as actor, r.created_at, r.starts_at <= now() as start_due, ${nextStepAt} as next_at,
  coalesce(${nextStepAt} <= now(), false) as tier_due`;

export async function listRollouts(
  db: Db,
  { status, groupId, limit }: { status: RolloutStatus | null; groupId: string | null; limit: number },
): Promise<RolloutRow[]> {
  const { rows } = await sql<RolloutRow>`select ${columns} from agent_rollouts r join agent_config_groups g on g.id = r.group_id
    where (${status}::text is null or r.status = ${status}) and (${groupId}::uuid is null or r.group_id = ${groupId})
    order by r.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findRollout(db: Db, id: string): Promise<RolloutRow | undefined> {
  const { rows } = await sql<RolloutRow>`select ${columns} from agent_rollouts r join agent_config_groups g on g.id = r.group_id
    where r.id = ${id}`.execute(db);
  return rows[0];
}

/** Locks the group too, whose current version a rollout changes. */
export async function lockRollout(tx: Db, id: string): Promise<RolloutRow | undefined> {
  const { rows } = await sql<RolloutRow>`select ${columns} from agent_rollouts r join agent_config_groups g on g.id = r.group_id
    where r.id = ${id} for update of r, g`.execute(tx);
  return rows[0];
}

/** Held until the end of the transaction, so that two changes of a group cannot both start a rollout. */
export async function lockGroup(tx: Db, groupId: string): Promise<void> {
  await sql`select from agent_config_groups where id = ${groupId} for update`.execute(tx);
}

export async function findLive(db: Db, groupId: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from agent_rollouts
    where group_id = ${groupId} and status in ('scheduled', 'running')`.execute(db);
  return rows[0]?.id;
}

export async function liveRollouts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from agent_rollouts where status in ('scheduled', 'running') order by id`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export async function insertRollout(
  tx: Db,
  rollout: {
    groupId: string;
    version: number;
    tiers: readonly Tier[];
    maxFailedPercent: number;
    startsAt: string | null;
    actorId: string | null;
  },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    insert into agent_rollouts (group_id, target_version, tiers, max_failed_percent, starts_at, actor_id)
    values (${rollout.groupId}, ${rollout.version}, ${JSON.stringify(rollout.tiers)}::jsonb, ${rollout.maxFailedPercent},
      coalesce(${rollout.startsAt}::timestamptz, now()), ${rollout.actorId}) returning id`.execute(tx);
  return one(rows).id;
}

/** An agent reports for each of its roots why the last scan stopped. */
export const reportsErrors = sql`coalesce(jsonb_path_exists(a.health, '$.roots[*].last_error ? (@ != null)'), false)`;

/** scheduled -> running; no agent is covered yet. */
export async function beginRollout(tx: Db, id: string): Promise<void> {
  await sql`update agent_rollouts set status = 'running', started_at = now(), tier_started_at = now(),
    failing_before = array(select a.id from agents a where ${reportsErrors}) where id = ${id}`.execute(tx);
}

export async function enterTier(tx: Db, id: string, percent: number): Promise<void> {
  await sql`update agent_rollouts set current_tier = current_tier + 1, percent = ${percent}, tier_started_at = now()
    where id = ${id}`.execute(tx);
}

/** The time of the pause does not count towards the delay of the next step. */
export const resumed = sql`paused_at = null, starts_at = case when started_at is null then greatest(starts_at, now()) else starts_at end,
  tier_started_at = tier_started_at + (now() - paused_at)`;

export async function setPaused(tx: Db, id: string, paused: boolean): Promise<void> {
  await sql`update agent_rollouts set ${paused ? sql`paused_at = now()` : resumed} where id = ${id}`.execute(tx);
}

export async function endRollout(tx: Db, id: string, status: 'cancelled' | 'stopped', reason: string): Promise<void> {
  await sql`update agent_rollouts set status = ${status}, reason = ${reason}, finished_at = now(), paused_at = null where id = ${id}`.execute(
    tx,
  );
}

/** running -> completed: the version becomes the current one. Covered agents keep their generation, so nothing changes for them. */
export async function completeRollout(tx: Db, { id, group_id, target_version, generation }: RolloutRow): Promise<void> {
  await sql`with done as (update agent_rollouts set status = 'completed', finished_at = now() where id = ${id})
    update agent_config_groups g set policy = v.policy, current_version = v.version, generation = greatest(g.generation, ${generation}),
      updated_at = now()
    from agent_config_versions v where g.id = ${group_id} and v.group_id = g.id and v.version = ${target_version}`.execute(tx);
}

export interface Coverage {
  covered: number;
  healthy: number;
  pending: number;
  failed: number;
  away: number;
  /** At most five. */
  failed_names: string[];
}

/** Agents of a large fleet report every four minutes, and later while the service is busy. */
const silentMinutes = 10;
const stuckMinutes = 15;

/** How the covered agents fare. */
export async function coverageOf(db: Db, rollout: RolloutRow): Promise<Coverage> {
  const { group_id, percent, generation, failing_before, tier_started_at } = rollout;
  const { rows } = await sql<Coverage>`
    with covered as (
      select a.name, coalesce(a.config_generation_applied >= ${generation}, false) as applied,
        coalesce(a.health_at >= a.config_applied_at, false) as heard,
        ${reportsErrors} and a.id <> all(${failing_before}::uuid[]) as erring,
        a.config_applied_at < now() - make_interval(mins => ${silentMinutes}) as long_ago,
        coalesce(a.last_seen_at >= ${tier_started_at}::timestamptz, false) as seen,
        coalesce(a.last_seen_at > ${tier_started_at}::timestamptz + make_interval(mins => ${stuckMinutes}), false) as stuck
      from agents a
      where a.revoked_at is null and a.cert_fingerprint is not null and ${bucketOf(sql`a.id`)} < ${percent}
        and exists (select from agent_group_matches m where m.agent_id = a.id and m.group_id = ${group_id})),
    judged as (
      select name, case
        when applied and heard then case when erring then 'failed' else 'healthy' end
        when applied then case when long_ago then 'failed' else 'pending' end
        when stuck then 'failed' when seen then 'pending' else 'away' end as verdict
      from covered)
    select count(*) as covered, count(*) filter (where verdict = 'healthy') as healthy, count(*) filter (where verdict = 'pending') as pending,
      count(*) filter (where verdict = 'failed') as failed, count(*) filter (where verdict = 'away') as away,
      coalesce((array_agg(name order by name) filter (where verdict = 'failed'))[1:5], '{}') as failed_names
    from judged`.execute(db);
  return one(rows);
}
