import { Type } from 'typebox';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';

const Hours = Type.Number({ minimum: 0, maximum: 8760 });
export const Password = Type.String({ minLength: 8, maxLength: 1024 });
const Username = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\u0000-\\u001f\\u007f]+$' });
export const ScopeName = Type.Enum(['read', 'write', 'admin']);

export const PrincipalOut = Type.Object(
  {
    id: Id,
    username: Type.String(),
    email: nullable(Type.String()),
    global_role: Type.String(),
    kind: Type.String(),
    disabled: Type.Boolean(),
    auth_provider: Type.String(),
    role_source: Type.String({ description: 'local, or the provider that gave the role.' }),
    role_reason: nullable(Type.String()),
    must_enrol: Type.Optional(Type.Boolean({ description: 'Your role requires a second factor that you have not set up.' })),
    actions: Type.Optional(
      Type.Array(Type.String(), { description: 'What you may do in at least one folder, such as download. Of your own account only.' }),
    ),
    last_login_at: nullable(Time),
    created_at: Time,
    password_changed_at: nullable(Time),
    display_name: nullable(Type.String()),
    phone: nullable(Type.String()),
    preferences: Type.Record(Type.String(), Type.Unknown()),
    session_inactivity_hours: nullable(Type.Number()),
    session_ttl_hours: nullable(Type.Number()),
    scopes: Type.Array(Type.String()),
    api_keys: Type.Integer({ description: 'Number of valid API keys of this account. A new password does not revoke them.' }),
    invited: Type.Boolean({ description: 'A local account without a password: the person has not used the link of the invitation yet.' }),
  },
  { title: 'PrincipalOut' },
);

export const AuthStatus = Type.Object({
  auth_enabled: Type.Boolean(),
  users_exist: Type.Boolean(),
  mode: Type.Enum(['disabled', 'bootstrap', 'enabled']),
  oidc_enabled: Type.Boolean(),
  ldap_enabled: Type.Boolean(),
  oidc_providers: Type.Array(Type.Object({ name: Type.String(), label: Type.String() })),
  session_hours: Type.Number({ description: 'How long a session lasts, unless a role or an account has limits of its own.' }),
  header_user: nullable(Type.String({ description: 'Whom an authenticating proxy names; POST /auth/header signs them in.' })),
});

export const BootstrapIn = Type.Object({ username: Username, password: Password }, noExtraFields);
export const LoginIn = Type.Object(
  {
    username: Type.String({ maxLength: 256, description: 'The user name, or the e-mail address that only one local account has.' }),
    password: Type.String({ maxLength: 1024 }),
    code: Type.Optional(Type.String({ maxLength: 64, description: 'Code of the authenticator app, or a recovery code.' })),
    remember: Type.Optional(
      Type.Boolean({ default: true, description: 'False: the cookie ends with the browser. The limits of the session stay the same.' }),
    ),
  },
  noExtraFields,
);
export const PasswordChangeIn = Type.Object(
  {
    current_password: Type.String({ maxLength: 1024 }),
    new_password: Password,
    revoke_api_keys: Type.Optional(Type.Boolean({ default: false })),
  },
  noExtraFields,
);
const Email = Type.String({ maxLength: 254, pattern: '^[^@\\s]+@[^@\\s]+$' });

export const ProfileIn = Type.Object(
  {
    username: Type.Optional(Username),
    display_name: Type.Optional(nullable(Type.String({ maxLength: 120 }))),
    email: Type.Optional(nullable(Email)),
    phone: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
  },
  noExtraFields,
);
export const UserCreateIn = Type.Object(
  {
    username: Username,
    password: Password,
    global_role: Type.Optional(Type.String({ maxLength: 32, default: 'user' })),
    email: Type.Optional(nullable(Email)),
  },
  noExtraFields,
);
export const InviteIn = Type.Object(
  {
    username: Username,
    global_role: Type.Optional(Type.String({ maxLength: 32, default: 'user' })),
    email: Type.Optional(nullable(Email)),
  },
  noExtraFields,
);
export const UserPatchIn = Type.Object(
  {
    global_role: Type.Optional(Type.String({ maxLength: 32 })),
    disabled: Type.Optional(Type.Boolean()),
    email: Type.Optional(nullable(Email)),
    password: Type.Optional(Password),
    revoke_api_keys: Type.Optional(Type.Boolean({ default: false })),
    display_name: Type.Optional(nullable(Type.String({ maxLength: 120 }))),
    phone: Type.Optional(nullable(Type.String({ maxLength: 64 }))),
    session_inactivity_hours: Type.Optional(nullable(Hours)),
    session_ttl_hours: Type.Optional(nullable(Hours)),
  },
  noExtraFields,
);

export const SessionOut = Type.Object({
  id: Id,
  ip_address: nullable(Type.String()),
  user_agent: nullable(Type.String()),
  created_at: Time,
  last_seen_at: Time,
  method: Type.String({ description: 'How the person signed in: password, passkey, oidc, ldap or header.' }),
  new_network: Type.Boolean({ description: 'Nobody had signed in to the account from this network before.' }),
  current: Type.Boolean(),
});

export const KeyOut = Type.Object({
  id: Id,
  name: Type.String(),
  prefix: Type.String(),
  scopes: Type.Array(Type.String()),
  service_account_id: nullable(Id),
  service_account: nullable(Type.String()),
  principal_id: nullable(Id),
  username: nullable(Type.String()),
  libraries: nullable(Type.Array(Id)),
  path_scope: nullable(Type.String()),
  expires_at: nullable(Time),
  expired: Type.Boolean(),
  last_used_at: nullable(Time),
  created_at: Time,
});
export const KeyIn = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 200 }),
    scopes: Type.Array(ScopeName, { minItems: 1, maxItems: 3, uniqueItems: true }),
    expires_days: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: 3650 }))),
    service_account_id: Type.Optional(nullable(Id)),
    libraries: Type.Optional(nullable(Type.Array(Id, { maxItems: 200 }))),
    path_scope: Type.Optional(nullable(Type.String({ maxLength: 4096 }))),
  },
  noExtraFields,
);

export const ServiceAccountOut = Type.Object({
  id: Id,
  name: Type.String(),
  description: nullable(Type.String()),
  disabled: Type.Boolean(),
  created_at: Time,
  key_count: Type.Integer(),
  last_used_at: nullable(Time),
});
const AccountName = Type.String({ minLength: 1, maxLength: 120 });
const Description = Type.String({ maxLength: 500 });
export const ServiceAccountIn = Type.Object({ name: AccountName, description: Type.Optional(nullable(Description)) }, noExtraFields);
export const ServiceAccountPatch = Type.Object(
  { name: Type.Optional(AccountName), description: Type.Optional(nullable(Description)), disabled: Type.Optional(Type.Boolean()) },
  noExtraFields,
);

export const IdentityOut = Type.Object(
  {
    id: Id,
    provider: Type.Enum(['oidc', 'ldap', 'header']),
    issuer: Type.String(),
    name: nullable(Type.String()),
    created_at: Time,
    last_used_at: Time,
  },
  { title: 'IdentityOut' },
);
