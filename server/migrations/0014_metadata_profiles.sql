-- Which metadata an item of a category can have, for forms, tables and filters. Seeded from the program; a newer program replaces it.
create table metadata_profiles (
  id uuid primary key default uuidv7(),
  file_category text not null unique,
  version integer not null,
  fields jsonb not null,
  created_at timestamptz not null default now()
);
