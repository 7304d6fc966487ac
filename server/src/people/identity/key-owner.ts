import { sql } from 'kysely';
import { type Database, one } from '../../platform/database/index.ts';
import type { Principal, Scope } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import { digestOf } from './credentials.ts';

/** The database's clock and the access generation at that time. */
interface AccessState {
  generation: string;
  now: number;
}

const pendingReads = new WeakMap<Database['pool'], Promise<AccessState>>();

/**
 * Reads the access generation. Requests of one event loop turn share one read, which is sent after the last of them arrived, so no request
 * gets a value older than itself.
 */
function readAccessState({ pool }: Pick<Database, 'pool'>): Promise<AccessState> {
  const shared = pendingReads.get(pool);
  if (shared) return shared;
  const reading = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
    // The statement is about to be sent: later requests must start a new read.
    pendingReads.delete(pool);
    const { rows } = await pool.query<AccessState>({ name: 'access-generation', text: statement });
    return one(rows);
  });
  pendingReads.set(pool, reading);
  return reading;
}

const statement = `select generation, extract(epoch from now())::float8 * 1000 as now from access_generation`;

/**
 * The principal of an API key, cached while the access generation stays the same. The generation is read for every request, and revoking,
 * changing or disabling raises it in the same transaction, so every process applies a change from the next request on. Expiry changes no
 * row, so it is compared with the database's clock on every request.
 */
interface CachedOwner {
  generation: string;
  keyId: string;
  principal: Principal;
  expiresAt: number | null;
  /** When last_used_at was last written; at most once a minute. */
  usedAt: number;
}

const caches = new WeakMap<Database['pool'], Map<string, CachedOwner>>();
const maxCached = 2000;
const stampEveryMs = 60_000;

export async function keyPrincipal(database: Database, key: string): Promise<Principal> {
  const digest = digestOf(key);
  const owners = ownersOf(database);
  const state = await readAccessState(database);
  let owner = owners.get(digest);
  if (owner?.generation !== state.generation) {
    owner = await readOwner(database, digest);
    owners.delete(digest);
    owners.set(digest, owner);
    for (const oldest of owners.keys()) {
      if (owners.size <= maxCached) break;
      owners.delete(oldest);
    }
  }
  if (owner.expiresAt !== null && owner.expiresAt <= state.now)
    throw problem('credentials_bad', 'This API key has expired. Create a new one.');
  if (owner.usedAt < state.now - stampEveryMs) {
    owner.usedAt = state.now;
    await sql`update api_keys set last_used_at = now() where id = ${owner.keyId}`.execute(database.db);
  }
  return owner.principal;
}

function ownersOf({ pool }: Database): Map<string, CachedOwner> {
  const owners = caches.get(pool) ?? new Map<string, CachedOwner>();
  caches.set(pool, owners);
  return owners;
}

interface KeyOwnerRow {
  generation: string;
  id: string;
  name: string;
  scopes: Scope[];
  owner: string | null;
  owner_name: string | null;
  role: string | null;
  role_scopes: Scope[] | null;
  role_bypass: boolean | null;
  disabled: boolean | null;
  service: boolean;
  expires: number | null;
  used: number | null;
  libraries: string[] | null;
  path_scope: string | null;
}

/** Reads the generation in the same statement, so that the cached owner belongs to exactly that generation. */
const ownerOfKey = `select (select g.generation from access_generation g) as generation, k.id, k.name, k.scopes, k.libraries, k.path_scope, coalesce(s.id, p.id) owner,
    coalesce(s.name, p.username) owner_name, p.global_role as role, r.scopes as role_scopes, r.bypass as role_bypass, coalesce(s.disabled, p.disabled) disabled,
    s.id is not null as service, extract(epoch from k.expires_at)::float8 * 1000 as expires, extract(epoch from k.last_used_at)::float8 * 1000 as used
  from api_keys k left join service_accounts s on s.id = k.service_account_id left join principals p on p.id = k.principal_id left join roles r on r.name = p.global_role
  where k.key_hash = $1`;

async function readOwner({ pool }: Database, digest: string): Promise<CachedOwner> {
  const { rows } = await pool.query<KeyOwnerRow>({ name: 'owner-of-key', text: ownerOfKey, values: [digest] });
  const row = rows[0];
  if (!row) throw problem('credentials_bad', 'This API key is unknown or revoked. Check the key or create a new one.');
  if (row.disabled) throw problem('account_disabled');
  const limited = row.libraries !== null || row.path_scope !== null;
  const principal: Principal = {
    kind: row.service ? 'service' : 'user',
    id: row.owner,
    name: row.owner_name ?? row.name,
    role: row.role,
    scopes: scopesOfKey(row.scopes, row.role_scopes, limited),
    carrier: 'key',
    keyId: row.id,
    accessGeneration: row.generation,
    keyLimits: { libraries: row.libraries, pathScope: row.path_scope },
    bypass: (row.service || row.role_bypass === true) && !limited,
  };
  return { generation: row.generation, keyId: row.id, principal: Object.freeze(principal), expiresAt: row.expires, usedAt: row.used ?? 0 };
}

/** A personal key has at most the scopes its owner has now, and a key with limits is never an administrator. */
export function scopesOfKey(scopes: readonly Scope[], roleScopes: readonly Scope[] | null, limited: boolean): Scope[] {
  const owned = roleScopes ? narrowerScopes(scopes, roleScopes) : [...scopes];
  return limited ? narrowerScopes(owned, ['write']) : owned;
}

const scopeOrder: readonly Scope[] = ['read', 'write', 'admin'];
function narrowerScopes(a: readonly Scope[], b: readonly Scope[]): Scope[] {
  const level = (scopes: readonly Scope[]) => Math.max(-1, ...scopes.map((scope) => scopeOrder.indexOf(scope)));
  return scopeOrder.slice(0, Math.min(level(a), level(b)) + 1);
}
