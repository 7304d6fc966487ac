import { Type } from 'typebox';
import { loadTaxonomy, taxonomyVersion } from '../../catalog/taxonomy/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { Id, JsonObject, NoContent, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { AgentName, type AgentRow, raiseClone, recordHeartbeat, reportClone, requireAgent } from '../agents/index.ts';
import { behaviourDocument } from './behaviour.ts';
import { createConfigMark } from './config-mark.ts';
import { createConfigCache } from './effective.ts';
import { createFleetPace } from './fleet-pace.ts';
import { configRolloutRoutes } from './http-rollouts.ts';
import { configVersionRoutes } from './http-versions.ts';
import { Description, GroupOut, Name, Note, Policy, Priority, present, RolloutIn, Target } from './schemas.ts';
import { assignGroups, changeGroup, createGroup, removeGroup, requireGroup } from './service.ts';
import { listGroups, recordApplied } from './store.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const agentParams = Type.Object({ agent_id: Id });
const groupParams = Type.Object({ group_id: Id });
const optionalRate = nullable(Type.Integer());
const Document = Type.Object({
  presets: Type.Array(Type.Object({ name: Type.String(), patterns: Type.Array(Type.String()) })),
  exclude_globs: Type.Array(Type.String()),
  include_globs: Type.Array(Type.String()),
  content_hash_max_bytes: Type.Integer(),
  scan_interval_seconds: optionalRate,
  upload_bytes_per_second: optionalRate,
  read_bytes_per_second: optionalRate,
  ...behaviourDocument,
});
/** What an agent reports about itself is limited; more is dropped, so that the heartbeat itself never fails. */
const maxReportedBytes = 16_384;

export function configRoutes(app: App, deps: Dependencies, agentOf: (request: object) => AgentRow): void {
  const { db, settings } = deps;
  const resolveConfig = createConfigCache(db, settings);
  const fleetPace = createFleetPace(db);
  const configMark = createConfigMark(db);
  configVersionRoutes(app, deps);
  configRolloutRoutes(app, deps);
  app.get(
    '/agents/config-groups',
    {
      config: admin,
      schema: { tags, summary: 'List configuration groups in the order in which they apply', response: { 200: Type.Array(GroupOut) } },
    },
    async () => (await listGroups(db)).map(present),
  );
  app.post(
    '/agents/config-groups',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Create a configuration group',
        body: Type.Object(
          {
            name: Name,
            description: Type.Optional(Description),
            priority: Type.Optional(Priority),
            policy: Type.Optional(Policy),
            target: Type.Optional(Target),
          },
          noExtraFields,
        ),
        response: { 201: GroupOut },
      },
    },
    async (request, reply) => reply.code(201).send(present(await requireGroup(db, await createGroup(db, request.body, actorOf(request))))),
  );
  app.patch(
    '/agents/config-groups/:group_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Change a configuration group; a policy replaces the one before',
        params: groupParams,
        body: Type.Object(
          {
            name: Type.Optional(Name),
            description: Type.Optional(Description),
            priority: Type.Optional(Priority),
            policy: Type.Optional(Policy),
            target: Type.Optional(Target),
            note: Type.Optional(Note),
            rollout: Type.Optional(RolloutIn),
          },
          noExtraFields,
        ),
        response: { 200: GroupOut },
      },
    },
    async (request) => {
      await changeGroup(db, request.params.group_id, request.body, actorOf(request));
      return present(await requireGroup(db, request.params.group_id));
    },
  );
  app.delete(
    '/agents/config-groups/:group_id',
    { config: admin, schema: { tags, summary: 'Delete a configuration group', params: groupParams, response: { 204: NoContent } } },
    async (request, reply) => {
      await removeGroup(db, request.params.group_id, actorOf(request));
      return reply.code(204).send(null);
    },
  );
  app.put(
    '/agents/:agent_id/config-groups',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Set the groups of an agent',
        params: agentParams,
        body: Type.Object({ group_ids: Type.Array(Id, { maxItems: 100 }) }, noExtraFields),
        response: { 200: Type.Object({ agent_id: Id, group_ids: Type.Array(Id) }) },
      },
    },
    async (request) => {
      const { agent_id } = request.params;
      await assignGroups(db, agent_id, request.body.group_ids, actorOf(request));
      return { agent_id, group_ids: [...new Set(request.body.group_ids)] };
    },
  );
  app.get(
    '/agents/:agent_id/effective-config',
    {
      config: admin,
      schema: {
        tags,
        summary: 'The configuration of an agent, and which group decided each value',
        params: agentParams,
        response: {
          200: Type.Object({
            agent_id: Id,
            document: Document,
            generation: Type.Integer(),
            hash: Type.String(),
            groups: Type.Array(
              Type.Object({
                id: Id,
                name: Type.String(),
                priority: Type.Integer(),
                is_system: Type.Boolean(),
                version_used: Type.Integer(),
                via_rollout: Type.Boolean({ description: 'A rollout that covers the agent decides the version.' }),
                because: Type.Enum(['everyone', 'member', 'target'], { description: 'Why the group applies to the agent.' }),
                matched: Type.Array(Type.String(), { description: 'The platform and labels by which a target applies.' }),
              }),
            ),
            provenance: Type.Record(Type.String(), Type.Object({ group_id: Id, name: Type.String() })),
            confirmed_generation: nullable(Type.Integer()),
            last_seen_at: nullable(Time),
          }),
        },
      },
    },
    async ({ params: { agent_id } }) => {
      const agent = await requireAgent(db, agent_id);
      const { document, generation, hash, groups, provenance } = await resolveConfig(agent_id);
      return {
        agent_id,
        document,
        generation,
        hash,
        groups: groups.map(({ target_platforms, target_labels, ...group }) => ({
          ...group,
          matched: group.because === 'target' ? [...(target_platforms.length > 0 ? [agent.platform] : []), ...target_labels] : [],
        })),
        provenance,
        confirmed_generation: agent.config_generation_applied,
        last_seen_at: agent.last_seen_at?.toISOString() ?? null,
      };
    },
  );
  app.get(
    '/agents/:agent_id/policy',
    {
      config: { scope: 'agent', isRoutine: true },
      schema: {
        tags,
        summary: 'The configuration of the calling agent',
        params: agentParams,
        querystring: Type.Object(
          { applied: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'The generation in use.' })) },
          noExtraFields,
        ),
        response: {
          200: Type.Object({
            scope: Type.Enum(['groups']),
            version: Type.Integer(),
            policy: Document,
            taxonomy_version: Type.Integer({ description: 'When it has changed, the agent fetches the file types again.' }),
          }),
          304: Type.Null({ description: 'Unchanged.' }),
        },
      },
    },
    async (request, reply) => {
      const agent = agentOf(request);
      const { applied } = request.query;
      const { generation, hash, document } = await resolveConfig(agent.id);
      if (applied !== undefined && applied !== agent.config_generation_applied) await recordApplied(db, agent.id, applied);
      const taxonomy_version = await taxonomyVersion(db);
      const etag = `"groups/${generation}/h:${hash}/t:${taxonomy_version}"`;
      reply.header('etag', etag);
      if (request.headers['if-none-match'] === etag) return reply.code(304).send(null);
      return { scope: 'groups' as const, version: generation, policy: document, taxonomy_version };
    },
  );
  app.get(
    '/agents/:agent_id/taxonomy',
    {
      config: { scope: 'agent' },
      schema: {
        tags,
        summary: 'Get the file types that agents use to choose readers',
        params: agentParams,
        response: {
          200: Type.Object({
            version: Type.Integer(),
            ext_to_group: Type.Record(Type.String(), Type.String()),
            group_to_category: Type.Record(Type.String(), Type.String()),
            category_extractor: Type.Record(Type.String(), nullable(Type.String())),
          }),
        },
      },
    },
    async () => {
      const { version, map, groups, extractors } = await loadTaxonomy(db);
      return {
        version,
        ext_to_group: Object.fromEntries([...map].map(([extension, { group }]) => [extension, group])),
        group_to_category: Object.fromEntries(groups),
        category_extractor: Object.fromEntries(extractors),
      };
    },
  );
  app.post(
    '/agents/:agent_id/heartbeat',
    {
      config: { scope: 'agent', isRoutine: true },
      schema: {
        tags,
        summary: 'Report version and health of the calling agent',
        params: agentParams,
        body: Type.Object(
          {
            version: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })),
            run_id: Type.Optional(Type.String({ format: 'uuid', description: 'Names this run of the program.' })),
            hostname: Type.Optional(AgentName),
            health: Type.Optional(JsonObject),
            capabilities: Type.Optional(JsonObject),
          },
          noExtraFields,
        ),
        response: {
          200: Type.Object({
            maintenance: Type.Boolean({ description: 'Scan on, but send no changes for now.' }),
            expected_seq_no: Type.Integer(),
            cloned: Type.Boolean({ description: 'Within the last hour, another program reported with the identity of this agent.' }),
            held: Type.Boolean({ description: 'Changes are refused until an administrator decides which machine keeps the identity.' }),
            renew_key: Type.Boolean({ description: 'This machine keeps the identity: make a new key and have it certified.' }),
            next_in_seconds: Type.Integer({ description: 'When the next heartbeat is expected.' }),
            poll_seconds: Type.Integer({ description: 'How long polls for commands should stay open, unless a proxy cuts them.' }),
            config_mark: Type.String({ description: 'Differs when settings or file types have changed since: ask for the policy.' }),
          }),
        },
      },
    },
    async (request) => {
      const agent = agentOf(request);
      const { version, run_id, hostname, health, capabilities } = request.body;
      const fits = (value: object | undefined): object | null =>
        value !== undefined && JSON.stringify(value).length <= maxReportedBytes ? value : null;
      const { cloned, held, is_first, is_first_held, is_kept } = await recordHeartbeat(db, agent.id, {
        version: version ?? null,
        runId: run_id ?? null,
        hostname: hostname ?? null,
        address: request.clientAddress,
        health: fits(health),
        capabilities: fits(capabilities),
      });
      if (is_first) await reportClone(db, agent, actorOf(request));
      if (is_first_held) await raiseClone(db, agent.id, agent.name, true);
      const maintenance = (await maintenanceMode(db)).active;
      const { heartbeatSeconds, pollSeconds } = await fleetPace();
      return {
        maintenance,
        expected_seq_no: agent.last_contiguous_seq_no + 1,
        cloned,
        held,
        renew_key: is_kept,
        next_in_seconds: heartbeatSeconds,
        poll_seconds: pollSeconds,
        config_mark: await configMark(),
      };
    },
  );
}
