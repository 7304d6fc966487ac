export type Scope = 'read' | 'write' | 'admin';

/** The caller of a route. people/identity creates it; platform code only reads it. */
export interface Principal {
  /** `open` is used for every caller while SVC_AUTH_ENABLED is false. */
  kind: 'user' | 'service' | 'open';
  /** User or service account id; null for `open`. */
  id: string | null;
  name: string;
  /** Role name of a user; null for API keys. */
  role: string | null;
  scopes: readonly Scope[];
  carrier: 'session' | 'key' | 'open';
  sessionId?: string;
  keyId?: string;
  /** Restrictions of an API key: the libraries and the folder prefix it may read. */
  keyLimits?: { libraries: readonly string[] | null; pathScope: string | null };
  /** Changes with every change of grants, groups or roles. Decisions are cached by it; without it they are not cached. */
  accessGeneration?: string;
  /** The role requires a second factor that this session lacks; only routes of the own account work. */
  mustEnrol?: boolean;
  /** True when path grants do not restrict this caller. */
  bypass: boolean;
}

/** What a route requires: `public` nothing, `session` a signed-in user, `agent` an enrolled agent, otherwise at least this scope. */
export type RouteScope = 'public' | 'session' | 'agent' | Scope;

const rank: Record<Scope, number> = { read: 1, write: 2, admin: 3 };

/** admin includes write, and write includes read. */
export function hasScope(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.some((scope) => rank[scope] >= rank[needed]);
}

/** Who performed an action and from which address, for the audit log. */
export interface Actor {
  /** An account or a service account. */
  principalId: string | null;
  ip: string;
  userAgent?: string | undefined;
}
