-- What the newest run of a task did, kept after its job row is purged.
alter table last_runs add column progress jsonb, add column error text;

-- Places outside this installation that receive a copy of every backup. Their secrets are in table secrets.
create table backup_targets (
  id uuid primary key default uuidv7(),
  name text not null unique,
  kind text not null check (kind in ('folder', 's3')),
  config jsonb not null,
  enabled boolean not null default true,
  keep integer not null default 7 check (keep between 1 and 1000),
  created_at timestamptz not null default now()
);

-- Copies of backups at a target; operations/offsite/copy.ts describes the states.
create table backup_copies (
  target_id uuid not null references backup_targets (id) on delete cascade,
  bundle text not null,
  state text not null check (state in ('copying', 'retrying', 'done', 'failed')),
  attempts integer not null default 1,
  bytes bigint,
  error text,
  next_attempt_at timestamptz,
  finished_at timestamptz,
  primary key (target_id, bundle)
);

-- Tokens that open one event stream once, for clients that cannot send a header or cookie. Only the hash is kept; rights are read when it is used.
create table stream_tokens (
  token_hash text primary key,
  path text not null,
  owner jsonb not null,
  expires_at timestamptz not null
);
create index stream_tokens_expiry on stream_tokens (expires_at);
