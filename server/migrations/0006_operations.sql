-- Changes to the maintenance schedule; no row means the default schedule, enabled.
create table maintenance_schedules (
  task text primary key,
  cron text,
  disabled boolean not null default false,
  updated_at timestamptz not null default now()
);
