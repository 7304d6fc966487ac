import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { clientName } from './limiter.ts';

interface SignInEvent {
  ts: Date;
  event_type: string;
  ip: string | null;
  user_agent: string | null;
  details: { method?: string; reason?: string; username?: string; name?: string } | null;
}

const eventTypes = [
  'login_success',
  'login_failure',
  'lockout',
  'oidc_login',
  'ldap_login',
  'header_login',
  'bootstrap',
  'invitation_accepted',
];

const signedIn = eventTypes.filter((type) => type !== 'login_failure' && type !== 'lockout');

/** What the account page lists besides sign-ins. */
const activityTypes = [
  ...eventTypes,
  'logout',
  'password_change',
  'profile_updated',
  'session_revoked',
  'API_KEY_MINTED',
  'API_KEY_REVOKED',
  'identity_linked',
  'identity_unlinked',
  'passkey_added',
  'passkey_removed',
  'totp_enabled',
  'recovery_code_used',
  'recovery_codes_replaced',
  'grant_created',
  'grant_deleted',
  'user_created',
  'user_deleted',
  'user_invited',
];

/** What a person did lately, from the audit log, newest first. Changes of other accounts count as done by whoever made them. */
export async function listActivity(db: Db, principalId: string, limit: number) {
  const { rows } = await sql<SignInEvent>`select ts, event_type, ip, user_agent, details from security_events
    where principal_id = ${principalId} and event_type = any(${activityTypes}::text[])
      and (event_type not in ('password_change', 'profile_updated') or details ->> 'user_id' = ${principalId})
    order by id desc limit ${limit}`.execute(db);
  return rows.map(({ ts, event_type, ip, user_agent, details }) => ({
    at: ts.toISOString(),
    event: event_type.toLowerCase(),
    method: methodOf(event_type, details),
    name: details?.username ?? details?.name ?? null,
    ip_address: ip,
    user_agent,
  }));
}

/** Networks are compared, not addresses: the /24 of an IPv4 address, the /64 of an IPv6 address. */
const networkOf = (address: string): string => (address.includes(':') ? clientName(address) : address.split('.').slice(0, 3).join('.'));

/** For sessions: whether nobody had signed in to the account from their network before. The first sign-in of an account is not new. */
export async function newNetworks(
  db: Db,
  principalId: string,
  sessions: readonly { id: string; ip_address: string | null; created_at: Date }[],
) {
  const { rows } = await sql<{ ip: string; first: Date }>`select ip, min(ts) as first from security_events
    where principal_id = ${principalId} and event_type = any(${signedIn}::text[]) and ip is not null group by ip order by 2 limit 1000`.execute(
    db,
  );
  const isNew = ({ ip_address, created_at }: (typeof sessions)[number]): boolean => {
    // The event of the sign-in itself is a moment older than its session.
    const before = rows.filter(({ first }) => first.getTime() < created_at.getTime() - 60_000);
    return ip_address !== null && before.length > 0 && !before.some(({ ip }) => networkOf(ip) === networkOf(ip_address));
  };
  return new Set(sessions.filter(isNew).map(({ id }) => id));
}

/** Sign-ins and failed attempts of an account from the audit log, newest first. */
export async function listSignIns(db: Db, principalId: string, limit: number) {
  const { rows } = await sql<SignInEvent>`select ts, event_type, ip, user_agent, details from security_events
    where principal_id = ${principalId} and event_type = any(${eventTypes}::text[]) order by id desc limit ${limit}`.execute(db);
  return rows.map(({ ts, event_type, ip, user_agent, details }) => ({
    at: ts.toISOString(),
    result:
      event_type === 'login_failure' ? ('failed' as const) : event_type === 'lockout' ? ('locked_out' as const) : ('signed_in' as const),
    method: methodOf(event_type, details),
    reason: details?.reason ?? null,
    ip_address: ip,
    user_agent,
  }));
}

const methodOf = (type: string, details: SignInEvent['details']): string =>
  type.endsWith('_login') ? type.slice(0, -'_login'.length) : (details?.method ?? 'password');
