import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { contentDigest } from '@catalog/protocol';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { problem } from '../../platform/problem.ts';
import { Id, JsonObject, noExtraFields, nullable } from '../../platform/schemas.ts';
import type { AgentRow } from '../agents/index.ts';
import { presentToAgent } from './present.ts';
import { CommandOut, Progress } from './schemas.ts';
import { commandLimits, poll, requireOwn, storeInventory } from './service.ts';
import { acknowledge } from './store.ts';
import { completeJudged } from './verify.ts';
import { createWakeups } from './wakeups.ts';

const tags = ['agents'];
const agent = { scope: 'agent' } as const;
const params = Type.Object({ agent_id: Id, command_id: Id });
/** Unpacked, so that a small body cannot fill the memory. */
const maxUnpacked = 64 * 1024 * 1024;
const unpack = promisify(gunzip);

/** Commands as the agent that carries them out sees them. It reaches its own commands only. */
export function agentCommandRoutes(app: App, { db, database }: Dependencies, agentOf: (request: object) => AgentRow): void {
  const wakeups = createWakeups(database.address);
  // Waiting polls would keep their connections open, and the hook runs only after those are drained.
  app.stopping.addEventListener('abort', () => void wakeups.close(), { once: true });
  app.addHook('preClose', () => wakeups.close());
  app.post(
    '/agents/:agent_id/commands/poll',
    {
      config: { ...agent, isRoutine: true },
      schema: {
        tags,
        summary: 'Wait for commands',
        params: Type.Object({ agent_id: Id }),
        body: Type.Object(
          {
            max: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, default: 10 })),
            wait_seconds: Type.Optional(Type.Integer({ minimum: 0, maximum: 240, default: 0 })),
            working: Type.Optional(
              Type.Array(Id, {
                maxItems: 200,
                description:
                  'Commands on which the agent works. Those that have ended are returned; others that it was given are given again.',
              }),
            ),
          },
          noExtraFields,
        ),
        response: { 200: Type.Array(CommandOut) },
      },
    },
    async (request, reply) => {
      const { max = 10, wait_seconds: waitSeconds = 0, working } = request.body;
      const gone = new AbortController();
      reply.raw.on('close', () => gone.abort());
      const found = await poll(db, wakeups, agentOf(request), {
        working: working ?? null,
        max,
        waitSeconds,
        signal: gone.signal,
        onWait: request.endWork,
      });
      if ((await maintenanceMode(db)).active) reply.header('x-svc-maintenance', '1');
      return found.map(presentToAgent);
    },
  );
  app.post(
    '/agents/:agent_id/commands/:command_id/ack',
    {
      config: agent,
      schema: {
        tags,
        summary: 'Report that a command is still being carried out',
        params,
        body: Type.Object({ progress: Type.Optional(Progress) }, noExtraFields),
        response: { 200: CommandOut },
      },
    },
    async (request) => {
      const { id } = agentOf(request);
      const { command_id } = request.params;
      await requireOwn(db, id, command_id);
      const row = await acknowledge(db, id, command_id, request.body.progress ?? null);
      if (!row) throw problem('command_ended');
      return presentToAgent(row);
    },
  );
  app.post(
    '/agents/:agent_id/commands/:command_id/complete',
    {
      config: agent,
      schema: {
        tags,
        summary: 'Report how a command ended',
        params,
        body: Type.Object(
          { ok: Type.Optional(Type.Boolean({ default: true })), result: Type.Optional(nullable(JsonObject)) },
          noExtraFields,
        ),
        response: { 200: CommandOut },
      },
    },
    async (request) => {
      const { ok = true, result = null } = request.body;
      return presentToAgent(await completeJudged(db, agentOf(request).id, request.params.command_id, ok, result));
    },
  );
  app.addContentTypeParser('application/gzip', { parseAs: 'buffer', bodyLimit: commandLimits.inventoryBytes }, (request, body, done) => {
    request.bodyDigest = contentDigest(body as Buffer);
    done(null, body);
  });
  app.post(
    '/agents/:agent_id/inventory-results',
    {
      config: agent,
      bodyLimit: commandLimits.inventoryBytes,
      schema: {
        tags,
        summary: 'Store what an inventory found: NDJSON packed with gzip',
        params: Type.Object({ agent_id: Id }),
        headers: Type.Object({ 'x-svc-command-id': Id }),
        body: { content: { 'application/gzip': { schema: {} } } },
        response: {
          200: Type.Object({ stored: Type.Boolean(), entries: Type.Integer(), created: Type.Boolean() }),
          201: Type.Object({ stored: Type.Boolean(), entries: Type.Integer(), created: Type.Boolean() }),
        },
      },
    },
    async (request, reply) => {
      const body = request.body as unknown;
      if (!Buffer.isBuffer(body)) throw problem('unsupported_media_type', 'Send NDJSON packed with gzip, as application/gzip.');
      const entries = await countLines(body);
      const created = await storeInventory(db, agentOf(request).id, request.headers['x-svc-command-id'], body, entries);
      return reply.code(created ? 201 : 200).send({ stored: true, entries, created });
    },
  );
}

/** Every line must be a JSON object, because people read them. */
async function countLines(packed: Buffer): Promise<number> {
  let text: string;
  try {
    text = (await unpack(packed, { maxOutputLength: maxUnpacked })).toString('utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw problem('too_many', 'The inventory is too large. Limit its entries or its depth.');
    throw problem('bad_request', 'The body is not packed with gzip.');
  }
  const lines = text.split('\n').filter((line) => line !== '');
  for (const line of lines)
    try {
      if (typeof JSON.parse(line) !== 'object') throw new SyntaxError();
    } catch {
      throw problem('bad_request', 'A line of the inventory is not a JSON object.');
    }
  return lines.length;
}
