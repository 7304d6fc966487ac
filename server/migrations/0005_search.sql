-- Saved searches, and which items people open.

-- Private to the owner unless shared. The owner is an account or a service account; null when authentication is off.
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

-- How often and when an account last opened an item. Callers without an account share the nil id.
create table item_touches (
  subject uuid not null,
  item_id uuid not null references items (id) on delete cascade,
  count integer not null default 1,
  last_at timestamptz not null default now(),
  primary key (subject, item_id)
);
create index item_touches_item on item_touches (item_id);

-- Rate limit of item_touches per minute, shared by all processes.
create unlogged table touch_budgets (
  subject uuid primary key,
  minute timestamptz not null,
  used integer not null
);
