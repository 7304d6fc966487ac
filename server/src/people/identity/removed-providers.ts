import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';
import { administratorLeftWithout, lockAdministrators } from './accounts.ts';
import type { ProviderKind } from './provider-accounts.ts';

/** The built-in role with the fewest rights. */
const leastRole = 'viewer';

/**
 * Ends what people have from issuers that are no longer among `issuers`, because nobody reports any more whether they should: their sessions
 * there, the role and the groups. Accounts and identities stay, so that a sign-in gives everything back when the issuer returns. Returns how
 * many people lost a role or a group.
 */
export async function endRemovedIssuers(db: Db, provider: ProviderKind, issuers: readonly string[], actor: Actor): Promise<number> {
  return db.transaction().execute(async (trx) => {
    await lockAdministrators(trx);
    await sql`delete from sessions s using identities i where i.id = s.identity_id and i.provider = ${provider}
      and not (i.issuer = any(${issuers}::text[]))`.execute(trx);
    const reason = provider === 'ldap' ? 'The directory was removed.' : 'The provider was removed.';
    return endRights(trx, provider, await peopleWith(trx, provider, { outside: issuers }), reason, actor);
  });
}

/**
 * Disconnects an identity and ends its sessions, with the role and the groups of its kind of provider if none is left. Refused when the account
 * would be left without a way to sign in.
 */
export async function disconnectIdentity(db: Db, principalId: string, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await lockAdministrators(trx);
    const { rows } = await sql<{ provider: ProviderKind; issuer: string; others: boolean }>`
      select i.provider, i.issuer, p.password_hash is not null or exists (select from passkeys k where k.principal_id = p.id)
        or exists (select from identities o where o.principal_id = p.id and o.id <> i.id) as others
      from identities i join principals p on p.id = i.principal_id where i.id = ${id} and i.principal_id = ${principalId}`.execute(trx);
    const [found] = rows;
    if (!found) throw notFound('identity');
    if (!found.others) throw problem('conflict', 'This is the only way to sign in to the account. Set a password or add a passkey first.');
    await sql`delete from identities where id = ${id}`.execute(trx);
    await endRights(
      trx,
      found.provider,
      await peopleWith(trx, found.provider, { id: principalId }),
      'The identity was disconnected.',
      actor,
    );
    await recordEvent(trx, {
      event_type: 'identity_unlinked',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { user_id: principalId, provider: found.provider, issuer: found.issuer },
    });
  });
}

/** Returns how many people lost a role or a group. */
async function endRights(trx: Db, provider: ProviderKind, people: readonly Person[], reason: string, actor: Actor): Promise<number> {
  const losing = new Set<string>();
  for (const person of people) if (await endRole(trx, { provider, reason }, person, actor)) losing.add(person.id);
  for (const id of await endMemberships(trx, { provider, reason }, people, actor)) losing.add(id);
  return losing.size;
}

interface Ending {
  provider: ProviderKind;
  reason: string;
}

interface Person {
  id: string;
  role: string;
  /** Null where the role is not from the provider. */
  above_least: boolean | null;
}

/**
 * Those who have a role or a group from the provider, but no identity of it that gives them: nobody but this account, or everybody whose
 * identities are outside these issuers.
 */
async function peopleWith(trx: Db, provider: ProviderKind, of: { id: string } | { outside: readonly string[] }): Promise<Person[]> {
  const own = sql`from identities i where i.principal_id = p.id and i.provider = ${provider}`;
  const which =
    'id' in of
      ? sql`p.id = ${of.id} and not exists (select ${own})`
      : sql`exists (select ${own}) and not exists (select ${own} and i.issuer = any(${of.outside}::text[]))`;
  const { rows } = await sql<Person>`select p.id, r.name as role, case when p.role_source = ${provider} then
      r.bypass or not (r.scopes <@ least.scopes and r.ceiling_actions <@ least.ceiling_actions) end as above_least
    from principals p join roles r on r.name = p.global_role join roles least on least.name = ${leastRole}
    where (p.role_source = ${provider} or exists (select from principal_group_members m where m.principal_id = p.id and m.source = ${provider}))
      and ${which} order by p.id for update of p`.execute(trx);
  return rows;
}

/** Whether the person lost the role. One with no more rights than the least stays, and that of the last administrator. */
async function endRole(trx: Db, { provider, reason }: Ending, { id, role, above_least }: Person, actor: Actor): Promise<boolean> {
  if (above_least === null) return false;
  const ends = above_least && (role !== 'admin' || (await administratorLeftWithout(trx, id)));
  await sql`update principals set global_role = ${ends ? leastRole : role}, role_source = 'local', role_reason = null, updated_at = now()
    where id = ${id}`.execute(trx);
  if (ends)
    await recordEvent(trx, {
      event_type: 'role_changed',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { user_id: id, role: leastRole, before: role, source: provider, reason },
    });
  return ends;
}

async function endMemberships(trx: Db, { provider: source, reason }: Ending, people: readonly Person[], actor: Actor): Promise<string[]> {
  const { rows } = await sql<{ group_id: string; principal_id: string }>`delete from principal_group_members
    where source = ${source} and principal_id = any(${people.map(({ id }) => id)}::uuid[]) returning group_id, principal_id`.execute(trx);
  for (const { group_id, principal_id } of rows)
    await recordEvent(trx, {
      event_type: 'group_membership_changed',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { group_id, user_id: principal_id, member: false, source, reason },
    });
  return rows.map(({ principal_id }) => principal_id);
}

/** How many people would lose sessions, a role or groups. */
export async function countPeopleOf(db: Db, provider: ProviderKind, issuers: readonly string[]): Promise<number> {
  const { rows } = await sql<{ people: number }>`select count(distinct i.principal_id)::int as people from identities i
    where i.provider = ${provider} and i.issuer = any(${issuers}::text[])`.execute(db);
  return rows[0]?.people ?? 0;
}
