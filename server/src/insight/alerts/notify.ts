import { sql } from 'kysely';
import { type Db, one, storableJson } from '../../platform/database/index.ts';
import type { AlertMessage } from './message.ts';
import type { PumpContext } from './pump-context.ts';
import type { GroupRow, RuleRow } from './tables.ts';

type NotificationKind = Exclude<AlertMessage['kind'], 'test' | 'report'>;

/**
 * Writes a message about an alert and one delivery for each enabled channel that it concerns. The caller holds the lock of the alert and changes
 * its state in the same transaction. Returns how many deliveries there are.
 */
export async function writeNotification(
  trx: Db,
  context: PumpContext,
  rule: RuleRow,
  group: GroupRow,
  kind: NotificationKind,
  recovery = '',
): Promise<{ deliveries: number; upTo: number }> {
  const upTo = await newestEvent(trx, group.id);
  const message = await composeMessage(trx, context, rule, group, kind, recovery);
  const { rows } = await sql<{ id: string; deliveries: number }>`
    with made as (
      insert into alert_notifications (group_id, rule_id, kind, up_to, message, created_at)
      values (${group.id}, ${rule.id}, ${kind}, ${upTo}, ${storableJson(message)}::jsonb, ${context.now}) returning id),
    queued as (
      insert into alert_deliveries (notification_id, channel_id, next_attempt_at)
      select made.id, c.id, ${context.now} from made, alert_channels c where c.id = any(${channelsFor(rule, group, kind)}::uuid[]) and c.enabled returning 1)
    select made.id, (select count(*) from queued) as deliveries from made`.execute(trx);
  return { deliveries: one(rows).deliveries, upTo };
}

/** An escalation goes to its own channels. The end of an alert is told to everybody who was told before. */
function channelsFor(rule: RuleRow, group: GroupRow, kind: NotificationKind): string[] {
  if (kind === 'escalation') return rule.escalate_channel_ids;
  return kind === 'resolved' && group.escalated_at !== null ? [...rule.channel_ids, ...rule.escalate_channel_ids] : rule.channel_ids;
}

/** Tells that a condition has ended, if anybody was told that it began. */
export async function notifyResolved(trx: Db, context: PumpContext, rule: RuleRow, group: GroupRow, recovery: string): Promise<void> {
  if (rule.notify_resolved && group.notified_at !== null) await writeNotification(trx, context, rule, group, 'resolved', recovery);
}

async function newestEvent(trx: Db, groupId: string): Promise<number> {
  const { rows } = await sql<{
    position: number;
  }>`select coalesce(max(position), 0) as position from alert_events where group_id = ${groupId}`.execute(trx);
  return one(rows).position;
}

export async function enabledChannels(trx: Db, ids: readonly string[]): Promise<number> {
  const { rows } = await sql<{
    channels: number;
  }>`select count(*) as channels from alert_channels where enabled and id = any(${ids}::uuid[])`.execute(trx);
  return one(rows).channels;
}

async function composeMessage(
  trx: Db,
  { settings, now }: PumpContext,
  rule: RuleRow,
  group: GroupRow,
  kind: NotificationKind,
  recovery: string,
): Promise<Omit<AlertMessage, 'id'>> {
  const isReminder = kind === 'reminder' || kind === 'escalation' || kind === 'resolved';
  const since = isReminder ? 0 : group.notified_up_to;
  const count = isReminder ? group.events : group.events - group.notified_events;
  const listed = await pathsSince(trx, group.id, since, settings.alertDigestMaxEvents);
  const library = group.library_id ? await libraryName(trx, group.library_id) : null;
  const isFiles = group.message === '';
  // Several incidents, such as changed permissions of a folder, are listed like files. A condition has one message at a time.
  const isList = isFiles || (!group.lasting && count > 1);
  const sentence = isFiles ? fileSentence(group, count, library, listed[0] ?? '') : isList ? (listed[0] ?? group.message) : group.message;
  const said = kind === 'resolved' && recovery !== '' ? recovery : isList ? '' : group.message;
  const text = kind === 'escalation' ? `${said} Nobody has acknowledged this alert since it began.`.trim() : said;
  return {
    kind,
    severity: rule.severity,
    title: `${firstSentence(sentence)}${isList && !isFiles ? ` (and ${count - 1} more)` : ''}`,
    text,
    rule: rule.name,
    event_type: group.event_type,
    count,
    // A system event has no path; its message takes that place.
    paths: isList ? listed : [group.message],
    truncated: isList ? Math.max(0, count - listed.length) : 0,
    library_id: group.library_id,
    library,
    digest_window: rule.digest_window,
    group: group.id,
    occurred_at: now.toISOString(),
    link: settings.publicBaseUrl ? `${settings.publicBaseUrl}/#/alerts` : null,
    facts: group.facts,
  };
}

async function pathsSince(trx: Db, groupId: string, position: number, limit: number): Promise<string[]> {
  const { rows } = await sql<{ message: string }>`select message from alert_events where group_id = ${groupId} and position > ${position}
    order by position limit ${limit}`.execute(trx);
  return rows.map(({ message }) => message);
}

async function libraryName(trx: Db, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select name from libraries where id = ${id}`.execute(trx);
  return rows[0]?.name ?? null;
}

/** What happened to one file, and to several. The console translates them, so each is a whole sentence. */
const fileSentences: Record<string, [one: string, several: string]> = {
  created: ['{1} added in {2}', '{1} files added in {2}'],
  modified: ['{1} changed in {2}', '{1} files changed in {2}'],
  deleted: ['{1} deleted in {2}', '{1} files deleted in {2}'],
  moved: ['{1} moved in {2}', '{1} files moved in {2}'],
  search_match: ['{1} found in {2}', '{1} files found in {2}'],
};

/** "3 files deleted in Photos (folder 2024)", or the name of a single file. */
export function fileSentence(
  group: Pick<GroupRow, 'event_type' | 'subject'>,
  count: number,
  library: string | null,
  first: string,
): string {
  const isOne = count === 1 && first !== '';
  const template = fileSentences[group.event_type]?.[isOne ? 0 : 1] ?? `{1} ${group.event_type} in {2}`;
  const what = isOne ? first.slice(first.lastIndexOf('/') + 1) : String(count);
  const sentence = (library === null ? template.replace(' in {2}', '') : template)
    .replace('{2}', () => library ?? '')
    .replace('{1}', () => what);
  return `${sentence}${group.subject && count !== 1 ? ` (${group.subject})` : ''}`;
}

function firstSentence(text: string): string {
  return (/^(.*?[.!?])(\s|$)/s.exec(text)?.[1] ?? text).slice(0, 200);
}
