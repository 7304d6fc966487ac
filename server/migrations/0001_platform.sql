-- Jobs, logs and the rows that several processes share. Job states and their transitions are told in platform/queue.
create extension if not exists ltree;
create extension if not exists pg_trgm;
create extension if not exists btree_gin;

-- Small named values that all processes agree on (maintenance mode, key fingerprints, cache generations).
create table service_state (
  key text primary key,
  value jsonb not null,
  updated_at timestamptz not null default now()
);
