import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { notFound } from '../../platform/problem.ts';
import { Id, noExtraFields } from '../../platform/schemas.ts';
import { coverageOf, findRollout, listRollouts, type RolloutRow } from './rollout-store.ts';
import { cancelRollout, pauseRollout, promoteRollout } from './rollouts.ts';
import { RolloutOut, RolloutState } from './schemas.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ rollout_id: Id });

/** Rollouts of policies; they are started by a change or a rollback of a configuration group. */
export function configRolloutRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/agents/config-rollouts',
    {
      config: admin,
      schema: {
        tags,
        summary: 'List rollouts of configuration groups, newest first',
        querystring: Type.Object(
          {
            status: Type.Optional(RolloutState),
            group_id: Type.Optional(Id),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50 })),
          },
          noExtraFields,
        ),
        response: { 200: Type.Array(RolloutOut) },
      },
    },
    async ({ query: { status = null, group_id: groupId = null, limit = 50 } }) => {
      const rows = await listRollouts(db, { status, groupId, limit });
      return Promise.all(rows.map((row) => present(db, row)));
    },
  );
  app.post(
    '/agents/config-rollouts/:rollout_id/cancel',
    {
      config: admin,
      schema: { tags, summary: 'Cancel a rollout and return its agents to the earlier version', params, response: { 200: RolloutOut } },
    },
    async (request) => {
      const { rollout_id: id } = request.params;
      await cancelRollout(db, id, actorOf(request));
      return present(db, await requireRollout(db, id));
    },
  );
  app.post(
    '/agents/config-rollouts/:rollout_id/promote',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Start the next step of a rollout now, or complete it after the last step',
        params,
        response: { 200: RolloutOut },
      },
    },
    async (request) => {
      const { rollout_id: id } = request.params;
      await promoteRollout(db, id, actorOf(request));
      return present(db, await requireRollout(db, id));
    },
  );
  for (const [name, summary] of [
    ['pause', 'Begin no further step of a rollout until it is resumed; its health gate goes on'],
    ['resume', 'Let a paused rollout go on'],
  ] as const)
    app.post(
      `/agents/config-rollouts/:rollout_id/${name}`,
      { config: admin, schema: { tags, summary, params, response: { 200: RolloutOut } } },
      async (request) => {
        const { rollout_id: id } = request.params;
        await pauseRollout(db, id, name === 'pause', actorOf(request));
        return present(db, await requireRollout(db, id));
      },
    );
}

async function requireRollout(db: Db, id: string): Promise<RolloutRow> {
  const row = await findRollout(db, id);
  if (!row) throw notFound('rollout');
  return row;
}

const iso = (date: Date | null): string | null => date?.toISOString() ?? null;

async function present(db: Db, row: RolloutRow) {
  const { failed_names: _names, ...agents } = row.status === 'running' ? await coverageOf(db, row) : { failed_names: [] };
  return {
    id: row.id,
    group_id: row.group_id,
    group_name: row.group_name,
    target_version: row.target_version,
    tiers: row.tiers,
    max_failed_percent: row.max_failed_percent,
    status: row.status,
    current_tier: row.current_tier,
    covered_percent: row.percent,
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
