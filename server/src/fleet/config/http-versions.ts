import { Type } from 'typebox';
import { checkPresetNames } from '../../catalog/presets/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { type App, actorOf } from '../../platform/http/index.ts';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { findLive, findRollout, type RolloutRow } from './rollout-store.ts';
import { GroupOut, Note, Policy, present, RolloutIn, RolloutState, TierSchema } from './schemas.ts';
import { requireGroup } from './service.ts';
import { listVersions, preview, rollBack, type VersionRow } from './versions.ts';

const tags = ['agents'];
const admin = { scope: 'admin' } as const;
const params = Type.Object({ group_id: Id });
const maxShown = 200;
const newest = 20;
const VersionOut = Type.Object({
  version: Type.Integer(),
  policy: Policy,
  note: nullable(Type.String()),
  actor: nullable(Type.String()),
  created_at: Time,
});
const ActiveRollout = Type.Object({
  id: Id,
  status: RolloutState,
  current_tier: Type.Integer(),
  tiers: Type.Array(TierSchema),
  target_version: Type.Integer(),
  starts_at: Time,
  started_at: nullable(Time),
  tier_started_at: nullable(Time),
  paused_at: nullable(Time),
});

/** History, dry run and rollback of configuration groups. */
export function configVersionRoutes(app: App, { db }: Dependencies): void {
  app.get(
    '/agents/config-groups/:group_id',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Get a configuration group with its latest versions and current rollout',
        params,
        response: {
          200: Type.Object({
            ...GroupOut.properties,
            active_rollout: nullable(ActiveRollout),
            versions: Type.Array(VersionOut, { maxItems: newest }),
          }),
        },
      },
    },
    async ({ params: { group_id } }) => {
      const group = await requireGroup(db, group_id);
      const live = await findLive(db, group_id);
      const rollout = live === undefined ? undefined : await findRollout(db, live);
      return {
        ...present(group),
        active_rollout: rollout ? presentActive(rollout) : null,
        versions: (await listVersions(db, group_id, null, newest)).map(presentVersion),
      };
    },
  );
  app.get(
    '/agents/config-groups/:group_id/history',
    {
      config: admin,
      schema: {
        tags,
        summary: 'List the versions of a configuration group, newest first',
        params,
        querystring: Type.Object(
          {
            before: Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description: 'Only earlier versions.' })),
            limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 100 })),
          },
          noExtraFields,
        ),
        response: {
          200: Type.Array(VersionOut),
        },
      },
    },
    async ({ params: { group_id }, query: { before, limit = 100 } }) => {
      await requireGroup(db, group_id);
      return (await listVersions(db, group_id, before ?? null, limit)).map(presentVersion);
    },
  );
  app.post(
    '/agents/config-groups/:group_id/preview',
    {
      config: admin,
      schema: {
        tags,
        summary: 'What a policy would change, and for which agents; nothing is changed',
        params,
        body: Type.Object({ policy: Policy }, noExtraFields),
        response: {
          200: Type.Object({
            changes: Type.Array(Type.Object({ key: Type.String(), before: Type.Unknown(), after: Type.Unknown() })),
            members: Type.Integer(),
            affected_count: Type.Integer({ description: 'Agents whose configuration would change; other groups may win.' }),
            affected: Type.Array(Type.Object({ agent_id: Id, name: Type.String(), keys: Type.Array(Type.String()) }), {
              maxItems: maxShown,
            }),
          }),
        },
      },
    },
    async (request) => {
      const group = await requireGroup(db, request.params.group_id);
      await checkPresetNames(db, request.body.policy.presets ?? [], ['body', 'policy', 'presets']);
      const { changes, members, affected } = await preview(db, group, request.body.policy);
      return { changes, members, affected_count: affected.length, affected: affected.slice(0, maxShown) };
    },
  );
  app.post(
    '/agents/config-groups/:group_id/rollback',
    {
      config: admin,
      schema: {
        tags,
        summary: 'Publish the policy of an earlier version as a new version, at once or step by step',
        params,
        body: Type.Object(
          { version: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }), note: Type.Optional(Note), rollout: Type.Optional(RolloutIn) },
          noExtraFields,
        ),
        response: { 200: GroupOut },
      },
    },
    async (request) => {
      const { group_id } = request.params;
      const { version, note = null, rollout } = request.body;
      await rollBack(db, await requireGroup(db, group_id), { version, note, rollout }, actorOf(request));
      return present(await requireGroup(db, group_id));
    },
  );
}

const presentVersion = ({ version, policy, note, actor, created_at }: VersionRow) => ({
  version,
  policy,
  note,
  actor,
  created_at: created_at.toISOString(),
});

const presentActive = ({
  id,
  status,
  current_tier,
  tiers,
  target_version,
  starts_at,
  started_at,
  tier_started_at,
  paused_at,
}: RolloutRow) => ({
  id,
  status,
  current_tier,
  tiers,
  target_version,
  starts_at: starts_at.toISOString(),
  started_at: started_at?.toISOString() ?? null,
  tier_started_at: tier_started_at?.toISOString() ?? null,
  paused_at: paused_at?.toISOString() ?? null,
});
