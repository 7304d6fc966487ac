import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Principal } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Settings } from '../../settings/index.ts';
import { keyPrincipal } from './key-owner.ts';
import { type ActiveSession, authenticateSession } from './sessions.ts';

/**
 * Reads who asks. A Bearer key wins over the cookie. No credential is null (the route decides), a bad one is 401.
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

function personOf({ id: sessionId, principal_id: id, username, role, disabled, scopes, bypass, generation }: ActiveSession): Principal {
  if (disabled) throw problem('account_disabled');
  return { kind: 'user', id, name: username, role, scopes, carrier: 'session', sessionId, accessGeneration: generation, bypass };
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

/** Secure always: browsers keep it over https, and over plain http only on the machine itself (localhost). */
const name = 'catalog_session';

export function readCookie(request: FastifyRequest): string | undefined {
  return request.cookies[name];
}

export function setCookie(reply: FastifyReply, settings: Settings, token: string): void {
  reply.setCookie(name, token, {
    path: '/',
    httpOnly: true,
    secure: true,
    sameSite: settings.sessionCookieSamesite,
    maxAge: Math.round(settings.sessionTtlHours * 3600),
  });
}

export function clearCookie(reply: FastifyReply, settings: Settings): void {
  reply.clearCookie(name, { path: '/', httpOnly: true, secure: true, sameSite: settings.sessionCookieSamesite });
}
