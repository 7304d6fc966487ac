import { Type } from 'typebox';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { behaviourKeys } from './behaviour.ts';
import type { GroupRow } from './store.ts';

const Patterns = Type.Array(Type.String({ minLength: 1, maxLength: 1000 }), { maxItems: 500 });
const Rate = Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 });
export const Policy = Type.Object(
  {
    presets: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 100 })),
    exclude_globs: Type.Optional(Patterns),
    include_globs: Type.Optional(Patterns),
    content_hash_max_bytes: Type.Optional(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
    scan_interval_seconds: Type.Optional(Type.Integer({ minimum: 10, maximum: 2_592_000 })),
    upload_bytes_per_second: Type.Optional(Rate),
    read_bytes_per_second: Type.Optional(Rate),
    ...behaviourKeys,
  },
  noExtraFields,
);
export const Name = Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f]*[^\\s\\u0000-\\u001f][^\\u0000-\\u001f]*$' });
export const Description = nullable(Type.String({ maxLength: 1024 }));
export const Priority = Type.Integer({ minimum: 0, maximum: 1_000_000 });
const Label = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: '^[^\\s,\\u0000-\\u001f]+$',
  description: 'a word without spaces and commas',
});
export const Target = Type.Object(
  {
    platforms: Type.Array(Type.Enum(['windows', 'macos', 'linux']), { maxItems: 3, description: 'One of them; any when empty.' }),
    labels: Type.Array(Label, { maxItems: 20, description: 'All of them.' }),
  },
  { ...noExtraFields, description: 'Agents that are in the group besides its members; nobody when both are empty.' },
);
export const GroupOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    priority: Type.Integer(),
    is_system: Type.Boolean(),
    policy: Policy,
    target: Target,
    generation: Type.Integer(),
    current_version: Type.Integer(),
    member_count: Type.Integer(),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'AgentConfigGroup' },
);
export const TierSchema = Type.Object(
  {
    percent: Type.Integer({ minimum: 1, maximum: 100, description: 'Share of the agents that the step covers.' }),
    delay_minutes: Type.Integer({ minimum: 0, maximum: 43_200, description: 'After the beginning of the step before.' }),
  },
  noExtraFields,
);
export const RolloutIn = Type.Object(
  {
    tiers: Type.Array(TierSchema, { minItems: 1, maxItems: 5, description: 'Rising shares; the last one is 100.' }),
    starts_at: Type.Optional(Time),
    max_failed_percent: Type.Optional(
      Type.Integer({ minimum: 0, maximum: 99, default: 0, description: 'The rollout stops itself when more of the covered agents fail.' }),
    ),
  },
  noExtraFields,
);
export const RolloutCounts = Type.Object({
  covered: Type.Integer(),
  healthy: Type.Integer({ description: 'They use the new version and report no new errors.' }),
  pending: Type.Integer({ description: 'They are connected and have not taken the version yet.' }),
  failed: Type.Integer(),
  away: Type.Integer({ description: 'They were not seen since the step began.' }),
});
export const RolloutState = Type.Enum(['scheduled', 'running', 'completed', 'cancelled', 'stopped']);
export const RolloutOut = Type.Object(
  {
    id: Id,
    group_id: Id,
    group_name: Type.String(),
    target_version: Type.Integer(),
    tiers: Type.Array(TierSchema),
    max_failed_percent: Type.Integer(),
    status: RolloutState,
    current_tier: Type.Integer({ description: 'How many steps have begun.' }),
    covered_percent: Type.Integer(),
    next_promotion_at: nullable(Time),
    starts_at: Time,
    started_at: nullable(Time),
    tier_started_at: nullable(Time),
    finished_at: nullable(Time),
    paused_at: nullable(Time),
    reason: nullable(Type.String({ description: 'Why it ended early, or what it waits for.' })),
    actor: nullable(Type.String()),
    created_at: Time,
    agents: nullable(RolloutCounts),
  },
  { title: 'ConfigRollout' },
);
export const Note = Type.String({ maxLength: 1024, description: 'Why it was changed.' });

export function present(row: GroupRow) {
  const { id, name, description, priority, is_system, policy, generation, current_version, members, created_at, updated_at } = row;
  const { target_platforms, target_labels } = row;
  return {
    id,
    name,
    description,
    priority,
    is_system,
    policy,
    target: { platforms: target_platforms as ('windows' | 'macos' | 'linux')[], labels: target_labels },
    generation,
    current_version,
    member_count: members,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
