import { Type } from 'typebox';
import { findItem } from '../../catalog/items/index.ts';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { statusOf } from '../agents/index.ts';
import { presentCommand } from './present.ts';
import { CommandOut, Kind, Status } from './schemas.ts';
import { requireWhole } from './service.ts';
import { suspendAgent } from './suspend.ts';
import { agentOfItem, requestCheck } from './verify.ts';

const tags = ['agents'];
const Mode = Type.Enum(['stat', 'rehash']);

/** Checks of single files on machines of agents, and the pause of an agent. */
export function agentItemRoutes(app: App, { db }: Dependencies): void {
  app.post(
    '/items/:item_id/verify',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Ask the agent of a file whether it is still as catalogued; rehash reads all its bytes and needs the right to download',
        params: Type.Object({ item_id: Id }),
        body: Type.Object({ mode: Mode }, noExtraFields),
        response: {
          200: Type.Object({ id: Id, agent_id: Id, kind: Kind, item_id: Id, status: Status, mode: Mode, expires_at: Time }),
        },
      },
    },
    async (request) => {
      const { mode } = request.body;
      const visibility = await visibilityOf(db, callerOf(request));
      const item = await findItem(db, visibility, request.params.item_id, mode === 'rehash' ? 'download' : 'search_metadata');
      const { id, agent_id, kind, status, expires_at } = await requestCheck(db, item, mode, actorOf(request));
      return { id, agent_id, kind, item_id: item.id, status, mode, expires_at: expires_at.toISOString() };
    },
  );
  app.get(
    '/items/:item_id/agent-status',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'Check whether an agent has a file and is connected',
        params: Type.Object({ item_id: Id }),
        response: {
          200: Type.Object({
            agent_hosted: Type.Boolean(),
            agent_id: nullable(Id),
            agent_name: nullable(Type.String()),
            agent_status: nullable(Type.Enum(['pending', 'active', 'revoked'])),
            online: Type.Boolean({ description: 'Seen within five minutes.' }),
            last_seen_at: nullable(Time),
            last_verified_at: nullable(Time),
            verify_in_flight: Type.Boolean(),
          }),
        },
      },
    },
    async (request) => {
      const item = await findItem(db, await visibilityOf(db, callerOf(request)), request.params.item_id);
      const agent = item.source_agent_id === null ? undefined : await agentOfItem(db, item.id, item.source_agent_id);
      return {
        agent_hosted: agent !== undefined,
        agent_id: agent?.id ?? null,
        agent_name: agent?.name ?? null,
        agent_status: agent ? statusOf(agent) : null,
        online: agent?.online ?? false,
        last_seen_at: agent?.last_seen_at?.toISOString() ?? null,
        last_verified_at: item.last_verified_at?.toISOString() ?? null,
        verify_in_flight: agent?.checking ?? false,
      };
    },
  );
  app.post(
    '/agents/:agent_id/suspend',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Pause the scans of an agent, or let it go on',
        params: Type.Object({ agent_id: Id }),
        body: Type.Object({ suspended: Type.Boolean() }, noExtraFields),
        response: { 201: CommandOut },
      },
    },
    async (request, reply) => {
      const { agent_id } = request.params;
      const libraryIds = await requireWhole(db, await visibilityOf(db, callerOf(request)), agent_id);
      const command = await suspendAgent(db, agent_id, libraryIds, request.body.suspended, actorOf(request));
      return reply.code(201).send(presentCommand(command));
    },
  );
}
