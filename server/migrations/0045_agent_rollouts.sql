-- New policies that are handed out step by step. States and transitions are described in server/src/fleet/config/rollouts.ts.
create table agent_rollouts (
  id uuid primary key default uuidv7(),
  group_id uuid not null references agent_config_groups (id) on delete cascade,
  target_version integer not null,
  -- What covered agents report as applied.
  generation bigint not null default nextval('agent_config_generation'),
  -- Steps of {percent, delay_minutes}.
  tiers jsonb not null,
  -- The rollout stops itself when a larger share of the covered, connected agents fails.
  max_failed_percent integer not null default 0 check (max_failed_percent between 0 and 100),
  status text not null default 'scheduled' check (status in ('scheduled', 'running', 'completed', 'cancelled', 'stopped')),
  -- How many tiers have begun.
  current_tier integer not null default 0,
  -- Share of the agents that is covered now.
  percent integer not null default 0 check (percent between 0 and 100),
  starts_at timestamptz not null default now(),
  started_at timestamptz,
  tier_started_at timestamptz,
  finished_at timestamptz,
  -- Agents that reported errors before the rollout began; they do not count as failed by it.
  failing_before uuid[] not null default '{}',
  reason text,
  actor_id uuid,
  created_at timestamptz not null default now(),
  foreign key (group_id, target_version) references agent_config_versions (group_id, version) on delete cascade,
  check ((status in ('completed', 'cancelled', 'stopped')) = (finished_at is not null))
);
-- When the agent first reported the configuration it uses.
alter table agents add column config_applied_at timestamptz;
create unique index agent_rollouts_live on agent_rollouts (group_id) where status in ('scheduled', 'running');
