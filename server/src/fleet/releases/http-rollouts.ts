import { Type } from 'typebox';
import { visibilityOf } from '../../people/access/index.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf, callerOf } from '../../platform/http/index.ts';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { RolloutCounts, RolloutIn, RolloutState, Target, TierSchema } from '../config/index.ts';
import { listReleaseRollouts, type ReleaseRolloutRow, releaseCoverage } from './rollout-store.ts';
import {
  cancelReleaseRollout,
  pauseReleaseRollout,
  promoteReleaseRollout,
  requireReleaseRollout,
  rollBackRelease,
  startReleaseRollout,
} from './rollouts.ts';
import { Version } from './schemas.ts';
import { requestUpdate } from './service.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ rollout_id: Id });
const HealthMinutes = Type.Integer({
  minimum: 1,
  maximum: 1440,
  default: 15,
  description: 'How long an agent must work with the new program before it counts as healthy.',
});
const ReleaseTarget = Type.Object(
  {
    ...Target.properties,
    group_ids: Type.Array(Id, { maxItems: 100, description: 'Members of one of these groups; any agent when empty.' }),
  },
  { ...noExtraFields, description: 'Which agents the rollout is for; all of them when everything is empty.' },
);
const ReleaseTargetIn = Type.Object(
  { ...ReleaseTarget.properties, group_ids: Type.Optional(ReleaseTarget.properties.group_ids) },
  noExtraFields,
);
const ReleaseRolloutOut = Type.Object(
  {
    id: Id,
    release_version: Type.String(),
    tiers: Type.Array(TierSchema),
    max_failed_percent: Type.Integer(),
    health_minutes: Type.Integer(),
    target: ReleaseTarget,
    status: RolloutState,
    current_tier: Type.Integer({ description: 'How many steps have begun.' }),
    covered_percent: Type.Integer(),
    running_count: Type.Integer({ description: 'Agents that run this version now.' }),
    next_promotion_at: nullable(Time),
    starts_at: Time,
    started_at: nullable(Time),
    tier_started_at: nullable(Time),
    finished_at: nullable(Time),
    paused_at: nullable(Time),
    reason: nullable(Type.String({ description: 'Why it ended early.' })),
    actor: nullable(Type.String()),
    created_at: Time,
    agents: nullable(RolloutCounts),
  },
  { title: 'ReleaseRollout' },
);

/** Rollouts of releases of the agent program. */
export function releaseRolloutRoutes(app: App, { db }: Dependencies): void {
  app.post(
    '/agent-releases/:version/rollouts',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Offer a release step by step; may be called before its programs are uploaded',
        params: Type.Object({ version: Version }),
        body: Type.Object(
          { ...RolloutIn.properties, health_minutes: Type.Optional(HealthMinutes), target: Type.Optional(ReleaseTargetIn) },
          noExtraFields,
        ),
        response: { 201: ReleaseRolloutOut },
      },
    },
    async (request, reply) => {
      const id = await startReleaseRollout(db, request.params.version, request.body, actorOf(request));
      return reply.code(201).send(await present(db, await requireReleaseRollout(db, id)));
    },
  );
  app.get(
    '/agent-release-rollouts',
    {
      config: admin,
      schema: {
        tags,
        summary: 'List rollouts of releases, newest first',
        querystring: Type.Object(
          {
            status: Type.Optional(RolloutState),
            version: Type.Optional(Version),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
          },
          noExtraFields,
        ),
        response: { 200: Type.Array(ReleaseRolloutOut) },
      },
    },
    async ({ query: { status = null, version = null, limit = 50 } }) =>
      Promise.all((await listReleaseRollouts(db, { status, version, limit })).map((row) => present(db, row))),
  );
  const step = (name: string, summary: string, run: typeof cancelReleaseRollout): void => {
    app.post(
      `/agent-release-rollouts/:rollout_id/${name}`,
      { config: admin, schema: { tags, summary, params, response: { 200: ReleaseRolloutOut } } },
      async (request) => {
        await run(db, request.params.rollout_id, actorOf(request));
        return present(db, await requireReleaseRollout(db, request.params.rollout_id));
      },
    );
  };
  step('cancel', 'Stop offering the release; agents that have it keep it', cancelReleaseRollout);
  step('promote', 'Start the next step of a rollout now, or complete it after the last step', promoteReleaseRollout);
  step(
    'pause',
    'Begin no further step and offer the release to no further agent until it is resumed; the health gate goes on',
    (each, id, actor) => pauseReleaseRollout(each, id, true, actor),
  );
  step('resume', 'Let a paused rollout go on', (each, id, actor) => pauseReleaseRollout(each, id, false, actor));
  step('rollback', 'End a rollout and return its agents to the version before', async (...args) => void (await rollBackRelease(...args)));
  app.post(
    '/agents/:agent_id/self-update',
    {
      config: { scope: 'write' },
      schema: {
        tags,
        summary: 'Ask an agent to install the newest release now, also outside a rollout',
        params: Type.Object({ agent_id: Id }),
        response: { 201: Type.Object({ command_id: Id, agent_id: Id, target: Type.String(), expires_at: Time }) },
      },
    },
    async (request, reply) => {
      const visibility = await visibilityOf(db, callerOf(request));
      const { command, target } = await requestUpdate(db, visibility, request.params.agent_id, actorOf(request));
      const { id: command_id, agent_id, expires_at } = command;
      return reply.code(201).send({ command_id, agent_id, target, expires_at: expires_at.toISOString() });
    },
  );
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

async function present(db: Db, row: ReleaseRolloutRow) {
  const { failed_names: _names, ...agents } = row.status === 'running' ? await releaseCoverage(db, row) : { failed_names: [] };
  return {
    id: row.id,
    release_version: row.version,
    tiers: row.tiers,
    max_failed_percent: row.max_failed_percent,
    health_minutes: row.health_minutes,
    target: {
      platforms: row.target_platforms as ('windows' | 'macos' | 'linux')[],
      labels: row.target_labels,
      group_ids: row.target_groups,
    },
    status: row.status,
    current_tier: row.current_tier,
    covered_percent: row.percent,
    running_count: row.running,
    next_promotion_at: iso(row.next_at),
    starts_at: row.starts_at.toISOString(),
    started_at: iso(row.started_at),
    tier_started_at: iso(row.tier_started_at),
    finished_at: iso(row.finished_at),
    paused_at: iso(row.paused_at),
    reason: row.reason,
    actor: row.actor,
    created_at: row.created_at.toISOString(),
    agents: 'covered' in agents ? agents : null,
  };
}
