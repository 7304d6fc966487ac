import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Actor, Scope } from '../../platform/principal.ts';
import { fieldProblem, problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';
import { namedAtSignIn } from '../providers/index.ts';
import { type Action, actions } from './decide.ts';

export interface RoleRow {
  name: string;
  display_name: string;
  description: string;
  builtin: boolean;
  scopes: Scope[];
  ceiling_actions: string[];
  bypass: boolean;
  require_second_factor: boolean;
  /** Null means the setting of the service. */
  session_inactivity_hours: number | null;
  session_ttl_hours: number | null;
  users: number;
  updated_at: Date;
}

export async function listRoles(db: Db, name?: string): Promise<RoleRow[]> {
  const { rows } =
    await sql<RoleRow>`select r.name, r.display_name, r.description, r.builtin, r.scopes, r.ceiling_actions, r.bypass, r.require_second_factor, r.session_inactivity_hours, r.session_ttl_hours, r.updated_at, count(p.id) as users
    from roles r left join principals p on p.global_role = r.name where ${name === undefined ? sql`true` : sql`r.name = ${name}`} group by r.name order by r.builtin desc, r.name`.execute(
      db,
    );
  return rows;
}

export async function requireRole(db: Db, name: string): Promise<RoleRow> {
  const [role] = await listRoles(db, name);
  if (!role) throw problem('not_found', `No role is named "${name}".`);
  return role;
}

interface RoleIn {
  name: string;
  display_name: string;
  description?: string | undefined;
  scopes?: Scope[] | undefined;
  ceiling_actions?: string[] | undefined;
  clone_from?: string | null | undefined;
}

export async function createRole(db: Db, input: RoleIn, actor: Actor): Promise<RoleRow> {
  return db.transaction().execute(async (trx) => {
    const model = input.clone_from ? await requireRole(trx, input.clone_from) : null;
    const scopes = input.scopes ?? model?.scopes.filter((scope) => scope !== 'admin') ?? ['read'];
    const ceiling = input.ceiling_actions ?? model?.ceiling_actions ?? ['search_metadata'];
    checkRole(scopes, ceiling);
    const { rows } =
      await sql`insert into roles (name, display_name, description, scopes, ceiling_actions) values (${input.name}, ${input.display_name}, ${input.description ?? ''}, ${scopes}, ${ceiling})
      on conflict do nothing returning name`.execute(trx);
    if (rows.length === 0) throw problem('name_taken');
    await recordEvent(trx, {
      event_type: 'role_created',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { name: input.name, scopes, ceiling_actions: ceiling },
    });
    return requireRole(trx, input.name);
  });
}

/** How people with a role sign in and how long their sessions last. */
interface SignInRules {
  require_second_factor: boolean | undefined;
  session_inactivity_hours: number | null | undefined;
  session_ttl_hours: number | null | undefined;
}

export async function updateRole(
  db: Db,
  name: string,
  change: Partial<Omit<RoleIn, 'name' | 'clone_from'>> & Partial<SignInRules>,
  actor: Actor,
): Promise<RoleRow> {
  return db.transaction().execute(async (trx) => {
    // Somebody else may be changing the role: their change must be read, not undone.
    await sql`select from roles where name = ${name} for no key update`.execute(trx);
    const before = await requireRole(trx, name);
    const {
      require_second_factor = before.require_second_factor,
      session_inactivity_hours = before.session_inactivity_hours,
      session_ttl_hours = before.session_ttl_hours,
      ...rest
    } = change;
    // What a built-in role may do is fixed, but not how its people sign in.
    if (before.builtin && Object.keys(rest).length > 0) throw problem('role_builtin');
    const after = {
      require_second_factor,
      session_inactivity_hours,
      session_ttl_hours,
      display_name: change.display_name ?? before.display_name,
      description: change.description ?? before.description,
      scopes: change.scopes ?? before.scopes,
      ceiling_actions: change.ceiling_actions ?? before.ceiling_actions,
    };
    if (!before.builtin) checkRole(after.scopes, after.ceiling_actions);
    await sql`update roles set display_name = ${after.display_name}, description = ${after.description}, scopes = ${after.scopes}, ceiling_actions = ${after.ceiling_actions}, require_second_factor = ${after.require_second_factor},
      session_inactivity_hours = ${after.session_inactivity_hours}, session_ttl_hours = ${after.session_ttl_hours}, updated_at = now() where name = ${name}`.execute(
      trx,
    );
    await recordEvent(trx, { event_type: 'role_updated', principal_id: actor.principalId, ip: actor.ip, details: { name, ...after } });
    return requireRole(trx, name);
  });
}

export async function deleteRole({ db, settings }: Pick<Dependencies, 'db' | 'settings'>, name: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const role = await requireRole(trx, name);
    if (role.builtin) throw problem('role_builtin');
    if (role.users > 0) throw problem('role_in_use', `${role.users} accounts have this role. Assign them another role first.`);
    const givenBy = await namedAtSignIn({ db: trx, settings }, name);
    if (givenBy.length > 0)
      throw problem('role_in_use', `Sign-in gives people this role by ${givenBy.join(', ')}. Name another role there first.`);
    await sql`delete from roles where name = ${name}`.execute(trx);
    await recordEvent(trx, { event_type: 'role_deleted', principal_id: actor.principalId, ip: actor.ip, details: { name } });
  });
}

/** The admin scope would make any role an administrator role, so only the built-in role has it. */
function checkRole(scopes: readonly string[], ceiling: readonly string[]): void {
  if (scopes.includes('admin'))
    throw fieldProblem(['body', 'scopes'], 'Only the built-in administrator role has the scope "admin".', 'reserved');
  const unknown = ceiling.find((action) => !actions.includes(action as Action));
  if (unknown) throw fieldProblem(['body', 'ceiling_actions'], `"${unknown}" is not one of ${actions.join(', ')}.`, 'unknown_action');
}
