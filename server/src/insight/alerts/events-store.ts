import { type RawBuilder, sql } from 'kysely';
import type { Visibility } from '../../people/access/index.ts';
import { type Db, one } from '../../platform/database/index.ts';
import type { GroupRow, Severity } from './tables.ts';

export type EventStatus = 'delivered' | 'failed' | 'pending' | 'suppressed';

export interface EventRow {
  position: number;
  id: string;
  rule_id: string;
  group_id: string;
  item_id: string | null;
  library_id: string | null;
  event_type: string;
  dedup_key: string;
  message: string;
  status: EventStatus;
  delivered_at: Date | null;
  delivery_attempts: number;
  occurred_at: Date;
  last_error: string | null;
}

/**
 * Which events a caller may see. An event about a file is visible to those who may see the path it happened at and, if the file still exists,
 * where it is now; one about permissions also needs the right to see those, and one of a search, which may have looked at contents, the right
 * to search them. Other events describe libraries and the service, and are visible to callers without restrictions.
 */
function visibleEvents(visibility: Visibility): RawBuilder<boolean> {
  if (visibility.unrestricted) return sql<boolean>`true`;
  return sql<boolean>`(e.rel_path is not null and ${visibility.where('e')}
    and (e.event_type <> 'permission_changed' or ${visibility.where('e', 'view_permissions')})
    and (e.event_type <> 'search_match' or ${visibility.where('e', 'search_content')})
    and not exists (select from items i where i.id = e.item_id and not ${visibility.whereItem('i')}))`;
}

/** The status of an event from the message that covers it: the first one written after it. */
const withStatus = (condition: RawBuilder<boolean>, limit: number): RawBuilder<EventRow> => sql<EventRow>`
  select e.position, e.id, e.rule_id, e.group_id, e.item_id, e.library_id, e.event_type, g.dedup_key, e.message, e.occurred_at,
    case when n.id is null then case when g.state = 'resolved' then 'suppressed' else 'pending' end
      when s.failed > 0 then 'failed' when s.open > 0 or s.total = 0 then 'pending' else 'delivered' end as status,
    case when s.open = 0 and s.failed = 0 then s.delivered_at end as delivered_at, coalesce(s.attempts, 0)::int as delivery_attempts,
    coalesce(s.last_error, g.held) as last_error
  from alert_events e join alert_groups g on g.id = e.group_id
  left join lateral (select id from alert_notifications n where n.group_id = e.group_id and n.up_to >= e.position order by n.created_at, n.id limit 1) n on true
  left join lateral (
    select count(*) as total, count(*) filter (where d.state = 'failed') as failed, count(*) filter (where d.state in ('pending', 'sending')) as open,
      max(d.delivered_at) as delivered_at, max(d.attempts) as attempts, max(d.last_error) as last_error
    from alert_deliveries d where d.notification_id = n.id) s on true
  where ${condition} order by e.position desc limit ${limit}`;

export interface EventFilter {
  rule_id?: string | undefined;
  library_id?: string | undefined;
  group_id?: string | undefined;
  status?: EventStatus | undefined;
  before?: number | undefined;
  limit: number;
}

export async function listEvents(db: Db, visibility: Visibility, filter: EventFilter): Promise<EventRow[]> {
  const { rule_id = null, library_id = null, group_id = null, before = null } = filter;
  const all = sql<boolean>`${visibleEvents(visibility)} and (${rule_id}::uuid is null or e.rule_id = ${rule_id}::uuid)
    and (${library_id}::uuid is null or e.library_id = ${library_id}::uuid) and (${group_id}::uuid is null or e.group_id = ${group_id}::uuid)
    and (${before}::bigint is null or e.position < ${before}::bigint)`;
  if (!filter.status) return (await withStatus(all, filter.limit).execute(db)).rows;
  // The status is computed, so a bounded number of the newest events is filtered by it.
  const { rows } =
    await sql<EventRow>`select * from (${withStatus(all, 5000)}) x where x.status = ${filter.status} order by x.position desc limit ${filter.limit}`.execute(
      db,
    );
  return rows;
}

export async function findEvent(db: Db, visibility: Visibility, id: string): Promise<EventRow | undefined> {
  return (await withStatus(sql<boolean>`e.id = ${id} and ${visibleEvents(visibility)}`, 1).execute(db)).rows[0];
}

/** Counts by status of the newest 5,000 events that the caller may see. */
export async function countEvents(db: Db, visibility: Visibility, libraryId: string | undefined): Promise<Record<EventStatus, number>> {
  const condition = libraryId ? sql<boolean>`${visibleEvents(visibility)} and e.library_id = ${libraryId}` : visibleEvents(visibility);
  const { rows } = await sql<{
    status: EventStatus;
    events: number;
  }>`select status, count(*) as events from (${withStatus(condition, 5000)}) x group by status`.execute(db);
  const counts: Record<EventStatus, number> = { delivered: 0, failed: 0, pending: 0, suppressed: 0 };
  for (const { status, events } of rows) counts[status] = events;
  return counts;
}

export interface AlertRow extends GroupRow {
  rule_name: string;
  severity: Severity;
  library: string | null;
  visible_events: number;
  first_path: string | null;
  deliveries: {
    channel_id: string;
    channel: string;
    state: string;
    attempts: number;
    last_error: string | null;
    delivered_at: string | null;
  }[];
}

export interface AlertPosition {
  time: string;
  id: string;
}

export interface AlertFilter {
  state: 'firing' | 'resolved';
  since?: Date | undefined;
  before?: Date | undefined;
  after?: AlertPosition | null | undefined;
  limit: number;
}

/** Alerts, newest first. A caller with restrictions sees those with an event they may see, and counts only such events. */
export async function listAlerts(db: Db, visibility: Visibility, filter: AlertFilter): Promise<AlertRow[]> {
  const time = filter.state === 'firing' ? sql`g.opened_at` : sql`g.resolved_at`;
  // Many alerts can have the same time, and the time of a cursor has milliseconds only.
  const beyond = filter.after
    ? sql<boolean>`(${time}, g.id) < (coalesce((select ${time} from alert_groups g where g.id = ${filter.after.id}::uuid and g.state = ${filter.state}),
        ${filter.after.time}::timestamptz), ${filter.after.id}::uuid)`
    : sql<boolean>`true`;
  const { rows } = await sql<AlertRow>`
    select g.*, r.name as rule_name, r.severity, l.name as library, v.visible_events, v.first_path,
      coalesce((select jsonb_agg(jsonb_build_object('channel_id', d.channel_id, 'channel', c.name, 'state', d.state, 'attempts', d.attempts, 'last_error', d.last_error,
          'delivered_at', d.delivered_at) order by n.created_at, c.name)
        from alert_notifications n join alert_deliveries d on d.notification_id = n.id join alert_channels c on c.id = d.channel_id where n.group_id = g.id), '[]') as deliveries
    from alert_groups g join alert_rules r on r.id = g.rule_id left join libraries l on l.id = g.library_id
    cross join lateral (select count(*) as visible_events, min(e.rel_path) as first_path from (
      select e.rel_path from alert_events e where e.group_id = g.id and ${visibleEvents(visibility)} limit ${visibility.unrestricted ? 1 : 10_000}) e) v
    where ${filter.state === 'firing' ? sql`g.state = 'firing'` : sql`g.state = 'resolved'`} and (${visibility.unrestricted} or v.visible_events > 0)
      and ${beyond} and (${filter.since ?? null}::timestamptz is null or ${time} >= ${filter.since ?? null}) and (${filter.before ?? null}::timestamptz is null or ${time} < ${filter.before ?? null})
    order by ${time} desc, g.id desc limit ${filter.limit}`.execute(db);
  return rows;
}

export async function countFiring(db: Db, visibility: Visibility): Promise<{ firing: number; resolved: number }> {
  const { rows } = await sql<{ firing: number; resolved: number }>`
    select count(*) filter (where g.state = 'firing' and g.acknowledged_at is null) as firing, count(*) filter (where g.state = 'resolved') as resolved from alert_groups g
    where (g.state = 'firing' or (g.state = 'resolved' and g.resolved_at > now() - interval '7 days'))
      and (${visibility.unrestricted} or exists (select from alert_events e where e.group_id = g.id and ${visibleEvents(visibility)}))`.execute(
    db,
  );
  return one(rows);
}

/** The firing alerts of each rule. */
export async function firingByRule(db: Db): Promise<Map<string, number>> {
  const { rows } = await sql<{
    rule_id: string;
    alerts: number;
  }>`select rule_id, count(*) as alerts from alert_groups where state = 'firing' group by 1`.execute(db);
  return new Map(rows.map(({ rule_id, alerts }) => [rule_id, alerts]));
}

export async function acknowledge(db: Db, id: string, by: { id: string | null; name: string }, now: Date): Promise<void> {
  await sql`update alert_groups set acknowledged_at = ${now}, acknowledged_by = ${by.id}, acknowledged_name = ${by.name},
      state = case when lasting then state else 'resolved' end, outcome = case when lasting then outcome else 'acknowledged' end,
      resolved_at = case when lasting then resolved_at else ${now}::timestamptz end, due_at = null, held = null
    where id = ${id} and state = 'firing'`.execute(db);
}

/** Deletes resolved alerts, with their events and messages, in batches. */
export async function purgeResolved(db: Db, before: Date, batch: number): Promise<number> {
  const { rows } = await sql<{
    id: string;
  }>`delete from alert_groups where id in (select id from alert_groups where state = 'resolved' and resolved_at < ${before}
    limit ${batch}) returning id`.execute(db);
  return rows.length;
}
