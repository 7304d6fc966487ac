-- Jobs, schedules, logs, and small values that all processes share.
create extension if not exists ltree;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Named values that all processes agree on, such as maintenance mode and key fingerprints.
create table service_state (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);

-- Background jobs. platform/queue/worker.ts describes the states and every transition.
create table jobs (
  id uuid primary key default uuidv7(),
  queue text not null,
  task text not null,
  payload jsonb not null default '{}',
  state text not null default 'todo' check (state in ('todo', 'doing', 'aborting', 'failed', 'succeeded')),
  -- Higher runs first.
  priority integer not null default 0,
  -- At most one open job may have the same lock.
  lock text,
  -- Failed runs, plus the current one.
  attempts integer not null default 0,
  max_attempts integer not null check (max_attempts > 0),
  -- How often the job was requeued because its worker was lost. Limited separately from attempts.
  requeues integer not null default 0,
  -- Incremented at every start and never decremented: together with worker_id it fences off a run that has lost its job.
  claim integer not null default 0,
  run_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  started_at timestamptz,
  heartbeat_at timestamptz,
  finished_at timestamptz,
  worker_id uuid,
  abort_requested boolean not null default false,
  error text,
  traceback text,
  progress jsonb,
  -- Work on the whole catalog may take hours, so the reaper's age rule does not apply. Copied from the task when the job is added.
  age_exempt boolean not null default false
);
create unique index jobs_lock on jobs (lock) where lock is not null and state in ('todo', 'doing', 'aborting');
create index jobs_todo on jobs (queue, priority desc, run_at, id) where state = 'todo';
create index jobs_running on jobs (heartbeat_at) where state in ('doing', 'aborting');
create index jobs_finished on jobs (state, finished_at) where state in ('failed', 'succeeded');
-- Every row of this small table changes three times, so vacuum by number of changes rather than by share of the table.
alter table jobs set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, fillfactor = 80);

create table workers (
  id uuid primary key,
  host text not null,
  pid integer not null,
  queues text[] not null,
  concurrency integer not null,
  started_at timestamptz not null default now(),
  heartbeat_at timestamptz not null default now()
);

-- The newest occurrence of each schedule that fired. It only moves forward, so an occurrence fires once even if clocks differ.
create table cron_schedules (
  key text primary key,
  cron text not null,
  last_occurrence timestamptz not null,
  -- Null until the first firing: a new schedule does not fire for past occurrences.
  fired_at timestamptz
);

-- The log shown in the console: written in batches by app and worker, limited by age and row count.
create table app_logs (
  id bigint generated always as identity primary key,
  ts timestamptz not null,
  source text not null check (source in ('app', 'worker')),
  level text not null check (level in ('debug', 'info', 'warning', 'error', 'critical')),
  logger text not null,
  message text not null,
  exc text
);
create index app_logs_ts on app_logs (ts);
