-- Background jobs. The states and every transition are told at the head of platform/queue/worker.ts.
create table jobs (
  id uuid primary key default uuidv7(),
  queue text not null,
  task text not null,
  payload jsonb not null default '{}',
  state text not null default 'todo' check (state in ('todo', 'doing', 'aborting', 'failed', 'succeeded')),
  -- Higher runs first.
  priority integer not null default 0,
  -- At most one open job may carry the same lock.
  lock text,
  -- Runs that ended in a failure, plus the running one.
  attempts integer not null default 0,
  max_attempts integer not null check (max_attempts > 0),
  -- Times the job was put back because its worker was lost; has a budget of its own.
  requeues integer not null default 0,
  -- Counts every start and never goes back: with the worker's id it fences off a run that has lost its job.
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
  progress jsonb
);
create unique index jobs_lock on jobs (lock) where lock is not null and state in ('todo', 'doing', 'aborting');
create index jobs_todo on jobs (queue, priority desc, run_at, id) where state = 'todo';
create index jobs_running on jobs (heartbeat_at) where state in ('doing', 'aborting');
create index jobs_finished on jobs (state, finished_at) where state in ('failed', 'succeeded');

-- The table is small and every row changes three times: clean it by change count, not by a fifth of its size.
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

-- One row a schedule: the newest occurrence that fired. It only moves forward, so an occurrence fires once whatever the processes' clocks say.
create table cron_schedules (
  key text primary key,
  cron text not null,
  last_occurrence timestamptz not null,
  -- Null until the first firing: a schedule that was just set does not fire for the past.
  fired_at timestamptz
);
