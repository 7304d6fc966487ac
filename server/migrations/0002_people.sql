-- Roles, accounts, sessions, keys, groups, grants, sign-in limits and the audit log.
create table roles (
  name text primary key check (name ~ '^[a-z][a-z0-9_-]{1,31}$'),
  display_name text not null,
  description text not null default '',
  builtin boolean not null default false,
  scopes text[] not null,
  -- Actions that grants may give to this role. A `bypass` role needs no grants.
  ceiling_actions text[] not null,
  bypass boolean not null default false,
  updated_at timestamptz not null default now()
);
insert into roles (name, display_name, description, builtin, scopes, ceiling_actions, bypass) values
  ('admin', 'Administrator', 'Can do everything and see everything.', true, '{admin}', '{search_metadata,search_content,download,upload,modify,delete,edit_metadata,manage_alerts}', true),
  ('user', 'User', 'Sees what grants allow and edits tags and notes there.', true, '{read,write}', '{search_metadata,search_content,download,upload,modify,edit_metadata,manage_alerts}', false),
  ('viewer', 'Viewer', 'Sees what grants allow.', true, '{read}', '{search_metadata,search_content}', false);

create table principals (
  id uuid primary key default uuidv7(),
  username text not null unique check (username = lower(username)),
  email text,
  password_hash text,
  global_role text not null references roles (name) on update cascade,
  disabled boolean not null default false,
  auth_provider text not null default 'local',
  display_name text,
  phone text,
  preferences jsonb not null default '{}',
  session_inactivity_hours double precision,
  session_ttl_hours double precision,
  last_login_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

create table service_accounts (
  id uuid primary key default uuidv7(),
  name text not null,
  description text,
  disabled boolean not null default false,
  created_at timestamptz not null default now()
);
create unique index service_accounts_name on service_accounts (lower(name));

-- Only the SHA-256 of a token is stored. After a rotation the previous token stays valid for a short time.
create table sessions (
  id uuid primary key default uuidv7(),
  principal_id uuid not null references principals (id) on delete cascade,
  token_hash text not null unique,
  previous_token_hash text unique,
  rotated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ip_address text,
  user_agent text,
  -- Whether the browser has presented the current token. Until then the response that carried it may have been lost, and the previous
  -- token remains valid.
  token_used boolean not null default true
);
create index sessions_principal on sessions (principal_id);

create table api_keys (
  id uuid primary key default uuidv7(),
  name text not null,
  prefix text not null unique,
  key_hash text not null unique,
  scopes text[] not null,
  service_account_id uuid references service_accounts (id) on delete cascade,
  principal_id uuid references principals (id) on delete cascade,
  libraries uuid[],
  path_scope text,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_at timestamptz not null default now(),
  check (num_nonnulls(service_account_id, principal_id) = 1)
);

-- Recent failed sign-ins of an account or client address.
create table auth_failures (
  subject text primary key,
  failures integer not null,
  window_started_at timestamptz not null,
  locked_until timestamptz
);

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

-- Grants by library and folder: the most specific path wins, deny wins ties, no grant means no access. The foreign key to libraries is
-- added with that table.
create table grants (
  id uuid primary key default uuidv7(),
  principal_id uuid references principals (id) on delete cascade,
  group_id uuid references principal_groups (id) on delete cascade,
  library_id uuid not null,
  rel_path text not null default '',
  action text not null,
  effect text not null check (effect in ('allow', 'deny')),
  created_at timestamptz not null default now(),
  check (num_nonnulls(principal_id, group_id) = 1),
  unique nulls not distinct (principal_id, group_id, library_id, rel_path, action, effect)
);
create index grants_principal on grants (principal_id) where principal_id is not null;
create index grants_group on grants (group_id) where group_id is not null;

create table security_events (
  id uuid primary key default uuidv7(),
  ts timestamptz not null default now(),
  event_type text not null,
  principal_id uuid,
  username_attempted text,
  ip text,
  user_agent text,
  details jsonb
);
create index security_events_type on security_events (event_type, id desc);
create index security_events_principal on security_events (principal_id, id desc) where principal_id is not null;

-- A value that changes, in the same transaction, with every change of anybody's rights. It is read together with the caller's credential,
-- and cached rights are valid only while it is unchanged. It is random rather than a counter so that a restored database never repeats
-- a value under which other rights were cached.
create table access_generation (
  one boolean primary key default true check (one),
  generation uuid not null default gen_random_uuid()
);
insert into access_generation default values;

create function renew_access_generation() returns trigger language plpgsql as $$
begin
  -- Once per transaction is enough.
  if current_setting('catalog.access_renewed', true) is distinct from pg_current_xact_id()::text then
    update access_generation set generation = gen_random_uuid();
    perform set_config('catalog.access_renewed', pg_current_xact_id()::text, true);
  end if;
  return null;
end $$;

-- Deferred to the commit, so that the single row is locked only for a moment however long the transaction takes.
create constraint trigger grants_renew_access after insert or update or delete on grants
  deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger members_renew_access after insert or update or delete on principal_group_members
  deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger principals_renew_access after update of global_role on principals
  deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger roles_renew_access after insert or update or delete on roles
  deferrable initially deferred for each row execute function renew_access_generation();
-- Key owners and scopes are cached as well. Using a key is not such a change.
create constraint trigger keys_renew_access after delete or update of key_hash, scopes, service_account_id, principal_id, libraries, path_scope, expires_at, name
  on api_keys deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger service_accounts_renew_access after delete or update of name, disabled
  on service_accounts deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger accounts_renew_access after delete or update of username, disabled
  on principals deferrable initially deferred for each row execute function renew_access_generation();
