import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { createSecrets, type KeySettings } from '../../platform/secrets/index.ts';
import { recordEvent } from '../audit/index.ts';
import { digestOf } from './credentials.ts';
import { matchingStep, newTotpSecret, totpUrl } from './totp.ts';

const recoveryCodeCount = 10;
const secretName = (principalId: string): string => `totp/${principalId}`;

export interface FactorState {
  totp_confirmed_at: Date | null;
  recovery_codes_left: number;
  required: boolean;
}

export async function readFactors(db: Db, principalId: string): Promise<FactorState> {
  const { rows } = await sql<FactorState>`select t.confirmed_at as totp_confirmed_at, r.require_second_factor as required,
      (select count(*)::int from recovery_codes c where c.principal_id = p.id and c.used_at is null) as recovery_codes_left
    from principals p join roles r on r.name = p.global_role left join totp_factors t on t.principal_id = p.id
    where p.id = ${principalId}`.execute(db);
  return rows[0] ?? { totp_confirmed_at: null, recovery_codes_left: 0, required: false };
}

/** Starts the set-up of an authenticator app. It takes effect when a code was confirmed; an existing one stays until then. */
export async function startTotp(
  db: Db,
  settings: KeySettings,
  principalId: string,
  username: string,
): Promise<{ secret: string; url: string }> {
  const secrets = createSecrets(settings);
  secrets.requireKey();
  const { totp_confirmed_at } = await readFactors(db, principalId);
  if (totp_confirmed_at) throw problem('conflict', 'An authenticator app is already set up. Remove it first.');
  const secret = newTotpSecret();
  await db.transaction().execute(async (trx) => {
    await sql`insert into totp_factors (principal_id) values (${principalId})
      on conflict (principal_id) do update set created_at = now(), last_step = 0`.execute(trx);
    await secrets.write(trx, secretName(principalId), secret);
  });
  return { secret, url: totpUrl(secret, username) };
}

/** Confirms the app with its first code; returns the recovery codes, which are shown only once. */
export async function confirmTotp(
  db: Db,
  settings: KeySettings,
  principalId: string,
  sessionId: string,
  code: string,
  actor: Actor,
): Promise<string[]> {
  if (!(await acceptTotp(db, settings, principalId, code, false)))
    throw fieldProblem(['body', 'code'], 'That code is not correct. Wait for the next one, then try again.', 'code_wrong');
  return db.transaction().execute(async (trx) => {
    await sql`update totp_factors set confirmed_at = now() where principal_id = ${principalId}`.execute(trx);
    await sql`update sessions set second_factor = true where id = ${sessionId}`.execute(trx);
    await recordEvent(trx, { event_type: 'totp_enabled', principal_id: principalId, ip: actor.ip });
    return replaceRecoveryCodes(trx, principalId);
  });
}

/** Whether the code is right and was not used before. */
async function acceptTotp(db: Db, settings: KeySettings, principalId: string, code: string, confirmed: boolean): Promise<boolean> {
  const secret = await createSecrets(settings).read(db, secretName(principalId));
  const step = secret === null ? null : matchingStep(secret, code, Date.now());
  if (step === null) return false;
  const { numAffectedRows } = await sql`update totp_factors set last_step = ${step}
    where principal_id = ${principalId} and last_step < ${step} and (confirmed_at is not null) = ${confirmed}`.execute(db);
  return numAffectedRows === 1n;
}

/** Checks the second factor of a sign-in: a code of the app, or a recovery code, each once. */
export async function acceptSecondFactor(db: Db, settings: KeySettings, principalId: string, code: string, actor: Actor): Promise<boolean> {
  if (/^\s*\d{3}\s*\d{3}\s*$/.test(code)) return acceptTotp(db, settings, principalId, code, true);
  const { numAffectedRows } = await sql`update recovery_codes set used_at = now()
    where principal_id = ${principalId} and code_hash = ${digestOf(plainCode(code))} and used_at is null`.execute(db);
  if (numAffectedRows !== 1n) return false;
  await recordEvent(db, { event_type: 'recovery_code_used', principal_id: principalId, ip: actor.ip });
  return true;
}

export async function replaceRecoveryCodes(trx: Db, principalId: string): Promise<string[]> {
  const letters = 'abcdefghjkmnpqrstuvwxyz23456789';
  const codes = Array.from({ length: recoveryCodeCount }, () => {
    const text = Array.from(randomBytes(12), (byte) => letters[byte % letters.length]).join('');
    return text.match(/.{4}/g)?.join('-') ?? text;
  });
  await sql`delete from recovery_codes where principal_id = ${principalId}`.execute(trx);
  await sql`insert into recovery_codes (principal_id, code_hash) select ${principalId}, unnest(${codes.map((code) => digestOf(plainCode(code)))}::text[])`.execute(
    trx,
  );
  return codes;
}

const plainCode = (code: string): string => code.toLowerCase().replace(/[^a-z0-9]/g, '');

/** Removes the app and its recovery codes; with `everything` also passkeys and their sessions, for a person who lost all of them. */
export async function removeFactors(db: Db, settings: KeySettings, principalId: string, actor: Actor, everything = false): Promise<void> {
  const secrets = createSecrets(settings);
  await db.transaction().execute(async (trx) => {
    await sql`delete from totp_factors where principal_id = ${principalId}`.execute(trx);
    await sql`delete from recovery_codes where principal_id = ${principalId}`.execute(trx);
    if (everything) {
      await sql`delete from passkeys where principal_id = ${principalId}`.execute(trx);
      await sql`delete from sessions where principal_id = ${principalId} and method = 'passkey'`.execute(trx);
    }
    await secrets.remove(trx, secretName(principalId));
    await recordEvent(trx, {
      event_type: everything ? 'second_factors_reset' : 'totp_disabled',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { user_id: principalId },
    });
  });
}
