import { parseIgnorePattern } from '@catalog/scanner';
import { recordEvent } from '../../people/audit/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type Actor, hasScope, type Principal } from '../../platform/principal.ts';
import { fieldProblem, nameList, notFound, type Problem, problem } from '../../platform/problem.ts';
import { systemEventKinds } from '../../platform/system-events.ts';
import { findReadable } from '../../search/saved/index.ts';
import { missingChannels } from './channels/store.ts';
import { rescheduleSent } from './groups.ts';
import { fileEventTypes, groupExtras } from './match.ts';
import {
  closeGroupsOf,
  countRules,
  deleteRule,
  endDigests,
  findRule,
  forgetInhibitor,
  insertRule,
  listRules,
  lockRule,
  missingRules,
  type NewRule,
  rulesOfSearch,
  updateRule,
  wakeHeldGroups,
} from './rules-store.ts';
import { forgetHits, searchMatch } from './search-rules.ts';
import type { RuleRow } from './tables.ts';

const maxRules = 500;
export const eventTypes = [...fileEventTypes, searchMatch, ...systemEventKinds] as const;

export type RuleInput = { [Field in keyof Omit<NewRule, 'owner_id'>]?: NewRule[Field] | undefined };

const defaults: NewRule = {
  name: '',
  enabled: true,
  is_system: false,
  severity: 'warning',
  library_id: null,
  path_glob: null,
  event_types: [],
  hash_change_only: false,
  saved_search_id: null,
  owner_id: null,
  group_by: [],
  group_wait_s: 30,
  digest_window: null,
  repeat_interval_s: null,
  threshold_count: null,
  threshold_window_s: null,
  notify_resolved: true,
  channel_ids: [],
  escalate_after_s: null,
  escalate_channel_ids: [],
  inhibited_by: [],
  inhibit_window_s: 900,
};

const wrong = (field: string, message: string) => fieldProblem(['body', field], message, 'rule');
const given = <T extends object>(input: T): Partial<T> =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)) as Partial<T>;

/** A complete rule from the given fields. Throws a problem that names the field. */
export function completeRule(input: RuleInput, base: NewRule = defaults): NewRule {
  const rule: NewRule = { ...base, ...(given(input) as Partial<NewRule>) };
  rule.name = rule.name.trim();
  rule.path_glob = rule.path_glob === '' ? null : rule.path_glob;
  rule.group_by = rule.group_by.filter((each) => !['event_type', 'library_id', 'rule_id'].includes(each));
  const unknown = rule.event_types.find((each) => !(eventTypes as readonly string[]).includes(each));
  if (unknown !== undefined) throw wrong('event_types', `"${unknown}" is not an event. Use some of ${eventTypes.join(', ')}.`);
  const files = rule.event_types.some((each) => (fileEventTypes as readonly string[]).includes(each));
  const search = rule.event_types.includes(searchMatch);
  if (search && rule.event_types.length > 1) throw wrong('event_types', 'A rule for a saved search has no other event.');
  if (search !== (rule.saved_search_id !== null))
    throw wrong('saved_search_id', 'A rule with the event search_match, and only that, names a saved search.');
  if (!files && !rule.event_types.includes('permission_changed') && rule.path_glob !== null)
    throw wrong('path_glob', 'Only rules about files have a path.');
  if (!files && rule.hash_change_only) throw wrong('hash_change_only', 'Only rules about files can look at content.');
  if (rule.path_glob !== null && (parseIgnorePattern(rule.path_glob) === null || rule.path_glob.startsWith('!')))
    throw wrong('path_glob', 'The path is not a pattern. Use for example *.pdf or /Contracts/**.');
  const extra = rule.group_by.find((each) => !(groupExtras as readonly string[]).includes(each));
  if (extra !== undefined) throw wrong('group_by', `Alerts cannot be grouped by "${extra}". Use ${groupExtras.join(', ')}.`);
  if ((rule.threshold_count === null) !== (rule.threshold_window_s === null))
    throw wrong('threshold_window_s', 'Enter both the number of events and the time within which they happen, or neither.');
  if ((rule.escalate_after_s === null) !== (rule.escalate_channel_ids.length === 0))
    throw wrong('escalate_channel_ids', 'Enter both the time after which to escalate and the channels to use, or neither.');
  return rule;
}

export async function createRule({ db }: Dependencies, actor: Actor, caller: Principal, input: RuleInput): Promise<RuleRow> {
  if (input.is_system) throw wrong('is_system', 'System rules exist already. Create a rule of your own with the same events.');
  const rule = completeRule(input);
  if ((await countRules(db)) >= maxRules) throw problem('too_many', `There can be at most ${maxRules} rules. Delete some first.`);
  return db.transaction().execute(async (trx) => {
    await checkReferences(trx as Db, caller, rule);
    const row = await insertRule(trx as Db, { ...rule, owner_id: caller.id });
    if (!row) throw nameTaken(rule.name);
    await audit(trx as Db, 'alert_rule_created', actor, row);
    return row;
  });
}

/** Changes a rule. A function gets the current rule, locked, and returns the fields to change. */
export async function changeRule(
  { db, clock, settings }: Dependencies,
  actor: Actor,
  caller: Principal,
  id: string,
  change: RuleInput | ((before: RuleRow) => RuleInput),
): Promise<RuleRow> {
  const now = clock.now();
  return db.transaction().execute(async (trx) => {
    const before = await lockRule(trx as Db, id);
    if (!before) throw notFound('alert rule');
    const input = typeof change === 'function' ? change(before) : change;
    if (before.is_system && input.event_types && input.event_types.join() !== before.event_types.join())
      throw wrong('event_types', 'The events of a system rule are fixed. Create a rule of your own instead.');
    const rule = completeRule({ ...input, is_system: before.is_system }, before);
    await checkReferences(trx as Db, caller, rule, id);
    const searchChanged = rule.saved_search_id !== before.saved_search_id;
    const row = await updateRule(trx as Db, { ...before, ...rule, id, owner_id: searchChanged ? caller.id : before.owner_id });
    if (!row) throw nameTaken(rule.name);
    if (searchChanged) await forgetHits(trx as Db, id);
    if (before.enabled && !row.enabled) await closeGroupsOf(trx as Db, id, now);
    else {
      if (before.digest_window !== null && row.digest_window === null) await endDigests(trx as Db, id, now);
      await wakeHeldGroups(trx as Db, id, now);
      await rescheduleSent(trx as Db, row, settings.alertGroupIntervalS);
    }
    await audit(trx as Db, 'alert_rule_updated', actor, row);
    return row;
  });
}

export async function removeRule({ db }: Dependencies, actor: Actor, id: string): Promise<void> {
  const row = await requireRule(db, id);
  if (row.is_system) throw problem('conflict', 'A system rule cannot be deleted. Switch it off instead.');
  await db.transaction().execute(async (trx) => {
    await forgetInhibitor(trx as Db, id);
    await deleteRule(trx as Db, id);
    await audit(trx as Db, 'alert_rule_deleted', actor, row);
  });
}

/** Why a saved search cannot be deleted. Only administrators may read the names of rules. */
export async function searchInUse(db: Db, principal: Principal, searchId: string): Promise<Problem> {
  const rules = await rulesOfSearch(db, searchId);
  if (rules.length === 0) return problem('search_in_use');
  return hasScope(principal.scopes, 'admin')
    ? problem(
        'search_in_use',
        `This search is still in use by alert rules: ${nameList(rules)}. Choose another search there or delete the rules first.`,
      )
    : problem(
        'search_in_use',
        `This search is still in use by alert rules (${rules.length}). Ask an administrator to change or delete them first.`,
      );
}

export interface BulkInput {
  rule_ids: string[];
  enabled?: boolean | undefined;
  set_throttle?: boolean | undefined;
  digest_window?: RuleRow['digest_window'] | undefined;
  group_wait_s?: number | undefined;
  repeat_interval_s?: number | null | undefined;
  channel_mode?: 'set' | 'add' | 'remove' | undefined;
  channel_ids?: string[] | undefined;
}

/** Changes many rules at once. Switching to a digest drops the group wait; switching back restores its default, unless one is given. */
export async function changeRules(
  deps: Dependencies,
  actor: Actor,
  caller: Principal,
  input: BulkInput,
): Promise<{ updated: number; missing: string[] }> {
  const ids = [...new Set(input.rule_ids)];
  const missing = await missingRules(deps.db, ids);
  let updated = 0;
  for (const id of ids.filter((each) => !missing.includes(each))) {
    await changeRule(deps, actor, caller, id, (before) => ({
      ...(input.enabled === undefined ? {} : { enabled: input.enabled }),
      ...(input.set_throttle
        ? {
            digest_window: input.digest_window ?? null,
            group_wait_s: input.group_wait_s ?? (input.digest_window ? 0 : 30),
            repeat_interval_s: input.repeat_interval_s ?? null,
          }
        : {}),
      ...(input.channel_ids ? { channel_ids: channelsAfter(before.channel_ids, input.channel_ids, input.channel_mode) } : {}),
    }));
    updated += 1;
  }
  return { updated, missing };
}

function channelsAfter(before: string[], chosen: string[], mode: BulkInput['channel_mode'] = 'set'): string[] {
  if (mode === 'add') return [...new Set([...before, ...chosen])];
  return mode === 'remove' ? before.filter((each) => !chosen.includes(each)) : chosen;
}

export async function requireRule(db: Db, id: string): Promise<RuleRow> {
  const row = await findRule(db, id);
  if (!row) throw notFound('alert rule');
  return row;
}

async function checkReferences(db: Db, caller: Principal, rule: NewRule, id?: string): Promise<void> {
  if ((await missingChannels(db, rule.channel_ids)).length > 0) throw wrong('channel_ids', 'One of the channels does not exist.');
  if ((await missingChannels(db, rule.escalate_channel_ids)).length > 0)
    throw wrong('escalate_channel_ids', 'One of the channels does not exist.');
  if ((await missingRules(db, rule.inhibited_by)).length > 0) throw wrong('inhibited_by', 'One of the rules does not exist.');
  if (id !== undefined && rule.inhibited_by.includes(id)) throw wrong('inhibited_by', 'A rule cannot suppress itself.');
  if (rule.saved_search_id !== null) await findReadable(db, caller, rule.saved_search_id);
}

const nameTaken = (name: string) => problem('name_taken', `There is already a rule named "${name}". Choose another name.`);

async function audit(db: Db, event_type: string, { principalId, ip, userAgent }: Actor, { id, name, enabled }: RuleRow): Promise<void> {
  await recordEvent(db, {
    event_type,
    principal_id: principalId,
    ip,
    user_agent: userAgent ?? null,
    details: { rule_id: id, name, enabled },
  });
}

/** The eight system rules: disabled, without channels. Rows that exist are left as they are. */
const systemRules: readonly { name: string; event: string; severity: RuleRow['severity'] }[] = [
  { name: 'System: scan failure', event: 'scan_failed', severity: 'warning' },
  { name: 'System: extract-error spike', event: 'extract_error_spike', severity: 'warning' },
  { name: 'System: low disk space', event: 'disk_low_space', severity: 'critical' },
  { name: 'System: scheduled report delivery failure', event: 'report_delivery_failed', severity: 'warning' },
  { name: 'System: agent offline', event: 'agent_offline', severity: 'critical' },
  { name: 'System: agent replication stalled', event: 'agent_replication_stalled', severity: 'warning' },
  { name: 'System: agent verification mismatch', event: 'agent_verify_mismatch', severity: 'critical' },
  { name: 'System: permission change', event: 'permission_changed', severity: 'info' },
];

export async function seedAlertRules(db: Db): Promise<void> {
  const existing = (await listRules(db)).filter(({ is_system }) => is_system).flatMap(({ event_types }) => event_types);
  for (const { name, event, severity } of systemRules.filter((each) => !existing.includes(each.event)))
    await insertRule(db, { ...defaults, name, severity, event_types: [event], is_system: true, enabled: false, group_wait_s: 0 });
}
