-- Who may see what: groups of people, and grants by library and folder. The most specific path wins, deny wins ties, no grant means no.
create table principal_groups (
  id uuid primary key default uuidv7(),
  name text not null,
  description text,
  source text not null default 'local',
  created_at timestamptz not null default now()
);
create unique index principal_groups_name on principal_groups (lower(name));

create table principal_group_members (
  group_id uuid not null references principal_groups (id) on delete cascade,
  principal_id uuid not null references principals (id) on delete cascade,
  primary key (group_id, principal_id)
);
create index principal_group_members_principal on principal_group_members (principal_id);

create table grants (
  id uuid primary key default uuidv7(),
  principal_id uuid references principals (id) on delete cascade,
  group_id uuid references principal_groups (id) on delete cascade,
  library_id uuid not null references libraries (id) on delete cascade,
  rel_path text not null default '',
  action text not null,
  effect text not null check (effect in ('allow', 'deny')),
  created_at timestamptz not null default now(),
  check (num_nonnulls(principal_id, group_id) = 1),
  unique nulls not distinct (principal_id, group_id, library_id, rel_path, action, effect)
);
create index grants_principal on grants (principal_id) where principal_id is not null;
create index grants_group on grants (group_id) where group_id is not null;
