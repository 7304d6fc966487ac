-- What agents are asked to do. States and transitions are described in server/src/fleet/commands/service.ts.
create table agent_commands (
  id uuid primary key default uuidv7(),
  agent_id uuid not null references agents (id) on delete cascade,
  kind text not null check (kind in ('rescan', 'inventory')),
  -- Not a reference, so that deleting items costs nothing here.
  item_id uuid,
  -- The libraries that the command concerns: who sees all of them sees the command.
  library_ids uuid[] not null default '{}',
  payload jsonb not null default '{}',
  status text not null default 'pending' check (status in ('pending', 'picked_up', 'done', 'failed', 'expired', 'cancelled')),
  attempts integer not null default 0,
  progress jsonb,
  result jsonb,
  requested_by uuid,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  expires_at timestamptz not null,
  picked_up_at timestamptz,
  -- A delivered command that is not acknowledged until then is delivered again.
  lease_until timestamptz,
  completed_at timestamptz,
  check ((status in ('pending', 'picked_up')) = (completed_at is null))
);
create index agent_commands_agent on agent_commands (agent_id, id);
create index agent_commands_open on agent_commands (agent_id, id) where status in ('pending', 'picked_up');
-- One of a kind at a time: for the whole agent, or for an item.
create unique index agent_commands_single on agent_commands (agent_id, kind, coalesce(item_id::text, ''))
  where status in ('pending', 'picked_up') and kind <> 'inventory';
create index agent_commands_completed on agent_commands (completed_at) where completed_at is not null;

-- What an inventory listed: NDJSON packed with gzip.
create table agent_inventories (
  command_id uuid primary key references agent_commands (id) on delete cascade,
  body bytea not null,
  entries integer not null,
  created_at timestamptz not null default now()
);
