import { Type } from 'typebox';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
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
  },
  noExtraFields,
);
export const Name = Type.String({ minLength: 1, maxLength: 128, pattern: '^[^\\u0000-\\u001f]*[^\\s\\u0000-\\u001f][^\\u0000-\\u001f]*$' });
export const Description = nullable(Type.String({ maxLength: 1024 }));
export const Priority = Type.Integer({ minimum: 0, maximum: 1_000_000 });
export const GroupOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    priority: Type.Integer(),
    is_system: Type.Boolean(),
    policy: Policy,
    generation: Type.Integer(),
    current_version: Type.Integer(),
    member_count: Type.Integer(),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'AgentConfigGroup' },
);
export const Note = Type.String({ maxLength: 1024, description: 'Why it was changed.' });

export function present(row: GroupRow) {
  const { id, name, description, priority, is_system, policy, generation, current_version, members, created_at, updated_at } = row;
  return {
    id,
    name,
    description,
    priority,
    is_system,
    policy,
    generation,
    current_version,
    member_count: members,
    created_at: created_at.toISOString(),
    updated_at: updated_at.toISOString(),
  };
}
