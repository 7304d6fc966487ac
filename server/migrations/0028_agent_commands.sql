-- What agents are asked to do. States and transitions are described in server/src/fleet/commands/service.ts.
create table agent_commands (
  id uuid primary key default uuidv7(),
  agent_id uuid not null references agents (id) on delete cascade,
  kind text not null check (kind in ('rescan', 'inventory', 'reconcile')),
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

-- Comparisons of an agent's index with the items here. Unlogged: after a crash the agent starts again.
create unlogged table agent_reconcile_sessions (
  id uuid primary key default uuidv7(),
  agent_id uuid not null references agents (id) on delete cascade,
  library_id uuid not null references all_libraries (id) on delete cascade,
  -- The last change of the agent that was applied when the comparison began. Any other change ends the comparison.
  seq_no bigint not null,
  upserted integer not null default 0,
  tombstoned integer not null default 0,
  trashed_conflicts integer not null default 0,
  refused integer not null default 0,
  expires_at timestamptz not null default now() + interval '1 hour',
  unique (agent_id, library_id)
);
-- The digest of the files in each folder, without those in its subfolders.
create unlogged table agent_reconcile_folders (
  session_id uuid not null references agent_reconcile_sessions (id) on delete cascade,
  path text collate "C" not null,
  digest bigint not null,
  files integer not null,
  primary key (session_id, path)
);
