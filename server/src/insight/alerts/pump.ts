/**
 * The pump, once a minute: reads what happened (intake.ts), decides about alerts that are due, and delivers messages (deliver.ts). Its cost
 * follows the alerts that are due, not the number of events. Everything it decides is in the database, so any worker can continue.
 */
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Outbound } from '../../platform/outbound/index.ts';
import { deliverDue } from './deliver.ts';
import { checkErrorSpikes } from './error-spikes.ts';
import {
  dueGroups,
  endGroupsOfDeletedLibraries,
  escalationDue,
  holdGroup,
  incidentMs,
  lockGroup,
  markEscalated,
  messageDue,
  mostWithin,
  nextDue,
  resolveGroup,
} from './groups.ts';
import { readChanges, readOutcomes, readSystemEvents } from './intake.ts';
import { enabledChannels, writeNotification } from './notify.ts';
import { readPermissionChanges } from './permission-rules.ts';
import type { PumpContext } from './pump-context.ts';
import { findRule } from './rules-store.ts';
import { type SearchMatcher, testCandidates } from './search-rules.ts';
import { activeSilence, listSilences } from './silences.ts';
import type { GroupRow, RuleRow, SilenceRow } from './tables.ts';

export interface PumpTools {
  outbound: Outbound;
  /** Tests files against saved searches. */
  matchSearch: SearchMatcher;
}

export async function pump(context: PumpContext, tools: PumpTools): Promise<void> {
  await readSystemEvents(context);
  await readOutcomes(context);
  await readChanges(context);
  await readPermissionChanges(context);
  await checkErrorSpikes(context);
  await testCandidates(context, tools.matchSearch);
  await endGroupsOfDeletedLibraries(context.db, context.now);
  await decideDue(context);
  await deliverDue(context, tools.outbound);
}

/** Decides about every alert that is due. Each is decided in its own transaction. */
async function decideDue(context: PumpContext): Promise<void> {
  const silences = await listSilences(context.db, context.now);
  for (;;) {
    const ids = await dueGroups(context.db, context.now, 200);
    if (ids.length === 0 || context.signal?.aborted) return;
    for (const id of ids) {
      await context.db.transaction().execute(async (trx) => {
        const group = await lockGroup(trx as Db, id);
        // Another process may have decided meanwhile.
        if (group?.due_at && group.due_at <= context.now) await decide(trx as Db, context, group, silences);
      });
    }
  }
}

async function decide(trx: Db, context: PumpContext, group: GroupRow, silences: readonly SilenceRow[]): Promise<void> {
  const { now, settings } = context;
  const rule = await findRule(trx, group.rule_id);
  if (!rule?.enabled) return resolveGroup(trx, group.id, 'disabled', now);
  const unsent = group.events > group.notified_events;
  const isIncident = !group.lasting;
  if (isIncident && !unsent && now.getTime() >= group.last_event_at.getTime() + incidentMs)
    return resolveGroup(trx, group.id, 'expired', now);

  const missed = await missesThreshold(trx, rule, group, now);
  if (missed)
    return missed.until
      ? holdGroup(trx, group.id, missed.reason, missed.until, group.state)
      : resolveGroup(trx, group.id, 'below_threshold', now);

  const inhibitor = await findInhibitor(trx, rule, group, now);
  if (inhibitor) {
    if (isIncident && !inhibitor.waits) return resolveGroup(trx, group.id, 'inhibited', now);
    return holdGroup(trx, group.id, `inhibited by ${inhibitor.name}`, new Date(now.getTime() + 60_000), group.state);
  }
  const silence = activeSilence(silences, group, now);
  if (silence) {
    if (isIncident && !silence.delays) return resolveGroup(trx, group.id, 'silenced', now);
    return holdGroup(trx, group.id, `silenced until ${silence.until.toISOString()}`, silence.until, group.state);
  }
  const full = await ceilingReached(trx, rule.id, settings.alertRuleMaxPerHour, now);
  if (full) {
    if (!group.held?.startsWith('hourly'))
      context.log.warning(
        `The alert rule "${rule.name}" has sent ${settings.alertRuleMaxPerHour} messages within an hour. Further ones are held.`,
      );
    return holdGroup(trx, group.id, 'hourly limit reached', full, group.state);
  }
  const intervals = { groupIntervalS: settings.alertGroupIntervalS, lastNotified: group.notified_at };
  const isDue = (at: number | null): boolean => at !== null && at <= now.getTime();
  if (isDue(escalationDue(group, rule))) {
    const escalated = { ...group, escalated_at: now };
    if ((await enabledChannels(trx, rule.escalate_channel_ids)) > 0) await writeNotification(trx, context, rule, escalated, 'escalation');
    await markEscalated(trx, group.id, now, nextDue(escalated, rule, intervals));
    if (!isDue(messageDue(group, rule, intervals))) return;
    group = escalated;
  }
  if ((await enabledChannels(trx, rule.channel_ids)) === 0) {
    const ends = isIncident ? new Date(group.last_event_at.getTime() + incidentMs) : null;
    if (ends && ends <= now) return resolveGroup(trx, group.id, 'expired', now);
    return holdGroup(trx, group.id, 'no channel', ends, 'firing');
  }
  await send(trx, context, rule, group, unsent);
}

async function send(trx: Db, context: PumpContext, rule: RuleRow, group: GroupRow, unsent: boolean): Promise<void> {
  const { now, settings } = context;
  const kind = group.notified_at === null ? 'firing' : unsent ? 'update' : 'reminder';
  const { upTo } = await writeNotification(trx, context, rule, group, kind);
  const sent: GroupRow = { ...group, state: 'firing', notified_at: now, notified_events: group.events, notified_up_to: upTo };
  const dueAt = nextDue(sent, rule, { groupIntervalS: settings.alertGroupIntervalS, lastNotified: now });
  await sql`update alert_groups set state = 'firing', notified_at = ${now}, notified_events = events, notified_up_to = ${upTo}, held = null, due_at = ${dueAt}
    where id = ${group.id}`.execute(trx);
  if (group.digest_until !== null && !group.lasting) await resolveGroup(trx, group.id, 'expired', now);
}

/** Null when the threshold is reached or the rule has none. `until` is when to look again; null when the window is over. */
async function missesThreshold(trx: Db, rule: RuleRow, group: GroupRow, now: Date): Promise<{ reason: string; until: Date | null } | null> {
  if (rule.threshold_count === null || group.notified_at !== null || group.lasting) return null;
  const window = rule.threshold_window_s ?? 3600;
  const events = await mostWithin(trx, group.id, window);
  if (events >= rule.threshold_count) return null;
  const over = new Date(group.last_event_at.getTime() + window * 1000);
  return { reason: `${events} of ${rule.threshold_count} events`, until: over > now ? over : null };
}

/**
 * A rule whose recent alert suppresses this one: of the same library, or without a library. An alert that was never told, because its
 * threshold was missed or because it was suppressed itself, does not count. One that `waits` may still become such an alert.
 */
async function findInhibitor(trx: Db, rule: RuleRow, group: GroupRow, now: Date): Promise<{ name: string; waits: boolean } | null> {
  if (rule.inhibited_by.length === 0 || rule.inhibit_window_s === 0) return null;
  const since = new Date(now.getTime() - rule.inhibit_window_s * 1000);
  const { rows } = await sql<{ name: string; waits: boolean }>`select r.name, g.state = 'waiting' as waits
    from alert_groups g join alert_rules r on r.id = g.rule_id
    where g.rule_id = any(${rule.inhibited_by}::uuid[]) and (g.last_event_at > ${since} or (g.lasting and g.state = 'firing'))
      and (g.library_id is null or ${group.library_id}::uuid is null or g.library_id = ${group.library_id}::uuid)
      and (g.state = 'firing' or g.notified_at is not null or g.outcome = 'silenced' or (g.state = 'waiting' and ${rule.id}::uuid <> all(r.inhibited_by)))
    order by waits limit 1`.execute(trx);
  return rows[0] ?? null;
}

/** When the rule may send again, or null. Only messages that were sent count; suppressed alerts do not. */
async function ceilingReached(trx: Db, ruleId: string, limit: number, now: Date): Promise<Date | null> {
  const since = new Date(now.getTime() - 3_600_000);
  const { rows } = await sql<{
    sent: number;
    oldest: Date | null;
  }>`select count(*) as sent, min(created_at) as oldest from alert_notifications
    where rule_id = ${ruleId} and kind <> 'resolved' and created_at > ${since}`.execute(trx);
  const { sent, oldest } = one(rows);
  return sent >= limit && oldest ? new Date(oldest.getTime() + 3_600_000) : null;
}
