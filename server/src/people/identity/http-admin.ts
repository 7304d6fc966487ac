import { Type } from 'typebox';
import { one } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { Id } from '../../platform/schemas.ts';
import { recordEvent } from '../audit/index.ts';
import { createUser, deleteUser, updateUser } from './accounts.ts';
import {
  createApiKey,
  createServiceAccount,
  deleteServiceAccount,
  listKeys,
  listServiceAccounts,
  revokeKey,
  updateServiceAccount,
} from './keys.ts';
import { presentKey, presentPrincipal, presentPrincipals, presentServiceAccount, presentSession } from './present.ts';
import {
  KeyIn,
  KeyOut,
  PrincipalOut,
  ScopeName,
  ServiceAccountIn,
  ServiceAccountOut,
  ServiceAccountPatch,
  SessionOut,
  UserCreateIn,
  UserPatchIn,
} from './schemas.ts';
import { endSessions, listSessions } from './sessions.ts';
import { newNetworks } from './sign-in-history.ts';

const tags = ['identity'];
const allScopes = [
  { name: 'read', description: 'Search, browse and read what the key may see.' },
  { name: 'write', description: 'Also edit tags, notes and fields, start scans, and retry jobs.' },
  { name: 'admin', description: 'Also manage libraries, people, keys, settings and maintenance.' },
] as const;
const config = { scope: 'admin' } as const;
const KeyScopes = Type.Object({ scopes: Type.Array(Type.Object({ name: ScopeName, description: Type.String() })) });
const Nothing = Type.Null();
const principalParams = Type.Object({ principal_id: Id });
const keyParams = Type.Object({ key_id: Id });
const accountParams = Type.Object({ account_id: Id });

export function accountRoutes(app: App, { db, settings }: Dependencies): void {
  app.get('/auth/users', { config, schema: { tags, summary: 'List accounts', response: { 200: Type.Array(PrincipalOut) } } }, async () =>
    presentPrincipals(db),
  );

  app.post(
    '/auth/users',
    { config, schema: { tags, summary: 'Create an account', body: UserCreateIn, response: { 201: PrincipalOut } } },
    async (request, reply) => {
      const id = await createUser(db, { ...request.body, global_role: request.body.global_role ?? 'user' }, actorOf(request));
      return reply.code(201).send(await presentPrincipal(db, id));
    },
  );

  app.patch(
    '/auth/users/:principal_id',
    {
      config,
      schema: { tags, summary: 'Update an account', params: principalParams, body: UserPatchIn, response: { 200: PrincipalOut } },
    },
    async (request) => {
      const id = request.params.principal_id;
      await updateUser(db, id, request.body, actorOf(request));
      return presentPrincipal(db, id);
    },
  );

  app.delete(
    '/auth/users/:principal_id',
    { config, schema: { tags, summary: 'Delete an account', params: principalParams, response: { 204: Nothing } } },
    async (request, reply) => {
      await deleteUser(db, request.params.principal_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  app.get(
    '/auth/users/:principal_id/sessions',
    {
      config,
      schema: { tags, summary: 'List sessions of an account', params: principalParams, response: { 200: Type.Array(SessionOut) } },
    },
    async (request) => {
      const { id } = await presentPrincipal(db, request.params.principal_id);
      const rows = await listSessions(db, settings, id);
      const unusual = await newNetworks(db, id, rows);
      return rows.map((row) => presentSession(row, unusual, request.principal?.sessionId));
    },
  );

  app.delete(
    '/auth/users/:principal_id/sessions',
    { config, schema: { tags, summary: 'End all sessions of an account', params: principalParams, response: { 204: Nothing } } },
    async (request, reply) => {
      const { id } = await presentPrincipal(db, request.params.principal_id);
      const ended = await endSessions(db, id);
      await recordEvent(db, {
        event_type: 'session_revoked',
        principal_id: request.principal?.id ?? null,
        ip: request.clientAddress,
        details: { user_id: id, ended },
      });
      return reply.code(204).send(null);
    },
  );
}

export function keyRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/api-keys/scopes',
    {
      config,
      schema: { tags, summary: 'List scopes an API key can have', response: { 200: KeyScopes } },
    },
    async () => ({ scopes: [...allScopes] }),
  );

  app.get(
    '/api-keys',
    { config, schema: { tags, summary: 'List API keys', response: { 200: Type.Object({ keys: Type.Array(KeyOut) }) } } },
    async () => ({ keys: (await listKeys(db)).map(presentKey) }),
  );

  app.post(
    '/api-keys',
    {
      config,
      schema: {
        tags,
        summary: 'Create an API key, which is returned only once',
        body: KeyIn,
        response: { 201: Type.Object({ ...KeyOut.properties, key: Type.String() }) },
      },
    },
    async (request, reply) => {
      const { row, key } = await createApiKey(db, request.body, callerOf(request), actorOf(request));
      return reply.code(201).send({ ...presentKey(row), key });
    },
  );

  app.delete(
    '/api-keys/:key_id',
    { config, schema: { tags, summary: 'Revoke an API key', params: keyParams, response: { 204: Nothing } } },
    async (request, reply) => {
      await revokeKey(db, request.params.key_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );

  const presentById = async (id: string) => presentServiceAccount(one(await listServiceAccounts(db, id)));

  app.get(
    '/service-accounts',
    {
      config,
      schema: {
        tags,
        summary: 'List service accounts',
        response: {
          200: Type.Object({
            items: Type.Array(ServiceAccountOut),
            total: Type.Integer(),
            limit: Type.Integer(),
            next_cursor: Type.Null(),
          }),
        },
      },
    },
    async () => {
      const items = (await listServiceAccounts(db)).map(presentServiceAccount);
      return { items, total: items.length, limit: items.length, next_cursor: null };
    },
  );

  app.post(
    '/service-accounts',
    { config, schema: { tags, summary: 'Create a service account', body: ServiceAccountIn, response: { 201: ServiceAccountOut } } },
    async (request, reply) => reply.code(201).send(await presentById(await createServiceAccount(db, request.body, actorOf(request)))),
  );

  app.patch(
    '/service-accounts/:account_id',
    {
      config,
      schema: {
        tags,
        summary: 'Update a service account',
        params: accountParams,
        body: ServiceAccountPatch,
        response: { 200: ServiceAccountOut },
      },
    },
    async (request) => {
      await updateServiceAccount(db, request.params.account_id, request.body, actorOf(request));
      return presentById(request.params.account_id);
    },
  );

  app.delete(
    '/service-accounts/:account_id',
    {
      config,
      schema: { tags, summary: 'Delete a service account and its keys', params: accountParams, response: { 204: Nothing } },
    },
    async (request, reply) => {
      await deleteServiceAccount(db, request.params.account_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
}
