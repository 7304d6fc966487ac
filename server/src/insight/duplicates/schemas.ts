import { Type } from 'typebox';
import { Id, JsonObject, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { formatNames } from '../exports/index.ts';
import { fileParameters } from '../reports/index.ts';
import { actions, tiers } from './query.ts';
import { KeepRule } from './rules.ts';

export const GroupKey = Type.String({ maxLength: 100, pattern: '^[a-z0-9:]+$' });
export const Tier = Type.Enum([...tiers]);
export const ListParams = Type.Object({ format: Type.Optional(Type.Enum([...formatNames])), ...fileParameters }, noExtraFields);
export const Rules = Type.Array(KeepRule, { maxItems: 20 });
const TierOut = Type.Object({ groups: Type.Integer(), frees: Type.Number(), removed: Type.Integer() });
const decidedBy =
  'The position of the rule in the list, from 1. 0 is a choice by hand; null means that no rule decided and the first path is kept.';

const Work = Type.Object({ job_id: Id, state: Type.String(), progress: nullable(JsonObject) });

export const PlanOut = Type.Object(
  {
    number: Type.Integer(),
    rules: Type.Array(KeepRule),
    decided: Type.Array(Type.Integer(), { description: 'How many groups each rule decides.' }),
    tiers: Type.Object({ proven: TierOut, sampled: TierOut, similar: TierOut }),
    frees: Type.Number({ description: 'Bytes that the script frees. Only proven copies count.' }),
    kept: Type.Integer(),
    removed: Type.Integer(),
    annotated: Type.Integer({ description: 'Removed files with tags or notes.' }),
    chosen: Type.Integer({ description: 'Groups decided by hand.' }),
    undecided: Type.Integer({ description: 'Groups that no rule decides; the first path is kept.' }),
    offline: Type.Array(Id, { description: 'Libraries that cannot be reached. Their files are neither kept nor removed.' }),
    digest: Type.String({ description: 'Identifies what would be kept and removed. Send it with the review.' }),
    reviewed: Type.Boolean({ description: 'The plan is what was reviewed last, so that a script can be written.' }),
    reviewed_at: nullable(Time),
    reviewed_by: nullable(Type.String()),
    proof: nullable(Work),
    comparing: nullable(Work),
  },
  { title: 'CleanupPlan' },
);

export const GroupOut = Type.Object(
  {
    key: Type.String(),
    tier: Tier,
    size: Type.Integer(),
    copies: Type.Integer(),
    wasted: Type.Integer(),
    frees: Type.Integer(),
    offline_copies: Type.Integer(),
    item_id: Id,
    library_id: Id,
    library: Type.String(),
    rel_path: Type.String(),
    file_category: Type.String(),
    decided_by: nullable(Type.Integer({ description: decidedBy })),
  },
  { title: 'DuplicateGroup' },
);

export const CopyOut = Type.Object(
  {
    item_id: Id,
    library_id: Id,
    library: Type.String(),
    rel_path: Type.String(),
    size: Type.Integer(),
    mtime: Time,
    action: Type.Enum([...actions]),
    annotated: Type.Boolean(),
    decided_by: nullable(Type.Integer({ description: decidedBy })),
  },
  { title: 'DuplicateCopy' },
);
