import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { recordEvent } from '../audit/index.ts';
import { verifyPassword } from './credentials.ts';
import { openSession } from './sessions.ts';

/** Checks a name and password and opens a session. A failure counts against both the account and the client address. */
export async function signIn(
  db: Db,
  limiter: Limiter,
  input: { username: string; password: string },
  actor: Actor,
): Promise<{ id: string; token: string }> {
  const username = input.username.trim().toLowerCase();
  const subjects = [accountSubject(username), clientSubject(actor.ip)];
  await limiter.check(subjects);
  const row = await db
    .selectFrom('principals')
    .select(['id', 'password_hash', 'disabled'])
    .where('username', '=', username)
    .executeTakeFirst();
  const matches = await verifyPassword(row?.password_hash ?? null, input.password);
  if (!row || !matches || row.disabled) {
    const locked = await limiter.fail(subjects);
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
    if (locked) await recordEvent(db, { event_type: 'lockout', ...context });
    // Reveal that an account is disabled only to a caller who knows its password.
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

/**
 * The brute-force limiter. Each subject (an account name or a client address) goes free -> counting failures inside the window -> locked ->
 * free when the lock ends. The counts are in the database, so all processes share them. A success clears the account, not the address.
 */
interface Limiter {
  /** Throws 429 when any subject is locked. */
  check(subjects: readonly string[]): Promise<void>;
  /** Counts a failure; returns true when it locked a subject. */
  fail(subjects: readonly string[]): Promise<boolean>;
  clear(subjects: readonly string[]): Promise<void>;
}

export function createLimiter(db: Db, settings: Settings): Limiter {
  if (!settings.authRatelimitEnabled) return { check: async () => {}, fail: async () => false, clear: async () => {} };
  return {
    async check(subjects) {
      const { rows } = await sql<{ seconds: number }>`select extract(epoch from max(locked_until) - now())::float8 as seconds
        from auth_failures where subject = any(${[...subjects]}) and locked_until > now()`.execute(db);
      const seconds = rows[0]?.seconds;
      if (seconds)
        throw problem('rate_locked', `Too many failed attempts. Try again in ${Math.ceil(seconds)} seconds.`, { retryAfter: seconds });
    },
    async fail(subjects) {
      const { rows } = await sql<{ locked: boolean }>`insert into auth_failures as f (subject, failures, window_started_at, locked_until)
        select s, 1, now(), case when ${settings.authRatelimitMaxAttempts} <= 1 then now() + make_interval(secs => ${settings.authRatelimitLockSeconds}) end
        from unnest(${[...subjects].sort()}::text[]) s
        on conflict (subject) do update set
          failures = case when f.window_started_at < now() - make_interval(secs => ${settings.authRatelimitWindowSeconds}) then 1 else f.failures + 1 end,
          window_started_at = case when f.window_started_at < now() - make_interval(secs => ${settings.authRatelimitWindowSeconds}) then now() else f.window_started_at end,
          locked_until = case
            when f.window_started_at >= now() - make_interval(secs => ${settings.authRatelimitWindowSeconds}) and f.failures + 1 >= ${settings.authRatelimitMaxAttempts}
            then now() + make_interval(secs => ${settings.authRatelimitLockSeconds}) else f.locked_until end
        returning locked_until > now() as locked`.execute(db);
      return rows.some(({ locked }) => locked);
    },
    async clear(subjects) {
      await sql`delete from auth_failures where subject = any(${[...subjects]})`.execute(db);
    },
  };
}

/** IPv6 clients are counted by their /64 because a host can change its address freely inside it. */
export function clientSubject(address: string): string {
  if (!isIPv6(address)) return `client:${address}`;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `client:${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

export function accountSubject(username: string): string {
  return `account:${username.toLowerCase().slice(0, 200)}`;
}

/** Removes counters whose window and lock are over. */
export async function purgeLimiter(db: Db): Promise<void> {
  await sql`delete from auth_failures where window_started_at < now() - interval '1 day' and coalesce(locked_until < now(), true)`.execute(
    db,
  );
}
