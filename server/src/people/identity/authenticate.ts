import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { Principal } from '../../platform/principal.ts';
import { problem } from '../../platform/problem.ts';
import type { Settings } from '../../settings/index.ts';
import { keyPrincipal } from './key-owner.ts';
import { openPrincipal } from './open-principal.ts';
import { ownerOf } from './owner.ts';
import { renewPrincipal } from './renew.ts';
import { type ActiveSession, authenticateSession, endedByTime } from './sessions.ts';
import { useStreamToken } from './stream-tokens.ts';

/**
 * Identifies the caller. A Bearer key takes precedence over the cookie, and both over the token of an event stream. Returns null without a
 * credential; throws 401 for an invalid one.
 */
export function createAuthenticator({
  database,
  settings,
}: Dependencies): (request: FastifyRequest, reply: FastifyReply) => Promise<Principal | null> {
  /** The caller of `?stream_token=`, which only event streams accept. */
  const streamCaller = async ({ method, url, query }: FastifyRequest): Promise<Principal | null> => {
    const { stream_token } = query as { stream_token?: unknown };
    if (method !== 'GET' || typeof stream_token !== 'string') return null;
    const principal = await useStreamToken(database.db, settings, stream_token, url.split('?')[0] ?? '');
    if (!principal) throw problem('credentials_bad', 'The token is unknown, expired or used already. Request a new one.');
    return principal;
  };
  return async (request, reply) => {
    if (!settings.authEnabled) return openPrincipal;
    const bearer = /^Bearer\s+(.+)$/i.exec(request.headers.authorization ?? '')?.[1];
    if (bearer) return keyPrincipal(database, bearer.trim());
    const token = request.cookies[sessionCookieName];
    if (!token) return streamCaller(request);
    refuseCrossSite(request, settings);
    const session = await authenticateSession(database, settings, token);
    if (!session) {
      clearSessionCookie(reply, settings);
      const ended = await endedByTime(database, settings, token);
      throw problem('credentials_bad', 'The session has ended. Sign in again.', ended ? { ended } : {});
    }
    if (session.newToken) setSessionCookie(reply, settings, session.newToken, session.persistent);
    if (session.must_enrol) requireEnrolmentRoute(session, request);
    return principalOf(session);
  };
}

/** Reads the rights of a caller again while a response is sent, without the request that they came with. */
export function createRenewal({ db, settings }: Dependencies): (principal: Principal) => Promise<Principal | null> {
  return (principal) => renewPrincipal(db, settings, { ...ownerOf(principal), sessionId: principal.sessionId });
}

/** The signed-in person; there is none when authentication is off. */
export function personOf(request: FastifyRequest): { id: string; sessionId: string } {
  const { principal } = request;
  if (!principal?.id || !principal.sessionId)
    throw problem('session_required', 'This needs a signed-in person, but authentication is off (SVC_AUTH_ENABLED=false).');
  return { id: principal.id, sessionId: principal.sessionId };
}

const leavingRoutes = new Set(['GET /api/v1/auth/me', 'POST /api/v1/auth/logout', 'GET /api/v1/auth/oidc/logout-url']);

/**
 * Until the second factor that the role requires is set up, only the routes for that work. Where the account has one already, the password
 * alone must not change it or set up another: it may be known to somebody else.
 */
function requireEnrolmentRoute({ has_factor }: ActiveSession, { method, routeOptions: { url = '', config } }: FastifyRequest): void {
  if (has_factor) {
    if (leavingRoutes.has(`${method} ${url}`)) return;
    throw problem('second_factor_missing', 'Your account has a second factor. Sign out, then sign in with it.');
  }
  // The sessions of a provider need no second factor, so connecting one would be a way around it.
  if (config.scope !== 'session' || url === '/api/v1/auth/oidc/connect') throw problem('second_factor_missing');
}

function principalOf({
  id: sessionId,
  principal_id: id,
  username,
  role,
  disabled,
  scopes,
  bypass,
  must_enrol,
  generation,
}: ActiveSession): Principal {
  if (disabled) throw problem('account_disabled');
  return {
    kind: 'user',
    id,
    name: username,
    role,
    scopes,
    carrier: 'session',
    sessionId,
    accessGeneration: generation,
    mustEnrol: must_enrol,
    bypass,
  };
}

/**
 * Rejects requests that another site makes with the cookie. Browsers say where a request comes from: in Sec-Fetch-Site, which pages cannot
 * set, or else in Origin. Clients that are not browsers send neither.
 */
function refuseCrossSite(request: FastifyRequest, { publicBaseUrl }: Settings): void {
  if (['GET', 'HEAD', 'OPTIONS'].includes(request.method)) return;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined) {
    if (site !== 'same-origin' && site !== 'none') throw problem('cross_site');
    return;
  }
  const { origin } = request.headers;
  if (origin === undefined) return;
  const from = URL.parse(origin);
  // The origin "null" of sandboxed pages, or any other that cannot be parsed, is foreign.
  if (from === null || from.host === '') throw problem('cross_site');
  const own = [URL.parse(`${from.protocol}//${request.publicHost}`), publicBaseUrl ? URL.parse(publicBaseUrl) : null];
  if (!own.some((address) => address !== null && address.host === from.host)) throw problem('cross_site');
}

/**
 * Cookies are always Secure: browsers store them over HTTPS, and over plain HTTP only on localhost. Browsers accept the prefix __Host- only
 * for a Secure cookie of this very host with the path /, so no other host of the domain can plant one.
 */
const sessionCookieName = '__Host-catalog_session';
const deviceCookieName = '__Host-catalog_device';
/** The longest time that browsers keep a cookie. */
const deviceCookieDays = 400;
/** The longest session that a role or account can have. The service ends sessions; the cookie only has to last as long. */
const longestSessionHours = 8760;

function cookieOptions({ sessionCookieSamesite }: Settings) {
  return { path: '/', httpOnly: true, secure: true, sameSite: sessionCookieSamesite } as const;
}

export function readDeviceCookie(request: FastifyRequest): string | undefined {
  return request.cookies[deviceCookieName];
}

/** A cookie without an age ends with the browser. */
export function setSessionCookie(reply: FastifyReply, settings: Settings, token: string, persistent = true): void {
  const maxAge = Math.max(settings.sessionTtlHours, longestSessionHours) * 3600;
  reply.setCookie(sessionCookieName, token, { ...cookieOptions(settings), ...(persistent ? { maxAge } : {}) });
}

export function setDeviceCookie(reply: FastifyReply, settings: Settings, value: string): void {
  reply.setCookie(deviceCookieName, value, { ...cookieOptions(settings), maxAge: deviceCookieDays * 86_400 });
}

export function clearSessionCookie(reply: FastifyReply, settings: Settings): void {
  reply.clearCookie(sessionCookieName, cookieOptions(settings));
}
