import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { Id, noExtraFields, nullable } from '../../platform/schemas.ts';
import { resolveClone } from './clones.ts';
import { agentAboutRoutes } from './http-about.ts';
import { enrolmentRoutes } from './http-enrolment.ts';
import { registerAgentPlane } from './http-plane.ts';
import { presentAgent, type UpdatesOf } from './present.ts';
import { AgentOut, Authority, Label, Labels } from './schemas.ts';
import { approve, describe, purge, reissueToken, requireAgent, revoke } from './service.ts';
import { groupIdsOf, librariesOf, listAgents, summarizeAgents } from './store.ts';

export { agentOf } from './http-plane.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const read = { scope: 'read' } as const;
const params = Type.Object({ agent_id: Id });

/** Must be called first in the context of all fleet routes. */
export function agentRoutes(app: App, deps: Dependencies, updatesOf: UpdatesOf): void {
  const { db } = deps;
  const present = async (id: string) => {
    const agent = await requireAgent(db, id);
    return presentAgent(agent, await groupIdsOf(db, id), (await updatesOf([agent])).get(id));
  };
  registerAgentPlane(app, deps);
  enrolmentRoutes(app, deps, present);
  agentAboutRoutes(app, deps);

  app.get(
    '/agents',
    {
      config: admin,
      schema: {
        tags,
        summary: 'List agents',
        querystring: Type.Object(
          {
            q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name or host name.' })),
            status: Type.Optional(Type.Enum(['pending', 'active', 'revoked'])),
            group_id: Type.Optional(Type.String({ format: 'uuid', description: 'Only agents to which this group applies.' })),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
            offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0 })),
          },
          noExtraFields,
        ),
        response: {
          200: Type.Object({ items: Type.Array(AgentOut), total: Type.Integer(), limit: Type.Integer(), offset: Type.Integer() }),
        },
      },
    },
    async ({ query: { q, status, group_id: groupId, limit = 50, offset = 0 } }) => {
      const rows = await listAgents(db, { q, status, groupId, limit, offset });
      const updates = await updatesOf(rows);
      const items = rows.map((row) => presentAgent(row, row.group_ids, updates.get(row.id)));
      return { items, total: rows[0]?.total ?? 0, limit, offset };
    },
  );
  app.get(
    '/agents/summary',
    {
      config: read,
      schema: {
        tags,
        summary: 'Count agents by state',
        response: {
          200: Type.Object({
            total: Type.Integer(),
            connected: Type.Integer({ description: 'Active and seen within five minutes.' }),
            disconnected: Type.Integer(),
            asleep: Type.Integer({ description: 'Of the disconnected ones, those that are expected to be away.' }),
            pending: Type.Integer(),
            revoked: Type.Integer(),
          }),
        },
      },
    },
    async () => {
      const { total, connected, disconnected, asleep, pending, revoked } = await summarizeAgents(db);
      return { total, connected, disconnected, asleep, pending, revoked };
    },
  );
  app.get(
    '/agents/:agent_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Get an agent and its libraries',
        params,
        response: {
          200: Type.Object({
            ...AgentOut.properties,
            libraries: Type.Array(Type.Object({ id: Id, name: Type.String(), root_path: Type.String() })),
          }),
        },
      },
    },
    async ({ params: { agent_id } }) => ({
      ...(await present(agent_id)),
      libraries: (await librariesOf(db, agent_id)).map(({ id, name, root_path }) => ({ id, name, root_path })),
    }),
  );
  app.patch(
    '/agents/:agent_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Update the name or the labels of an agent',
        params,
        body: Type.Object({ name: Type.Optional(Label), labels: Type.Optional(Labels) }, noExtraFields),
        response: { 200: AgentOut },
      },
    },
    async (request) => {
      await describe(db, request.params.agent_id, request.body, actorOf(request));
      return present(request.params.agent_id);
    },
  );
  app.post(
    '/agents/:agent_id/approve',
    { config: admin, schema: { tags, summary: 'Approve an agent that waits for it', params, response: { 200: AgentOut } } },
    async (request) => {
      await approve(db, request.params.agent_id, actorOf(request));
      return present(request.params.agent_id);
    },
  );
  app.post(
    '/agents/:agent_id/resolve-clone',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Choose which of two machines keeps the identity of an agent',
        params,
        body: Type.Object(
          {
            keep_run_id: Type.Optional(
              Type.String({ format: 'uuid', description: 'The run that makes a new key. Leave it out when only one machine is left.' }),
            ),
          },
          noExtraFields,
        ),
        response: { 200: AgentOut },
      },
    },
    async (request) => {
      await resolveClone(deps, request.params.agent_id, request.body.keep_run_id ?? null, actorOf(request));
      return present(request.params.agent_id);
    },
  );
  app.delete(
    '/agents/:agent_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Revoke an agent, or remove it with purge=true',
        params,
        querystring: Type.Object({ purge: Type.Optional(Type.Boolean()), delete_libraries: Type.Optional(Type.Boolean()) }, noExtraFields),
        response: { 200: AgentOut },
      },
    },
    async (request) => {
      const { agent_id } = request.params;
      const before = await present(agent_id);
      if (!request.query.purge) {
        await revoke(db, agent_id, actorOf(request));
        return present(agent_id);
      }
      await purge(db, agent_id, { deleteLibraries: request.query.delete_libraries ?? false }, actorOf(request));
      return before;
    },
  );
  app.post(
    '/agents/:agent_id/ca-ott',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Issue a new certificate token for the external authority',
        params,
        response: { 200: Type.Object({ ca_ott: nullable(Type.String()), ca: Authority }) },
      },
    },
    async (request) => reissueToken(deps, request.params.agent_id, actorOf(request)),
  );
}
