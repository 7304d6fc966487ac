import { contentDigest, replicationLimits } from '@catalog/protocol';
import { Type } from 'typebox';
import type { Dependencies } from '../../platform/dependencies.ts';
import type { App } from '../../platform/http/index.ts';
import { problem } from '../../platform/problem.ts';
import { Id, JsonObject, NoContent, noExtraFields, Time } from '../../platform/schemas.ts';
import { type AgentRow, requireAgent } from '../agents/index.ts';
import { decodeEntries } from './decode.ts';
import { createLane } from './lane.ts';
import { applyBatch } from './service.ts';
import { clearQuarantine, listQuarantine } from './store.ts';

const tags = ['agents'];
const params = Type.Object({ agent_id: Id });
const Batch = Type.Object(
  {
    agent_id: Type.String({ description: 'Must be the id in the path.' }),
    entries: Type.Array(Type.Unknown(), { description: 'Changes in the order of their sequence numbers, at most 1000.' }),
  },
  noExtraFields,
);
const BatchOut = Type.Object({
  applied: Type.Integer(),
  upserted: Type.Integer(),
  moved: Type.Integer(),
  tombstoned: Type.Integer(),
  noop_tombstones: Type.Integer(),
  trashed_conflicts: Type.Integer({ description: 'Files that a person has put into the recycle bin; they stay there.' }),
  quarantined: Type.Integer({ description: 'Entries that could not be applied; see the quarantine of the agent.' }),
  libraries_created: Type.Integer(),
  last_seq: Type.Integer(),
});

export function replicationRoutes(app: App, deps: Dependencies, agentOf: (request: object) => AgentRow): void {
  const { db } = deps;
  const lane = createLane();
  app.addContentTypeParser('application/x-ndjson', { parseAs: 'buffer', bodyLimit: replicationLimits.bytes }, (request, body, done) => {
    request.bodyDigest = contentDigest(body as Buffer);
    done(null, body);
  });
  app.post(
    '/agents/:agent_id/replication-batch',
    {
      config: { scope: 'agent', admit: lane.admit },
      bodyLimit: replicationLimits.bytes,
      schema: {
        tags,
        summary: 'Apply changes of the files of an agent, as JSON or as NDJSON packed with gzip or zstd',
        params,
        body: { content: { 'application/json': { schema: Batch }, 'application/x-ndjson': { schema: {} } } },
        response: { 200: BatchOut },
      },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const entries = await entriesOf(request.body, request.headers['content-encoding'], agent.id);
      const result = await lane.run(agent.id, () => applyBatch(deps, agent, entries));
      const wait = lane.slowDown();
      if (wait > 0) reply.header('x-svc-slow-down', String(wait));
      return result;
    },
  );
  app.get(
    '/agents/:agent_id/quarantine',
    {
      config: { scope: 'admin' },
      schema: {
        tags,
        summary: 'List reported changes that could not be applied, newest first',
        params,
        querystring: Type.Object(
          {
            before: Type.Optional(
              Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER, description: 'Only earlier sequence numbers.' }),
            ),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
          },
          noExtraFields,
        ),
        response: {
          200: Type.Array(Type.Object({ seq_no: Type.Integer(), received_at: Time, reason: Type.String(), entry: JsonObject })),
        },
      },
    },
    async ({ params: { agent_id }, query: { before, limit = 50 } }) => {
      await requireAgent(db, agent_id);
      return (await listQuarantine(db, agent_id, before ?? null, limit)).map(({ seq_no, received_at, reason, entry }) => ({
        seq_no,
        received_at: received_at.toISOString(),
        reason,
        entry: Object(entry) as Record<string, unknown>,
      }));
    },
  );
  app.delete(
    '/agents/:agent_id/quarantine',
    { config: { scope: 'admin' }, schema: { tags, summary: 'Empty the quarantine of an agent', params, response: { 204: NoContent } } },
    async ({ params: { agent_id } }, reply) => {
      await requireAgent(db, agent_id);
      await clearQuarantine(db, agent_id);
      return reply.code(204).send(null);
    },
  );
}

async function entriesOf(body: unknown, encoding: string | undefined, agentId: string): Promise<unknown[]> {
  if (Buffer.isBuffer(body)) return decodeEntries(body, encoding);
  const { agent_id, entries } = body as { agent_id: string; entries: unknown[] };
  if (agent_id !== agentId) throw problem('action_denied', 'agent_id is not the agent of this URL.');
  return entries;
}
