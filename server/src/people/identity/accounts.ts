import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';
import { hashPassword } from './credentials.ts';
import { revokeKeysOf } from './keys.ts';

export const principalColumns = [
  'id',
  'username',
  'email',
  'global_role',
  'disabled',
  'auth_provider',
  'display_name',
  'phone',
  'preferences',
  'session_inactivity_hours',
  'session_ttl_hours',
  'role_source',
  'role_reason',
  'last_login_at',
  'created_at',
  'password_changed_at',
] as const;

export async function usersExist(db: Db): Promise<boolean> {
  const row = await db.selectFrom('principals').select('id').limit(1).executeTakeFirst();
  return row !== undefined;
}

/** Creates the first administrator, who is signed in at once. The lock keeps two simultaneous requests from both succeeding. */
export async function bootstrapAdministrator(db: Db, username: string, password: string, actor: Actor): Promise<string> {
  const password_hash = await hashPassword(password);
  return db.transaction().execute(async (trx) => {
    await sql`select pg_advisory_xact_lock(hashtext('first administrator'))`.execute(trx);
    if (await usersExist(trx)) throw problem('bootstrap_done');
    const { id } = await trx
      .insertInto('principals')
      .values({
        username: normaliseUsername(username),
        password_hash,
        password_changed_at: new Date(),
        global_role: 'admin',
        email: null,
        display_name: null,
        phone: null,
        session_inactivity_hours: null,
        session_ttl_hours: null,
        last_login_at: new Date(),
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordEvent(trx, { event_type: 'bootstrap', principal_id: id, ip: actor.ip, user_agent: actor.userAgent ?? null });
    return id;
  });
}

export async function createUser(
  db: Db,
  input: { username: string; password: string | null; global_role: string; email?: string | null | undefined },
  actor: Actor,
): Promise<string> {
  const password_hash = input.password === null ? null : await hashPassword(input.password);
  return db.transaction().execute(async (trx) => {
    await checkRoleExists(trx, input.global_role);
    const row = await trx
      .insertInto('principals')
      .values({
        username: normaliseUsername(input.username),
        password_hash,
        password_changed_at: password_hash === null ? null : new Date(),
        global_role: input.global_role,
        email: input.email ?? null,
        display_name: null,
        phone: null,
        session_inactivity_hours: null,
        session_ttl_hours: null,
        last_login_at: null,
      })
      .onConflict((conflict) => conflict.column('username').doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!row) throw problem('username_taken');
    await recordEvent(trx, {
      event_type: 'user_created',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { user_id: row.id, username: normaliseUsername(input.username), role: input.global_role },
    });
    return row.id;
  });
}

interface UserChange {
  username?: string;
  global_role?: string | null;
  disabled?: boolean | null;
  email?: string | null;
  password?: string | null;
  display_name?: string | null;
  phone?: string | null;
  session_inactivity_hours?: number | null;
  session_ttl_hours?: number | null;
  revoke_api_keys?: boolean;
}

/** `keepSession` is the session of a person who changes their own password, which stays open. */
export async function updateUser(
  db: Db,
  id: string,
  change: UserChange,
  actor: Actor,
  { keepSession = null }: { keepSession?: string | null } = {},
): Promise<void> {
  const password_hash = change.password ? await hashPassword(change.password) : undefined;
  const work = db.transaction().execute(async (trx) => {
    await lockAdministrators(trx);
    const before = await trx
      .selectFrom('principals')
      .select(['username', 'email', 'global_role', 'disabled', 'auth_provider'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!before) throw notFound('user');
    if (change.global_role) await checkRoleExists(trx, change.global_role);
    const { password: _, username, global_role, disabled, revoke_api_keys, ...plain } = change;
    const renamed = username === undefined ? null : newUsername(before, username);
    await trx
      .updateTable('principals')
      .set({
        ...plain,
        // As for the whole service, 0 goes back to what else applies. A session of no hours would keep the person out for good.
        ...(plain.session_ttl_hours === 0 ? { session_ttl_hours: null } : {}),
        ...(plain.session_inactivity_hours === 0 ? { session_inactivity_hours: null } : {}),
        ...emailOrigin(before, plain.email, actor.principalId === id),
        ...(renamed === null ? {} : { username: renamed }),
        ...(global_role ? { global_role, role_source: 'local', role_reason: null } : {}),
        ...(typeof disabled === 'boolean' ? { disabled } : {}),
        ...(password_hash ? { password_hash, password_changed_at: new Date() } : {}),
        updated_at: new Date(),
      })
      .where('id', '=', id)
      .execute();
    await checkAdministratorLeft(trx);
    // Sessions opened with the old password or role, or before the account was disabled, must end.
    if (password_hash || disabled === true || (global_role && global_role !== before.global_role))
      await sql`delete from sessions where principal_id = ${id} and id is distinct from ${keepSession}::uuid`.execute(trx);
    // A link that is still open could replace the password.
    if (password_hash) await sql`delete from invitations where principal_id = ${id}`.execute(trx);
    if (revoke_api_keys) await revokeKeysOf(trx, id, actor);
    for (const event_type of changeEvents(before, change))
      await recordEvent(trx, {
        event_type,
        principal_id: actor.principalId,
        ip: actor.ip,
        details: {
          user_id: id,
          ...(global_role ? { role: global_role } : {}),
          ...(renamed === null ? {} : { username: renamed, previous_username: before.username }),
        },
      });
  });
  await work.catch((error: { code?: string; constraint?: string }) => {
    throw error.code === '23505' && error.constraint?.includes('username') ? problem('username_taken') : error;
  });
}

/**
 * An address that an administrator enters is known to be that of the person; one that the person enters is not. The console sends the address
 * with every change of an account, so one that stays the same says nothing.
 */
function emailOrigin(before: { email: string | null; global_role: string }, email: string | null | undefined, isOwn: boolean) {
  if (email === undefined || email === before.email) return {};
  return { email_self_chosen: isOwn && before.global_role !== 'admin' };
}

/** The name in the form it is stored in. Null when it stays the same. */
function newUsername(before: { username: string; auth_provider: string }, wanted: string): string | null {
  const username = normaliseUsername(wanted);
  if (username === before.username) return null;
  if (before.auth_provider !== 'local')
    throw problem('conflict', 'Your user name comes from the directory that you sign in with. Ask its administrator to change it.');
  return username;
}

function changeEvents(before: { global_role: string; disabled: boolean }, change: UserChange): string[] {
  const events: string[] = [];
  if (change.global_role && change.global_role !== before.global_role) events.push('role_changed');
  if (typeof change.disabled === 'boolean' && change.disabled !== before.disabled)
    events.push(change.disabled ? 'user_disabled' : 'user_enabled');
  if (change.password) events.push('password_change');
  return events.length > 0 ? events : ['profile_updated'];
}

export async function deleteUser(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockAdministrators(trx);
    const deleted = await trx.deleteFrom('principals').where('id', '=', id).returning('username').executeTakeFirst();
    if (!deleted) throw notFound('user');
    await checkAdministratorLeft(trx);
    await recordEvent(trx, {
      event_type: 'user_deleted',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { user_id: id, username: deleted.username },
    });
  });
}

/** Serialises changes of administrators: two requests that each remove a different one must not leave none. */
export async function lockAdministrators(trx: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('administrators'))`.execute(trx);
}

async function checkAdministratorLeft(trx: Db): Promise<void> {
  if (!(await administratorLeftWithout(trx, null))) throw problem('last_admin');
}

/** Whether an enabled administrator with a local password exists besides this account. */
export async function administratorLeftWithout(trx: Db, id: string | null): Promise<boolean> {
  const { rows } = await sql`select 1 from principals where global_role = 'admin' and not disabled and password_hash is not null
    and id is distinct from ${id}::uuid limit 1`.execute(trx);
  return rows.length > 0;
}

async function checkRoleExists(trx: Db, name: string): Promise<void> {
  const role = await trx.selectFrom('roles').select('name').where('name', '=', name).executeTakeFirst();
  if (!role) throw fieldProblem(['body', 'global_role'], `"${name}" is not a role. GET /rbac/roles lists the roles.`, 'unknown_role');
}

function normaliseUsername(username: string): string {
  const name = username.trim().toLowerCase();
  if (name === '') throw fieldProblem(['body', 'username'], 'Enter a user name.', 'empty');
  return name;
}

/** The name of the account or service account with this id; null when it is deleted. */
export const actorName = (id: RawBuilder<unknown>): RawBuilder<string | null> =>
  sql<
    string | null
  >`coalesce((select p.username from principals p where p.id = ${id}), (select s.name from service_accounts s where s.id = ${id}))`;

/** The account with this user name, as other people see it. */
export async function accountNamed(db: Db, name: string) {
  const row = await db
    .selectFrom('principals')
    .select(['username', 'display_name', 'global_role as role', 'last_login_at'])
    .where('username', '=', name.toLowerCase())
    .executeTakeFirst();
  return row ? { ...row, last_login_at: row.last_login_at?.toISOString() ?? null } : null;
}
