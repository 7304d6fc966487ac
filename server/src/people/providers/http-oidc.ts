import { randomBytes } from 'node:crypto';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { noExtraFields, nullable } from '../../platform/schemas.ts';
import { recordEvent } from '../audit/index.ts';
import { deviceCookieFor, setDeviceCookie, setSessionCookie } from '../identity/index.ts';
import { OidcFailure } from './oidc/failure.ts';
import { createOidcLogout } from './oidc/logout.ts';
import type { OidcService } from './oidc/service.ts';

const tags = ['sign-in providers'];
const open = { scope: 'public' } as const;
const ProviderName = Type.String({ maxLength: 64, default: 'default' });

/** Ties a sign-in to the browser that started it, so that nobody can plant the end of their own sign-in in another browser. */
const browserCookieName = '__Host-catalog_sso';
const browserCookie = { path: '/', httpOnly: true, secure: true, sameSite: 'lax', maxAge: 600 } as const;
const browserPattern = /^[A-Za-z0-9_-]{43}$/;

/** A path of this console: one slash, not followed by another one or a backslash, which browsers read as the start of a host. */
function safeReturnTo(given: string | undefined): string {
  return given !== undefined && /^\/(?![/\\])[^\u0000-\u001f\u007f\\]*$/.test(given) ? given : '/';
}

export function oidcRoutes(app: App, deps: Dependencies, oidc: OidcService): void {
  const { db, settings, log } = deps;
  const logout = createOidcLogout(deps, oidc);

  const baseUrl = (request: FastifyRequest): string => {
    if (settings.publicBaseUrl) return settings.publicBaseUrl.replace(/\/+$/, '');
    return `${request.secure ? 'https' : 'http'}://${request.publicHost}`;
  };

  const browserOf = (request: FastifyRequest): string => {
    const known = request.cookies[browserCookieName];
    return known && browserPattern.test(known) ? known : randomBytes(32).toString('base64url');
  };

  async function fail(request: FastifyRequest, reply: FastifyReply, error: unknown): Promise<FastifyReply> {
    if (!(error instanceof OidcFailure)) throw error;
    log.warning(`OpenID sign-in failed (${error.reason}): ${error.message}`, { request_id: request.id });
    const { ip, userAgent } = actorOf(request);
    await recordEvent(db, {
      event_type: 'login_failure',
      ip,
      user_agent: userAgent ?? null,
      details: { method: 'oidc', reason: error.reason },
    });
    return reply.redirect(`/?sso_error=${error.reason}`, 303);
  }

  async function requireOffered(): Promise<void> {
    if ((await oidc.offered()).length === 0) throw problem('not_found', 'Single sign-on is not configured.');
  }

  app.get(
    '/auth/oidc/login',
    {
      config: { ...open, raw: true },
      schema: {
        tags,
        summary: 'Start a sign-in with an OpenID provider',
        querystring: Type.Object(
          { return_to: Type.Optional(Type.String({ maxLength: 4096 })), provider: Type.Optional(ProviderName) },
          noExtraFields,
        ),
        response: { 303: Type.Null({ description: 'To the provider, or to /?sso_error= with a reason.' }) },
      },
    },
    async (request, reply) => {
      await requireOffered();
      const { return_to, provider: name = 'default' } = request.query;
      const browser = browserOf(request);
      try {
        const redirectUri = `${baseUrl(request)}/api/v1/auth/oidc/callback`;
        const url = await oidc.start({ name, browser, returnTo: safeReturnTo(return_to), redirectUri });
        reply.setCookie(browserCookieName, browser, browserCookie);
        return reply.redirect(url.href, 303);
      } catch (error) {
        return fail(request, reply, error);
      }
    },
  );

  const Value = Type.Optional(Type.String({ maxLength: 8192 }));
  app.get(
    '/auth/oidc/callback',
    {
      config: { ...open, raw: true },
      schema: {
        tags,
        summary: 'Complete a sign-in with an OpenID provider',
        // Providers add parameters of their own, so unknown ones are accepted here.
        querystring: Type.Object({ code: Value, state: Value, error: Value, error_description: Value, iss: Value }),
        response: { 303: Type.Null({ description: 'To the page that asked for the sign-in, or to /?sso_error= with a reason.' }) },
      },
    },
    async (request, reply) => {
      await requireOffered();
      const query = new URL(request.url, 'http://service').searchParams;
      try {
        const done = await oidc.complete(query, request.cookies[browserCookieName], actorOf(request));
        if (!done.connected) {
          setSessionCookie(reply, settings, done.token);
          setDeviceCookie(reply, settings, await deviceCookieFor(db, done.id));
        }
        return reply.redirect(done.returnTo, 303);
      } catch (error) {
        return fail(request, reply, error);
      }
    },
  );

  // A POST, so that another site cannot connect an identity of its choice to the account of a visitor.
  app.post(
    '/auth/oidc/connect',
    {
      config: { scope: 'session' },
      schema: {
        tags,
        summary: 'Start connecting your account with an OpenID provider',
        body: Type.Object({ provider: Type.Optional(ProviderName) }, noExtraFields),
        response: { 200: Type.Object({ url: Type.String({ description: 'The page of the provider to open.' }) }) },
      },
    },
    async (request, reply) => {
      await requireOffered();
      const { id } = callerOf(request);
      if (id === null) throw problem('session_required');
      const browser = browserOf(request);
      const redirectUri = `${baseUrl(request)}/api/v1/auth/oidc/callback`;
      try {
        const name = request.body.provider ?? 'default';
        const url = await oidc.start({ name, browser, returnTo: '/#/account', redirectUri, connectTo: id });
        reply.setCookie(browserCookieName, browser, browserCookie);
        return { url: url.href };
      } catch (error) {
        if (!(error instanceof OidcFailure)) throw error;
        if (error.reason === 'not_configured') throw problem('not_found', error.message);
        throw problem('conflict', 'The provider cannot be reached or is not set up correctly. Try again later.');
      }
    },
  );

  app.get(
    '/auth/oidc/logout-url',
    {
      config: { scope: 'session' },
      schema: {
        tags,
        summary: 'Get the page that also signs you out at your provider',
        response: { 200: Type.Object({ url: nullable(Type.String()) }) },
      },
    },
    async (request) => {
      const { sessionId } = callerOf(request);
      return { url: sessionId ? await logout.providerLogoutUrl(sessionId, `${baseUrl(request)}/`) : null };
    },
  );

  app.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string', bodyLimit: 65_536 }, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.post(
      '/auth/oidc/backchannel-logout',
      {
        config: open,
        schema: {
          tags,
          summary: 'End sessions because their provider ended them',
          consumes: ['application/x-www-form-urlencoded'],
          querystring: Type.Object({ provider: Type.Optional(ProviderName) }, noExtraFields),
          body: Type.Object({ logout_token: Type.String({ maxLength: 32_768 }) }),
          response: { 200: Type.Object({ ended: Type.Integer() }) },
        },
      },
      async (request, reply) => {
        await requireOffered();
        const { logout_token } = request.body as { logout_token: string };
        const { provider = 'default' } = request.query as { provider?: string };
        reply.header('cache-control', 'no-store');
        try {
          return { ended: await logout.backChannelLogout(logout_token, provider) };
        } catch (error) {
          if (!(error instanceof OidcFailure)) throw error;
          if (error.reason === 'not_configured') throw problem('not_found', error.message);
          throw problem('conflict', 'The provider’s keys cannot be read at the moment. Send the token again.');
        }
      },
    );
  });
}
