import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';

interface GroupRow {
  id: string;
  name: string;
  description: string | null;
  source: string;
  external_name: string | null;
  member_count: number;
}

export async function listPrincipalGroups(db: Db, id?: string): Promise<GroupRow[]> {
  const { rows } =
    await sql<GroupRow>`select g.id, g.name, g.description, g.source, g.external_name, count(m.principal_id) as member_count from principal_groups g
    left join principal_group_members m on m.group_id = g.id where ${id === undefined ? sql`true` : sql`g.id = ${id}`} group by g.id order by lower(g.name)`.execute(
      db,
    );
  return rows;
}

async function requirePrincipalGroup(db: Db, id: string): Promise<GroupRow> {
  const [group] = await listPrincipalGroups(db, id);
  if (!group) throw notFound('group');
  return group;
}

export async function createPrincipalGroup(
  db: Db,
  input: { name: string; description?: string | null | undefined; external_name?: string | null | undefined },
  actor: Actor,
): Promise<GroupRow> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      id: string;
    }>`insert into principal_groups (name, description, external_name) values (${input.name}, ${input.description ?? null}, ${input.external_name ?? null}) on conflict ((lower(name))) do nothing returning id`.execute(
      trx,
    );
    if (!rows[0]) throw problem('name_taken');
    await recordEvent(trx, {
      event_type: 'group_created',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { group_id: rows[0].id, name: input.name, ...(input.external_name ? { external_name: input.external_name } : {}) },
    });
    return requirePrincipalGroup(trx, rows[0].id);
  });
}

export async function updatePrincipalGroup(
  db: Db,
  id: string,
  change: { name?: string | undefined; description?: string | null | undefined; external_name?: string | null | undefined },
  actor: Actor,
): Promise<GroupRow> {
  return db.transaction().execute(async (trx) => {
    // As in updateRole.
    await sql`select from principal_groups where id = ${id} for no key update`.execute(trx);
    const before = await requirePrincipalGroup(trx, id);
    const name = change.name ?? before.name;
    const taken = await sql`select 1 from principal_groups where lower(name) = lower(${name}) and id <> ${id}`.execute(trx);
    if (taken.rows.length > 0) throw problem('name_taken');
    await sql`update principal_groups set name = ${name}, description = ${change.description === undefined ? before.description : change.description},
      external_name = ${change.external_name === undefined ? before.external_name : change.external_name} where id = ${id}`.execute(trx);
    const after = await requirePrincipalGroup(trx, id);
    await recordEvent(trx, {
      event_type: 'group_updated',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: {
        group_id: id,
        name,
        before: before.name,
        external_name: after.external_name,
        previous_external_name: before.external_name,
      },
    });
    return after;
  });
}

export async function deletePrincipalGroup(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const group = await requirePrincipalGroup(trx, id);
    await sql`delete from principal_groups where id = ${id}`.execute(trx);
    await recordEvent(trx, {
      event_type: 'group_deleted',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { group_id: id, name: group.name },
    });
  });
}

export async function listMembers(
  db: Db,
  id: string,
): Promise<{ principal_id: string; username: string; global_role: string; source: string }[]> {
  await requirePrincipalGroup(db, id);
  const { rows } = await sql<{
    principal_id: string;
    username: string;
    global_role: string;
    source: string;
  }>`select p.id as principal_id, p.username, p.global_role, m.source from principal_group_members m
    join principals p on p.id = m.principal_id where m.group_id = ${id} order by p.username`.execute(db);
  return rows;
}

export async function setMembership(db: Db, groupId: string, principalId: string, member: boolean, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await requirePrincipalGroup(trx, groupId);
    const person = await sql`select 1 from principals where id = ${principalId}`.execute(trx);
    if (person.rows.length === 0) throw notFound('user');
    if (member)
      await sql`insert into principal_group_members (group_id, principal_id) values (${groupId}, ${principalId})
        on conflict (group_id, principal_id) do update set source = 'local'`.execute(trx);
    else await sql`delete from principal_group_members where group_id = ${groupId} and principal_id = ${principalId}`.execute(trx);
    await recordEvent(trx, {
      event_type: 'group_membership_changed',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { group_id: groupId, user_id: principalId, member },
    });
  });
}
