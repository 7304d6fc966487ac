-- Agents on other machines: enrolment, identity, configuration groups and commands.

create table agents (
  id uuid primary key default uuidv7(),
  name text not null,
  hostname text not null,
  platform text not null check (platform in ('windows', 'macos', 'linux')),
  agent_version text,
  -- SHA-256 of the one-time secret of registration; null once a certificate is bound.
  enroll_secret_hash text,
  -- Null while the enrolment waits for an administrator.
  approved_at timestamptz,
  -- Lower-case hex SHA-256 of the certificate.
  cert_fingerprint text,
  cert_not_after timestamptz,
  cert_renewed_at timestamptz,
  -- The public key of the certificate (SPKI, PEM), which signed requests are verified with. Null when only a fingerprint was bound.
  public_key text,
  last_contiguous_seq_no bigint not null default 0,
  last_seen_at timestamptz,
  last_address text,
  last_auth_mode text,
  last_batch_at timestamptz,
  last_reconcile_at timestamptz,
  capabilities jsonb,
  capabilities_at timestamptz,
  health jsonb,
  health_at timestamptz,
  config_generation_applied bigint,
  -- Conditions that the alert rules were told of.
  reported_offline boolean not null default false,
  reported_stalled boolean not null default false,
  revoked_at timestamptz,
  created_at timestamptz not null default now()
);

create table agent_enrollment_tokens (
  token_hash text primary key,
  config_group_names text[] not null default '{}',
  -- Only a machine with this name, or from this network, can use the token.
  hostname text,
  network cidr,
  requires_approval boolean not null default false,
  expires_at timestamptz not null,
  consumed_at timestamptz,
  -- Not a reference: an agent may be removed before its token.
  consumed_by uuid,
  created_by uuid,
  created_at timestamptz not null default now()
);

-- Nonces of signed requests, until the requests are too old to be accepted. A crash may lose them: requests from before it are then refused
-- by their time or repeat something harmless.
create unlogged table agent_nonces (
  agent_id uuid not null,
  nonce text not null,
  expires_at timestamptz not null,
  primary key (agent_id, nonce)
);
create index agent_nonces_expires on agent_nonces (expires_at);

-- Raised by every change of a group: agents report which state of their configuration they use.
create sequence agent_config_generation;
create table agent_config_groups (
  id uuid primary key default uuidv7(),
  name text not null,
  description text,
  priority integer not null default 100 check (priority between 0 and 1000000),
  -- Every agent is a member of the one system group.
  is_system boolean not null default false,
  policy jsonb not null default '{}',
  generation bigint not null default nextval('agent_config_generation'),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index agent_config_groups_name on agent_config_groups (lower(name));
create unique index agent_config_groups_system on agent_config_groups (is_system) where is_system;
insert into agent_config_groups (name, description, priority, is_system) values ('Global', 'Applies to every agent.', 0, true);

create table agent_group_members (
  agent_id uuid not null references agents (id) on delete cascade,
  group_id uuid not null references agent_config_groups (id) on delete cascade,
  primary key (agent_id, group_id)
);
create index agent_group_members_group on agent_group_members (group_id);

-- Each root of an agent is one library.
create unique index libraries_of_agent on all_libraries (source_agent_id, root_path) where source_agent_id is not null and removed_at is null;
