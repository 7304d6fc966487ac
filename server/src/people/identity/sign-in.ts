import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';
import { verifyPassword } from './credentials.ts';
import { type KnownDevice, newDevice, signDevice, verifyDevice } from './devices.ts';
import { attemptSubjects, type Limiter } from './limiter.ts';
import { openSession } from './sessions.ts';

/** Other ways to sign in, which `people/providers` implements. */
export interface SignInProviders {
  /** What the sign-in page offers. */
  offered(): Promise<{ oidc: { name: string; label: string }[]; ldap: boolean }>;
}

export interface SignInRequest {
  username: string;
  password: string;
  /** The device cookie, if the browser sent one. */
  device: string | undefined;
}

/** Checks a name and password and opens a session. The attempt is counted before the password is verified and given back on success. */
export async function signIn(
  db: Db,
  limiter: Limiter,
  input: SignInRequest,
  actor: Actor,
): Promise<{ id: string; token: string; device: string }> {
  const username = input.username.trim().toLowerCase();
  const row = await db
    .selectFrom('principals')
    .select(['id', 'password_hash', 'disabled'])
    .where('username', '=', username)
    .executeTakeFirst();
  const device = row ? await verifyDevice(db, input.device, row.id) : null;
  const attempt = await limiter.take(attemptSubjects(username, actor.ip, device));
  const matches = await attempt.evaluate(() => verifyPassword(row?.password_hash ?? null, input.password));
  if (!row || !matches || row.disabled) {
    const context = {
      username_attempted: username.slice(0, 200),
      principal_id: row?.id ?? null,
      ip: actor.ip,
      user_agent: actor.userAgent ?? null,
    };
    await recordEvent(db, {
      event_type: 'login_failure',
      ...context,
      details: { reason: !row ? 'unknown' : row.disabled && matches ? 'disabled' : 'password' },
    });
    if (attempt.locks) await recordEvent(db, { event_type: 'lockout', ...context });
    // Reveal that an account is disabled only to a caller who knows its password.
    throw row?.disabled && matches ? problem('account_disabled') : problem('login_failed');
  }
  await attempt.giveBack();
  const { token } = await db.transaction().execute(async (trx) => {
    await trx.updateTable('principals').set({ last_login_at: new Date() }).where('id', '=', row.id).execute();
    await recordEvent(trx, { event_type: 'login_success', principal_id: row.id, ip: actor.ip, user_agent: actor.userAgent ?? null });
    return openSession(trx, row.id, { ip: actor.ip, userAgent: actor.userAgent });
  });
  return { id: row.id, token, device: await deviceCookieFor(db, row.id, device) };
}

/** The value of the device cookie after a sign-in. A known device keeps its id, so that its failures stay counted together. */
export async function deviceCookieFor(db: Db, principalId: string, known: KnownDevice | null = null): Promise<string> {
  return signDevice(db, known ?? newDevice(principalId));
}
