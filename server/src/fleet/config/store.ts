import { type RawBuilder, sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { BehaviourPolicy } from './behaviour.ts';

/** What a group sets for its agents; an absent key leaves it to the groups below. */
export interface GroupPolicy extends BehaviourPolicy {
  presets?: string[];
  exclude_globs?: string[];
  include_globs?: string[];
  content_hash_max_bytes?: number;
  scan_interval_seconds?: number;
  upload_bytes_per_second?: number;
  read_bytes_per_second?: number;
}

export interface GroupRow {
  id: string;
  name: string;
  description: string | null;
  priority: number;
  is_system: boolean;
  policy: GroupPolicy;
  generation: number;
  /** Raised by every change of the policy. */
  current_version: number;
  /** Agents on one of these platforms that have all of these labels are in the group too. */
  target_platforms: string[];
  target_labels: string[];
  created_at: Date;
  updated_at: Date;
  members: number;
}

const members = sql`(select count(*) from agent_group_matches m join agents a on a.id = m.agent_id
  where m.group_id = g.id and a.revoked_at is null) as members`;

export async function listGroups(db: Db): Promise<GroupRow[]> {
  const { rows } = await sql<GroupRow>`select g.*, ${members} from agent_config_groups g order by g.priority, lower(g.name), g.id`.execute(
    db,
  );
  return rows;
}

export async function findGroup(db: Db, id: string): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`select g.*, ${members} from agent_config_groups g where g.id = ${id}`.execute(db);
  return rows[0];
}

/** Names of groups that can have members, in the order of their names. */
export async function groupNames(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from agent_config_groups where not is_system and id = any(${ids}::uuid[])
    order by lower(name)`.execute(db);
  return rows.map(({ name }) => name);
}

/** A number from 0 to 99 that an agent keeps for ever: a rollout to n percent covers the agents below n. */
export const bucketOf = (agentId: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`(('x' || encode(substr(sha256(uuid_send(${agentId})), 1, 4), 'hex'))::bit(32)::bigint % 100)`;

export interface AppliedGroup {
  id: string;
  name: string;
  priority: number;
  is_system: boolean;
  policy: GroupPolicy;
  generation: number;
  version_used: number;
  /** The version comes from a rollout that covers the agent. */
  via_rollout: boolean;
  /** Why the group applies: to everyone, by membership, or by platform and labels. */
  because: 'everyone' | 'member' | 'target';
  target_platforms: string[];
  target_labels: string[];
}

/** Another text after every change that the configuration of an agent depends on. */
export async function configVersion(db: Db): Promise<string> {
  const { rows } = await sql<{ version: string }>`select version::text from agent_config_state`.execute(db);
  return one(rows).version;
}

/** The groups of an agent in the order in which they apply: later ones win. */
export async function groupsOf(db: Db, agentId: string): Promise<AppliedGroup[]> {
  const { rows } = await sql<AppliedGroup>`
    select g.id, g.name, g.priority, g.is_system, coalesce(v.policy, g.policy) as policy, coalesce(r.generation, g.generation) as generation,
      coalesce(v.version, g.current_version) as version_used, v.version is not null as via_rollout,
      t.because, g.target_platforms, g.target_labels
    from agent_config_groups g join agent_group_matches t on t.group_id = g.id and t.agent_id = ${agentId}
    left join agent_rollouts r on r.group_id = g.id and r.status = 'running' and ${bucketOf(sql`${agentId}::uuid`)} < r.percent
    left join agent_config_versions v on v.group_id = r.group_id and v.version = r.target_version
    order by g.priority, lower(g.name), g.id`.execute(db);
  return rows;
}

/** Values of some keys that the groups of agents set, by agent; all agents when none are named. */
export async function policyValues(
  db: Db,
  agentIds: readonly string[] | null,
  keys: readonly string[],
): Promise<Map<string, Record<string, unknown>>> {
  const { rows } = await sql<{ agent_id: string; key: string; value: unknown }>`
    select distinct on (t.agent_id, k.key) t.agent_id, k.key, p.policy -> k.key as value
    from agent_group_matches t join agent_config_groups g on g.id = t.group_id
    left join agent_rollouts r on r.group_id = g.id and r.status = 'running' and ${bucketOf(sql`t.agent_id`)} < r.percent
    left join agent_config_versions v on v.group_id = r.group_id and v.version = r.target_version
    cross join lateral (select coalesce(v.policy, g.policy) as policy) p
    cross join unnest(${keys}::text[]) k (key)
    where (${agentIds}::uuid[] is null or t.agent_id = any(${agentIds}::uuid[])) and p.policy ? k.key
    order by t.agent_id, k.key, g.priority desc, lower(g.name) desc, g.id desc`.execute(db);
  const found = new Map<string, Record<string, unknown>>();
  for (const { agent_id, key, value } of rows) found.set(agent_id, { ...found.get(agent_id), [key]: value });
  return found;
}

type NewGroup = Pick<GroupRow, 'name' | 'description' | 'priority' | 'policy' | 'target_platforms' | 'target_labels'>;

/** Null when the name is taken. */
export async function insertGroup(db: Db, group: NewGroup): Promise<string | null> {
  const { rows } = await sql<{
    id: string;
  }>`insert into agent_config_groups (name, description, priority, policy, target_platforms, target_labels)
    values (${group.name}, ${group.description}, ${group.priority}, ${JSON.stringify(group.policy)}::jsonb, ${group.target_platforms}::text[],
      ${group.target_labels}::text[]) on conflict do nothing returning id`.execute(db);
  return rows[0]?.id ?? null;
}

/** False when the name is taken. */
export async function updateGroup(db: Db, group: GroupRow): Promise<boolean> {
  const { id, name, description, priority, policy, target_platforms, target_labels } = group;
  const { numAffectedRows } = await sql`update agent_config_groups set name = ${name}, description = ${description}, priority = ${priority},
    policy = ${JSON.stringify(policy)}::jsonb, target_platforms = ${target_platforms}::text[], target_labels = ${target_labels}::text[], generation = nextval('agent_config_generation'), updated_at = now()
    where id = ${id} and not exists (select from agent_config_groups o where lower(o.name) = lower(${name}) and o.id <> ${id})`.execute(db);
  return Number(numAffectedRows ?? 0) === 1;
}

export async function deleteGroup(db: Db, id: string): Promise<void> {
  await sql`delete from agent_config_groups where id = ${id}`.execute(db);
}

/** Replaces the groups of an agent. Returns how many of the given ids are groups that can have members. */
export async function setGroups(tx: Db, agentId: string, ids: readonly string[]): Promise<number> {
  await sql`delete from agent_group_members where agent_id = ${agentId} and group_id <> all(${ids}::uuid[])`.execute(tx);
  await sql`insert into agent_group_members (agent_id, group_id) select ${agentId}, id from agent_config_groups
    where not is_system and id = any(${ids}::uuid[]) on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ n: number }>`select count(*) as n from agent_group_members where agent_id = ${agentId}`.execute(tx);
  return one(rows).n;
}

export async function recordApplied(db: Db, agentId: string, generation: number): Promise<void> {
  await sql`update agents set config_generation_applied = ${generation}, config_applied_at = now() where id = ${agentId} and config_generation_applied is distinct from ${generation}`.execute(
    db,
  );
}
