import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { recordEvent } from '../audit/index.ts';
import { verifyPassword } from './credentials.ts';
import { type KnownDevice, newDevice, signDevice, verifyDevice } from './devices.ts';
import { type Attempt, attemptSubjects, type Limiter } from './limiter.ts';
import { SignInRefused } from './provider-accounts.ts';
import { acceptSecondFactor, readFactors } from './second-factor.ts';
import { endWithBrowser, type OpenedSession, openSession } from './sessions.ts';

/** What a directory says about a name and a password. `reason` is for the audit log only. */
export type DirectoryAnswer =
  | { kind: 'accepted'; signIn(actor: Actor): Promise<OpenedSession & { id: string }> }
  | { kind: 'refused'; reason: string }
  /** No directory answered, so nothing was verified. */
  | { kind: 'unavailable'; reason: string };

export interface ProxiedRequest {
  fromTrustedProxy: boolean;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Names and values as they were sent, because `headers` joins those that are repeated. */
  raw: { rawHeaders: readonly string[] };
}

/** Other ways to sign in, which `people/providers` implements. */
export interface SignInProviders {
  /** What the sign-in page offers. */
  offered(): Promise<{ oidc: { name: string; label: string }[]; ldap: boolean }>;
  /** Whom a trusted proxy names in a header; null when that is off, or the request does not come from one. */
  personNamedByProxy(request: ProxiedRequest): string | null;
  /** Asks the directories. Called only for names that are no local account. */
  verifyPassword(username: string, password: string): Promise<DirectoryAnswer>;
}

export interface SignInRequest {
  username: string;
  password: string;
  /** A code of the authenticator app, or a recovery code. */
  code?: string | undefined;
  /** False when the session is to end with the browser. */
  remember?: boolean | undefined;
  /** The device cookie, if the browser sent one. */
  device: string | undefined;
}

interface AccountRow {
  id: string;
  password_hash: string | null;
  disabled: boolean;
  auth_provider: string;
}

/**
 * Checks a name and password and opens a session. The attempt is taken before anything is verified. A local account always wins;
 * directories are asked for all other names. An e-mail address also names the one local account that has it, but directories are asked
 * next, because people choose their address themselves and could otherwise keep somebody of a directory out. Attempts are counted by the
 * name as typed: a shared count would tell strangers which address belongs to which name.
 */
export async function signIn(
  { db, settings }: Pick<Dependencies, 'db' | 'settings'>,
  limiter: Limiter,
  providers: SignInProviders,
  input: SignInRequest,
  actor: Actor,
): Promise<{ id: string; token: string; device: string }> {
  const username = input.username.trim().toLowerCase();
  const named = await findByUsername(db, username);
  const row = named ?? (await findByEmail(db, username));
  const device = row ? await verifyDevice(db, input.device, row.id) : null;
  const attempt = await limiter.take(attemptSubjects(username, actor.ip, device));
  const context = {
    username_attempted: username.slice(0, 200),
    principal_id: row?.id ?? null,
    ip: actor.ip,
    user_agent: actor.userAgent ?? null,
  };
  const verify = (): Promise<boolean> => attempt.evaluate(() => verifyPassword(row?.password_hash ?? null, input.password));
  const isLocal = named !== undefined && (named.password_hash !== null || named.auth_provider !== 'ldap');
  const matchesByEmail = row !== named && (await verify());
  const verified = isLocal || matchesByEmail ? null : await askDirectories(db, providers, attempt, input, context);
  if (verified?.kind === 'accepted') {
    const opened = await openDirectorySession(db, verified, attempt, actor, context);
    if (input.remember === false) await endWithBrowser(db, opened.sessionId);
    const [cookie] = await Promise.all([
      deviceCookieFor(db, opened.id, device?.principalId === opened.id ? device : null),
      attempt.succeed(),
    ]);
    return { ...opened, device: cookie };
  }
  const matches = row === named ? await verify() : matchesByEmail;
  if (!row || !matches || row.disabled) {
    await recordEvent(db, { event_type: 'login_failure', ...context, details: failureDetails(row, matches, verified) });
    const { locks, left } = await attempt.fail();
    if (locks) await recordEvent(db, { event_type: 'lockout', ...context });
    // Reveal that an account is disabled only to a caller who knows its password.
    throw row?.disabled && matches ? problem('account_disabled') : problem('login_failed', undefined, triesLeft(settings, left));
  }
  const secondFactor = await checkSecondFactor({ db, settings }, row.id, input.code, attempt, actor, context);
  await attempt.succeed();
  const { token } = await db.transaction().execute(async (trx) => {
    await enter(trx, row);
    await recordEvent(trx, { event_type: 'login_success', principal_id: row.id, ip: actor.ip, user_agent: actor.userAgent ?? null });
    return openSession(trx, row.id, { ip: actor.ip, userAgent: actor.userAgent, secondFactor, persistent: input.remember !== false });
  });
  return { id: row.id, token, device: await deviceCookieFor(db, row.id, device) };
}

/**
 * Meanwhile the password with which the person signed in may have been replaced, or the account disabled, which ended only the sessions that
 * were open.
 */
export async function enter(trx: Db, { id, password_hash }: { id: string; password_hash?: string | null }): Promise<void> {
  const entered = trx.updateTable('principals').set({ last_login_at: new Date() }).where('id', '=', id).where('disabled', '=', false);
  const { numUpdatedRows } = await (password_hash === undefined
    ? entered
    : entered.where('password_hash', '=', password_hash)
  ).executeTakeFirst();
  if (numUpdatedRows !== 1n) throw problem('login_failed');
}

const accountColumns = ['id', 'password_hash', 'disabled', 'auth_provider'] as const;

function findByUsername(db: Db, username: string): Promise<AccountRow | undefined> {
  return db.selectFrom('principals').select(accountColumns).where('username', '=', username).executeTakeFirst();
}

/** The local account with this e-mail address, if it is the only one. */
async function findByEmail(db: Db, address: string): Promise<AccountRow | undefined> {
  if (!address.includes('@')) return undefined;
  const rows = await db
    .selectFrom('principals')
    .select(accountColumns)
    .where(sql`lower(email)`, '=', address)
    .where('auth_provider', '=', 'local')
    .limit(2)
    .execute();
  return rows.length === 1 ? rows[0] : undefined;
}

type EventContext = { username_attempted: string; principal_id: string | null; ip: string; user_agent: string | null };

/**
 * Whether a second factor was given. The answer that asks for a code costs no attempt but does not clear earlier ones either; otherwise
 * somebody who knows the password could guess codes without end.
 */
async function checkSecondFactor(
  { db, settings }: Pick<Dependencies, 'db' | 'settings'>,
  principalId: string,
  code: string | undefined,
  attempt: Attempt,
  actor: Actor,
  context: EventContext,
): Promise<boolean> {
  const { totp_confirmed_at } = await readFactors(db, principalId);
  if (!totp_confirmed_at) return false;
  if (code === undefined || code === '') {
    await attempt.release();
    throw problem('second_factor_required');
  }
  if (await attempt.evaluate(() => acceptSecondFactor(db, settings, principalId, code, actor))) return true;
  await recordEvent(db, { event_type: 'login_failure', ...context, details: { reason: 'code' } });
  const { locks, left } = await attempt.fail();
  if (locks) await recordEvent(db, { event_type: 'lockout', ...context });
  throw problem('code_wrong', undefined, triesLeft(settings, left));
}

/** What the sign-in page says about further attempts. */
const triesLeft = ({ authRatelimitLockSeconds }: Settings, left: number | null) =>
  left === null ? {} : { attempts_left: left, lock_seconds: authRatelimitLockSeconds };

function failureDetails(row: AccountRow | undefined, matches: boolean, verified: DirectoryAnswer | null): Record<string, unknown> {
  if (verified?.kind === 'refused' && verified.reason !== 'not configured') return { method: 'ldap', reason: verified.reason };
  return { reason: !row ? 'unknown' : row.disabled && matches ? 'disabled' : 'password' };
}

/** An outage verified nothing, so the attempt does not count. */
async function askDirectories(
  db: Db,
  providers: SignInProviders,
  attempt: Attempt,
  input: SignInRequest,
  context: EventContext,
): Promise<DirectoryAnswer> {
  const answer = await providers.verifyPassword(input.username.trim(), input.password).catch(async (error: unknown) => {
    await attempt.release();
    throw error instanceof SignInRefused ? await refused(db, error, context) : error;
  });
  if (answer.kind !== 'unavailable') return answer;
  await attempt.release();
  await recordEvent(db, {
    event_type: 'login_failure',
    ...context,
    details: { method: 'ldap', reason: 'directory_unavailable', detail: answer.reason.slice(0, 500) },
  });
  throw problem('directory_unavailable');
}

async function openDirectorySession(
  db: Db,
  { signIn: open }: Extract<DirectoryAnswer, { kind: 'accepted' }>,
  attempt: Attempt,
  actor: Actor,
  context: EventContext,
) {
  try {
    return await open(actor);
  } catch (error) {
    await attempt.release();
    throw error instanceof SignInRefused ? await refused(db, error, context) : error;
  }
}

/** The password is right, but this service does not let the person in. */
async function refused(db: Db, { reason }: SignInRefused, context: EventContext): Promise<Error> {
  await recordEvent(db, { event_type: 'login_failure', ...context, details: { method: 'ldap', reason } });
  return reason === 'disabled' ? problem('account_disabled') : problem('sign_in_refused');
}

/** The value of the device cookie after a sign-in. A known device keeps its id, so that its failures stay counted together. */
export async function deviceCookieFor(db: Db, principalId: string, known: KnownDevice | null = null): Promise<string> {
  return signDevice(db, known ?? newDevice(principalId));
}
