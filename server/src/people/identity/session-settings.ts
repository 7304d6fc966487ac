/**
 * How long sessions last. The first of these that is set wins: the account, its role, what an administrator set in the console for everybody,
 * the environment. A change applies to existing sessions at once, because every request reads it.
 */
import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Settings } from '../../settings/index.ts';

/** Also named in the statements of sessions.ts. A missing member means the environment. */
const key = 'session_settings';

interface GlobalSession {
  inactivity_hours: number | null;
  ttl_hours: number | null;
}

export async function readGlobalSession(db: Db): Promise<GlobalSession> {
  const { rows } =
    await sql<GlobalSession>`select (value ->> 'inactivity_hours')::float8 as inactivity_hours, (value ->> 'ttl_hours')::float8 as ttl_hours
    from service_state where key = ${key}`.execute(db);
  return rows[0] ?? { inactivity_hours: null, ttl_hours: null };
}

export async function writeGlobalSession(db: Db, value: GlobalSession): Promise<void> {
  await sql`insert into service_state (key, value) values (${key}, ${JSON.stringify(value)}::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now()`.execute(db);
}

export type EnvironmentLimits = Pick<Settings, 'sessionTtlHours' | 'sessionInactivityHours'>;

const environmentKey = 'session_environment';

/** Called when an app starts: its environment decides how long sessions last. A worker on another machine may have another one. */
export async function recordEnvironmentLimits(db: Db, { sessionTtlHours, sessionInactivityHours }: EnvironmentLimits): Promise<void> {
  const value = JSON.stringify({ sessionTtlHours, sessionInactivityHours });
  await sql`insert into service_state (key, value) values (${environmentKey}, ${value}::jsonb)
    on conflict (key) do update set value = excluded.value, updated_at = now() where service_state.value <> excluded.value`.execute(db);
}

/** Returns null if no app has started yet. */
export async function readEnvironmentLimits(db: Db): Promise<EnvironmentLimits | null> {
  const { rows } = await sql<{ value: EnvironmentLimits }>`select value from service_state where key = ${environmentKey}`.execute(db);
  return rows[0]?.value ?? null;
}

type Source = 'env' | 'global' | 'role' | 'user';

interface Timeouts {
  inactivity_hours: number;
  ttl_hours: number;
  inactivity_source: Source;
  ttl_source: Source;
}

/** The limits of one account, with where each comes from. */
export async function timeoutsOf(db: Db, settings: Settings, principalId: string): Promise<Timeouts> {
  const { rows } = await sql<Record<'user_idle' | 'user_ttl' | 'role_idle' | 'role_ttl', number | null>>`
    select nullif(p.session_inactivity_hours, 0) as user_idle, nullif(p.session_ttl_hours, 0) as user_ttl,
      r.session_inactivity_hours as role_idle, r.session_ttl_hours as role_ttl
    from principals p join roles r on r.name = p.global_role where p.id = ${principalId}`.execute(db);
  const { user_idle, user_ttl, role_idle, role_ttl } = one(rows);
  const all = await readGlobalSession(db);
  const [inactivity_hours, inactivity_source] = first(user_idle, role_idle, all.inactivity_hours, settings.sessionInactivityHours);
  const [ttl_hours, ttl_source] = first(user_ttl, role_ttl, all.ttl_hours, settings.sessionTtlHours);
  return { inactivity_hours, ttl_hours, inactivity_source, ttl_source };
}

export function first(user: number | null, role: number | null, all: number | null, env: number): [hours: number, source: Source] {
  if (user !== null) return [user, 'user'];
  if (role !== null) return [role, 'role'];
  return all === null ? [env, 'env'] : [all, 'global'];
}
