import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Scope } from '../../platform/principal.ts';
import { notFound } from '../../platform/problem.ts';

interface PersonRow {
  role: string;
  display_name: string;
  scopes: Scope[];
  bypass: boolean;
  ceiling_actions: string[];
  role_source: string;
  role_reason: string | null;
}

export interface MembershipRow {
  id: string;
  name: string;
  source: string;
}

export interface RightRow {
  library_id: string;
  library: string;
  rel_path: string;
  action: string;
  effect: 'allow' | 'deny';
  /** Null for a rule about the person. */
  group: string | null;
  /** The role does not cover the action, so the rule has no effect. */
  beyond_role: boolean;
}

/** What somebody may do and where each right comes from: the role, groups with their source, and rules. */
export async function accessOverview(db: Db, principalId: string) {
  const { rows } =
    await sql<PersonRow>`select p.global_role as role, r.display_name, r.scopes, r.bypass, r.ceiling_actions, p.role_source, p.role_reason
    from principals p join roles r on r.name = p.global_role where p.id = ${principalId}`.execute(db);
  const [person] = rows;
  if (!person) throw notFound('user');
  return { ...person, groups: await memberships(db, principalId), rights: await rights(db, principalId) };
}

async function memberships(db: Db, principalId: string): Promise<MembershipRow[]> {
  const { rows } =
    await sql<MembershipRow>`select g.id, g.name, m.source from principal_group_members m join principal_groups g on g.id = m.group_id
    where m.principal_id = ${principalId} order by lower(g.name)`.execute(db);
  return rows;
}

const maxRights = 1000;

async function rights(db: Db, principalId: string): Promise<RightRow[]> {
  const { rows } =
    await sql<RightRow>`select n.library_id, l.name as library, n.rel_path, n.action, n.effect as "effect", g.name as "group",
      not r.bypass and not (n.action = any(r.ceiling_actions)) as beyond_role
    from principals p join roles r on r.name = p.global_role
      join grants n on n.principal_id = p.id or n.group_id in (select m.group_id from principal_group_members m where m.principal_id = p.id)
      join libraries l on l.id = n.library_id left join principal_groups g on g.id = n.group_id
    where p.id = ${principalId} order by l.name, n.rel_path, n.action limit ${maxRights}`.execute(db);
  return rows;
}
