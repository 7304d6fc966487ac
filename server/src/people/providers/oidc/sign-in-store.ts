import { sql } from 'kysely';
import type { Db } from '../../../platform/database/index.ts';

export interface StartedSignIn {
  provider_name: string;
  nonce: string;
  code_verifier: string;
  redirect_uri: string;
  return_to: string;
  /** The signed-in account that gets the identity; null for a sign-in. */
  link_principal_id: string | null;
}

export async function insertSignIn(
  db: Db,
  row: StartedSignIn & { state_hash: string; browser_hash: string; minutes: number },
): Promise<void> {
  await sql`insert into oidc_sign_ins (state_hash, browser_hash, provider_name, nonce, code_verifier, redirect_uri, return_to, link_principal_id, expires_at)
    values (${row.state_hash}, ${row.browser_hash}, ${row.provider_name}, ${row.nonce}, ${row.code_verifier}, ${row.redirect_uri},
      ${row.return_to}, ${row.link_principal_id}, now() + make_interval(mins => ${row.minutes}))`.execute(db);
}

/** Removes and returns a started sign-in of this browser, so that each is used once. */
export async function takeSignIn(
  db: Db,
  stateHash: string,
  browserHash: string,
): Promise<(StartedSignIn & { expired: boolean }) | undefined> {
  const { rows } = await sql<StartedSignIn & { expired: boolean }>`delete from oidc_sign_ins
    where state_hash = ${stateHash} and browser_hash = ${browserHash}
    returning provider_name, nonce, code_verifier, redirect_uri, return_to, link_principal_id, expires_at < now() as expired`.execute(db);
  return rows[0];
}

export async function purgeSignIns(db: Db): Promise<void> {
  await sql`delete from oidc_sign_ins where expires_at < now() - interval '1 hour'`.execute(db);
}

/** False when the token was used before. */
export async function rememberLogoutToken(db: Db, tokenHash: string, seconds: number): Promise<boolean> {
  const { numAffectedRows } = await sql`insert into oidc_logout_tokens (token_hash, expires_at)
    values (${tokenHash}, now() + make_interval(secs => ${seconds})) on conflict do nothing`.execute(db);
  return numAffectedRows === 1n;
}

export async function purgeLogoutTokens(db: Db): Promise<void> {
  await sql`delete from oidc_logout_tokens where expires_at < now()`.execute(db);
}

/** Ends the sessions that a provider's session opened, or all sessions that the person opened with this provider. */
export async function endProviderSessions(
  db: Db,
  issuer: string,
  { subject, providerSession }: { subject: string | null; providerSession: string | null },
): Promise<{ id: string; principal_id: string }[]> {
  const { rows } = await sql<{ id: string; principal_id: string }>`delete from sessions s using identities i
    where i.id = s.identity_id and i.provider = 'oidc' and i.issuer = ${issuer} and (${subject}::text is null or i.subject = ${subject})
      and (${providerSession}::text is null or s.provider_session = ${providerSession}) returning s.id, s.principal_id`.execute(db);
  return rows;
}

export interface OidcSession {
  id: string;
  principal_id: string;
  provider_name: string;
  issuer: string;
  subject: string;
}

/** Sessions opened by other OpenID providers than these whose rights were not read for this long. */
export async function listStaleSessions(db: Db, minutes: number, limit: number, except: readonly string[]): Promise<OidcSession[]> {
  const { rows } = await sql<OidcSession>`select s.id, s.principal_id, s.provider_name, i.issuer, i.subject
    from sessions s join identities i on i.id = s.identity_id
    where i.provider = 'oidc' and not (s.provider_name = any(${except}::text[])) and s.rights_checked_at < now() - make_interval(mins => ${minutes})
    order by s.rights_checked_at limit ${limit}`.execute(db);
  return rows;
}

export async function findOidcSession(db: Db, sessionId: string): Promise<OidcSession | undefined> {
  const { rows } = await sql<OidcSession>`select s.id, s.principal_id, s.provider_name, i.issuer, i.subject
    from sessions s join identities i on i.id = s.identity_id
    where i.provider = 'oidc' and s.provider_name is not null and s.id = ${sessionId}`.execute(db);
  return rows[0];
}

export async function stampRightsChecked(db: Db, sessionId: string): Promise<void> {
  await sql`update sessions set rights_checked_at = now() where id = ${sessionId}`.execute(db);
}

export async function endSession(db: Db, sessionId: string): Promise<void> {
  await sql`delete from sessions where id = ${sessionId}`.execute(db);
}

/** Names of stored tokens whose session has ended. */
export async function listOrphanedTokens(db: Db, prefix: string): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from secrets x where starts_with(x.name, ${prefix})
    and not exists (select 1 from sessions s where x.name = ${prefix} || s.id::text) limit 1000`.execute(db);
  return rows.map(({ name }) => name);
}
