import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { keyPrincipal } from './key-owner.ts';
import { type ActiveSession, authenticateSession } from './sessions.ts';

/**
 * Identifies the caller. A Bearer key takes precedence over the cookie. Returns null without a credential; throws 401 for an invalid one.
 */
export function createAuthenticator({
  database,
  settings,
}: Dependencies): (request: FastifyRequest, reply: FastifyReply) => Promise<Principal | null> {
  return async (request, reply) => {
    if (!settings.authEnabled) return openPrincipal;
    const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer) return keyPrincipal(database, bearer.trim());
    const token = readCookie(request);
    if (!token) return null;
    refuseCrossSite(request);
    const session = await authenticateSession(database, settings, token);
    if (!session) {
      clearCookie(reply, settings);
      throw problem('credentials_bad', 'The session has ended. Sign in again.');
    }
    if (session.newToken) setCookie(reply, settings, session.newToken);
    return personOf(session);
  };
}

/** The principal of every caller when SVC_AUTH_ENABLED=false. */
export const openPrincipal: Principal = {
  kind: 'open',
  id: null,
  name: 'everyone',
  role: 'admin',
  scopes: ['admin'],
  carrier: 'open',
  bypass: true,
};

function personOf({ id: sessionId, principal_id: id, username, role, disabled, scopes, bypass, generation }: ActiveSession): Principal {
  if (disabled) throw problem('account_disabled');
  return { kind: 'user', id, name: username, role, scopes, carrier: 'session', sessionId, accessGeneration: generation, bypass };
}

/** Rejects requests that another site makes with the cookie. Browsers send the origin; clients that are not browsers send none. */
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

/** Always Secure: browsers store it over HTTPS, and over plain HTTP only on localhost. */
const cookieName = 'catalog_session';

function readCookie(request: FastifyRequest): string | undefined {
  return request.cookies[cookieName];
}

export function setCookie(reply: FastifyReply, settings: Settings, token: string): void {
  reply.setCookie(cookieName, token, {
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: settings.sessionCookieSamesite,
    maxAge: Math.round(settings.sessionTtlHours * 3600),
  });
}

export function clearCookie(reply: FastifyReply, settings: Settings): void {
  reply.clearCookie(cookieName, { path: '/', httpOnly: true, secure: true, sameSite: settings.sessionCookieSamesite });
}
