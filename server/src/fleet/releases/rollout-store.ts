import { compareVersions } from '@catalog/protocol';
import { type RawBuilder, sql } from 'kysely';
import { actorName } from '../../people/identity/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import {
  bucketOf,
  nextStepAt,
  policyValues,
  type RolloutStatus,
  reportsErrors,
  resumed,
  type Tier,
  updateHold,
  updateRuleKeys,
} from '../config/index.ts';

export interface ReleaseRolloutRow {
  id: string;
  version: string;
  tiers: Tier[];
  max_failed_percent: number;
  health_minutes: number;
  /** Only agents on one of these platforms that have all of these labels are covered. */
  target_platforms: string[];
  target_labels: string[];
  /** Only agents of one of these groups; any when empty. */
  target_groups: string[];
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
  /** The start has come, and all programs of the release are here. */
  start_due: boolean;
  next_at: Date | null;
  tier_due: boolean;
  /** Agents that run the version. */
  running: number;
}

/** All programs are here, and the release was not withdrawn. */
export const releaseReady = sql<boolean>`(v.withdrawn_at is null and jsonb_array_length(v.manifest -> 'artifacts')
  = (select count(*) from agent_release_files f where f.version = v.version))`;
const columns = sql`r.id, r.version, r.tiers, r.max_failed_percent, r.health_minutes, r.target_platforms, r.target_labels, r.target_groups, r.status, r.current_tier, r.percent, r.starts_at,
  r.started_at, r.tier_started_at, r.finished_at, r.paused_at, r.failing_before, r.reason,
  ${actorName(sql`r.actor_id`)} as actor, r.created_at, (r.starts_at <= now() and ${releaseReady}) as start_due,
  ${nextStepAt} as next_at, coalesce(${nextStepAt} <= now(), false) as tier_due,
  (select count(*) from agents a where a.agent_version = r.version and a.revoked_at is null) as running`;
const rollouts = sql`agent_release_rollouts r join agent_releases v on v.version = r.version`;

export async function listReleaseRollouts(
  db: Db,
  { status, version, limit }: { status: RolloutStatus | null; version: string | null; limit: number },
): Promise<ReleaseRolloutRow[]> {
  const { rows } = await sql<ReleaseRolloutRow>`select ${columns} from ${rollouts}
    where (${status}::text is null or r.status = ${status}) and (${version}::text is null or r.version = ${version})
    order by r.id desc limit ${limit}`.execute(db);
  return rows;
}

export async function findReleaseRollout(db: Db, id: string, lock = false): Promise<ReleaseRolloutRow | undefined> {
  const { rows } = await sql<ReleaseRolloutRow>`select ${columns} from ${rollouts} where r.id = ${id}
    ${lock ? sql`for update of r` : sql``}`.execute(db);
  return rows[0];
}

export async function findLiveOf(db: Db, version: string): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`select id from agent_release_rollouts
    where version = ${version} and status in ('scheduled', 'running')`.execute(db);
  return rows[0]?.id;
}

export async function liveReleaseRollouts(db: Db): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from agent_release_rollouts
    where status in ('scheduled', 'running') order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export async function insertReleaseRollout(
  tx: Db,
  rollout: Pick<
    ReleaseRolloutRow,
    'version' | 'tiers' | 'max_failed_percent' | 'health_minutes' | 'target_platforms' | 'target_labels' | 'target_groups'
  > & { startsAt: string | null; actorId: string | null },
): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    insert into agent_release_rollouts (version, tiers, max_failed_percent, health_minutes, target_platforms, target_labels, target_groups, starts_at, actor_id)
    values (${rollout.version}, ${JSON.stringify(rollout.tiers)}::jsonb, ${rollout.max_failed_percent}, ${rollout.health_minutes},
      ${rollout.target_platforms}::text[], ${rollout.target_labels}::text[], ${rollout.target_groups}::uuid[],
      coalesce(${rollout.startsAt}::timestamptz, now()), ${rollout.actorId}) on conflict do nothing returning id`.execute(tx);
  return rows[0]?.id ?? null;
}

/** scheduled -> running; no agent is covered yet. */
export async function beginReleaseRollout(tx: Db, id: string): Promise<void> {
  await sql`update agent_release_rollouts set status = 'running', started_at = now(), tier_started_at = now(),
    failing_before = array(select a.id from agents a where ${reportsErrors}) where id = ${id}`.execute(tx);
}

export async function enterReleaseTier(tx: Db, id: string, percent: number): Promise<void> {
  await sql`update agent_release_rollouts set current_tier = current_tier + 1, percent = ${percent}, tier_started_at = now()
    where id = ${id}`.execute(tx);
}

export async function setReleasePaused(tx: Db, id: string, paused: boolean): Promise<void> {
  await sql`update agent_release_rollouts set ${paused ? sql`paused_at = now()` : resumed} where id = ${id}`.execute(tx);
}

export async function endReleaseRollout(
  tx: Db,
  id: string,
  status: 'completed' | 'cancelled' | 'stopped',
  reason: string | null,
): Promise<void> {
  await sql`update agent_release_rollouts set status = ${status}, reason = ${reason}, finished_at = now(), paused_at = null where id = ${id}`.execute(
    tx,
  );
}

/** Versions in use that a release replaces. There are few, so they are compared here. */
async function olderVersions(db: Db, version: string): Promise<string[]> {
  const { rows } = await sql<{ agent_version: string }>`select distinct agent_version from agents
    where agent_version is not null and revoked_at is null`.execute(db);
  return rows.map(({ agent_version }) => agent_version).filter((each) => compareVersions(each, version) < 0);
}

/** Agents whose settings do not let them update themselves at all. */
async function fixedAgents(db: Db): Promise<string[]> {
  const values = await policyValues(db, null, ['auto_update']);
  return [...values].filter(([, { auto_update }]) => auto_update === false).map(([id]) => id);
}

/** Agents that the steps so far cover: programs that may and can replace themselves, on a machine for which the release has a program. */
async function coveredBy(db: Db, rollout: ReleaseRolloutRow): Promise<RawBuilder<boolean>> {
  const older = await olderVersions(db, rollout.version);
  const fixed = await fixedAgents(db);
  const { version, percent, target_platforms, target_labels, target_groups } = rollout;
  return sql<boolean>`a.revoked_at is null and a.cert_fingerprint is not null and a.approved_at is not null
    and (cardinality(${target_platforms}::text[]) = 0 or a.platform = any(${target_platforms}::text[])) and ${target_labels}::text[] <@ a.labels
    and (cardinality(${target_groups}::uuid[]) = 0
      or exists (select from agent_group_matches m where m.agent_id = a.id and m.group_id = any(${target_groups}::uuid[])))
    and ${bucketOf(sql`a.id`)} < ${percent} and a.capabilities -> 'self_update' = 'true'
    and (a.agent_version = ${version} or (a.agent_version = any(${older}::text[]) and a.id <> all(${fixed}::uuid[])))
    and exists (select from agent_releases v where v.version = ${version} and v.manifest -> 'artifacts' @>
      jsonb_build_array(jsonb_build_object('platform', a.platform, 'arch', a.capabilities ->> 'arch')))`;
}

/** Covered and connected agents that were not asked to update themselves yet, and whose settings let them now. */
export async function agentsToAsk(db: Db, rollout: ReleaseRolloutRow, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select a.id from agents a
    where ${await coveredBy(db, rollout)} and a.agent_version <> ${rollout.version} and a.last_seen_at > now() - interval '5 minutes'
      and not exists (select from agent_commands c
        where c.kind = 'self_update' and c.payload ->> 'rollout_id' = ${rollout.id} and c.agent_id = a.id)
    order by a.id`.execute(db);
  const ids = rows.map(({ id }) => id);
  const rules = await policyValues(db, ids, updateRuleKeys);
  return ids.filter((id) => updateHold(rules.get(id) ?? {}, new Date()) === null).slice(0, limit);
}

/** Agents that run the version since the rollout began. */
export async function agentsToPutBack(db: Db, { version, started_at }: ReleaseRolloutRow): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select a.id from agents a
    where a.agent_version = ${version} and a.revoked_at is null and a.version_at >= ${started_at}::timestamptz`.execute(db);
  return rows.map(({ id }) => id);
}

export interface ReleaseCoverage {
  covered: number;
  healthy: number;
  pending: number;
  failed: number;
  away: number;
  /** At most five. */
  failed_names: string[];
}

const silentMinutes = 5;
const restartMinutes = 10;
/** How much longer than the health window the first scan may take. */
const scanMinutes = 60;

/** How the covered agents fare. */
export async function releaseCoverage(db: Db, rollout: ReleaseRolloutRow): Promise<ReleaseCoverage> {
  const { id, version, health_minutes, failing_before, started_at, tier_started_at } = rollout;
  const isCovered = await coveredBy(db, rollout);
  const { rows } = await sql<ReleaseCoverage>`
    with covered as (
      select a.name, a.agent_version = ${version} as updated, a.version_at, a.health_at, a.last_seen_at,
        a.previous_version = ${version} and a.version_at >= ${started_at}::timestamptz as went_back,
        ${reportsErrors} and a.id <> all(${failing_before}::uuid[]) as erring,
        -- Work done: a scan has ended, and changes arrive.
        jsonb_path_exists(coalesce(a.health, '{}'), '$.roots[*] ? (@.last_scan_at > $since)',
            jsonb_build_object('since', to_char(a.version_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')))
          and (coalesce(a.health ->> 'outbox_pending', '0') = '0' or coalesce(a.last_batch_at > a.version_at, false)) as worked,
        c.status as asked, c.completed_at
      from agents a left join lateral (
        select c.status, c.completed_at from agent_commands c
        where c.kind = 'self_update' and c.payload ->> 'rollout_id' = ${id} and c.agent_id = a.id order by c.id desc limit 1) c on true
      where ${isCovered}),
    judged as (
      select name, case
        when updated and erring then 'failed'
        when updated and worked and health_at >= version_at + make_interval(mins => ${health_minutes}) then 'healthy'
        when updated and last_seen_at < now() - make_interval(mins => ${silentMinutes}) then 'failed'
        when updated and not worked and version_at < now() - make_interval(mins => ${health_minutes + scanMinutes}) then 'failed'
        when updated then 'pending'
        when went_back or asked in ('failed', 'expired') then 'failed'
        when asked = 'done' and last_seen_at > completed_at + make_interval(mins => ${restartMinutes}) then 'failed'
        when asked in ('picked_up', 'done') or last_seen_at >= ${tier_started_at}::timestamptz
          or last_seen_at > now() - make_interval(mins => ${silentMinutes}) then 'pending'
        else 'away' end as verdict
      from covered)
    select count(*) as covered, count(*) filter (where verdict = 'healthy') as healthy, count(*) filter (where verdict = 'pending') as pending,
      count(*) filter (where verdict = 'failed') as failed, count(*) filter (where verdict = 'away') as away,
      coalesce((array_agg(name order by name) filter (where verdict = 'failed'))[1:5], '{}') as failed_names
    from judged`.execute(db);
  return one(rows);
}
