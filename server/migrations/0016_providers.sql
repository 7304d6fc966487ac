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
