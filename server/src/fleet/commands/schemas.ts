import { inventoryCollectors } from '@catalog/protocol';
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

export const Collector = Type.Enum([...inventoryCollectors]);

export const CollectorOut = Type.Object(
  {
    name: Collector,
    label: Type.String(),
    description: Type.String(),
    platforms: Type.Array(Type.Enum(['linux', 'macos', 'windows'])),
    cost: Type.Enum(['low', 'medium', 'high']),
    by_default: Type.Boolean({ description: 'Collected by an inventory that names no collectors.' }),
    advertised_by: Type.Integer({ description: 'How many agents can collect it.' }),
  },
  { title: 'InventoryCollector' },
);
