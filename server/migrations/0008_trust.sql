-- The newest deleted job of each task, so that the last run of a maintenance task stays known after its job row is purged.
create table last_runs (
  task text primary key,
  job_id uuid not null,
  state text not null check (state in ('failed', 'succeeded')),
  created_at timestamptz not null,
  started_at timestamptz,
  finished_at timestamptz
);
