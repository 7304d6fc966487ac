import type { FastifyReply, FastifyRequest } from 'fastify';
import { sql } from 'kysely';
import type { Database, Db } from '../../platform/database/index.ts';
import { type Principal, problem, type Scope } from '../../platform/http/index.ts';
import type { Parts } from '../../platform/parts.ts';
import { clearCookie, readCookie, setCookie } from './cookie.ts';
import { useSession } from './sessions.ts';
import { digestOf } from './tokens.ts';

/**
 * Reads who asks. A Bearer key wins over the cookie. No credential is null (the route decides), a bad one is 401.
 */
export function createAuthenticator({
  db,
  database,
  settings,
}: Parts): (request: FastifyRequest, reply: FastifyReply) => Promise<Principal | null> {
  return async (request, reply) => {
    if (!settings.authEnabled) return openPrincipal;
    const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer) return keyPrincipal(database, bearer.trim());
    const token = readCookie(request);
    if (!token) return null;
    refuseCrossSite(request);
    const session = await useSession(db, settings, token);
    if (!session) {
      clearCookie(reply, settings);
      throw problem('credentials_bad', 'The session has ended. Sign in again.');
    }
    if (session.newToken) setCookie(reply, settings, session.newToken);
    return userPrincipal(db, session.principal_id, session.id);
  };
}

/** With SVC_AUTH_ENABLED=false every caller is this one. */
export const openPrincipal: Principal = {
  kind: 'open',
  id: null,
  name: 'everyone',
  role: 'admin',
  scopes: ['admin'],
  carrier: 'open',
  bypass: true,
};

async function userPrincipal(db: Db, id: string, sessionId: string): Promise<Principal> {
  const row = await db
    .selectFrom('principals as p')
    .innerJoin('roles as r', 'r.name', 'p.global_role')
    .select(['p.id', 'p.username', 'p.global_role', 'p.disabled', 'r.scopes', 'r.bypass', generation.as('generation')])
    .where('p.id', '=', id)
    .executeTakeFirst();
  if (!row) throw problem('credentials_bad');
  if (row.disabled) throw problem('account_disabled');
  return {
    kind: 'user',
    id,
    name: row.username,
    role: row.global_role,
    scopes: row.scopes,
    carrier: 'session',
    sessionId,
    accessGeneration: row.generation,
    bypass: row.bypass,
  };
}

/** Read with the credential itself: rights remembered under it are those that hold now. */
const generation = sql<string>`(select g.generation from access_generation g)`;

interface KeyRow {
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
  expired: boolean;
  unused: boolean;
  libraries: string[] | null;
  path_scope: string | null;
}

/** Asked by every request with a key, so it is planned once a connection. */
const ownerOfKey = `select (select g.generation from access_generation g) as generation, k.id, k.name, k.scopes, k.libraries, k.path_scope, coalesce(s.id, p.id) owner,
    coalesce(s.name, p.username) owner_name, p.global_role as role, r.scopes as role_scopes, r.bypass as role_bypass, coalesce(s.disabled, p.disabled) disabled,
    s.id is not null as service, coalesce(k.expires_at <= now(), false) expired, coalesce(k.last_used_at < now() - interval '1 minute', true) unused
  from api_keys k left join service_accounts s on s.id = k.service_account_id left join principals p on p.id = k.principal_id left join roles r on r.name = p.global_role
  where k.key_hash = $1`;

async function keyPrincipal({ db, pool }: Database, key: string): Promise<Principal> {
  const { rows } = await pool.query<KeyRow>({ name: 'owner-of-key', text: ownerOfKey, values: [digestOf(key)] });
  const row = rows[0];
  if (!row) throw problem('credentials_bad', 'This API key is unknown or revoked.');
  if (row.expired) throw problem('credentials_bad', 'This API key has expired.');
  if (row.disabled) throw problem('account_disabled');
  if (row.unused) await sql`update api_keys set last_used_at = now() where id = ${row.id}`.execute(db);
  return {
    kind: row.service ? 'service' : 'user',
    id: row.owner,
    name: row.owner_name ?? row.name,
    role: row.role,
    // A person's key never reaches further than the person does now.
    scopes: row.role_scopes ? lesser(row.scopes, row.role_scopes) : row.scopes,
    carrier: 'key',
    keyId: row.id,
    accessGeneration: row.generation,
    keyLimits: { libraries: row.libraries, pathScope: row.path_scope },
    bypass: (row.service || row.role_bypass === true) && row.libraries === null && row.path_scope === null,
  };
}

const order: readonly Scope[] = ['read', 'write', 'admin'];
function lesser(a: readonly Scope[], b: readonly Scope[]): Scope[] {
  const height = (scopes: readonly Scope[]) => Math.max(-1, ...scopes.map((scope) => order.indexOf(scope)));
  return order.slice(0, Math.min(height(a), height(b)) + 1);
}

/** A page of another site must not ride on the cookie. Browsers say where a request comes from; programs without a browser say nothing. */
function refuseCrossSite(request: FastifyRequest): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw problem('cross_site');
  const { origin, host } = request.headers;
  if (
    origin !== undefined &&
    origin !== 'null' &&
    URL.canParse(origin) &&
    new URL(origin).host !== (request.headers['x-forwarded-host'] ?? host)
  )
    throw problem('cross_site');
}
