import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { personOf, setDeviceCookie, setSessionCookie } from './authenticate.ts';
import { acceptInvitation, findInvitation, invitationInvalid, invitePerson, renewInvitation } from './invitations.ts';
import { presentIdentity, presentPrincipal } from './present.ts';
import { listIdentities } from './provider-accounts.ts';
import { disconnectIdentity } from './removed-providers.ts';
import { IdentityOut, InviteIn, Password, PrincipalOut } from './schemas.ts';
import { openSession } from './sessions.ts';
import { deviceCookieFor } from './sign-in.ts';
import { listActivity, listSignIns } from './sign-in-history.ts';

const tags = ['identity'];
const admin = { scope: 'admin' } as const;
const own = { scope: 'session' } as const;
const Nothing = Type.Null();
const principalParams = Type.Object({ principal_id: Id });
const Token = Type.String({ minLength: 20, maxLength: 200, pattern: '^[A-Za-z0-9_-]+$' });
const InvitationOut = Type.Object(
  { user: PrincipalOut, link: Type.String({ description: 'Path of the console; it is shown only once.' }), expires_at: Time },
  { title: 'InvitationOut' },
);
const SignInOut = Type.Object(
  {
    at: Time,
    result: Type.Enum(['signed_in', 'failed', 'locked_out']),
    method: Type.String({ description: 'password, passkey, oidc, ldap or header.' }),
    reason: nullable(Type.String()),
    ip_address: nullable(Type.String()),
    user_agent: nullable(Type.String()),
  },
  { title: 'SignInOut' },
);
const ActivityOut = Type.Object(
  {
    at: Time,
    event: Type.String({ description: 'Event type of the audit log in lower case.' }),
    method: Type.String(),
    name: nullable(Type.String({ description: 'What the event is about: a person or a key.' })),
    ip_address: nullable(Type.String()),
    user_agent: nullable(Type.String()),
  },
  { title: 'ActivityOut' },
);
const historyQuery = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 20 })) }, noExtraFields);
const linkOf = (token: string): string => `/#/invite?token=${token}`;

/** Invitations by link: an administrator creates one, the invited person chooses a password. */
export function invitationRoutes(app: App, { db, settings }: Dependencies): void {
  app.post(
    '/auth/invitations',
    { config: admin, schema: { tags, summary: 'Invite a person by link', body: InviteIn, response: { 201: InvitationOut } } },
    async (request, reply) => {
      const { id, token, expiresAt } = await invitePerson(
        db,
        { ...request.body, global_role: request.body.global_role ?? 'user' },
        actorOf(request),
      );
      const user = await presentPrincipal(db, id);
      return reply.code(201).send({ user, link: linkOf(token), expires_at: expiresAt.toISOString() });
    },
  );

  app.post(
    '/auth/users/:principal_id/invitation',
    {
      config: admin,
      schema: { tags, summary: 'Create a new link for an invited person', params: principalParams, response: { 201: InvitationOut } },
    },
    async (request, reply) => {
      const { principal_id: id } = request.params;
      const { token, expiresAt } = await renewInvitation(db, id, actorOf(request));
      const user = await presentPrincipal(db, id);
      return reply.code(201).send({ user, link: linkOf(token), expires_at: expiresAt.toISOString() });
    },
  );

  app.get(
    '/auth/invitations/:token',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Get whom an invitation is for',
        // A token of any form is looked up, so that a link that was cut off gets the answer of an unknown one.
        params: Type.Object({ token: Type.String({ maxLength: 200 }) }),
        response: { 200: Type.Object({ username: Type.String() }) },
      },
    },
    async (request) => {
      const invited = await findInvitation(db, request.params.token);
      if (!invited) throw invitationInvalid();
      return { username: invited.username };
    },
  );

  app.post(
    '/auth/invitations/accept',
    {
      config: { scope: 'public' },
      schema: {
        tags,
        summary: 'Choose a password with an invitation, and sign in',
        body: Type.Object({ token: Token, password: Password }, noExtraFields),
        response: { 200: PrincipalOut },
      },
    },
    async (request, reply) => {
      const actor = actorOf(request);
      if (!(await findInvitation(db, request.body.token))) throw invitationInvalid();
      const id = await acceptInvitation(db, request.body.token, request.body.password, actor);
      setSessionCookie(reply, settings, (await openSession(db, id, { ip: actor.ip, userAgent: actor.userAgent })).token);
      setDeviceCookie(reply, settings, await deviceCookieFor(db, id));
      return presentPrincipal(db, id);
    },
  );
}

/** Identities and sign-ins: of the caller, and of others for administrators. */
export function signInRoutes(app: App, { db }: Dependencies): void {
  const identityParams = Type.Object({ identity_id: Id });
  app.get(
    '/auth/identities',
    { config: own, schema: { tags, summary: 'List your linked identities', response: { 200: Type.Array(IdentityOut) } } },
    async (request) => (await listIdentities(db, personOf(request).id)).map(presentIdentity),
  );

  app.delete(
    '/auth/identities/:identity_id',
    { config: own, schema: { tags, summary: 'Disconnect an identity', params: identityParams, response: { 204: Nothing } } },
    async (request, reply) => {
      await disconnectIdentity(db, personOf(request).id, request.params.identity_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/auth/sign-ins',
    { config: own, schema: { tags, summary: 'List your sign-ins', querystring: historyQuery, response: { 200: Type.Array(SignInOut) } } },
    async (request) => listSignIns(db, personOf(request).id, request.query.limit ?? 20),
  );

  app.get(
    '/auth/activity',
    {
      config: own,
      schema: { tags, summary: 'List what you did lately', querystring: historyQuery, response: { 200: Type.Array(ActivityOut) } },
    },
    async (request) => listActivity(db, personOf(request).id, request.query.limit ?? 20),
  );

  app.get(
    '/auth/users/:principal_id/sign-ins',
    {
      config: admin,
      schema: {
        tags,
        summary: 'List sign-ins of an account',
        params: principalParams,
        querystring: historyQuery,
        response: { 200: Type.Array(SignInOut) },
      },
    },
    async (request) => {
      const { id } = await presentPrincipal(db, request.params.principal_id);
      return listSignIns(db, id, request.query.limit ?? 20);
    },
  );
}
