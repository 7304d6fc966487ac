-- Sign-in with providers: their configuration in the console, identities of accounts, second factors, and the directory.

-- Values saved in the console. Each overrides its setting; secrets are in the table `secrets` under auth-config/<provider>/<field>.
create table auth_config (
  provider text not null check (provider in ('oidc', 'ldap', 'directory')),
  field text not null,
  value jsonb not null,
  updated_at timestamptz not null default now(),
  primary key (provider, field)
);

-- Who an account is at a provider. One account can have several.
create table identities (
  id uuid primary key default uuidv7(),
  principal_id uuid not null references principals (id) on delete cascade,
  provider text not null check (provider in ('oidc', 'ldap', 'header')),
  -- The issuer of an OpenID provider, or the host of a directory.
  issuer text not null,
  subject text not null,
  name text,
  created_at timestamptz not null default now(),
  last_used_at timestamptz not null default now(),
  unique (provider, issuer, subject)
);
create index identities_principal on identities (principal_id);

-- Started sign-ins at an OpenID provider. A row is deleted when its answer arrives; hashes only, so that a copy of the table is of no use.
create table oidc_sign_ins (
  state_hash text primary key,
  browser_hash text not null,
  provider_name text not null,
  nonce text not null,
  code_verifier text not null,
  redirect_uri text not null,
  return_to text not null,
  expires_at timestamptz not null
);
create index oidc_sign_ins_expiry on oidc_sign_ins (expires_at);

-- Logout tokens that were already used.
create table oidc_logout_tokens (
  token_hash text primary key,
  expires_at timestamptz not null
);

-- Which sign-in opened a session, so that the provider can end it and rights can be refreshed. The tokens are in `secrets`.
alter table sessions add column method text not null default 'password';
alter table sessions add column identity_id uuid references identities (id) on delete cascade;
alter table sessions add column provider_name text;
alter table sessions add column provider_session text;
alter table sessions add column rights_checked_at timestamptz not null default now();
create index sessions_identity on sessions (identity_id) where identity_id is not null;

-- Where a role comes from: 'local' or a provider, and the value that decided it.
alter table principals add column role_source text not null default 'local';
alter table principals add column role_reason text;

-- The name of a group at its provider, when it differs from the name here: a claim value or the DN of a directory group.
alter table principal_groups add column external_name text;
-- A membership given by a provider ends when the provider no longer reports it; one given by hand stays.
alter table principal_group_members add column source text not null default 'local';

-- Second factors of local accounts. The TOTP secret is in `secrets` under totp/<account>.
create table totp_factors (
  principal_id uuid primary key references principals (id) on delete cascade,
  -- Null until the first code was entered.
  confirmed_at timestamptz,
  -- The last accepted time step, so that a code is used once.
  last_step bigint not null default 0,
  created_at timestamptz not null default now()
);

create table recovery_codes (
  principal_id uuid not null references principals (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (principal_id, code_hash)
);

create table passkeys (
  id uuid primary key default uuidv7(),
  principal_id uuid not null references principals (id) on delete cascade,
  credential_id text not null unique,
  public_key bytea not null,
  counter bigint not null,
  transports text[] not null default '{}',
  name text not null,
  created_at timestamptz not null default now(),
  last_used_at timestamptz
);
create index passkeys_principal on passkeys (principal_id);

-- Challenges given to browsers; each is used once within five minutes.
create table passkey_challenges (
  challenge_hash text primary key,
  -- Null for a sign-in, where the person is not known yet.
  principal_id uuid references principals (id) on delete cascade,
  expires_at timestamptz not null
);

alter table roles add column require_second_factor boolean not null default false;
-- Whether the session was opened, or later confirmed, with a second factor.
alter table sessions add column second_factor boolean not null default false;

-- Users, groups and computers of the directories, so that identifiers in file permissions have names.
create table directory_objects (
  object_guid text primary key,
  object_sid text,
  sam_account_name text,
  display_name text,
  user_principal_name text,
  distinguished_name text not null,
  kind text not null check (kind in ('user', 'group', 'computer', 'other')),
  domain text,
  uid_number bigint,
  gid_number bigint,
  disabled boolean not null default false,
  -- Groups by DN in lower case: memberOf, the groups that list the entry, and the primary group.
  member_of text[] not null default '{}',
  source_directory text not null,
  -- The full sweep that last saw the object.
  sweep_id uuid not null,
  last_synced_at timestamptz not null default now(),
  deleted_at timestamptz
);
create index directory_objects_sid on directory_objects (object_sid) where object_sid is not null;
create index directory_objects_dn on directory_objects (lower(distinguished_name));
create index directory_objects_source on directory_objects (source_directory, sweep_id);
create index directory_objects_groups on directory_objects using gin (member_of);
create index directory_objects_account on directory_objects (lower(sam_account_name));

-- How far each directory was read.
create table directory_sources (
  label text primary key,
  -- uSNChanged or modifyTimestamp up to which changes were read.
  watermark text,
  last_full_at timestamptz,
  last_synced_at timestamptz,
  last_error text
);

-- Names that an administrator gave to identifiers. Names from the directory are read from `directory_objects`.
create table principal_aliases (
  alias text primary key,
  canonical text not null,
  display text,
  created_at timestamptz not null default now()
);
