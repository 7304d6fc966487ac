import { sql } from 'kysely';
import type { Database, Db } from '../../platform/database/index.ts';
import type { Scope } from '../../platform/principal.ts';
import type { Settings } from '../../settings/index.ts';
import { digestOf, newSessionToken } from './credentials.ts';
import { type EnvironmentLimits, readEnvironmentLimits } from './session-settings.ts';

/**
 * A session is open, its token rotates every few minutes, and it ends by sign-out, revocation, inactivity or age.
 * The current token is accepted, and the previous one until a minute after the current one was first used. The first request after the
 * interval rotates the token; of several parallel requests only one does. A browser that cancelled that request never received the new
 * token: if it still sends the previous one after `deliverySeconds`, it gets another.
 */
const graceSeconds = 60;
const deliverySeconds = 20;

export interface ActiveSession {
  id: string;
  principal_id: string;
  username: string;
  role: string;
  disabled: boolean;
  scopes: Scope[];
  bypass: boolean;
  /** The role requires a second factor, and this session has none. */
  must_enrol: boolean;
  /** With `must_enrol`: the account has one, with which the person did not sign in. */
  has_factor: boolean;
  /** The access generation, read in the same statement as the session, so that cached rights under it are current. */
  generation: string;
  /** Set when this request rotated the token; it must be sent in the cookie. */
  newToken: string | null;
  /** Whether the cookie outlives the browser. */
  persistent: boolean;
}

interface SessionOrigin {
  ip: string;
  userAgent: string | undefined;
  method?: SignInMethod;
  identityId?: string;
  /** The name of the OpenID provider, and the session there. */
  providerName?: string;
  providerSession?: string | null;
  /** With which the person signed in. */
  passkeyId?: string;
  secondFactor?: boolean;
  /** False when the session is to end with the browser. */
  persistent?: boolean;
}

type SignInMethod = 'password' | 'passkey' | 'oidc' | 'ldap' | 'header';

export interface OpenedSession {
  token: string;
  sessionId: string;
}

export async function openSession(db: Db, principalId: string, from: SessionOrigin): Promise<OpenedSession> {
  const token = newSessionToken();
  const { id } = await db
    .insertInto('sessions')
    .values({
      principal_id: principalId,
      token_hash: digestOf(token),
      previous_token_hash: null,
      ip_address: from.ip,
      user_agent: from.userAgent?.slice(0, 400) ?? null,
      method: from.method ?? 'password',
      identity_id: from.identityId ?? null,
      provider_name: from.providerName ?? null,
      // Also the passkey of a session that was opened with one.
      provider_session: from.providerSession ?? from.passkeyId ?? null,
      second_factor: from.secondFactor ?? false,
      persistent: from.persistent ?? true,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { token, sessionId: id };
}

interface TokenState {
  token_hash: string;
  token_used: boolean;
  current: boolean;
  stale: boolean;
  unseen: boolean;
  lost: boolean;
}

/**
 * The limits of a session in hours by account, role and console, which apply in this order before the settings. As in activeSession. Earlier
 * versions stored 0 for an account.
 */
const ttlHours = sql`nullif(p.session_ttl_hours, 0), r.session_ttl_hours, (select (value ->> 'ttl_hours')::float8 from service_state where key = 'session_settings')`;
const inactivityHours = sql`nullif(p.session_inactivity_hours, 0), r.session_inactivity_hours, (select (value ->> 'inactivity_hours')::float8 from service_state where key = 'session_settings')`;

const isInTime = (
  settings: EnvironmentLimits,
) => sql<boolean>`s.created_at > now() - make_interval(secs => 3600 * coalesce(${ttlHours}, ${settings.sessionTtlHours}::float8))
  and s.last_seen_at > now() - make_interval(secs => 3600 * coalesce(${inactivityHours}, ${settings.sessionInactivityHours}::float8))`;

/** Runs for every request of a browser, so it is a prepared statement. */
const activeSession = `select s.id, s.principal_id, s.persistent, p.username, p.global_role as role, p.disabled, r.scopes, r.bypass, r.require_second_factor and not s.second_factor and s.identity_id is null as must_enrol,
    case when r.require_second_factor and not s.second_factor and s.identity_id is null
      then exists (select from passkeys k where k.principal_id = p.id) or exists (select from totp_factors t where t.principal_id = p.id and t.confirmed_at is not null)
      else false end as has_factor,
    (select g.generation from access_generation g) as generation,
    s.token_hash, s.token_hash = $1 as current, s.token_used, s.rotated_at < now() - make_interval(mins => $2::int) as stale,
    s.rotated_at < now() - make_interval(secs => ${deliverySeconds}) as lost, s.last_seen_at < now() - interval '1 minute' as unseen
  from sessions s join principals p on p.id = s.principal_id join roles r on r.name = p.global_role
  where (s.token_hash = $1 or (s.previous_token_hash = $1 and (not s.token_used or s.rotated_at > now() - make_interval(secs => ${graceSeconds}))))
    and s.created_at > now() - make_interval(secs => 3600 * coalesce(nullif(p.session_ttl_hours, 0), r.session_ttl_hours, (select (value ->> 'ttl_hours')::float8 from service_state where key = 'session_settings'), $3::float8))
    and s.last_seen_at > now() - make_interval(secs => 3600 * coalesce(nullif(p.session_inactivity_hours, 0), r.session_inactivity_hours, (select (value ->> 'inactivity_hours')::float8 from service_state where key = 'session_settings'), $4::float8))`;

export async function authenticateSession({ db, pool }: Database, settings: Settings, token: string): Promise<ActiveSession | null> {
  const digest = digestOf(token);
  const { rows } = await pool.query<Omit<ActiveSession, 'newToken'> & TokenState>({
    name: 'live-session',
    text: activeSession,
    values: [digest, settings.sessionRotationMinutes, settings.sessionTtlHours, settings.sessionInactivityHours],
  });
  if (!rows[0]) return null;
  const { token_hash, token_used, current, stale, unseen, lost, ...found } = rows[0];
  if (current ? stale && token_used : !token_used && lost) {
    const next = newSessionToken();
    const { numAffectedRows } =
      await sql`update sessions set token_hash = ${digestOf(next)}, previous_token_hash = ${digest}, token_used = false, rotated_at = now(), last_seen_at = now()
      where id = ${found.id} and token_hash = ${token_hash} and token_used = ${token_used}`.execute(db);
    return { ...found, newToken: numAffectedRows === 1n ? next : null };
  }
  if (current && !token_used) await sql`update sessions set token_used = true, rotated_at = now() where id = ${found.id}`.execute(db);
  if (unseen) await sql`update sessions set last_seen_at = now() where id = ${found.id}`.execute(db);
  return { ...found, newToken: null };
}

/** Whether a request of this session would still be accepted. Asking does not count as activity. */
export async function isOpenSession(db: Db, settings: Settings, sessionId: string): Promise<boolean> {
  const { rows } = await sql`select from sessions s join principals p on p.id = s.principal_id join roles r on r.name = p.global_role
    where s.id = ${sessionId} and not (r.require_second_factor and not s.second_factor and s.identity_id is null) and ${isInTime(settings)}`.execute(
    db,
  );
  return rows.length > 0;
}

/** Why a session that still has its row is over: its age or its inactivity, with the limit that it reached. Null for unknown tokens. */
export async function endedByTime({ db }: Database, settings: Settings, token: string): Promise<EndedSession | null> {
  const digest = digestOf(token);
  const { rows } = await sql<{ age: number; ttl: number; inactivity: number }>`
    select extract(epoch from now() - s.created_at)::float8 / 3600 as age,
      coalesce(${ttlHours}, ${settings.sessionTtlHours}::float8) as ttl,
      coalesce(${inactivityHours}, ${settings.sessionInactivityHours}::float8) as inactivity
    from sessions s join principals p on p.id = s.principal_id join roles r on r.name = p.global_role
    where s.token_hash = ${digest}`.execute(db);
  if (!rows[0]) return null;
  const { age, ttl, inactivity } = rows[0];
  return age >= ttl ? { reason: 'age', hours: ttl } : { reason: 'inactivity', hours: inactivity };
}

export interface EndedSession {
  reason: 'age' | 'inactivity';
  hours: number;
}

/** A new token for a session that stays open. Every earlier token of it ends at once. */
export async function replaceToken(db: Db, sessionId: string): Promise<string> {
  const token = newSessionToken();
  await sql`update sessions set token_hash = ${digestOf(token)}, previous_token_hash = null, token_used = true, rotated_at = now()
    where id = ${sessionId}`.execute(db);
  return token;
}

export async function endWithBrowser(db: Db, sessionId: string): Promise<void> {
  await db.updateTable('sessions').set({ persistent: false }).where('id', '=', sessionId).execute();
}

export async function isPersistent(db: Db, sessionId: string): Promise<boolean> {
  const row = await db.selectFrom('sessions').select('persistent').where('id', '=', sessionId).executeTakeFirst();
  return row?.persistent ?? true;
}

export interface SessionRow {
  id: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: Date;
  last_seen_at: Date;
  method: string;
}

/** Without those whose time is over, which are removed once a day. */
export async function listSessions(db: Db, settings: Settings, principalId: string): Promise<SessionRow[]> {
  const { rows } = await sql<SessionRow>`select s.id, s.ip_address, s.user_agent, s.created_at, s.last_seen_at, s.method
    from sessions s join principals p on p.id = s.principal_id join roles r on r.name = p.global_role
    where s.principal_id = ${principalId} and ${isInTime(settings)} order by s.last_seen_at desc`.execute(db);
  return rows;
}

/** Ends one session of an account, all of them, or all but one; returns how many ended. */
export async function endSessions(db: Db, principalId: string, which: { only?: string; except?: string } = {}): Promise<number> {
  let query = db.deleteFrom('sessions').where('principal_id', '=', principalId);
  if (which.only) query = query.where('id', '=', which.only);
  if (which.except) query = query.where('id', '<>', which.except);
  const { numDeletedRows } = await query.executeTakeFirst();
  return Number(numDeletedRows);
}

/** The sessions of a passkey. Those of earlier versions do not say of which one they are, so they count as opened with any. */
const openedWith = (passkeyId: string) => sql<boolean>`method = 'passkey' and coalesce(provider_session = ${passkeyId}::uuid::text, true)`;

export async function endPasskeySessions(trx: Db, principalId: string, passkeyId: string): Promise<void> {
  await sql`delete from sessions where principal_id = ${principalId} and ${openedWith(passkeyId)}`.execute(trx);
}

/** Makes a session of this passkey one that the password opened. Others stay what they are. */
export async function keepByPassword(trx: Db, sessionId: string, passkeyId: string): Promise<void> {
  await sql`update sessions set method = 'password', provider_session = null, second_factor = false
    where id = ${sessionId} and ${openedWith(passkeyId)}`.execute(trx);
}

/** Removes sessions that have already expired under the limits of the app. */
export async function purgeSessions(db: Db, ofWorker: EnvironmentLimits): Promise<number> {
  const limits = (await readEnvironmentLimits(db)) ?? ofWorker;
  const { numAffectedRows } =
    await sql`delete from sessions s using principals p join roles r on r.name = p.global_role where p.id = s.principal_id
    and not (${isInTime(limits)})`.execute(db);
  return Number(numAffectedRows ?? 0);
}
