-- Releases that are offered step by step. States and transitions are described in server/src/fleet/releases/rollouts.ts.
create table agent_release_rollouts (
  id uuid primary key default uuidv7(),
  version text not null references agent_releases (version) on delete cascade,
  -- Steps of {percent, delay_minutes}.
  tiers jsonb not null,
  -- The rollout stops itself when a larger share of the covered, connected agents fails.
  max_failed_percent integer not null default 0 check (max_failed_percent between 0 and 100),
  -- How long an agent must work with the new program before it counts as healthy.
  health_minutes integer not null default 15 check (health_minutes between 1 and 1440),
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
  check ((status in ('completed', 'cancelled', 'stopped')) = (finished_at is not null))
);
create unique index agent_release_rollouts_live on agent_release_rollouts (version) where status in ('scheduled', 'running');
create index agent_release_rollouts_version on agent_release_rollouts (version, id);

-- When the agent first reported the version that it runs, and what it ran before.
alter table agents add column version_at timestamptz;
alter table agents add column previous_version text;

alter table agent_commands drop constraint agent_commands_kind_check;
alter table agent_commands add constraint agent_commands_kind_check
  check (kind in ('rescan', 'inventory', 'reconcile', 'stage_upload', 'self_update'));
-- The command by which a rollout made an agent update itself.
create index agent_commands_rollout on agent_commands ((payload ->> 'rollout_id'), agent_id) where kind = 'self_update';
