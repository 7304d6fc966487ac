-- A search somebody keeps: private to its owner unless shared. The owner is an account or a service account; null where sign-in is off.
create table saved_searches (
  id uuid primary key default uuidv7(),
  owner_id uuid,
  owner_name text not null,
  name text not null,
  params jsonb not null,
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index saved_searches_name on saved_searches (owner_id, lower(name)) nulls not distinct;
