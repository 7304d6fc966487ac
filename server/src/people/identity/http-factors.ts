import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, JsonObject, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { recordEvent } from '../audit/index.ts';
import { personOf, readDeviceCookie, setDeviceCookie, setSessionCookie } from './authenticate.ts';
import { verifyPassword } from './credentials.ts';
import { type Limiter, passkeySubjects, passwordChangeSubjects } from './limiter.ts';
import {
  enterWithPasskey,
  finishRegistration,
  listPasskeys,
  type PasskeyRow,
  passkeyUnknown,
  removePasskey,
  renamePasskey,
  type Site,
  startPasskeySignIn,
  startRegistration,
  verifyPasskey,
} from './passkeys.ts';
import { presentPrincipal } from './present.ts';
import { PrincipalOut } from './schemas.ts';
import { confirmTotp, readFactors, removeFactors, replaceRecoveryCodes, startTotp } from './second-factor.ts';
import { deviceCookieFor } from './sign-in.ts';

const tags = ['identity'];
const session = { scope: 'session' } as const;
const open = { scope: 'public' } as const;
const PasswordIn = Type.Object({ current_password: Type.String({ maxLength: 1024 }) }, noExtraFields);
const Code = Type.String({ minLength: 1, maxLength: 64 });
const Codes = Type.Object({ recovery_codes: Type.Array(Type.String()) });
const Passkey = Type.Object({ id: Id, name: Type.String(), created_at: Time, last_used_at: nullable(Time) }, { title: 'Passkey' });
const PasskeyName = Type.String({ minLength: 1, maxLength: 120 });
/** What the browser's credential functions take and return. */
const Credential = JsonObject;

const presentPasskey = (row: PasskeyRow) => ({
  ...row,
  created_at: row.created_at.toISOString(),
  last_used_at: row.last_used_at?.toISOString() ?? null,
});

export function factorRoutes(app: App, deps: Dependencies, limiter: Limiter): void {
  const { db, settings } = deps;

  /** A change of how a person signs in needs the password again, so that an unattended browser is not enough. */
  async function requirePassword(request: FastifyRequest, password: string): Promise<{ id: string; sessionId: string }> {
    const person = personOf(request);
    const attempt = await limiter.take(passwordChangeSubjects(person.id));
    const row = await db.selectFrom('principals').select('password_hash').where('id', '=', person.id).executeTakeFirst();
    const matches = await attempt.evaluate(() => verifyPassword(row?.password_hash ?? null, password));
    if (!matches) {
      await attempt.fail();
      throw problem('password_wrong');
    }
    await attempt.succeed();
    return person;
  }

  /** Passkeys belong to the host of the public address, or else to the host in the browser's address bar. */
  function siteOf(request: FastifyRequest): Site {
    const url = URL.parse(settings.publicBaseUrl ?? `https://${request.publicHost}`);
    const origins = [url?.origin ?? '', `https://${request.publicHost}`, `http://${request.publicHost}`];
    return { id: url?.hostname ?? 'localhost', origins };
  }

  app.get(
    '/auth/second-factors',
    {
      config: session,
      schema: {
        tags,
        summary: 'Get your second factors and passkeys',
        response: {
          200: Type.Object({
            totp: Type.Boolean(),
            totp_confirmed_at: nullable(Time),
            recovery_codes_left: Type.Integer(),
            required: Type.Boolean({ description: 'Your role requires a second factor.' }),
            passkeys: Type.Array(Passkey),
          }),
        },
      },
    },
    async (request) => {
      const { id } = personOf(request);
      const { totp_confirmed_at, ...state } = await readFactors(db, id);
      return {
        ...state,
        totp: totp_confirmed_at !== null,
        totp_confirmed_at: totp_confirmed_at?.toISOString() ?? null,
        passkeys: (await listPasskeys(db, id)).map(presentPasskey),
      };
    },
  );

  app.post(
    '/auth/totp',
    {
      config: session,
      schema: {
        tags,
        summary: 'Start the set-up of an authenticator app',
        body: PasswordIn,
        response: { 200: Type.Object({ secret: Type.String(), url: Type.String() }) },
      },
    },
    async (request) => {
      const { id } = await requirePassword(request, request.body.current_password);
      const { username } = await presentPrincipal(db, id);
      return startTotp(db, settings, id, username);
    },
  );

  app.post(
    '/auth/totp/confirm',
    {
      config: session,
      schema: {
        tags,
        summary: 'Finish the set-up of an authenticator app; returns recovery codes once',
        body: Type.Object({ code: Code }, noExtraFields),
        response: { 200: Codes },
      },
    },
    async (request) => {
      const { id, sessionId } = personOf(request);
      const attempt = await limiter.take(passwordChangeSubjects(id));
      const { code } = request.body;
      return { recovery_codes: await attempt.settle(() => confirmTotp(db, settings, id, sessionId, code, actorOf(request))) };
    },
  );

  app.post(
    '/auth/totp/remove',
    { config: session, schema: { tags, summary: 'Remove your authenticator app', body: PasswordIn, response: { 204: NoContent } } },
    async (request, reply) => {
      const { id } = await requirePassword(request, request.body.current_password);
      const { required } = await readFactors(db, id);
      if (required) throw problem('conflict', 'Your role requires a second factor, so it cannot be removed.');
      await removeFactors(db, settings, id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/auth/recovery-codes',
    { config: session, schema: { tags, summary: 'Replace your recovery codes', body: PasswordIn, response: { 200: Codes } } },
    async (request) => {
      const { id } = await requirePassword(request, request.body.current_password);
      const { totp_confirmed_at } = await readFactors(db, id);
      if (!totp_confirmed_at) throw problem('conflict', 'Set up an authenticator app first.');
      const recovery_codes = await db.transaction().execute(async (trx) => {
        await recordEvent(trx, { event_type: 'recovery_codes_replaced', principal_id: id, ip: request.clientAddress });
        return replaceRecoveryCodes(trx, id);
      });
      return { recovery_codes };
    },
  );

  app.post(
    '/auth/passkeys/options',
    { config: session, schema: { tags, summary: 'Start adding a passkey', body: PasswordIn, response: { 200: Credential } } },
    async (request) => {
      const { id } = await requirePassword(request, request.body.current_password);
      const { username, display_name } = await presentPrincipal(db, id);
      return { ...(await startRegistration(db, siteOf(request), { id, username, displayName: display_name })) };
    },
  );

  app.post(
    '/auth/passkeys',
    {
      config: session,
      schema: {
        tags,
        summary: 'Add a passkey',
        body: Type.Object({ name: PasskeyName, response: Credential }, noExtraFields),
        response: { 201: Type.Array(Passkey) },
      },
    },
    async (request, reply) => {
      const person = personOf(request);
      const { name, response } = request.body;
      await finishRegistration(db, siteOf(request), person, name, response as never, actorOf(request));
      return reply.code(201).send((await listPasskeys(db, person.id)).map(presentPasskey));
    },
  );

  const params = Type.Object({ passkey_id: Id });
  app.patch(
    '/auth/passkeys/:passkey_id',
    {
      config: session,
      schema: {
        tags,
        summary: 'Rename a passkey',
        params,
        body: Type.Object({ name: PasskeyName }, noExtraFields),
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      await renamePasskey(db, personOf(request).id, request.params.passkey_id, request.body.name);
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/auth/passkeys/:passkey_id/remove',
    {
      config: session,
      schema: {
        tags,
        summary: 'Remove a passkey and end the sessions that were opened with it',
        params,
        body: PasswordIn,
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const person = await requirePassword(request, request.body.current_password);
      await removePasskey(db, person, request.params.passkey_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    '/auth/passkeys/sign-in/options',
    { config: open, schema: { tags, summary: 'Start a sign-in with a passkey', response: { 200: Credential } } },
    async (request) => ({ ...(await startPasskeySignIn(db, siteOf(request))) }),
  );

  app.post(
    '/auth/passkeys/sign-in',
    {
      config: open,
      schema: {
        tags,
        summary: 'Sign in with a passkey',
        body: Type.Object({ response: Credential }, noExtraFields),
        response: { 200: Type.Object({ principal: PrincipalOut }) },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      const attempt = await limiter.take(passkeySubjects(actor.ip));
      const person = await verifyPasskey(db, siteOf(request), request.body.response as never).catch(async (error: unknown) => {
        await attempt.fail();
        throw error;
      });
      if (!person || person.disabled) {
        await attempt.fail();
        await recordEvent(db, {
          event_type: 'login_failure',
          principal_id: person?.id ?? null,
          ip: actor.ip,
          user_agent: actor.userAgent ?? null,
          details: { method: 'passkey', reason: person ? 'disabled' : 'passkey' },
        });
        throw person ? problem('account_disabled') : passkeyUnknown();
      }
      await attempt.succeed();
      const { token } = await db.transaction().execute((trx) => enterWithPasskey(trx, person, actor));
      setSessionCookie(reply, settings, token);
      if (readDeviceCookie(request) === undefined) setDeviceCookie(reply, settings, await deviceCookieFor(db, person.id));
      return { principal: await presentPrincipal(db, person.id) };
    },
  );
}

/** For administrators: a person who lost their phone signs in with the password and sets up a new factor. */
export function factorAdminRoutes(app: App, { db, settings }: Dependencies): void {
  app.delete(
    '/auth/users/:principal_id/second-factors',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Remove the second factors and passkeys of an account',
        params: Type.Object({ principal_id: Id }),
        response: { 204: NoContent },
      },
    },
    async (request, reply) => {
      const { id } = await presentPrincipal(db, request.params.principal_id);
      await removeFactors(db, settings, id, actorOf(request), true);
      return reply.code(204).send(null);
    },
  );
}
