-- Who may come in: roles, accounts, sessions, keys, the limiter's counters and the security trail.

create table roles (
  name text primary key check (name ~ '^[a-z][a-z0-9_-]{1,31}$'),
  display_name text not null,
  description text not null default '',
  builtin boolean not null default false,
  scopes text[] not null,
  -- Actions this role may ever be granted; `bypass` roles need no grants at all.
  ceiling_actions text[] not null,
  bypass boolean not null default false,
  updated_at timestamptz not null default now()
);
insert into roles (name, display_name, description, builtin, scopes, ceiling_actions, bypass) values
  ('admin', 'Administrator', 'May do everything and sees everything.', true, '{admin}', '{search_metadata,search_content,download,upload,modify,delete,edit_metadata,manage_alerts}', true),
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

-- Tokens are random; only their SHA-256 is kept. After a rotation the former token lives on for a short grace.
create table sessions (
  id uuid primary key default uuidv7(),
  principal_id uuid not null references principals (id) on delete cascade,
  token_hash text not null unique,
  previous_token_hash text unique,
  rotated_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),
  ip_address text,
  user_agent text
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

-- One row an account or client address with recent failures.
create table auth_failures (
  subject text primary key,
  failures integer not null,
  window_started_at timestamptz not null,
  locked_until timestamptz
);

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
