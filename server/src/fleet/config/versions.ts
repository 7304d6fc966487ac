/**
 * Versions of configuration groups: every change of a policy is kept with who made it and why. A rollback is a new version with the policy
 * of an earlier one. A preview says what a policy would change for which agents, without changing anything.
 */
import { sql } from 'kysely';
import { checkPresetNames } from '../../catalog/presets/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import { actorName } from '../../people/identity/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { auditOf } from '../agents/index.ts';
import { endLive, type NewRollout, requireNoRollout, startRollout } from './rollouts.ts';
import type { GroupPolicy, GroupRow } from './store.ts';
import { updateGroup } from './store.ts';

export interface VersionRow {
  version: number;
  policy: GroupPolicy;
  note: string | null;
  actor: string | null;
  created_at: Date;
}

/** Adds the next version of a group and returns its number. Called in the transaction that changes the policy, or starts its rollout. */
export async function addVersion(
  tx: Db,
  groupId: string,
  policy: GroupPolicy,
  { note, current }: { note: string | null; current: boolean },
  actor: Actor,
): Promise<number> {
  const { rows } = await sql<{ version: number }>`
    with added as (
      insert into agent_config_versions (group_id, version, policy, note, actor_id)
      select ${groupId}, coalesce(max(v.version), 0) + 1, ${JSON.stringify(policy)}::jsonb, ${note}, ${actor.principalId}
      from agent_config_versions v where v.group_id = ${groupId} returning version)
    update agent_config_groups g set current_version = case when ${current} then added.version else g.current_version end from added where g.id = ${groupId} returning added.version`.execute(
    tx,
  );
  return one(rows).version;
}

export async function listVersions(db: Db, groupId: string, before: number | null, limit: number): Promise<VersionRow[]> {
  const { rows } = await sql<VersionRow>`select v.version, v.policy, v.note, ${actorName(sql`v.actor_id`)} as actor, v.created_at
    from agent_config_versions v
    where v.group_id = ${groupId} and (${before}::integer is null or v.version < ${before}) order by v.version desc limit ${limit}`.execute(
    db,
  );
  return rows;
}

async function findVersion(db: Db, groupId: string, version: number): Promise<GroupPolicy | undefined> {
  const { rows } = await sql<{ policy: GroupPolicy }>`select policy from agent_config_versions
    where group_id = ${groupId} and version = ${version}`.execute(db);
  return rows[0]?.policy;
}

/** At once, which ends a rollout that is under way, or step by step with a rollout of its own. */
export async function rollBack(
  db: Db,
  group: GroupRow,
  { version, note, rollout }: { version: number; note: string | null; rollout?: NewRollout | undefined },
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const policy = await findVersion(tx, group.id, version);
    if (!policy) throw notFound('version');
    await checkPresetNames(tx, policy.presets ?? [], ['body', 'version']);
    if (rollout) await requireNoRollout(tx, group.id);
    else await endLive(tx, group.id, 'The group went back to an earlier version.');
    if (!rollout && !(await updateGroup(tx, { ...group, policy }))) throw problem('name_taken');
    const added = await addVersion(tx, group.id, policy, { note: note ?? `Back to version ${version}`, current: !rollout }, actor);
    if (rollout) await startRollout(tx, group.id, added, rollout, actor);
    await recordEvent(tx, {
      event_type: 'agent_config_version_published',
      ...auditOf(actor),
      details: { group_id: group.id, version: added, restored: version },
    });
  });
}

export interface PolicyChange {
  key: string;
  before: unknown;
  after: unknown;
}

/** Keys that differ, in the order of their names. An absent value is null. */
export function diffPolicies(before: object, after: object): PolicyChange[] {
  const [from, to] = [before, after] as Record<string, unknown>[];
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .sort()
    .filter((key) => JSON.stringify(from?.[key]) !== JSON.stringify(to?.[key]))
    .map((key) => ({ key, before: from?.[key] ?? null, after: to?.[key] ?? null }));
}

interface Member {
  agent_id: string;
  name: string;
  group_id: string;
  policy: GroupPolicy;
}

/** The groups of every agent that has this one, in the order in which they apply. */
async function membersWithGroups(db: Db, group: Pick<GroupRow, 'id'>): Promise<Member[]> {
  const { rows } = await sql<Member>`select a.id as agent_id, a.name, g.id as group_id, g.policy
    from agent_group_matches own join agents a on a.id = own.agent_id join agent_group_matches m on m.agent_id = a.id
    join agent_config_groups g on g.id = m.group_id
    where a.revoked_at is null and own.group_id = ${group.id}
    order by lower(a.name), a.id, g.priority, lower(g.name), g.id`.execute(db);
  return rows;
}

/** What the policy would change for the group and, after all groups are merged, for each agent. */
export async function preview(db: Db, group: GroupRow, policy: GroupPolicy) {
  const byAgent = Map.groupBy(await membersWithGroups(db, group), ({ agent_id }) => agent_id);
  const affected = [...byAgent].flatMap(([agent_id, groups]) => {
    const merge = (chosen: (each: Member) => GroupPolicy): object => Object.assign({}, ...groups.map(chosen));
    const changes = diffPolicies(
      merge((each) => each.policy),
      merge((each) => (each.group_id === group.id ? policy : each.policy)),
    );
    return changes.length === 0 ? [] : [{ agent_id, name: groups[0]?.name ?? '', keys: changes.map(({ key }) => key) }];
  });
  return { changes: diffPolicies(group.policy, policy), members: byAgent.size, affected };
}
