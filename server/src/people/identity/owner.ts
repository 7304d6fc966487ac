import { sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { Principal, Scope } from '../../platform/principal.ts';
import type { Settings } from '../../settings/index.ts';
import { scopesOfKey } from './key-owner.ts';
import { openPrincipal } from './open-principal.ts';

/** Who asked for background work. It is stored instead of the rights, which are read again when the work runs. */
export interface Owner {
  kind: Principal['kind'];
  /** Account or service account; null for `open`. */
  id: string | null;
  /** The API key that was used, whose limits apply as well. */
  keyId: string | null;
}

export function ownerOf({ kind, id, keyId }: Principal): Owner {
  return { kind, id, keyId: keyId ?? null };
}

/** A key that is limited to libraries or a folder. Of what its account has, only what was made with the key belongs to it: the rest may show more. */
function isLimited({ keyLimits }: Pick<Principal, 'keyLimits'>): boolean {
  return keyLimits !== undefined && (keyLimits.libraries !== null || keyLimits.pathScope !== null);
}

/** Whether something belongs to the caller. What a limited key made belongs to its account too, also after the key is revoked. */
export function owns(caller: Principal, row: { owner_id: string | null; key_id: string | null }): boolean {
  return row.owner_id === caller.id && (!isLimited(caller) || row.key_id === caller.keyId);
}

/** An account, or one of its limited keys. */
export interface Ownership {
  owner: string | null;
  /** Null for callers who own everything of their account. */
  key: string | null;
}

/** Selects what `owns` accepts, and is stored with new searches, reports, pins and plans, which run with the rights of whoever runs them. */
export function ownedBy(caller: Principal): Ownership {
  return { owner: caller.id, key: isLimited(caller) ? (caller.keyId ?? null) : null };
}

interface OwnerRow {
  name: string;
  role: string | null;
  /** Of the account's role; null for a service account, whose keys alone have scopes. */
  role_scopes: Scope[] | null;
  key_scopes: Scope[] | null;
  bypass: boolean;
  generation: string;
  libraries: string[] | null;
  path_scope: string | null;
}

/** The owner as a caller with today's rights; null when the account is gone or disabled, or the key is revoked or expired. */
export async function principalOfOwner(
  db: Db,
  settings: Pick<Settings, 'authEnabled'>,
  { kind, id, keyId }: Owner,
): Promise<Principal | null> {
  if (kind === 'open') return settings.authEnabled ? null : openPrincipal;
  const { rows } = await sql<OwnerRow>`
    select o.name, o.role, o.role_scopes, k.scopes as key_scopes, o.bypass, g.generation, k.libraries, k.path_scope from access_generation g cross join (
      select p.id, p.username as name, p.global_role as role, r.scopes as role_scopes, r.bypass from principals p join roles r on r.name = p.global_role where not p.disabled
      union all select s.id, s.name, null, null, true from service_accounts s where not s.disabled) o
    left join api_keys k on k.id = ${keyId}::uuid
    where o.id = ${id}::uuid and (${keyId}::uuid is null or (coalesce(k.principal_id, k.service_account_id) = o.id and coalesce(k.expires_at > now(), true)))`.execute(
    db,
  );
  const row = rows[0];
  if (!row) return null;
  const limited = row.libraries !== null || row.path_scope !== null;
  return {
    kind,
    id,
    name: row.name,
    role: row.role,
    scopes: row.key_scopes === null ? (row.role_scopes ?? []) : scopesOfKey(row.key_scopes, row.role_scopes, limited),
    carrier: keyId === null ? 'session' : 'key',
    ...(keyId === null ? {} : { keyId, keyLimits: { libraries: row.libraries, pathScope: row.path_scope } }),
    accessGeneration: row.generation,
    bypass: row.bypass && !limited,
  };
}
