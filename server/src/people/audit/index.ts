import { sql } from 'kysely';
import { type Db, storableJson } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';

export interface SecurityEventsTable {
  id: string;
  ts: Date;
  event_type: string;
  principal_id: string | null;
  username_attempted: string | null;
  ip: string | null;
  user_agent: string | null;
  details: unknown;
}

interface SecurityEvent {
  event_type: string;
  principal_id?: string | null;
  username_attempted?: string | null;
  ip?: string | null;
  user_agent?: string | null;
  details?: Record<string, unknown> | null;
}

/** Writes one event. Pass the transaction of the recorded change, so that neither is stored without the other. */
export async function recordEvent(db: Db, event: SecurityEvent): Promise<void> {
  await sql`insert into security_events (event_type, principal_id, username_attempted, ip, user_agent, details)
    values (${event.event_type}, ${event.principal_id ?? null}, ${event.username_attempted ?? null}, ${event.ip ?? null},
            ${event.user_agent?.slice(0, 400) ?? null}, ${event.details ? storableJson(event.details) : null}::jsonb)`.execute(db);
}

/** What a route passes to `searchAudit`. */
interface SearchRequest {
  principal: Principal | null;
  clientAddress: string;
  routeOptions: { url?: string | undefined };
  params: unknown;
  query: unknown;
  body?: unknown;
}

/** A hook for every route that searches: records one event per query when SVC_AUDIT_READS is on. */
export function searchAudit({ db, settings }: Pick<Dependencies, 'db' | 'settings'>): (request: SearchRequest) => Promise<void> {
  return async ({ principal, clientAddress, routeOptions, params, query, body }) => {
    if (!settings.auditReads) return;
    const asked = { route: routeOptions.url?.replace('/api/v1', ''), ...Object(params), ...Object(query), ...Object(body) };
    // PostgreSQL text cannot contain NUL.
    const details = JSON.parse(JSON.stringify(asked).replaceAll('\\u0000', ' '));
    await recordEvent(db, { event_type: 'search', principal_id: principal?.id ?? null, ip: clientAddress, details });
  };
}

interface EventFilter {
  event_type?: string | undefined;
  principal_id?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  before?: string | undefined;
  limit: number;
}

export async function listEvents(db: Db, filter: EventFilter): Promise<SecurityEventsTable[]> {
  const conditions = [sql`true`];
  if (filter.event_type) conditions.push(sql`event_type = ${filter.event_type}`);
  if (filter.principal_id) conditions.push(sql`principal_id = ${filter.principal_id}`);
  if (filter.since) conditions.push(sql`ts >= ${filter.since}`);
  if (filter.until) conditions.push(sql`ts < ${filter.until}`);
  if (filter.before) conditions.push(sql`id < ${filter.before}`);
  const { rows } = await sql<SecurityEventsTable>`select id, ts, event_type, principal_id, username_attempted, ip, user_agent, details
    from security_events where ${sql.join(conditions, sql` and `)} order by id desc limit ${filter.limit}`.execute(db);
  return rows;
}

/** Failed sign-ins are numerous and soon irrelevant, so they are kept 90 days; other events are kept a year. */
export async function purgeEvents(db: Db): Promise<number> {
  const { numAffectedRows } = await sql`delete from security_events
    where ts < now() - interval '365 days' or (event_type = 'login_failure' and ts < now() - interval '90 days')`.execute(db);
  return Number(numAffectedRows ?? 0);
}
