import { Type } from 'typebox';
import { Id, noExtraFields, nullable } from '../../platform/schemas.ts';

const ScopeName = Type.Enum(['read', 'write', 'admin']);
const Effect = Type.Enum(['allow', 'deny']);
const SubjectKind = Type.Enum(['principal', 'group']);

export const RoleOut = Type.Object(
  {
    name: Type.String(),
    display_name: Type.String(),
    description: Type.String(),
    builtin: Type.Boolean(),
    scopes: Type.Array(ScopeName),
    ceiling_actions: Type.Array(Type.String()),
    bypass: Type.Boolean(),
    require_second_factor: Type.Boolean({
      description: 'People with this role and a local password need an authenticator app or a passkey.',
    }),
    session_inactivity_hours: nullable(Type.Number({ description: 'Null means SVC_SESSION_INACTIVITY_HOURS.' })),
    session_ttl_hours: nullable(Type.Number({ description: 'Null means SVC_SESSION_TTL_HOURS.' })),
    users: Type.Integer(),
    updated_at: nullable(Type.String({ format: 'date-time' })),
  },
  { title: 'RoleOut' },
);
const RoleFields = {
  display_name: Type.String({ minLength: 1, maxLength: 64 }),
  description: Type.String({ maxLength: 500 }),
  scopes: Type.Array(ScopeName, { uniqueItems: true }),
  ceiling_actions: Type.Array(Type.String({ maxLength: 64 }), { uniqueItems: true, maxItems: 20 }),
};
export const RoleCreateIn = Type.Object(
  {
    name: Type.String({ minLength: 2, maxLength: 32, pattern: '^[a-z][a-z0-9_-]+$' }),
    display_name: RoleFields.display_name,
    description: Type.Optional(RoleFields.description),
    scopes: Type.Optional(RoleFields.scopes),
    ceiling_actions: Type.Optional(RoleFields.ceiling_actions),
    clone_from: Type.Optional(nullable(Type.String({ maxLength: 32 }))),
  },
  noExtraFields,
);
const Hours = Type.Number({ minimum: 0.1, maximum: 8760 });
export const RolePatchIn = Type.Partial(
  Type.Object({
    ...RoleFields,
    require_second_factor: Type.Boolean(),
    session_inactivity_hours: nullable(Hours),
    session_ttl_hours: nullable(Hours),
  }),
  noExtraFields,
);

export const RoleCompareOut = Type.Object({
  scopes: Type.Array(Type.String()),
  actions: Type.Array(Type.String()),
  action_help: Type.Record(Type.String(), Type.String()),
  scope_help: Type.Record(Type.String(), Type.String()),
  roles: Type.Array(RoleOut),
  matrix: Type.Record(Type.String(), Type.Record(Type.String(), Type.Boolean())),
  users_by_role: Type.Record(Type.String(), Type.Array(Type.String())),
});

export const AccessOverviewOut = Type.Object(
  {
    role: Type.String(),
    display_name: Type.String(),
    scopes: Type.Array(ScopeName),
    bypass: Type.Boolean({ description: 'The role sees everything; rules do not restrict it.' }),
    ceiling_actions: Type.Array(Type.String()),
    role_source: Type.String({ description: 'local, or the provider that gave the role.' }),
    role_reason: nullable(Type.String()),
    groups: Type.Array(
      Type.Object({ id: Id, name: Type.String(), source: Type.String({ description: 'local, or the provider that reports it.' }) }),
    ),
    rights: Type.Array(
      Type.Object({
        library_id: Id,
        library: Type.String(),
        rel_path: Type.String(),
        action: Type.String(),
        effect: Effect,
        group: nullable(Type.String({ description: 'The group whose rule it is; null for a rule about the person.' })),
        beyond_role: Type.Boolean({ description: 'The role does not cover the action, so the rule has no effect.' }),
      }),
    ),
  },
  { title: 'AccessOverview' },
);

export const PrincipalGroupOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    description: nullable(Type.String()),
    source: Type.String(),
    external_name: nullable(Type.String({ description: 'Name of the group at a sign-in provider: a claim value or a DN.' })),
    member_count: Type.Integer(),
  },
  { title: 'GroupOut' },
);
const GroupName = Type.String({ minLength: 1, maxLength: 120 });
const GroupDescription = nullable(Type.String({ maxLength: 500 }));
const ExternalName = nullable(Type.String({ minLength: 1, maxLength: 1000 }));
export const GroupCreateIn = Type.Object(
  { name: GroupName, description: Type.Optional(GroupDescription), external_name: Type.Optional(ExternalName) },
  noExtraFields,
);
export const GroupPatchIn = Type.Object(
  { name: Type.Optional(GroupName), description: Type.Optional(GroupDescription), external_name: Type.Optional(ExternalName) },
  noExtraFields,
);
export const MemberOut = Type.Object({
  principal_id: Id,
  username: Type.String(),
  global_role: Type.String(),
  source: Type.String({ description: 'local, or the provider that reports the membership.' }),
});
export const MemberIn = Type.Object({ principal_id: Id }, noExtraFields);

export const GrantOut = Type.Object(
  {
    id: Id,
    subject_kind: SubjectKind,
    subject_id: Id,
    subject_label: nullable(Type.String()),
    library_id: Id,
    rel_path: Type.String(),
    scope: Type.String(),
    action: Type.String(),
    effect: Effect,
    warnings: Type.Array(Type.String()),
  },
  { title: 'GrantOut' },
);
export const GrantCreateIn = Type.Object(
  {
    subject_kind: SubjectKind,
    subject_id: Id,
    library_id: Id,
    rel_path: Type.Optional(Type.String({ maxLength: 4096, default: '' })),
    action: Type.String({ maxLength: 64 }),
    effect: Type.Optional(Effect),
  },
  noExtraFields,
);
export const AccessDecisionOut = Type.Object({
  allowed: Type.Boolean(),
  reason: Type.String(),
  action: Type.String(),
  role: Type.String(),
  item_scope: Type.String(),
  winning_grant: nullable(
    Type.Object({ scope: Type.String(), action: Type.String(), effect: Effect, subject_kind: Type.String(), subject_id: Type.String() }),
  ),
});
