/** Who asks, as every route sees it. Built by people/identity; platform code only reads it. */
export type Scope = 'read' | 'write' | 'admin';

export interface Principal {
  /** `open` stands for SVC_AUTH_ENABLED=false. */
  kind: 'user' | 'service' | 'open';
  /** User or service account id; null for `open`. */
  id: string | null;
  name: string;
  /** Role name of a user; keys have none. */
  role: string | null;
  scopes: readonly Scope[];
  carrier: 'session' | 'key' | 'open';
  sessionId?: string;
  keyId?: string;
  /** Limits a key carries: folder prefixes per library, and libraries. */
  keyLimits?: { libraries: readonly string[] | null; pathScope: string | null };
  /** Stands for all grants, groups and roles as they were when the credential was read; absent, nothing is remembered of this caller. */
  accessGeneration?: string;
  /** True when path grants do not restrict this caller. */
  bypass: boolean;
}

/** What a route asks for: `public` nothing, `session` any signed-in person, else the least scope. */
export type RouteScope = 'public' | 'session' | Scope;

const rank: Record<Scope, number> = { read: 1, write: 2, admin: 3 };

/** admin implies write implies read. */
export function hasScope(scopes: readonly Scope[], needed: Scope): boolean {
  return scopes.some((scope) => rank[scope] >= rank[needed]);
}

/** Who did something and from where, for the audit log. */
export interface Actor {
  principalId: string | null;
  ip: string;
  userAgent?: string | undefined;
}
