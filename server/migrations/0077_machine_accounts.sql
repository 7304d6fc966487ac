-- Accounts and groups of the machines of agents. The same number means different people on different machines, so in stored lists the number
-- of an account is combined with that of its machine.
create table machine_accounts (
  agent_id uuid primary key references agents (id) on delete cascade,
  -- Never used again for another machine, because stored lists contain it.
  machine integer generated always as identity unique,
  accounts jsonb not null,
  changed_at timestamptz not null default clock_timestamp()
);
create index machine_accounts_changed on machine_accounts (changed_at);
