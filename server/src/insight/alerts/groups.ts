/**
 * An alert: the events of one rule that belong together.
 *
 * waiting   it has events, but no message yet: its group wait or digest window is not over, or its threshold is not reached.
 * firing    a message was sent, or would have been if the rule had a channel.
 * resolved  it is over; `outcome` says how. A later event opens a new alert.
 *
 * waiting → firing     the pump sends the first message.
 * waiting → resolved   the condition recovered first, the threshold was missed, or a silence or another rule suppressed it.
 * firing → firing      reminders, new events, and, when nobody acknowledges it in time, one escalation to further channels. A condition that
 *                      gets worse loses its acknowledgement.
 * firing → resolved    a lasting condition recovered, or its library was deleted; an incident was acknowledged, or had no event for a day; a digest was sent.
 *
 * `due_at` is when the pump looks at it next, so the pump reads only what is due.
 */
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import { notFound } from '../../platform/problem.ts';
import { dedupKey, digestWindow } from './match.ts';
import type { GroupRow, RuleRow } from './tables.ts';

/** Events of one alert kept in detail. Further ones are only counted; the change log has them all. */
const maxStoredEvents = 10_000;
/** An incident that nobody acknowledges ends this long after its last event. */
export const incidentMs = 24 * 3_600_000;

const groupColumns = sql`g.id, g.rule_id, g.dedup_key, g.event_type, g.library_id, g.subject, g.message, g.facts, g.state, g.outcome, g.lasting, g.digest_until,
  g.events, g.notified_events, g.notified_at, g.notified_up_to, g.opened_at, g.last_event_at, g.resolved_at, g.acknowledged_at, g.acknowledged_by,
  g.acknowledged_name, g.escalated_at, g.held, g.due_at`;

export interface NewEvents {
  eventType: string;
  libraryId: string | null;
  subject: string;
  message: string;
  facts: Record<string, unknown>;
  lasting: boolean;
  /** May be larger than the number of rows. */
  count: number;
  rows: readonly { itemId: string | null; relPath: string | null; message: string; facts: Record<string, unknown> }[];
}

/** Adds events to the open alert of their key, or opens one. The row of the alert is locked, so counts and messages never disagree. */
export async function addEvents(trx: Db, rule: RuleRow, events: NewEvents, now: Date, groupIntervalS: number): Promise<GroupRow> {
  const window = digestWindow(rule.digest_window, now);
  const key = keyOf(rule, events, now);
  const { rows } = await sql<GroupRow>`
    insert into alert_groups as g (rule_id, dedup_key, event_type, library_id, subject, message, facts, lasting, digest_until, events, opened_at, last_event_at)
    values (${rule.id}, ${key}, ${events.eventType}, ${events.libraryId}, ${events.subject}, ${events.message}, ${JSON.stringify(events.facts)}::jsonb,
      ${events.lasting}, ${window?.end ?? null}, ${events.count}, ${now}, ${now})
    on conflict (rule_id, dedup_key) where state <> 'resolved' do update set events = g.events + excluded.events, message = excluded.message,
      facts = excluded.facts, last_event_at = excluded.last_event_at, digest_until = excluded.digest_until
    returning ${groupColumns}`.execute(trx);
  const group = one(rows);
  const room = Math.max(0, maxStoredEvents - (group.events - events.count));
  await insertEvents(trx, group, events, events.rows.slice(0, room), now);
  if (rule.threshold_count !== null) await addTally(trx, group.id, events.count, now);
  const dueAt = nextDue(group, rule, { groupIntervalS, lastNotified: await lastNotification(trx, rule.id, key) });
  await setDue(trx, group.id, dueAt);
  return { ...group, due_at: dueAt };
}

/** Every digest window has an alert of its own, but a condition has one until it ends. */
export const keyOf = (rule: RuleRow, events: Pick<NewEvents, 'eventType' | 'libraryId' | 'subject' | 'lasting'>, now: Date): string =>
  dedupKey({
    rule: rule.id,
    eventType: events.eventType,
    library: events.libraryId,
    subject: events.subject,
    windowStart: events.lasting ? null : (digestWindow(rule.digest_window, now)?.start ?? null),
  });

async function insertEvents(trx: Db, group: GroupRow, events: NewEvents, rows: NewEvents['rows'], now: Date): Promise<void> {
  if (rows.length === 0) return;
  await sql`insert into alert_events (rule_id, group_id, event_type, library_id, occurred_at, item_id, rel_path, message, facts)
    select ${group.rule_id}, ${group.id}, ${events.eventType}, ${events.libraryId}, ${now}, e.item, e.path, e.message, e.facts::jsonb
    from unnest(${rows.map(({ itemId }) => itemId)}::uuid[], ${rows.map(({ relPath }) => relPath)}::text[], ${rows.map(({ message }) => message)}::text[],
      ${rows.map(({ facts }) => JSON.stringify(facts))}::text[]) as e (item, path, message, facts)`.execute(trx);
}

async function addTally(trx: Db, groupId: string, count: number, now: Date): Promise<void> {
  await sql`insert into alert_tallies (group_id, at, events) values (${groupId}, ${now}, ${count})`.execute(trx);
}

/** The most events that came within `seconds`, for a threshold: it is looked at later, after the group wait or when the service runs again. */
export async function mostWithin(trx: Db, groupId: string, seconds: number): Promise<number> {
  const { rows } = await sql<{ events: number }>`select coalesce(max(events), 0)::bigint as events from (
      select sum(events) over (order by at
        range between ${seconds}::float8 * interval '1 second' - interval '1 microsecond' preceding and current row) as events
      from alert_tallies where group_id = ${groupId}) w`.execute(trx);
  return one(rows).events;
}

/** When a message about this key was last sent by any alert, open or resolved. */
async function lastNotification(trx: Db, ruleId: string, key: string): Promise<Date | null> {
  const { rows } = await sql<{
    at: Date | null;
  }>`select max(notified_at) as at from alert_groups where rule_id = ${ruleId} and dedup_key = ${key}`.execute(trx);
  return rows[0]?.at ?? null;
}

export async function setDue(trx: Db, groupId: string, dueAt: Date | null): Promise<void> {
  await sql`update alert_groups set due_at = ${dueAt} where id = ${groupId}`.execute(trx);
}

type Scheduled = Pick<
  GroupRow,
  | 'state'
  | 'events'
  | 'notified_events'
  | 'notified_at'
  | 'opened_at'
  | 'last_event_at'
  | 'digest_until'
  | 'lasting'
  | 'acknowledged_at'
  | 'escalated_at'
>;
type Timing = Pick<RuleRow, 'group_wait_s' | 'repeat_interval_s' | 'escalate_after_s'>;
interface Intervals {
  groupIntervalS: number;
  lastNotified: Date | null;
}

const after = (time: Date, seconds: number): number => time.getTime() + seconds * 1000;
const earliest = (times: readonly (number | null)[]): number | null => {
  const given = times.filter((time) => time !== null);
  return given.length === 0 ? null : Math.min(...given);
};

/** When the pump must look at an alert next. */
export function nextDue(group: Scheduled, rule: Timing, intervals: Intervals): Date | null {
  if (group.state === 'resolved') return null;
  const ends =
    group.lasting || group.notified_at === null || group.digest_until !== null ? null : group.last_event_at.getTime() + incidentMs;
  const due = earliest([messageDue(group, rule, intervals), escalationDue(group, rule), ends]);
  return due === null ? null : new Date(due);
}

/** When the next message to the channels of the rule is due: the first, one about new events, or a reminder. */
export function messageDue(group: Scheduled, rule: Timing, { groupIntervalS, lastNotified }: Intervals): number | null {
  const unsent = group.events > group.notified_events;
  if (group.digest_until !== null) return unsent ? group.digest_until.getTime() : null;
  if (group.notified_at === null) {
    const first = after(group.opened_at, rule.group_wait_s);
    return lastNotified === null ? first : Math.max(first, after(lastNotified, groupIntervalS));
  }
  if (group.acknowledged_at !== null) return null;
  return earliest([
    unsent ? after(group.notified_at, groupIntervalS) : null,
    rule.repeat_interval_s === null ? null : after(group.notified_at, rule.repeat_interval_s),
  ]);
}

/** When further channels are told because nobody has acknowledged an alert that was sent. Null when that is over or not wanted. */
export function escalationDue(group: Scheduled, rule: Timing): number | null {
  const over = group.notified_at === null || group.acknowledged_at !== null || group.escalated_at !== null;
  return over || rule.escalate_after_s === null ? null : after(group.opened_at, rule.escalate_after_s);
}

/** Applies the changed timing of a rule to its alerts that were sent. */
export async function rescheduleSent(trx: Db, rule: RuleRow, groupIntervalS: number): Promise<void> {
  const { rows } = await sql<GroupRow>`select ${groupColumns} from alert_groups g
    where g.rule_id = ${rule.id} and g.state = 'firing' and g.notified_at is not null and g.held is null for update`.execute(trx);
  for (const group of rows) await setDue(trx, group.id, nextDue(group, rule, { groupIntervalS, lastNotified: group.notified_at }));
}

export async function markEscalated(trx: Db, id: string, now: Date, dueAt: Date | null): Promise<void> {
  await sql`update alert_groups set escalated_at = ${now}, due_at = ${dueAt} where id = ${id}`.execute(trx);
}

/** The alert that is open for a key, locked. */
export async function lockOpenGroup(trx: Db, ruleId: string, key: string): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`select ${groupColumns} from alert_groups g
    where g.rule_id = ${ruleId} and g.dedup_key = ${key} and g.state <> 'resolved' for update`.execute(trx);
  return rows[0];
}

export async function lockGroup(trx: Db, id: string): Promise<GroupRow | undefined> {
  const { rows } = await sql<GroupRow>`select ${groupColumns} from alert_groups g where g.id = ${id} for update`.execute(trx);
  return rows[0];
}

export async function requireAlert(db: Db, id: string): Promise<GroupRow> {
  const { rows } = await sql<GroupRow>`select ${groupColumns} from alert_groups g where g.id = ${id}`.execute(db);
  if (!rows[0]) throw notFound('alert');
  return rows[0];
}

/** Ids of alerts that are due, oldest first. */
export async function dueGroups(db: Db, now: Date, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from alert_groups where due_at <= ${now} order by due_at, id limit ${limit}`.execute(
    db,
  );
  return rows.map(({ id }) => id);
}

export async function resolveGroup(trx: Db, id: string, outcome: string, now: Date): Promise<void> {
  await sql`update alert_groups set state = 'resolved', outcome = ${outcome}, resolved_at = ${now}, due_at = null, held = null
    where id = ${id} and state <> 'resolved'`.execute(trx);
}

/** Nothing tells any more that the condition of a deleted library has ended. */
export async function endGroupsOfDeletedLibraries(db: Db, now: Date): Promise<void> {
  await sql`update alert_groups set state = 'resolved', outcome = 'expired', resolved_at = ${now}, due_at = null, held = null
    where lasting and state <> 'resolved' and library_id is not null and library_id not in (select id from libraries)`.execute(db);
}

/** The condition goes on: the newest message is kept, and no event is added. */
export async function refreshGroup(
  trx: Db,
  id: string,
  { message, facts }: { message: string; facts: Record<string, unknown> },
  now: Date,
): Promise<void> {
  await sql`update alert_groups set message = ${message}, facts = ${JSON.stringify(facts)}::jsonb, last_event_at = ${now} where id = ${id}`.execute(
    trx,
  );
}

/** The alert counts as not acknowledged again, so that its next event is told and may be escalated. */
export async function withdrawAcknowledgement(trx: Db, id: string): Promise<void> {
  await sql`update alert_groups set acknowledged_at = null, acknowledged_by = null, acknowledged_name = null, escalated_at = null where id = ${id}`.execute(
    trx,
  );
}

export async function holdGroup(trx: Db, id: string, held: string, dueAt: Date | null, state: GroupRow['state']): Promise<void> {
  await sql`update alert_groups set held = ${held}, due_at = ${dueAt}, state = ${state} where id = ${id}`.execute(trx);
}
