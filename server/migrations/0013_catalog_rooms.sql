-- What people say about items beside tags and notes, and what the catalog remembers about their use.

-- Identifiers a person entered; those found by machines stay in external_ids and lose against these.
alter table items add column user_external_ids jsonb not null default '{}';

create table custom_fields (
  id uuid primary key default uuidv7(),
  name text not null unique check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  label text not null,
  data_type text not null check (data_type in ('string', 'integer', 'float', 'boolean', 'date', 'url', 'select')),
  select_options text[],
  -- Categories and libraries the field belongs to; empty means all.
  applies_to text[] not null default '{}',
  library_ids uuid[] not null default '{}',
  facetable boolean not null default false,
  sortable boolean not null default false,
  required boolean not null default false,
  created_at timestamptz not null default now(),
  check ((data_type = 'select') = (select_options is not null))
);

-- How often and when somebody opened an item last. `subject` is the account; callers without one share the nil id.
create table item_touches (
  subject uuid not null,
  item_id uuid not null references items (id) on delete cascade,
  count integer not null default 1,
  last_at timestamptz not null default now(),
  primary key (subject, item_id)
);
create index item_touches_item on item_touches (item_id);

create index items_trashed on items (deleted_at) where status = 'trashed';
create index item_history_machine on item_history (at) where source <> 'user';

-- Counts and sizes of folders are read from this index alone; size and status are in other indexes too, so that it makes no update dearer.
drop index items_folder;
create index items_folder on items (folder_id, filename) include (size, status);
