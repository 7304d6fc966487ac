import { isIPv6 } from 'node:net';
import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { type Problem, problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import type { KnownDevice } from './devices.ts';

/**
 * The brute-force limiter. Failures and attempts in flight are counted per subject in the database, so all processes share the counts.
 *
 * free -> counting   an attempt is taken, before its password is verified. It is in flight until it succeeds, fails or is released.
 * counting -> locked a failure reaches the limit.
 * locked -> free     the time of the lock is over, or an attempt that was in flight succeeds.
 * counting -> free   the window of a count is over. Attempts in flight that a killed process left behind are forgotten with it.
 *
 * Taking an attempt before verifying means that simultaneous requests cannot be verified more often than the limit allows. Where many
 * people share a subject, more may be in flight than may fail: while a directory is slow, sign-ins pile up that are not failures.
 */
export interface Limiter {
  /** Takes an attempt of every subject, or throws 429 and takes none when one of them is locked or has too many in flight. */
  take(subjects: readonly Subject[]): Promise<Attempt>;
}

/** An attempt in flight. It ends with one call of `succeed`, `fail` or `release`. */
export interface Attempt {
  /** Runs the verification. If it throws, nothing was verified, and the attempt is released. */
  evaluate(verify: () => Promise<boolean>): Promise<boolean>;
  /** Runs work that throws when it refuses the caller, and ends the attempt. */
  settle<T>(work: () => Promise<T>): Promise<T>;
  /** The caller's earlier failures no longer count. */
  succeed(): Promise<void>;
  /** Counts a failure. */
  fail(): Promise<FailureCount>;
  /** Nothing was verified. */
  release(): Promise<void>;
}

export interface FailureCount {
  /** Whether this failure locked a subject. */
  locks: boolean;
  /** Failures until the next lock, the same for names that no account has; null where nothing is counted. */
  left: number | null;
}

interface Subject {
  name: string;
  /** How many times SVC_AUTH_RATELIMIT_MAX_ATTEMPTS this subject may fail. */
  factor: number;
  /** The same for failures and attempts in flight together; `factor` unless many people share the subject. */
  inFlightFactor?: number;
}

/** One client may fail against several accounts, because an office or a proxy shares an address. */
const clientFactor = 10;
/** Attempts in flight of one client: 300 by default, which are 36 s of a slow directory at 500 sign-ins a minute. */
const clientInFlightFactor = 100;
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
  return [{ name: `pair:${client} ${account}`, factor: 1 }, clientSubject(client), { name: `account:${account}`, factor: accountFactor }];
}

const clientSubject = (client: string): Subject => ({
  name: `client:${client}`,
  factor: clientFactor,
  inFlightFactor: clientInFlightFactor,
});

/** A passkey names no account, so only the client is counted. */
export function passkeySubjects(address: string): Subject[] {
  return [clientSubject(clientName(address))];
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
  take: async () => ({
    evaluate: (verify) => verify(),
    settle: (work) => work(),
    succeed: async () => {},
    fail: async () => ({ locks: false, left: null }),
    release: async () => {},
  }),
};

export function createLimiter(db: Db, settings: Settings): Limiter {
  if (!settings.authRatelimitEnabled) return unlimited;
  return {
    async take(subjects) {
      // Every statement locks the rows in the order of their names, so that two attempts cannot wait for each other.
      const sorted = subjects.toSorted((a, b) => (a.name < b.name ? -1 : 1));
      const names = sorted.map(({ name }) => name);
      if (!(await takeAttempt(db, sorted, settings))) throw await lockedProblem(db, names);
      const succeed = (): Promise<void> => endAttempt(db, names, true);
      const release = (): Promise<void> => endAttempt(db, names, false);
      const fail = (): Promise<FailureCount> => countFailure(db, names, settings);
      return {
        succeed,
        release,
        fail,
        async evaluate(verify) {
          try {
            return await verify();
          } catch (error) {
            await release();
            throw error;
          }
        },
        async settle(work) {
          const result = await work().catch(async (error: unknown) => {
            await fail();
            throw error;
          });
          await succeed();
          return result;
        },
      };
    },
  };
}

/** Attempts in flight end with a crash anyway, so a sign-in does not wait until they are on disk. Failures are counted durably. */
const notDurable = sql`set_config('synchronous_commit', 'off', true)`;

const secondsOf = (seconds: number) => sql`make_interval(secs => ${seconds})`;

/** Takes one attempt of all subjects, or of none when one of them is locked or has too many in flight. */
async function takeAttempt(db: Db, subjects: readonly Subject[], settings: Settings): Promise<boolean> {
  const most = settings.authRatelimitMaxAttempts;
  const names = subjects.map(({ name }) => name);
  const limits = subjects.map(({ factor }) => factor * most);
  const together = subjects.map(({ factor, inFlightFactor = factor }) => inFlightFactor * most);
  // A count starts again after its window, and after a lock.
  const over = sql`(f.window_started_at < now() - ${secondsOf(settings.authRatelimitWindowSeconds)} or f.locked_until is not null)`;
  try {
    await db.transaction().execute(async (trx) => {
      const { rows } = await sql`
        insert into auth_failures as f (subject, failures, in_flight, attempt_limit, window_started_at)
        select s.name, 0, 1, s.attempts, now()
        from unnest(${names}::text[], ${limits}::int[]) s (name, attempts) order by s.name
        on conflict (subject) do update set
          attempt_limit = excluded.attempt_limit,
          failures = case when ${over} then 0 else f.failures end,
          in_flight = case when ${over} then 1 else f.in_flight + 1 end,
          window_started_at = case when ${over} then now() else f.window_started_at end,
          locked_until = null
        where (f.locked_until is null or f.locked_until <= now())
          and (${over} or f.failures + f.in_flight < (${together}::int[])[array_position(${names}::text[], f.subject)])
        returning f.subject, ${notDurable}`.execute(trx);
      // The row of a subject that is locked is not updated. Throwing undoes the counts of the other rows.
      if (rows.length < names.length) throw new LockedError();
    });
    return true;
  } catch (error) {
    if (error instanceof LockedError) return false;
    throw error;
  }
}

/** Counts a failure of all subjects. */
async function countFailure(db: Db, names: readonly string[], settings: Settings): Promise<FailureCount> {
  const over = sql`f.window_started_at < now() - ${secondsOf(settings.authRatelimitWindowSeconds)}`;
  const failures = sql`(case when f.locked_until is null and ${over} then 1 else f.failures + 1 end)`;
  const { rows } = await sql<{ locks: boolean; left: number }>`
    with ordered as (select subject from auth_failures where subject = any(${[...names]}) order by subject for update)
    update auth_failures f set
      failures = ${failures},
      in_flight = greatest(f.in_flight - 1, 0),
      -- The window begins with the first failure in it.
      window_started_at = case when f.failures = 0 or ${over} then now() else f.window_started_at end,
      locked_until = coalesce(f.locked_until,
        case when ${failures} >= f.attempt_limit then now() + ${secondsOf(settings.authRatelimitLockSeconds)} end)
    from ordered o where f.subject = o.subject
    returning f.failures = f.attempt_limit as locks, greatest(f.attempt_limit - f.failures, 0) as "left"`.execute(db);
  return { locks: rows.some(({ locks }) => locks), left: rows.length === 0 ? null : Math.min(...rows.map(({ left }) => left)) };
}

class LockedError extends Error {}

async function lockedProblem(db: Db, names: readonly string[]): Promise<Problem> {
  const { rows } = await sql<{ seconds: number | null }>`select extract(epoch from max(locked_until) - now())::float8 as seconds
    from auth_failures where subject = any(${[...names]}) and locked_until > now()`.execute(db);
  const [{ seconds } = { seconds: null }] = rows;
  if (seconds === null) return problem('rate_locked', 'Too many sign-ins at the same time. Try again in a few seconds.', { retryAfter: 2 });
  const rest = Math.max(1, Math.ceil(seconds));
  return problem('rate_locked', `Too many failed attempts. Try again in ${rest} seconds.`, { retryAfter: rest, retry_seconds: rest });
}

/** A success clears the failures that belong to this caller alone. */
async function endAttempt(db: Db, names: readonly string[], succeeded: boolean): Promise<void> {
  await sql`with ordered as (select subject, ${succeeded} and subject ~ '^(pair|device|password):' as own, ${notDurable} from auth_failures
      where subject = any(${[...names]}) order by subject for update)
    update auth_failures f set
      in_flight = greatest(f.in_flight - 1, 0),
      failures = case when o.own then 0 else f.failures end,
      locked_until = case when o.own then null else f.locked_until end
    from ordered o where f.subject = o.subject`.execute(db);
}

/** IPv6 clients are counted by their /64 because a host can change its address freely inside it. */
export function clientName(address: string): string {
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
