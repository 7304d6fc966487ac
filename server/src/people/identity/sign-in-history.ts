import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';

interface SignInEvent {
  ts: Date;
  event_type: string;
  ip: string | null;
  user_agent: string | null;
  details: { method?: string; reason?: string } | null;
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

/** Sign-ins and failed attempts of an account from the audit log, newest first. */
export async function listSignIns(db: Db, principalId: string, limit: number) {
  const { rows } = await sql<SignInEvent>`select ts, event_type, ip, user_agent, details from security_events
    where principal_id = ${principalId} and event_type = any(${eventTypes}::text[]) order by id desc limit ${limit}`.execute(db);
  return rows.map(({ ts, event_type, ip, user_agent, details }) => ({
    at: ts.toISOString(),
    result:
      event_type === 'login_failure' ? ('failed' as const) : event_type === 'lockout' ? ('locked_out' as const) : ('signed_in' as const),
    method: event_type.endsWith('_login') ? event_type.slice(0, -'_login'.length) : (details?.method ?? 'password'),
    reason: details?.reason ?? null,
    ip_address: ip,
    user_agent,
  }));
}
