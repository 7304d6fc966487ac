import type { Actor } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import type { Db } from '../../platform/database/index.ts';

import { recordEvent } from '../audit/index.ts';

import { accountSubject, clientSubject, type Limiter } from './limiter.ts';
import { verifyPassword } from './passwords.ts';
import { openSession } from './sessions.ts';

/** Checks a name and password and opens a session; failures count for the account and the client alike. */
export async function signIn(
  db: Db,
  limiter: Limiter,
  given: { username: string; password: string },
  actor: Actor,
): Promise<{ id: string; token: string }> {
  const username = given.username.trim().toLowerCase();
  const subjects = [accountSubject(username), clientSubject(actor.ip)];
  await limiter.check(subjects);
  const row = await db
    .selectFrom('principals')
    .select(['id', 'password_hash', 'disabled'])
    .where('username', '=', username)
    .executeTakeFirst();
  const matches = await verifyPassword(row?.password_hash ?? null, given.password);
  if (!row || !matches || row.disabled) {
    const locked = await limiter.fail(subjects);
    const trail = {
      username_attempted: username.slice(0, 200),
      principal_id: row?.id ?? null,
      ip: actor.ip,
      user_agent: actor.userAgent ?? null,
    };
    await recordEvent(db, {
      event_type: 'login_failure',
      ...trail,
      details: { reason: !row ? 'unknown' : row.disabled && matches ? 'disabled' : 'password' },
    });
    if (locked) await recordEvent(db, { event_type: 'lockout', ...trail });
    // Only someone who knows the password learns that the account is disabled.
    throw row?.disabled && matches ? problem('account_disabled') : problem('login_failed');
  }
  await limiter.clear([accountSubject(username)]);
  const token = await db.transaction().execute(async (trx) => {
    await trx.updateTable('principals').set({ last_login_at: new Date() }).where('id', '=', row.id).execute();
    await recordEvent(trx, { event_type: 'login_success', principal_id: row.id, ip: actor.ip, user_agent: actor.userAgent ?? null });
    return openSession(trx, row.id, { ip: actor.ip, userAgent: actor.userAgent });
  });
  return { id: row.id, token };
}
