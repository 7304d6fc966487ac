import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { RuleRow } from './tables.ts';

const columns = sql`id, name, enabled, is_system, severity, library_id, path_glob, event_types, hash_change_only, saved_search_id, owner_id, group_by, group_wait_s,
  digest_window, repeat_interval_s, threshold_count, threshold_window_s, notify_resolved, channel_ids, escalate_after_s, escalate_channel_ids, inhibited_by,
  inhibit_window_s, created_at`;

export async function listRules(db: Db): Promise<RuleRow[]> {
  const { rows } = await sql<RuleRow>`select ${columns} from alert_rules order by is_system, lower(name)`.execute(db);
  return rows;
}

/** Enabled rules that listen to one of these event types. */
export async function rulesFor(db: Db, eventTypes: readonly string[]): Promise<RuleRow[]> {
  const { rows } =
    await sql<RuleRow>`select ${columns} from alert_rules where enabled and event_types && ${eventTypes}::text[] order by id`.execute(db);
  return rows;
}

export async function findRule(db: Db, id: string): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`select ${columns} from alert_rules where id = ${id}`.execute(db);
  return rows[0];
}

/** The row stays locked until the transaction ends, so that concurrent changes of different fields are all kept. */
export async function lockRule(trx: Db, id: string): Promise<RuleRow | undefined> {
  const { rows } = await sql<RuleRow>`select ${columns} from alert_rules where id = ${id} for no key update`.execute(trx);
  return rows[0];
}

export async function countRules(db: Db): Promise<number> {
  const { rows } = await sql<{ rules: number }>`select count(*) as rules from alert_rules`.execute(db);
  return one(rows).rules;
}

/** The names of the rules that watch a saved search. */
export async function rulesOfSearch(db: Db, searchId: string): Promise<string[]> {
  const { rows } = await sql<{
    name: string;
  }>`select name from alert_rules where saved_search_id = ${searchId} order by lower(name)`.execute(db);
  return rows.map(({ name }) => name);
}

export type NewRule = Omit<RuleRow, 'id' | 'created_at'>;

/** Undefined when the name is taken. */
export async function insertRule(db: Db, r: NewRule): Promise<RuleRow | undefined> {
  const { rows } =
    await sql<RuleRow>`insert into alert_rules (name, enabled, is_system, severity, library_id, path_glob, event_types, hash_change_only, saved_search_id,
      owner_id, group_by, group_wait_s, digest_window, repeat_interval_s, threshold_count, threshold_window_s, notify_resolved, channel_ids, escalate_after_s,
      escalate_channel_ids, inhibited_by, inhibit_window_s)
    values (${r.name}, ${r.enabled}, ${r.is_system}, ${r.severity}, ${r.library_id}, ${r.path_glob}, ${r.event_types}, ${r.hash_change_only}, ${r.saved_search_id},
      ${r.owner_id}, ${r.group_by}, ${r.group_wait_s}, ${r.digest_window}, ${r.repeat_interval_s}, ${r.threshold_count}, ${r.threshold_window_s}, ${r.notify_resolved},
      ${r.channel_ids}::uuid[], ${r.escalate_after_s}, ${r.escalate_channel_ids}::uuid[], ${r.inhibited_by}::uuid[], ${r.inhibit_window_s})
    on conflict do nothing returning ${columns}`.execute(db);
  return rows[0];
}

/** Undefined when the name is taken. */
export async function updateRule(db: Db, r: RuleRow): Promise<RuleRow | undefined> {
  const { rows } =
    await sql<RuleRow>`update alert_rules set name = ${r.name}, enabled = ${r.enabled}, severity = ${r.severity}, library_id = ${r.library_id},
      path_glob = ${r.path_glob}, event_types = ${r.event_types}, hash_change_only = ${r.hash_change_only}, saved_search_id = ${r.saved_search_id},
      owner_id = ${r.owner_id}, group_by = ${r.group_by}, group_wait_s = ${r.group_wait_s}, digest_window = ${r.digest_window},
      repeat_interval_s = ${r.repeat_interval_s}, threshold_count = ${r.threshold_count}, threshold_window_s = ${r.threshold_window_s},
      notify_resolved = ${r.notify_resolved}, channel_ids = ${r.channel_ids}::uuid[], escalate_after_s = ${r.escalate_after_s},
      escalate_channel_ids = ${r.escalate_channel_ids}::uuid[], inhibited_by = ${r.inhibited_by}::uuid[],
      inhibit_window_s = ${r.inhibit_window_s}, updated_at = now()
    where id = ${r.id} and not exists (select from alert_rules o where lower(o.name) = lower(${r.name}) and o.id <> ${r.id}) returning ${columns}`.execute(
      db,
    );
  return rows[0];
}

export async function deleteRule(db: Db, id: string): Promise<void> {
  await sql`delete from alert_rules where id = ${id}`.execute(db);
}

export async function forgetInhibitor(db: Db, id: string): Promise<void> {
  await sql`update alert_rules set inhibited_by = array_remove(inhibited_by, ${id}::uuid) where ${id}::uuid = any(inhibited_by)`.execute(
    db,
  );
}

export async function missingRules(db: Db, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{
    id: string;
  }>`select id from unnest(${ids}::uuid[]) as id where id not in (select id from alert_rules)`.execute(db);
  return rows.map(({ id }) => id);
}

/** Alerts that waited for a channel become due when the rule changes. */
export async function wakeHeldGroups(db: Db, ruleId: string, now: Date): Promise<void> {
  await sql`update alert_groups set due_at = ${now} where rule_id = ${ruleId} and state <> 'resolved' and held is not null`.execute(db);
}

/** The same for the rules of a channel that was switched on. */
export async function wakeWithoutChannel(db: Db, channelId: string, now: Date): Promise<void> {
  await sql`update alert_groups set due_at = ${now} where state <> 'resolved' and held = 'no channel'
    and rule_id in (select id from alert_rules where ${channelId}::uuid = any(channel_ids))`.execute(db);
}

/** A rule has no digest any more: a condition that lasts waits for its end no longer, and reminders of it are sent. */
export async function endDigests(db: Db, ruleId: string, now: Date): Promise<void> {
  await sql`update alert_groups set digest_until = null, due_at = case when state = 'waiting' then ${now}::timestamptz else due_at end
    where rule_id = ${ruleId} and lasting and digest_until is not null and state <> 'resolved'`.execute(db);
}

export async function closeGroupsOf(db: Db, ruleId: string, now: Date): Promise<void> {
  await sql`update alert_groups set state = 'resolved', outcome = 'disabled', resolved_at = ${now}, due_at = null, held = null
    where rule_id = ${ruleId} and state <> 'resolved'`.execute(db);
}
