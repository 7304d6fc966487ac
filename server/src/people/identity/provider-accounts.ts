import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Actor } from '../../platform/principal.ts';
import { recordEvent } from '../audit/index.ts';
import { administratorLeftWithout, lockAdministrators } from './accounts.ts';
import { type OpenedSession, openSession } from './sessions.ts';

export type ProviderKind = 'oidc' | 'ldap' | 'header';

/** A person as a provider describes them after a successful sign-in. */
export interface ProviderPerson {
  provider: ProviderKind;
  /** The issuer of an OpenID provider, or the host of a directory. */
  issuer: string;
  /** The identifier that the provider never gives to anybody else. */
  subject: string;
  username: string;
  /** Set only if the provider states that it is verified. */
  verifiedEmail: string | null;
  email: string | null;
  displayName: string | null;
  /** The role that the provider's claims or groups give, and why. */
  role: { name: string; reason: string };
  groups: readonly ProviderGroup[];
}

/** `id` is unique at the provider: a claim value or a DN. `name` is given only if it is unambiguous among the groups of the person. */
export interface ProviderGroup {
  id: string;
  name: string | null;
}

interface ProviderPolicy {
  autoProvision: boolean;
  linkByEmail: boolean;
}

/** The provider accepted the person, but this service does not let them in. */
export class SignInRefused extends Error {
  readonly reason: 'no_account' | 'disabled' | 'no_role';
  constructor(reason: SignInRefused['reason']) {
    super(reason);
    this.name = 'SignInRefused';
    this.reason = reason;
  }
}

interface Account {
  id: string;
  disabled: boolean;
  identity_id: string;
}

/** Opens a session for a person whom a provider has authenticated, and applies the role and the groups that it reports. */
export async function signInWithProvider(
  db: Db,
  person: ProviderPerson,
  policy: ProviderPolicy,
  actor: Actor,
  session: { providerName?: string; providerSession?: string | null } = {},
): Promise<OpenedSession & { id: string; identityId: string }> {
  return db.transaction().execute(async (trx) => {
    await lockAdministrators(trx);
    const account = await findOrCreateAccount(trx, person, policy, actor);
    if (account.disabled) throw new SignInRefused('disabled');
    await applyRole(trx, account.id, person, actor);
    await applyGroups(trx, account.id, person, actor);
    await markUsed(trx, account, person.username);
    await recordEvent(trx, {
      event_type: `${person.provider}_login`,
      principal_id: account.id,
      ip: actor.ip,
      user_agent: actor.userAgent ?? null,
      details: { issuer: person.issuer, role: person.role.name, reason: person.role.reason },
    });
    const opened = await openSession(trx, account.id, {
      ip: actor.ip,
      userAgent: actor.userAgent,
      method: person.provider,
      identityId: account.identity_id,
      ...session,
    });
    return { ...opened, id: account.id, identityId: account.identity_id };
  });
}

/** Applies what the provider reports during a session. Returns false when the account was disabled or deleted meanwhile. */
export async function refreshProviderRights(db: Db, person: ProviderPerson, principalId: string): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    await lockAdministrators(trx);
    const { rows } = await sql<{ disabled: boolean }>`select disabled from principals where id = ${principalId}`.execute(trx);
    if (!rows[0] || rows[0].disabled) return false;
    const actor = { principalId: null, ip: '' };
    await applyRole(trx, principalId, person, actor);
    await applyGroups(trx, principalId, person, actor);
    return true;
  });
}

async function findOrCreateAccount(trx: Db, person: ProviderPerson, policy: ProviderPolicy, actor: Actor): Promise<Account> {
  const known = await findByIdentity(trx, person);
  if (known) return known;
  const linked = policy.linkByEmail && person.verifiedEmail ? await findLocalByEmail(trx, person.verifiedEmail) : null;
  if (!linked && !policy.autoProvision) throw new SignInRefused('no_account');
  const account = linked ?? { id: await createAccount(trx, person, actor), disabled: false };
  const { rows } = await sql<{ id: string }>`insert into identities (principal_id, provider, issuer, subject, name)
    values (${account.id}, ${person.provider}, ${person.issuer}, ${person.subject}, ${person.username}) returning id`.execute(trx);
  if (linked)
    await recordEvent(trx, {
      event_type: 'identity_linked',
      principal_id: linked.id,
      ip: actor.ip,
      details: { provider: person.provider, issuer: person.issuer },
    });
  return { ...account, identity_id: one(rows).id };
}

async function findByIdentity(trx: Db, { provider, issuer, subject }: ProviderPerson): Promise<Account | undefined> {
  const { rows } =
    await sql<Account>`select p.id, p.disabled, i.id as identity_id from identities i join principals p on p.id = i.principal_id
    where i.provider = ${provider} and i.issuer = ${issuer} and i.subject = ${subject}`.execute(trx);
  return rows[0];
}

async function markUsed(trx: Db, { id, identity_id }: Account, username: string): Promise<void> {
  await sql`with used as (update identities set last_used_at = now(), name = ${username} where id = ${identity_id})
    update principals set last_login_at = now() where id = ${id}`.execute(trx);
}

/** Null when no local account or more than one has the address. One that its person entered says nothing about who they are. */
async function findLocalByEmail(trx: Db, email: string): Promise<{ id: string; disabled: boolean } | null> {
  const { rows } = await sql<{ id: string; disabled: boolean }>`select id, disabled from principals
    where auth_provider = 'local' and lower(email) = lower(${email}) and not email_self_chosen limit 2`.execute(trx);
  return rows.length === 1 ? one(rows) : null;
}

async function createAccount(trx: Db, person: ProviderPerson, actor: Actor): Promise<string> {
  const base = usernameFrom(person);
  for (let attempt = 1; attempt <= 100; attempt++) {
    const username = attempt === 1 ? base : `${base.slice(0, 60 - String(attempt).length)}${attempt}`;
    const { rows } = await sql<{
      id: string;
    }>`insert into principals (username, email, display_name, global_role, auth_provider, role_source, role_reason)
      values (${username}, ${person.email}, ${person.displayName}, ${person.role.name}, ${person.provider}, ${person.provider}, ${person.role.reason})
      on conflict (username) do nothing returning id`.execute(trx);
    if (!rows[0]) continue;
    await recordEvent(trx, {
      event_type: 'user_created',
      principal_id: rows[0].id,
      ip: actor.ip,
      details: { user_id: rows[0].id, username, role: person.role.name, provider: person.provider },
    });
    return rows[0].id;
  }
  throw new SignInRefused('no_account');
}

/** The user name claim, then the part of the email address before the @, then the subject. */
function usernameFrom({ username, email, subject }: ProviderPerson): string {
  const candidates = [username, email?.split('@')[0] ?? '', subject];
  const clean = candidates.map((name) =>
    [...name]
      .filter((letter) => letter >= ' ' && letter !== '\u007f')
      .join('')
      .trim(),
  );
  return (clean.find((name) => name !== '') ?? 'user').toLowerCase().slice(0, 60);
}

/** The role of the provider, unless no administrator with a password would be left: such an account keeps its role. */
async function applyRole(trx: Db, id: string, { provider, role }: ProviderPerson, actor: Actor): Promise<void> {
  const { rows } = await sql<{ global_role: string; unchanged: boolean }>`select global_role,
      (global_role, role_source, role_reason) is not distinct from (${role.name}, ${provider}, ${role.reason}) as unchanged
    from principals where id = ${id} for update`.execute(trx);
  const { global_role: before, unchanged } = one(rows);
  if (unchanged) return;
  if (before === 'admin' && role.name !== 'admin' && !(await administratorLeftWithout(trx, id))) {
    await recordEvent(trx, {
      event_type: 'role_kept',
      principal_id: id,
      ip: actor.ip,
      details: { role: before, refused: role.name, reason: 'The last local administrator keeps the role.' },
    });
    return;
  }
  await sql`update principals set global_role = ${role.name}, role_source = ${provider}, role_reason = ${role.reason}, updated_at = now()
    where id = ${id}`.execute(trx);
  if (before !== role.name)
    await recordEvent(trx, {
      event_type: 'role_changed',
      principal_id: id,
      ip: actor.ip,
      details: { user_id: id, role: role.name, before, source: provider, reason: role.reason },
    });
}

/** Joins the groups that the provider reports and leaves those that only this provider had given. */
async function applyGroups(trx: Db, id: string, { provider: source, groups }: ProviderPerson, actor: Actor): Promise<void> {
  const ids = groups.map((group) => group.id);
  const names = groups.flatMap((group) => group.name ?? []);
  const { rows } = await sql<{ group_id: string; member: boolean }>`with reported as (
      select g.id from principal_groups g where case when g.external_name is not null then lower(g.external_name) in (select lower(v) from unnest(${ids}::text[]) v)
        else lower(g.name) in (select lower(v) from unnest(${names}::text[]) v) end),
    left_groups as (
      delete from principal_group_members m where m.principal_id = ${id} and m.source = ${source} and m.group_id not in (select id from reported) returning m.group_id),
    joined as (
      insert into principal_group_members (group_id, principal_id, source) select id, ${id}, ${source} from reported on conflict do nothing returning group_id)
    select group_id, false as member from left_groups union all select group_id, true from joined`.execute(trx);
  for (const { group_id, member } of rows)
    await recordEvent(trx, {
      event_type: 'group_membership_changed',
      principal_id: id,
      ip: actor.ip,
      details: { group_id, user_id: id, member, source },
    });
}

/** Connects an identity to an account. False when it belongs to another one. */
export async function connectIdentity(db: Db, principalId: string, person: ProviderPerson, actor: Actor): Promise<boolean> {
  return db.transaction().execute(async (trx) => {
    const known = await findByIdentity(trx, person);
    if (known) return known.id === principalId;
    await sql`insert into identities (principal_id, provider, issuer, subject, name)
      values (${principalId}, ${person.provider}, ${person.issuer}, ${person.subject}, ${person.username})`.execute(trx);
    await recordEvent(trx, {
      event_type: 'identity_linked',
      principal_id: principalId,
      ip: actor.ip,
      details: { provider: person.provider, issuer: person.issuer },
    });
    return true;
  });
}

export interface IdentityRow {
  id: string;
  provider: ProviderKind;
  issuer: string;
  name: string | null;
  created_at: Date;
  last_used_at: Date;
}

export async function listIdentities(db: Db, principalId: string): Promise<IdentityRow[]> {
  const { rows } = await sql<IdentityRow>`select id, provider, issuer, name, created_at, last_used_at from identities
    where principal_id = ${principalId} order by created_at`.execute(db);
  return rows;
}
