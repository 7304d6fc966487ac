import { sql } from 'kysely';
import { type Db, one } from '../../platform/database/index.ts';
import type { Actor, Principal, Scope } from '../../platform/principal.ts';
import { fieldProblem, notFound, problem } from '../../platform/problem.ts';
import { recordEvent } from '../audit/index.ts';
import { digestOf, newApiKey } from './credentials.ts';

interface KeyRequest {
  name: string;
  scopes: Scope[];
  expires_days?: number | null | undefined;
  service_account_id?: string | null | undefined;
  libraries?: string[] | null | undefined;
  path_scope?: string | null | undefined;
}

export interface KeyRow {
  id: string;
  name: string;
  prefix: string;
  scopes: Scope[];
  service_account_id: string | null;
  service_account: string | null;
  principal_id: string | null;
  username: string | null;
  libraries: string[] | null;
  path_scope: string | null;
  expires_at: Date | null;
  expired: boolean;
  last_used_at: Date | null;
  created_at: Date;
}

/** Creates a key for a service account, or for the calling person. The key itself is returned only here. */
export async function createApiKey(db: Db, input: KeyRequest, creator: Principal, actor: Actor): Promise<{ row: KeyRow; key: string }> {
  if (!input.service_account_id && creator.kind !== 'user')
    throw fieldProblem(['body', 'service_account_id'], 'Give the service account this key belongs to.', 'required');
  const limited = (input.libraries ?? null) !== null || (input.path_scope ?? null) !== null;
  if (limited && input.scopes.includes('admin'))
    throw fieldProblem(
      ['body', 'scopes'],
      'A key with the scope "admin" cannot be limited to libraries or a folder, because it could create a key without limits. Use "write".',
      'admin_with_limits',
    );
  const { key, prefix } = newApiKey();
  const id = await db.transaction().execute(async (trx) => {
    if (input.service_account_id) {
      const account = await trx.selectFrom('service_accounts').select('id').where('id', '=', input.service_account_id).executeTakeFirst();
      if (!account) throw notFound('service account');
    }
    const created = await trx
      .insertInto('api_keys')
      .values({
        name: input.name,
        prefix,
        key_hash: digestOf(key),
        scopes: input.scopes,
        service_account_id: input.service_account_id ?? null,
        principal_id: input.service_account_id ? null : creator.id,
        libraries: input.libraries ?? null,
        path_scope: input.path_scope ?? null,
        expires_at: input.expires_days ? new Date(Date.now() + input.expires_days * 86_400_000) : null,
        last_used_at: null,
      })
      .returning('id')
      .executeTakeFirstOrThrow();
    await recordEvent(trx, {
      event_type: 'API_KEY_MINTED',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { key_id: created.id, name: input.name, prefix, scopes: input.scopes },
    });
    return created.id;
  });
  const row = one(await listKeys(db, id));
  return { row, key };
}

export async function listKeys(db: Db, id?: string): Promise<KeyRow[]> {
  const { rows } =
    await sql<KeyRow>`select k.id, k.name, k.prefix, k.scopes, k.service_account_id, s.name as service_account, k.principal_id, p.username, k.libraries, k.path_scope, k.expires_at,
      coalesce(k.expires_at <= now(), false) as expired, k.last_used_at, k.created_at
    from api_keys k left join service_accounts s on s.id = k.service_account_id left join principals p on p.id = k.principal_id
    where ${id === undefined ? sql`true` : sql`k.id = ${id}`} order by k.id desc`.execute(db);
  return rows;
}

export async function revokeKey(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const deleted = await trx.deleteFrom('api_keys').where('id', '=', id).returning(['name', 'prefix']).executeTakeFirst();
    if (!deleted) throw notFound('API key');
    await recordEvent(trx, {
      event_type: 'API_KEY_REVOKED',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { key_id: id, ...deleted },
    });
  });
}

/** Revokes every key of an account, in the transaction of the password change that asked for it. */
export async function revokeKeysOf(trx: Db, principalId: string, actor: Actor): Promise<void> {
  const revoked = await trx.deleteFrom('api_keys').where('principal_id', '=', principalId).returning(['id', 'name', 'prefix']).execute();
  for (const { id, name, prefix } of revoked)
    await recordEvent(trx, {
      event_type: 'API_KEY_REVOKED',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { key_id: id, name, prefix, reason: 'password_change' },
    });
}

export interface ServiceAccountRow {
  id: string;
  name: string;
  description: string | null;
  disabled: boolean;
  created_at: Date;
  key_count: number;
  last_used_at: Date | null;
}

export async function listServiceAccounts(db: Db, id?: string): Promise<ServiceAccountRow[]> {
  const { rows } =
    await sql<ServiceAccountRow>`select s.id, s.name, s.description, s.disabled, s.created_at, count(k.id) as key_count, max(k.last_used_at) as last_used_at
    from service_accounts s left join api_keys k on k.service_account_id = s.id where ${id === undefined ? sql`true` : sql`s.id = ${id}`} group by s.id order by lower(s.name)`.execute(
      db,
    );
  return rows;
}

export async function createServiceAccount(
  db: Db,
  input: { name: string; description?: string | null | undefined },
  actor: Actor,
): Promise<string> {
  return db.transaction().execute(async (trx) => {
    const { rows } = await sql<{
      id: string;
    }>`insert into service_accounts (name, description) values (${input.name}, ${input.description ?? null}) on conflict ((lower(name))) do nothing returning id`.execute(
      trx,
    );
    if (!rows[0]) throw problem('name_taken');
    await recordEvent(trx, {
      event_type: 'service_account_created',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { account_id: rows[0].id, name: input.name },
    });
    return rows[0].id;
  });
}

export async function updateServiceAccount(
  db: Db,
  id: string,
  change: { name?: string | undefined; description?: string | null | undefined; disabled?: boolean | undefined },
  actor: Actor,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    if (change.name !== undefined) {
      const { rows } = await sql`select 1 from service_accounts where lower(name) = lower(${change.name}) and id <> ${id}`.execute(trx);
      if (rows.length > 0) throw problem('name_taken');
    }
    const found = await trx
      .updateTable('service_accounts')
      .set({ id, ...change })
      .where('id', '=', id)
      .returning('id')
      .executeTakeFirst();
    if (!found) throw notFound('service account');
    await recordEvent(trx, {
      event_type: 'service_account_updated',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { account_id: id, ...change },
    });
  });
}

export async function deleteServiceAccount(db: Db, id: string, actor: Actor): Promise<void> {
  await db.transaction().execute(async (trx) => {
    const deleted = await trx.deleteFrom('service_accounts').where('id', '=', id).returning('name').executeTakeFirst();
    if (!deleted) throw notFound('service account');
    await recordEvent(trx, {
      event_type: 'service_account_deleted',
      principal_id: actor.principalId,
      ip: actor.ip,
      details: { account_id: id, name: deleted.name },
    });
  });
}
