-- Files that agents upload on request. States and transitions are described in server/src/fleet/transfers/service.ts.
alter table agent_commands drop constraint agent_commands_kind_check;
alter table agent_commands add constraint agent_commands_kind_check check (kind in ('rescan', 'inventory', 'reconcile', 'stage_upload'));

create table agent_transfers (
  id uuid primary key default uuidv7(),
  item_id uuid not null,
  agent_id uuid not null references agents (id) on delete cascade,
  -- The command that makes the agent upload. Not a reference: ended commands are removed earlier than a transfer that is still read.
  command_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'uploading', 'verifying', 'staged', 'failed', 'expired')),
  -- As the catalog knew the file when it was requested; a file with other bytes is refused.
  expected_size bigint not null,
  expected_hash text,
  verify boolean not null,
  total_bytes bigint,
  bytes_transferred bigint not null default 0,
  error text,
  requested_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  last_range_request_at timestamptz,
  check (bytes_transferred <= coalesce(total_bytes, 0))
);
create unique index agent_transfers_active on agent_transfers (item_id) where state in ('pending', 'uploading', 'verifying', 'staged');
create index agent_transfers_agent on agent_transfers (agent_id);
create index agent_transfers_expires on agent_transfers (expires_at);

-- Every policy that a configuration group has had, with who set it and why.
alter table agent_config_groups add column current_version integer not null default 1;
create table agent_config_versions (
  group_id uuid not null references agent_config_groups (id) on delete cascade,
  version integer not null,
  policy jsonb not null,
  note text,
  actor_id uuid,
  created_at timestamptz not null default now(),
  primary key (group_id, version)
);
insert into agent_config_versions (group_id, version, policy, created_at) select id, 1, policy, updated_at from agent_config_groups;
