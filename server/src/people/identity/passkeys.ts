import { hash } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';
import { endPasskeySessions, keepByPassword, type OpenedSession, openSession } from './sessions.ts';
import { enter } from './sign-in.ts';

/** The site that passkeys belong to: a host name, and the addresses at which its pages are. */
export interface Site {
  id: string;
  origins: string[];
}

export interface PasskeyRow {
  id: string;
  name: string;
  created_at: Date;
  last_used_at: Date | null;
}

const maxPasskeys = 20;
/** Loaded at the first use, because few requests need it. */
const webauthn = () => import('@simplewebauthn/server');

export async function listPasskeys(db: Db, principalId: string): Promise<PasskeyRow[]> {
  const { rows } =
    await sql<PasskeyRow>`select id, name, created_at, last_used_at from passkeys where principal_id = ${principalId} order by created_at`.execute(
      db,
    );
  return rows;
}

async function rememberChallenge(db: Db, challenge: string, principalId: string | null): Promise<void> {
  await sql`delete from passkey_challenges where expires_at < now()`.execute(db);
  await sql`insert into passkey_challenges (challenge_hash, principal_id, expires_at)
    values (${hash('sha256', challenge)}, ${principalId}, now() + interval '5 minutes')`.execute(db);
}

/** Whether the challenge was given out for this purpose and is used for the first time. */
async function takeChallenge(db: Db, challenge: string, principalId: string | null): Promise<boolean> {
  const { numAffectedRows } = await sql`delete from passkey_challenges where challenge_hash = ${hash('sha256', challenge)}
    and principal_id is not distinct from ${principalId}::uuid and expires_at > now()`.execute(db);
  return numAffectedRows === 1n;
}

export async function startRegistration(db: Db, site: Site, person: { id: string; username: string; displayName: string | null }) {
  const { rows } = await sql<{ credential_id: string; transports: string[] }>`select credential_id, transports from passkeys
    where principal_id = ${person.id}`.execute(db);
  if (rows.length >= maxPasskeys) throw problem('too_many', `An account can have ${maxPasskeys} passkeys. Remove one first.`);
  const options = await (await webauthn()).generateRegistrationOptions({
    rpName: 'Catalog',
    rpID: site.id,
    userName: person.username,
    userDisplayName: person.displayName ?? person.username,
    userID: new TextEncoder().encode(person.id),
    attestationType: 'none',
    excludeCredentials: rows.map(({ credential_id, transports }) => ({ id: credential_id, transports: transports as never })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  await rememberChallenge(db, options.challenge, person.id);
  return options;
}

export async function finishRegistration(
  db: Db,
  site: Site,
  { id: principalId, sessionId }: { id: string; sessionId: string },
  name: string,
  response: RegistrationResponseJSON,
  actor: Actor,
): Promise<void> {
  const { verifyRegistrationResponse } = await webauthn();
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => takeChallenge(db, challenge, principalId),
    expectedOrigin: site.origins,
    expectedRPID: site.id,
    requireUserVerification: true,
  }).catch((error: unknown) => {
    throw problem(
      'passkey_refused',
      `The passkey was not accepted: ${error instanceof Error ? error.message.slice(0, 200) : 'unknown reason'}`,
    );
  });
  if (!verified) throw problem('passkey_refused');
  const { credential } = registrationInfo;
  await db.transaction().execute(async (trx) => {
    const { numAffectedRows } = await sql`insert into passkeys (principal_id, credential_id, public_key, counter, transports, name)
      values (${principalId}, ${credential.id}, ${Buffer.from(credential.publicKey)}, ${credential.counter}, ${credential.transports ?? []}::text[], ${name})
      on conflict (credential_id) do nothing`.execute(trx);
    if (numAffectedRows !== 1n) throw problem('passkey_refused', 'This passkey is already registered.');
    await sql`update sessions set second_factor = true where id = ${sessionId}`.execute(trx);
    await recordEvent(trx, { event_type: 'passkey_added', principal_id: principalId, ip: actor.ip, details: { name } });
  });
}

export async function startPasskeySignIn(db: Db, site: Site) {
  const options = await (await webauthn()).generateAuthenticationOptions({ rpID: site.id, userVerification: 'required' });
  await rememberChallenge(db, options.challenge, null);
  return options;
}

/** The account of a passkey whose answer is genuine. A counter that goes back means that the passkey was copied. */
export async function verifyPasskey(
  db: Db,
  site: Site,
  response: AuthenticationResponseJSON,
): Promise<{ id: string; disabled: boolean; passkeyId: string } | null> {
  const { rows } = await sql<{ id: string; principal_id: string; public_key: Buffer; counter: string; disabled: boolean }>`
    select k.id, k.principal_id, k.public_key, k.counter::text as counter, p.disabled from passkeys k join principals p on p.id = k.principal_id
    where k.credential_id = ${String(response.id).slice(0, 2000)}`.execute(db);
  const stored = rows[0];
  if (!stored) return null;
  try {
    const { verified, authenticationInfo } = await (await webauthn()).verifyAuthenticationResponse({
      response,
      expectedChallenge: (challenge) => takeChallenge(db, challenge, null),
      expectedOrigin: site.origins,
      expectedRPID: site.id,
      credential: { id: response.id, publicKey: new Uint8Array(stored.public_key), counter: Number(stored.counter) },
      requireUserVerification: true,
    });
    if (!verified) return null;
    await sql`update passkeys set counter = ${authenticationInfo.newCounter}, last_used_at = now() where id = ${stored.id}`.execute(db);
    return { id: stored.principal_id, disabled: stored.disabled, passkeyId: stored.id };
  } catch {
    // The library throws for every answer that is not genuine; the caller reports a refused sign-in.
    return null;
  }
}

export async function renamePasskey(db: Db, principalId: string, id: string, name: string): Promise<void> {
  const { numAffectedRows } = await sql`update passkeys set name = ${name} where id = ${id} and principal_id = ${principalId}`.execute(db);
  if (numAffectedRows !== 1n) throw notFound('passkey');
}

export const passkeyUnknown = () => problem('login_failed', 'That passkey is not accepted here. Try another one, or use your password.');

/** Opens a session for the person of a verified passkey. */
export async function enterWithPasskey(
  trx: Db,
  { id, passkeyId }: { id: string; passkeyId: string },
  { ip, userAgent }: Actor,
): Promise<OpenedSession> {
  await enter(trx, { id });
  // Meanwhile the passkey may have been removed. The lock makes a removal wait for this session, which it then ends.
  const { rows } = await sql`select from passkeys where id = ${passkeyId} for share`.execute(trx);
  if (rows.length === 0) throw passkeyUnknown();
  await recordEvent(trx, {
    event_type: 'login_success',
    principal_id: id,
    ip,
    user_agent: userAgent ?? null,
    details: { method: 'passkey' },
  });
  return openSession(trx, id, { ip, userAgent, method: 'passkey', passkeyId, secondFactor: true });
}

interface Remaining {
  name: string;
  /** Ways to sign in besides the passkey. */
  others: number;
  /** Second factors besides the passkey. */
  factors: number;
  totp: boolean;
  required: boolean;
}

/**
 * Removes a passkey, unless it is the only way to sign in or the only second factor where the role requires one, and ends the sessions that
 * were opened with it.
 */
export async function removePasskey(db: Db, person: { id: string; sessionId: string }, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await sql`select from principals where id = ${person.id} for update`.execute(trx);
    const remaining = await readRemaining(trx, person.id, id);
    if (!remaining) throw notFound('passkey');
    if (remaining.others === 0) throw problem('only_sign_in');
    if (remaining.required && remaining.factors === 0)
      throw problem('conflict', 'Your role requires a second factor, and this is the only one. Add another one first.');
    await sql`delete from passkeys where id = ${id}`.execute(trx);
    // The person has just entered the password. Where that alone opens a session with all rights, this one stays as such.
    if (!remaining.totp && !remaining.required) await keepByPassword(trx, person.sessionId, id);
    await endPasskeySessions(trx, person.id, id);
    await recordEvent(trx, { event_type: 'passkey_removed', principal_id: person.id, ip: actor.ip, details: { name: remaining.name } });
  });
}

async function readRemaining(trx: Db, principalId: string, id: string): Promise<Remaining | undefined> {
  const { rows } = await sql<Remaining>`with besides as (
      select (select count(*)::int from passkeys o where o.principal_id = ${principalId} and o.id <> ${id}) as passkeys,
        (select count(*)::int from identities i where i.principal_id = ${principalId}) as identities,
        exists (select from totp_factors t where t.principal_id = ${principalId} and t.confirmed_at is not null) as totp)
    select k.name, (p.password_hash is not null)::int + b.identities + b.passkeys as others, b.passkeys + b.totp::int as factors, b.totp,
      r.require_second_factor as required
    from passkeys k join principals p on p.id = k.principal_id join roles r on r.name = p.global_role cross join besides b
    where k.id = ${id} and k.principal_id = ${principalId}`.execute(trx);
  return rows[0];
}
