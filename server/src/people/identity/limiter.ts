import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { type Problem, problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import type { KnownDevice } from './devices.ts';

/**
 * The brute-force limiter. Attempts are counted per subject in the database, so all processes share the counts.
 *
 * free -> counting   an attempt is taken, before its password is verified.
 * counting -> locked the attempt that reaches the limit is taken. It is still verified; later ones are refused.
 * locked -> counting that attempt succeeded and was given back.
 * any -> free        the window of a count or the time of a lock is over.
 *
 * Counting before verifying means that simultaneous requests cannot be verified more often than the limit allows.
 */
export interface Limiter {
  /** Counts an attempt against every subject, or throws 429 and counts nothing when one of them is locked. */
  take(subjects: readonly Subject[]): Promise<Attempt>;
}

export interface Attempt {
  /** This attempt reached the limit of a subject. */
  locks: boolean;
  /** Runs the verification. If it throws, nothing was verified, and the attempt is given back. */
  evaluate(verify: () => Promise<boolean>): Promise<boolean>;
  /** The attempt succeeded: it no longer counts, and neither do the caller's earlier ones. */
  giveBack(): Promise<void>;
  /** Nothing was verified: only this attempt no longer counts. */
  release(): Promise<void>;
}

interface Subject {
  name: string;
  /** How many times SVC_AUTH_RATELIMIT_MAX_ATTEMPTS this subject may fail. */
  factor: number;
}

/** One client may fail against several accounts, because an office or a proxy shares an address. */
const clientFactor = 10;
/** An account as a whole is locked only under a distributed attack; otherwise anybody could lock its owner out. */
const accountFactor = 30;

/**
 * What an attempt counts against. A known device of the account has a count of its own, so that failures of others never lock it out.
 * Everybody else is counted as this client at this account, as this client, and for the account as a whole.
 */
export function attemptSubjects(username: string, address: string, device: KnownDevice | null): Subject[] {
  if (device) return [{ name: `device:${device.deviceId}`, factor: 1 }];
  const account = username.toLowerCase().slice(0, 200);
  const client = clientName(address);
  return [
    { name: `pair:${client} ${account}`, factor: 1 },
    { name: `client:${client}`, factor: clientFactor },
    { name: `account:${account}`, factor: accountFactor },
  ];
}

/** A passkey names no account, so only the client is counted. */
export function passkeySubjects(address: string): Subject[] {
  return [{ name: `client:${clientName(address)}`, factor: clientFactor }];
}

/** Only somebody who is signed in to the account can reach this count, so strangers cannot lock it. */
export function passwordChangeSubjects(principalId: string): Subject[] {
  return [{ name: `password:${principalId}`, factor: 1 }];
}

/** Enrolments of agents from one address, counted apart from sign-ins. */
export function enrolmentSubjects(address: string): Subject[] {
  return [{ name: `enrol:${clientName(address)}`, factor: clientFactor }];
}

const unlimited: Limiter = {
  take: async () => ({ locks: false, evaluate: (verify) => verify(), giveBack: async () => {}, release: async () => {} }),
};

export function createLimiter(db: Db, settings: Settings): Limiter {
  if (!settings.authRatelimitEnabled) return unlimited;
  return {
    async take(subjects) {
      // Every statement locks the rows in the order of their names, so that two attempts cannot wait for each other.
      const sorted = subjects.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const names = sorted.map(({ name }) => name);
      const limits = sorted.map(({ factor }) => factor * settings.authRatelimitMaxAttempts);
      const locked = await countAttempt(db, names, limits, settings);
      if (locked === null) throw await lockedProblem(db, names);
      const giveBack = (): Promise<void> => giveBackAttempt(db, names, true);
      const release = (): Promise<void> => giveBackAttempt(db, names, false);
      return {
        locks: locked,
        giveBack,
        release,
        async evaluate(verify) {
          try {
            return await verify();
          } catch (error) {
            await release();
            throw error;
          }
        },
      };
    },
  };
}

/** Counts one attempt against all subjects; returns whether it locked one of them, or null when one is already locked. */
async function countAttempt(db: Db, names: readonly string[], limits: readonly number[], settings: Settings): Promise<boolean | null> {
  const window = sql`make_interval(secs => ${settings.authRatelimitWindowSeconds})`;
  const lock = sql`make_interval(secs => ${settings.authRatelimitLockSeconds})`;
  // A count starts again after its window, and after a lock.
  const over = sql`(f.window_started_at < now() - ${window} or f.locked_until is not null)`;
  try {
    return await db.transaction().execute(async (trx) => {
      const { rows } = await sql<{ locked: boolean }>`
        insert into auth_failures as f (subject, failures, attempt_limit, window_started_at, locked_until)
        select s.name, 1, s.attempts, now(), case when s.attempts <= 1 then now() + ${lock} end
        from unnest(${[...names]}::text[], ${[...limits]}::int[]) s (name, attempts) order by s.name
        on conflict (subject) do update set
          attempt_limit = excluded.attempt_limit,
          failures = case when ${over} then 1 else f.failures + 1 end,
          window_started_at = case when ${over} then now() else f.window_started_at end,
          locked_until = case when (case when ${over} then 1 else f.failures + 1 end) >= excluded.attempt_limit then now() + ${lock} end
        where f.locked_until is null or f.locked_until <= now()
        returning f.locked_until is not null as locked`.execute(trx);
      // A locked row is not updated. Throwing undoes the counts of the other rows.
      if (rows.length < names.length) throw new LockedError();
      return rows.some(({ locked }) => locked);
    });
  } catch (error) {
    if (error instanceof LockedError) return null;
    throw error;
  }
}

class LockedError extends Error {}

async function lockedProblem(db: Db, names: readonly string[]): Promise<Problem> {
  const { rows } = await sql<{ seconds: number | null }>`select extract(epoch from max(locked_until) - now())::float8 as seconds
    from auth_failures where subject = any(${[...names]}) and locked_until > now()`.execute(db);
  const seconds = Math.max(1, Math.ceil(rows[0]?.seconds ?? 1));
  return problem('rate_locked', `Too many failed attempts. Try again in ${seconds} seconds.`, { retryAfter: seconds });
}

/** A success clears the counts that belong to this caller alone; the counts it shares with others are lowered by one. */
async function giveBackAttempt(db: Db, names: readonly string[], succeeded: boolean): Promise<void> {
  await sql`with ordered as (select subject, ${succeeded} and subject ~ '^(pair|device|password):' as own from auth_failures
      where subject = any(${[...names]}) order by subject for update)
    update auth_failures f set
      failures = case when o.own then 0 else greatest(f.failures - 1, 0) end,
      locked_until = case when o.own or f.failures - 1 < f.attempt_limit then null else f.locked_until end
    from ordered o where f.subject = o.subject`.execute(db);
}

/** IPv6 clients are counted by their /64 because a host can change its address freely inside it. */
function clientName(address: string): string {
  if (!isIPv6(address)) return address;
  const [head = '', tail = ''] = address.split('::');
  const left = head.split(':').filter(Boolean);
  const right = tail.split(':').filter(Boolean);
  const groups = [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`;
}

/** Removes counters whose window and lock are over. */
export async function purgeLimiter(db: Db): Promise<void> {
  await sql`delete from auth_failures where window_started_at < now() - interval '1 day' and coalesce(locked_until < now(), true)`.execute(
    db,
  );
}
