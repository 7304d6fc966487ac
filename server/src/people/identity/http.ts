import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { nullable } from '../../platform/schemas.ts';
import { allowedActions } from '../access/index.ts';
import { recordEvent } from '../audit/index.ts';
import './tables.ts';
import { bootstrapAdministrator, updateUser, usersExist } from './accounts.ts';
import { clearSessionCookie, personOf, readDeviceCookie, setDeviceCookie, setSessionCookie } from './authenticate.ts';
import { verifyPassword } from './credentials.ts';
import { accountRoutes, keyRoutes } from './http-admin.ts';
import { factorAdminRoutes, factorRoutes } from './http-factors.ts';
import { invitationRoutes, signInRoutes } from './http-people.ts';
import { sessionSettingRoutes } from './http-session-settings.ts';
import { createLimiter, type Limiter, passwordChangeSubjects } from './limiter.ts';
import { presentPrincipal, presentSession } from './present.ts';
import { AuthStatus, BootstrapIn, LoginIn, PasswordChangeIn, PrincipalOut, ProfileIn, SessionOut } from './schemas.ts';
import { readGlobalSession } from './session-settings.ts';
import { endSessions, isPersistent, listSessions, openSession, replaceToken } from './sessions.ts';
import { deviceCookieFor, type SignInProviders, signIn } from './sign-in.ts';
import { newNetworks } from './sign-in-history.ts';

const tags = ['identity'];
const Nothing = Type.Null();

function sessionRoutes(app: App, { db, settings }: Dependencies, providers: SignInProviders, limiter: Limiter): void {
  app.get(
    '/auth/status',
    { config: { scope: 'public' }, schema: { tags, summary: 'Get whether to sign in, set up, or neither', response: { 200: AuthStatus } } },
    async (request) => {
      const users_exist = await usersExist(db);
      const mode = !settings.authEnabled ? ('disabled' as const) : users_exist ? ('enabled' as const) : ('bootstrap' as const);
      const { oidc, ldap } = await providers.offered();
      return {
        auth_enabled: settings.authEnabled,
        users_exist,
        mode,
        oidc_enabled: oidc.length > 0,
        ldap_enabled: ldap,
        oidc_providers: oidc,
        session_hours: (await readGlobalSession(db)).ttl_hours ?? settings.sessionTtlHours,
        header_user: providers.personNamedByProxy(request),
      };
    },
  );

  app.post(
    '/auth/bootstrap',
    {
      config: { scope: 'public' },
      schema: { tags, summary: 'Create the first administrator', body: BootstrapIn, response: { 201: PrincipalOut } },
    },
    async (request, reply) => {
      // Nothing can be guessed here, so nothing is counted: the answer is 409 for good, before any password is hashed.
      if (await usersExist(db)) throw problem('bootstrap_done');
      const actor = actorOf(request);
      const id = await bootstrapAdministrator(db, request.body.username, request.body.password, actor);
      setSessionCookie(reply, settings, (await openSession(db, id, { ip: actor.ip, userAgent: actor.userAgent })).token);
      setDeviceCookie(reply, settings, await deviceCookieFor(db, id));
      return reply.code(201).send(await presentPrincipal(db, id));
    },
  );

  app.post(
    '/auth/login',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Sign in',
        body: LoginIn,
        response: { 200: Type.Object({ principal: PrincipalOut, warning: nullable(Type.String()) }) },
      },
    },
    async (request, reply) => {
      const { id, token, device } = await signIn(
        { db, settings },
        limiter,
        providers,
        { ...request.body, device: readDeviceCookie(request) },
        actorOf(request),
      );
      setSessionCookie(reply, settings, token, request.body.remember !== false);
      setDeviceCookie(reply, settings, device);
      return { principal: await presentPrincipal(db, id), warning: warningFor(request) };
    },
  );

  app.post(
    '/auth/logout',
    { config: { scope: 'session' }, schema: { tags, summary: 'Sign out', response: { 204: Nothing } } },
    async (request, reply) => {
      const { id, sessionId } = personOf(request);
      await endSessions(db, id, { only: sessionId });
      await recordEvent(db, { event_type: 'logout', principal_id: id, ip: request.clientAddress });
      clearSessionCookie(reply, settings);
      return reply.code(204).send(null);
    },
  );

  const presentOwn = async (request: FastifyRequest) => ({
    ...(await presentPrincipal(db, personOf(request).id)),
    must_enrol: request.principal?.mustEnrol === true,
    actions: await allowedActions(db, callerOf(request)),
  });
  app.get(
    '/auth/me',
    { config: { scope: 'session' }, schema: { tags, summary: 'Get your account', response: { 200: PrincipalOut } } },
    async (request) => presentOwn(request),
  );

  app.patch(
    '/auth/me',
    { config: { scope: 'session' }, schema: { tags, summary: 'Update your profile', body: ProfileIn, response: { 200: PrincipalOut } } },
    async (request) => {
      const { id } = personOf(request);
      await updateUser(db, id, request.body, actorOf(request));
      return presentOwn(request);
    },
  );

  app.put(
    '/auth/me/preferences',
    {
      config: { scope: 'session' },
      bodyLimit: 8192,
      schema: {
        tags,
        summary: 'Replace your console preferences',
        body: Type.Record(Type.String({ maxLength: 64 }), Type.Unknown()),
        response: { 200: PrincipalOut },
      },
    },
    async (request) => {
      const { id } = personOf(request);
      await db
        .updateTable('principals')
        .set({ preferences: JSON.stringify(request.body) })
        .where('id', '=', id)
        .execute();
      return presentOwn(request);
    },
  );

  app.post(
    '/auth/password',
    {
      config: { scope: 'session' },
      schema: {
        tags,
        summary: 'Change your password',
        description: 'Ends your other sessions. Your API keys stay valid unless `revoke_api_keys` is true.',
        body: PasswordChangeIn,
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const { id, sessionId } = personOf(request);
      const attempt = await limiter.take(passwordChangeSubjects(id));
      const row = await db.selectFrom('principals').select('password_hash').where('id', '=', id).executeTakeFirst();
      const matches = await attempt.evaluate(() => verifyPassword(row?.password_hash ?? null, request.body.current_password));
      if (!matches) {
        await attempt.fail();
        throw problem('password_wrong');
      }
      await attempt.succeed();
      const { new_password: password, revoke_api_keys = false } = request.body;
      await updateUser(db, id, { password, revoke_api_keys }, actorOf(request), { keepSession: sessionId });
      // This session keeps its second factor and its provider, but a copy of its token must end with the old password.
      setSessionCookie(reply, settings, await replaceToken(db, sessionId), await isPersistent(db, sessionId));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/auth/sessions',
    { config: { scope: 'session' }, schema: { tags, summary: 'List your sessions', response: { 200: Type.Array(SessionOut) } } },
    async (request) => {
      const { id, sessionId } = personOf(request);
      const rows = await listSessions(db, settings, id);
      const unusual = await newNetworks(db, id, rows);
      return rows.map((row) => presentSession(row, unusual, sessionId));
    },
  );

  app.delete(
    '/auth/sessions/:session_id',
    {
      config: { scope: 'session' },
      schema: {
        tags,
        summary: 'End one of your sessions',
        params: Type.Object({ session_id: Type.String({ format: 'uuid' }) }),
        response: { 204: Nothing },
      },
    },
    async (request, reply) => {
      const { id } = personOf(request);
      if ((await endSessions(db, id, { only: request.params.session_id })) === 0) throw notFound('session');
      await recordEvent(db, {
        event_type: 'session_revoked',
        principal_id: id,
        ip: request.clientAddress,
        details: { session_id: request.params.session_id },
      });
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/auth/sessions/revoke-all',
    { config: { scope: 'session' }, schema: { tags, summary: 'End all your other sessions', response: { 204: Nothing } } },
    async (request, reply) => {
      const { id, sessionId } = personOf(request);
      const ended = await endSessions(db, id, { except: sessionId });
      await recordEvent(db, { event_type: 'session_revoked', principal_id: id, ip: request.clientAddress, details: { ended } });
      return reply.code(204).send(null);
    },
  );
}

/** Over plain HTTP a browser on another machine drops the Secure cookie, which would look like a failed sign-in. */
function warningFor(request: FastifyRequest): string | null {
  const secure = request.secure || /^(localhost|127\.|\[::1\])/.test(request.publicHost);
  return secure
    ? null
    : 'This page is not encrypted, so the browser will not keep you signed in. Put the service behind HTTPS or set SVC_TLS_CERT_FILE.';
}

export { createAuthenticator, createRenewal } from './authenticate.ts';

export function identityRoutes(app: App, deps: Dependencies, providers: SignInProviders): void {
  const limiter = createLimiter(deps.db, deps.settings);
  sessionRoutes(app, deps, providers, limiter);
  factorRoutes(app, deps, limiter);
  factorAdminRoutes(app, deps);
  invitationRoutes(app, deps);
  signInRoutes(app, deps);
  accountRoutes(app, deps);
  keyRoutes(app, deps);
  sessionSettingRoutes(app, deps);
}
