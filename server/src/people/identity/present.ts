import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { hasScope, type Scope } from '../../platform/principal.ts';
import { notFound } from '../../platform/problem.ts';
import { principalColumns } from './accounts.ts';
import type { KeyRow, ServiceAccountRow } from './keys.ts';
import type { IdentityRow } from './provider-accounts.ts';
import type { SessionRow } from './sessions.ts';

const validKeys = sql<number>`(select count(*)::int from api_keys k where k.principal_id = p.id and coalesce(k.expires_at > now(), true))`;

const invited = sql<boolean>`(p.password_hash is null and p.auth_provider = 'local')`;

/** Accounts as the API shows them, without the password hash. */
export async function presentPrincipals(db: Db, id?: string) {
  let query = db
    .selectFrom('principals as p')
    .innerJoin('roles as r', 'r.name', 'p.global_role')
    .select(principalColumns.map((name) => `p.${name}` as const))
    .select(['r.scopes', validKeys.as('api_keys'), invited.as('invited')])
    .orderBy('p.username');
  if (id) query = query.where('p.id', '=', id);
  const rows = await query.execute();
  return rows.map(({ scopes, last_login_at, created_at, password_changed_at, ...row }) => ({
    ...row,
    created_at: created_at.toISOString(),
    password_changed_at: password_changed_at?.toISOString() ?? null,
    last_login_at: last_login_at?.toISOString() ?? null,
    kind: 'user',
    scopes: impliedScopes(scopes),
  }));
}

export async function presentPrincipal(db: Db, id: string) {
  const [row] = await presentPrincipals(db, id);
  if (!row) throw notFound('user');
  return row;
}

function impliedScopes(scopes: readonly Scope[]): Scope[] {
  return (['read', 'write', 'admin'] as const).filter((scope) => hasScope(scopes, scope));
}

export function presentKey(row: KeyRow) {
  return {
    ...row,
    expires_at: row.expires_at?.toISOString() ?? null,
    last_used_at: row.last_used_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function presentServiceAccount(row: ServiceAccountRow) {
  return { ...row, created_at: row.created_at.toISOString(), last_used_at: row.last_used_at?.toISOString() ?? null };
}

export function presentSession(row: SessionRow, newNetworks: ReadonlySet<string>, currentId?: string) {
  return {
    ...row,
    created_at: row.created_at.toISOString(),
    last_seen_at: row.last_seen_at.toISOString(),
    new_network: newNetworks.has(row.id),
    current: row.id === currentId,
  };
}

export function presentIdentity(row: IdentityRow) {
  return { ...row, created_at: row.created_at.toISOString(), last_used_at: row.last_used_at.toISOString() };
}
