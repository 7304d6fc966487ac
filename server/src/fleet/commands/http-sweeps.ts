import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { fieldProblem } from '../../platform/problem.ts';
import { Id, noExtraFields } from '../../platform/schemas.ts';
import { presentCommand } from './present.ts';
import { CommandOut } from './schemas.ts';
import { type AgentWork, requestWork } from './service.ts';

const tags = ['agents'];
const params = Type.Object({ agent_id: Id });
const LibraryId = Type.Optional(Type.String({ format: 'uuid', description: 'One library of the agent. Without it: all of them.' }));
const MaxItems = Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000_000 }));
const Size = Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }));
const daySeconds = 86_400;

/** Work on all files of an agent, one route per kind. */
export function sweepRoutes(app: App, { db }: Dependencies): void {
  const ask = async (request: FastifyRequest, agentId: string, work: AgentWork) =>
    presentCommand(await requestWork(db, await visibilityOf(db, callerOf(request)), agentId, work, actorOf(request)));
  app.post(
    '/agents/:agent_id/reconcile',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Ask an agent to compare its index with the catalog',
        params,
        body: Type.Object({ library_id: LibraryId }, noExtraFields),
        response: { 201: CommandOut },
      },
    },
    async (request, reply) => {
      const work = { kind: 'reconcile' as const, libraryId: request.body.library_id };
      return reply.code(201).send(await ask(request, request.params.agent_id, work));
    },
  );
  app.post(
    '/agents/:agent_id/reextract',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Ask an agent to read contents of files that it has not read, or of all files with force',
        params,
        body: Type.Object(
          {
            library_id: LibraryId,
            force: Type.Optional(Type.Boolean({ default: false, description: 'Also files that were read before.' })),
            max_items: MaxItems,
          },
          noExtraFields,
        ),
        response: { 201: CommandOut },
      },
    },
    async (request, reply) => {
      const { library_id: libraryId, ...options } = request.body;
      const work = { kind: 'reextract' as const, libraryId, options, ttlSeconds: daySeconds };
      return reply.code(201).send(await ask(request, request.params.agent_id, work));
    },
  );
  app.post(
    '/agents/:agent_id/rehash-sweep',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'Ask an agent to read the bytes of its files again and to report those that changed unnoticed',
        params,
        body: Type.Object(
          {
            library_id: LibraryId,
            force: Type.Optional(Type.Boolean({ default: false, description: 'From the beginning, not where the last sweep ended.' })),
            max_items: MaxItems,
            min_size: Size,
            max_size: Size,
          },
          noExtraFields,
        ),
        response: { 201: CommandOut },
      },
    },
    async (request, reply) => {
      const { library_id: libraryId, ...options } = request.body;
      if ((options.min_size ?? 0) > (options.max_size ?? Number.POSITIVE_INFINITY))
        throw fieldProblem(['body', 'max_size'], 'The largest size must not be below the smallest.', 'max_size');
      const work = { kind: 'rehash_sweep' as const, libraryId, options, ttlSeconds: daySeconds };
      return reply.code(201).send(await ask(request, request.params.agent_id, work));
    },
  );
  app.post(
    '/agents/:agent_id/maintenance',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Ask an agent to check its local index and to give unused space back to the disk',
        params,
        response: { 201: CommandOut },
      },
    },
    async (request, reply) => reply.code(201).send(await ask(request, request.params.agent_id, { kind: 'agent_maintenance' })),
  );
}
