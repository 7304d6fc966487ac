/** Configuration groups: what they set, and which agents are in them. */
import { checkPresetNames } from '../../catalog/presets/index.ts';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { auditOf, requireAgent } from '../agents/index.ts';
import { lockGroup } from './rollout-store.ts';
import { type NewRollout, requireNoRollout, startRollout } from './rollouts.ts';
import { deleteGroup, findGroup, type GroupPolicy, type GroupRow, insertGroup, setGroups, updateGroup } from './store.ts';
import { readWindow } from './update-rules.ts';
import { addVersion, diffPolicies } from './versions.ts';

/** Replaces the target as a whole; without platforms and labels the group applies to its members only. */
interface Target {
  platforms: string[];
  labels: string[];
}

interface GroupFields {
  name?: string | undefined;
  description?: string | null | undefined;
  priority?: number | undefined;
  policy?: GroupPolicy | undefined;
  note?: string | undefined;
  target?: Target | undefined;
  /** Hands the policy out step by step instead of at once. */
  rollout?: NewRollout | undefined;
}

export async function requireGroup(db: Db, id: string): Promise<GroupRow> {
  const group = await findGroup(db, id);
  if (!group) throw notFound('group');
  return group;
}

export async function createGroup(db: Db, given: GroupFields & { name: string }, actor: Actor): Promise<string> {
  const { name, description = null, priority = 100, policy = {}, target = { platforms: [], labels: [] } } = given;
  await checkPresetNames(db, policy.presets ?? [], ['body', 'policy', 'presets']);
  checkWindow(policy);
  return db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    const id = await insertGroup(tx, { name, description, priority, policy, ...targetColumns(target) });
    if (id === null) throw problem('name_taken');
    await addVersion(tx, id, policy, { note: null, current: true }, actor);
    await recordEvent(tx, { event_type: 'agent_config_group_created', ...auditOf(actor), details: { group_id: id, name } });
    return id;
  });
}

function checkWindow({ update_window }: GroupPolicy): void {
  if (update_window !== undefined && readWindow(update_window) === null)
    throw fieldProblem(
      ['body', 'policy', 'update_window'],
      'Name days, hours and a time zone, such as “mon-fri 22:00-05:00 Europe/Berlin” or “* 01:00-04:00”.',
      'update_window',
    );
}

const targetColumns = ({ platforms, labels }: Target) => ({
  target_platforms: [...new Set(platforms)].sort(),
  target_labels: [...new Set(labels)].sort(),
});

export async function changeGroup(db: Db, id: string, given: GroupFields, actor: Actor): Promise<void> {
  await checkPresetNames(db, given.policy?.presets ?? [], ['body', 'policy', 'presets']);
  checkWindow(given.policy ?? {});
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    // Locked, so that concurrent changes of different fields are all kept.
    await lockGroup(tx, id);
    const group = await requireGroup(tx, id);
    if (group.is_system && ((given.name ?? group.name) !== group.name || (given.priority ?? group.priority) !== group.priority))
      throw problem('conflict', 'Name and priority of the group for all agents are fixed.');
    if (group.is_system && given.target && given.target.platforms.length + given.target.labels.length > 0)
      throw problem('conflict', 'The group for all agents has no target.');
    const isNew = given.policy !== undefined && diffPolicies(group.policy, given.policy).length > 0;
    if (given.rollout && !isNew) throw fieldProblem(['body', 'rollout'], 'There is no change of the policy to roll out.', 'rollout');
    const changed = {
      ...group,
      name: given.name ?? group.name,
      description: given.description === undefined ? group.description : given.description,
      priority: given.priority ?? group.priority,
      ...(given.target ? targetColumns(given.target) : {}),
      policy: given.rollout ? group.policy : (given.policy ?? group.policy),
    };
    if (isNew) await requireNoRollout(tx, id);
    if (!(await updateGroup(tx, changed))) throw problem('name_taken');
    const policy = given.policy ?? group.policy;
    const version = isNew
      ? await addVersion(tx, id, policy, { note: given.note ?? null, current: !given.rollout }, actor)
      : group.current_version;
    if (given.rollout) await startRollout(tx, id, version, given.rollout, actor);
    await recordEvent(tx, {
      event_type: 'agent_config_group_updated',
      ...auditOf(actor),
      details: { group_id: id, name: changed.name, version },
    });
  });
}

export async function removeGroup(db: Db, id: string, actor: Actor): Promise<void> {
  const group = await requireGroup(db, id);
  if (group.is_system) throw problem('conflict', 'The group for all agents cannot be deleted.');
  await deleteGroup(db, id);
  await recordEvent(db, { event_type: 'agent_config_group_deleted', ...auditOf(actor), details: { group_id: id, name: group.name } });
}

export async function assignGroups(db: Db, agentId: string, ids: readonly string[], actor: Actor): Promise<void> {
  await requireAgent(db, agentId);
  const wanted = [...new Set(ids)];
  await db.transaction().execute(async (transaction) => {
    const tx = transaction as Db;
    if ((await setGroups(tx, agentId, wanted)) !== wanted.length)
      throw problem('bad_request', 'One of the groups does not exist, or is the group of all agents, which is not assigned.');
    await recordEvent(tx, {
      event_type: 'agent_config_group_assigned',
      ...auditOf(actor),
      details: { agent_id: agentId, group_ids: wanted },
    });
  });
}
