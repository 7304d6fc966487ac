import { createGunzip } from 'node:zlib';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, noExtraFields } from '../../platform/schemas.ts';
import { presentCollectors } from './collectors.ts';
import { agentItemRoutes } from './http-items.ts';
import { sweepRoutes } from './http-sweeps.ts';
import { presentCommand } from './present.ts';
import { Collector, CollectorOut, CommandOut, Kind, Status, WorkKind } from './schemas.ts';
import { cancel, requestWork, requireCommand, requirePermissionsOf } from './service.ts';
import { countCollectors, findInventory, listCommands } from './store.ts';

const tags = ['agents'];
const commandParams = Type.Object({ command_id: Id });
const RelPath = Type.String({ minLength: 1, maxLength: 2600, pattern: '^[^/\\u0000]+(/[^/\\u0000]+)*$' });
const WorkIn = Type.Object(
  {
    kind: WorkKind,
    payload: Type.Optional(
      Type.Object(
        {
          library_id: Type.Optional(Type.String({ format: 'uuid', description: 'One library of the agent. Without it: all of them.' })),
          path: Type.Optional(RelPath),
          collectors: Type.Optional(
            Type.Array(Collector, { minItems: 1, uniqueItems: true, description: 'What to collect. Without it: stat, owner and perms.' }),
          ),
          max_entries: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
          max_depth: Type.Optional(Type.Integer({ minimum: 1, maximum: 64 })),
        },
        noExtraFields,
      ),
    ),
    ttl_seconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400 })),
  },
  noExtraFields,
);

/** Commands as operators see them. */
export function commandRoutes(app: App, deps: Dependencies): void {
  const { db } = deps;
  agentItemRoutes(app, deps);
  sweepRoutes(app, deps);
  app.post(
    '/agents/:agent_id/commands',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Ask an agent to scan again, to compare its index with the catalog, or to list its files',
        params: Type.Object({ agent_id: Id }),
        body: WorkIn,
        response: { 201: CommandOut },
      },
    },
    async (request, reply) => {
      const { kind, payload = {}, ttl_seconds: ttlSeconds } = request.body;
      const { library_id: libraryId, ...options } = payload;
      const { path } = options;
      if (kind !== 'inventory' && Object.keys(options).length > 0)
        throw problem('bad_request', 'Only an inventory takes a path, collectors and limits. Remove them.');
      if (path !== undefined && (libraryId === undefined || path.split('/').includes('..')))
        throw problem('bad_request', 'A path is inside one library: name the library as well.');
      const visibility = await visibilityOf(db, callerOf(request));
      const work = { kind, libraryId, options, ttlSeconds };
      const added = await requestWork(db, visibility, request.params.agent_id, work, actorOf(request));
      return reply.code(201).send(presentCommand(added));
    },
  );
  app.get(
    '/agents/inventory-collectors',
    {
      config: { scope: 'admin' },
      schema: { tags, summary: 'List what an inventory can collect', response: { 200: Type.Array(CollectorOut) } },
    },
    async () => presentCollectors(await countCollectors(db)),
  );
  app.get(
    '/agent-commands',
    {
      config: { scope: 'read' },
      schema: {
        tags,
        summary: 'List commands to agents, newest first',
        querystring: Type.Object(
          {
            agent_id: Type.Optional(Id),
            state: Type.Optional(Status),
            kind: Type.Optional(Kind),
            before: Type.Optional(Type.String({ format: 'uuid', description: 'Only commands older than this one.' })),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
          },
          noExtraFields,
        ),
        response: { 200: Type.Array(CommandOut) },
      },
    },
    async (request) => {
      const { agent_id, state, kind, before, limit = 50 } = request.query;
      const visibility = await visibilityOf(db, callerOf(request));
      return (await listCommands(db, visibility, { agentId: agent_id, status: state, kind, before, limit })).map(presentCommand);
    },
  );
  app.get(
    '/agent-commands/:command_id',
    {
      config: { scope: 'read' },
      schema: { tags, summary: 'Get a command and its result', params: commandParams, response: { 200: CommandOut } },
    },
    async (request) => presentCommand(await requireCommand(db, await visibilityOf(db, callerOf(request)), request.params.command_id)),
  );
  app.post(
    '/agent-commands/:command_id/cancel',
    {
      config: { scope: 'write' },
      schema: { tags, summary: 'Cancel a command, also while the agent works on it', params: commandParams, response: { 200: CommandOut } },
    },
    async (request) =>
      presentCommand(await cancel(db, await visibilityOf(db, callerOf(request)), request.params.command_id, actorOf(request))),
  );
  app.get(
    '/agent-commands/:command_id/inventory',
    {
      config: { scope: 'read', raw: true },
      schema: { tags, summary: 'What an inventory found, one JSON object per line', params: commandParams },
    },
    async (request, reply) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const command = await requireCommand(db, visibility, request.params.command_id);
      requirePermissionsOf(visibility, command.payload['collectors']);
      const body = await findInventory(db, command.id);
      if (!body) throw problem('not_found', 'This command has no inventory, or it has not arrived yet.');
      const stream = createGunzip();
      stream.end(body);
      return reply.type('application/x-ndjson').header('cache-control', 'private, no-store').send(stream);
    },
  );
}
