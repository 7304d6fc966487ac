-- What agents report about their files.

-- The last batch that was applied, so that a batch whose answer was lost can be repeated.
alter table agents add column last_batch_first bigint, add column last_batch_digest text, add column last_batch_result jsonb;

-- Roots of agents. Until the first listing of a root is complete, additions are not logged as changes.
create table agent_roots (
  library_id uuid primary key references all_libraries (id) on delete cascade,
  agent_id uuid not null references agents (id) on delete cascade,
  listed boolean not null default false
);
create index agent_roots_agent on agent_roots (agent_id);

-- Entries that could not be applied. The agent goes on with the next entry; an administrator sees what is missing and why.
create table agent_quarantine (
  agent_id uuid not null references agents (id) on delete cascade,
  seq_no bigint not null,
  received_at timestamptz not null default now(),
  reason text not null,
  entry jsonb not null,
  primary key (agent_id, seq_no)
);
