-- The run of the program that reported last, and earlier ones. A run that was replaced and reports again is another machine with the same
-- identity; it is shown once it has happened twice within an hour.
alter table agents add column run_id text;
alter table agents add column earlier_runs text[] not null default '{}';
alter table agents add column clone_suspected_at timestamptz;
alter table agents add column clone_seen_at timestamptz;

-- The most changes that waited at an agent within each hour.
create table agent_lag (
  agent_id uuid not null references agents (id) on delete cascade,
  hour timestamptz not null,
  waiting integer not null,
  primary key (agent_id, hour)
);
create index agent_lag_hour on agent_lag (hour);
