import { Type } from 'typebox';
import { toSmb, toUnc } from '../../catalog/libraries/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { Id, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { changeShareRule, createShareRule, removeShareRule, requireShareRule } from './service.ts';
import { listShareRules, type ShareRuleRow } from './store.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ map_id: Id });
const Path = Type.String({ minLength: 1, maxLength: 4096, pattern: '^[^\\u0000-\\u001f]*$' });
const optional = {
  library_id: Type.Optional(nullable(Id)),
  unc: Type.Optional(nullable(Path)),
  storage_type: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
  host: Type.Optional(nullable(Type.String({ maxLength: 255 }))),
};
const RuleIn = Type.Object({ local_prefix: Path, share_prefix: Path, ...optional }, noExtraFields);
const RuleOut = Type.Object(
  {
    id: Id,
    agent_id: nullable(Type.String({ format: 'uuid', description: 'Null: every agent.' })),
    library_id: nullable(Id),
    local_prefix: Type.String(),
    share_prefix: Type.String(),
    unc: nullable(Type.String()),
    storage_type: nullable(Type.String()),
    host: nullable(Type.String()),
    created_at: Time,
    updated_at: Time,
    location: Type.Object({ url: nullable(Type.String()), unc: nullable(Type.String()) }, { description: 'How people reach the folder.' }),
  },
  { title: 'AgentShareMap' },
);
const absent = { library_id: null, unc: null, storage_type: null, host: null };

/** Network addresses of folders on machines of agents. */
export function shareRoutes(app: App, { db }: Dependencies): void {
  const find = async (request: Parameters<typeof callerOf>[0], id: string) =>
    requireShareRule(db, await visibilityOf(db, callerOf(request)), id);
  app.post(
    '/agents/:agent_id/share-maps',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Add the network address of a folder of an agent',
        params: Type.Object({ agent_id: Id }),
        body: RuleIn,
        response: { 201: RuleOut },
      },
    },
    async (request, reply) => {
      const { agent_id } = request.params;
      const id = await createShareRule(db, { ...absent, ...request.body, agent_id }, actorOf(request));
      return reply.code(201).send(present(await find(request, id)));
    },
  );
  app.post(
    '/agent-share-maps',
    {
      config: admin,
      schema: { tags, summary: 'Add the network address of a folder for every agent', body: RuleIn, response: { 201: RuleOut } },
    },
    async (request, reply) => {
      const id = await createShareRule(db, { ...absent, ...request.body, agent_id: null }, actorOf(request));
      return reply.code(201).send(present(await find(request, id)));
    },
  );
  app.get(
    '/agent-share-maps',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List network addresses of folders of agents',
        querystring: Type.Object(
          {
            agent_id: Type.Optional(Id),
            library_id: Type.Optional(Id),
            scope: Type.Optional(Type.Enum(['all', 'global'])),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 200 })),
          },
          noExtraFields,
        ),
        response: { 200: Type.Array(RuleOut) },
      },
    },
    async (request) => {
      const { agent_id: agentId = null, library_id: libraryId = null, scope, limit = 200 } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      return (await listShareRules(db, visibility, { agentId, libraryId, global: scope === 'global', limit })).map(present);
    },
  );
  app.get(
    '/agent-share-maps/:map_id',
    { config: { scope: 'read' }, schema: { tags, summary: 'Get a network address', params, response: { 200: RuleOut } } },
    async (request) => present(await find(request, request.params.map_id)),
  );
  app.patch(
    '/agent-share-maps/:map_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Change a network address',
        params,
        body: Type.Object({ local_prefix: Type.Optional(Path), share_prefix: Type.Optional(Path), ...optional }, noExtraFields),
        response: { 200: RuleOut },
      },
    },
    async (request) => {
      const { map_id } = request.params;
      await find(request, map_id);
      await changeShareRule(db, map_id, request.body, actorOf(request));
      return present(await find(request, map_id));
    },
  );
  app.delete(
    '/agent-share-maps/:map_id',
    { config: admin, schema: { tags, summary: 'Remove a network address', params, response: { 204: NoContent } } },
    async (request, reply) => {
      await removeShareRule(db, await find(request, request.params.map_id), actorOf(request));
      return reply.code(204).send(null);
    },
  );
}

function present({ created_at, updated_at, ...rule }: ShareRuleRow) {
  const { share_prefix, unc } = rule;
  return {
    id: rule.id,
    agent_id: rule.agent_id,
    library_id: rule.library_id,
    local_prefix: rule.local_prefix,
    share_prefix,
    unc,
    storage_type: rule.storage_type,
    host: rule.host,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
    location: { url: toSmb(share_prefix) ?? share_prefix, unc: unc ?? toUnc(share_prefix) },
  };
}
