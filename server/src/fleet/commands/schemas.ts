import { Type } from 'typebox';
import { Id, JsonObject, nullable, Time } from '../../platform/schemas.ts';

/** What people can ask an agent for directly. */
export const WorkKind = Type.Enum(['rescan', 'inventory', 'reconcile']);
export const Kind = Type.Enum([
  'rescan',
  'inventory',
  'reconcile',
  'stage_upload',
  'self_update',
  'suspend',
  'stat_check',
  'rehash_check',
  'reextract',
  'rehash_sweep',
  'agent_maintenance',
]);
export const Status = Type.Enum(['pending', 'picked_up', 'done', 'failed', 'expired', 'cancelled']);

export const Progress = Type.Object({
  done: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }),
  total: nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER })),
});

export const CommandOut = Type.Object(
  {
    id: Id,
    agent_id: Id,
    kind: Kind,
    item_id: nullable(Id),
    payload: JsonObject,
    status: Status,
    attempts: Type.Integer(),
    progress: nullable(JsonObject),
    created_at: Time,
    updated_at: Time,
    expires_at: Time,
    picked_up_at: nullable(Time),
    completed_at: nullable(Time),
    result: nullable(JsonObject),
    requested_by: nullable(Id),
  },
  { title: 'AgentCommand' },
);
