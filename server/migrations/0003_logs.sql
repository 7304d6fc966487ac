-- The log that the console shows: written in batches by app and worker, read newest first, bounded by age and by row count.
create table app_logs (
  id bigint generated always as identity primary key,
  ts timestamptz not null,
  source text not null check (source in ('app', 'worker')),
  level text not null check (level in ('debug', 'info', 'warning', 'error', 'critical')),
  logger text not null,
  message text not null,
  -- Traceback of an error.
  exc text
);
create index app_logs_ts on app_logs (ts);
