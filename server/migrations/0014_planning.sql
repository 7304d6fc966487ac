-- Cleanup plans for duplicate files.

-- What a person wants to keep of each duplicate group. The plan itself is never stored: it follows from the rules and the files.
create table duplicate_plans (
  id bigint generated always as identity primary key,
  -- Account or service account; null when authentication is off.
  owner_id uuid,
  -- In order of precedence; insight/duplicates/rules.ts describes them.
  rules jsonb not null,
  -- A digest of what would be kept and removed when a person reviewed it. A script is written only while it still agrees.
  reviewed_digest text,
  reviewed_at timestamptz,
  reviewed_by text,
  unique nulls not distinct (owner_id)
);
-- Copies that a person chose to keep against the rules.
create table duplicate_choices (
  plan_id bigint not null references duplicate_plans (id) on delete cascade,
  key text not null,
  item_id uuid not null,
  primary key (plan_id, key)
);

-- Re-reading of files to find content that changed without being written. One row; off until an administrator switches it on.
create table integrity_settings (
  only_row boolean primary key default true check (only_row),
  enabled boolean not null default false,
  bytes_per_day bigint not null default 107374182400 check (bytes_per_day > 0),
  rate_mbps integer not null default 20 check (rate_mbps between 1 and 10000),
  -- A file is read again when its last reading is older than this.
  every_days integer not null default 90 check (every_days between 1 and 3650),
  -- Null means all libraries.
  library_ids uuid[],
  -- What was read on the day, in UTC.
  day date not null default '1970-01-01',
  bytes_today bigint not null default 0
);
insert into integrity_settings default values;

-- A file whose bytes changed while size, time and inode stayed the same. insight/integrity/events.ts describes the states.
create table integrity_events (
  id uuid primary key default uuidv7(),
  item_id uuid not null,
  library_id uuid not null,
  rel_path text collate "C" not null,
  size bigint not null,
  mtime_ns bigint not null,
  expected_hash text not null,
  found_hash text not null,
  found_quick_hash text not null,
  state text not null default 'open' check (state in ('open', 'restored', 'replaced', 'accepted', 'gone')),
  found_at timestamptz not null default now(),
  last_read_at timestamptz not null default now(),
  closed_at timestamptz,
  closed_by text
);
create unique index integrity_events_open on integrity_events (item_id) where state = 'open';
create index integrity_events_found on integrity_events (found_at desc, id desc);

-- Percentages by library and age are read from this index alone.
drop index items_verified;
create index items_verified on items ((coalesce(last_verified_at, first_seen))) include (library_id, size, last_verified_at, first_seen)
  where status = 'active' and content_hash is not null;

-- Reports that are made and delivered at set times. The owner's rights are read when a run starts; nothing here stores them.
create table report_schedules (
  id uuid primary key default uuidv7(),
  owner_kind text not null check (owner_kind in ('user', 'service', 'open')),
  owner_id uuid,
  owner_name text not null,
  key_id uuid,
  name text not null,
  canned_report_key text,
  report_definition_id uuid references custom_reports (id) on delete cascade,
  params jsonb not null default '{}',
  format text not null check (format in ('csv', 'ndjson', 'xml', 'xlsx')),
  cron text not null,
  channel_ids uuid[] not null default '{}',
  enabled boolean not null default true,
  only_if_rows boolean not null default false,
  -- Contains only rows that the last delivered run did not contain.
  only_changes boolean not null default false,
  last_cron_fired_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  check ((canned_report_key is null) <> (report_definition_id is null))
);
create unique index report_schedules_name on report_schedules (owner_id, lower(name)) nulls not distinct;

-- insight/schedules/runs.ts describes the states.
create table schedule_runs (
  id uuid primary key default uuidv7(),
  schedule_id uuid not null references report_schedules (id) on delete cascade,
  job_id uuid,
  trigger text not null check (trigger in ('cron', 'manual')),
  state text not null default 'queued' check (state in ('queued', 'exporting', 'delivering', 'delivered', 'stored', 'skipped', 'failed')),
  export_id uuid references exports (id) on delete set null,
  detail text,
  started_at timestamptz not null default now(),
  finished_at timestamptz
);
create index schedule_runs_schedule on schedule_runs (schedule_id, id desc);
create index schedule_runs_open on schedule_runs (state) where state in ('queued', 'exporting', 'delivering');
create table schedule_deliveries (
  run_id uuid not null references schedule_runs (id) on delete cascade,
  channel_id uuid not null,
  state text not null default 'pending' check (state in ('pending', 'delivered', 'failed', 'skipped')),
  attempts integer not null default 0,
  last_error text,
  delivered_at timestamptz,
  primary key (run_id, channel_id)
);
-- Digests of all rows of a run, sorted, eight bytes each.
create table export_digests (
  export_id uuid primary key references exports (id) on delete cascade,
  schedule_id uuid not null,
  digests bytea not null,
  delivered boolean not null default false
);
create index export_digests_schedule on export_digests (schedule_id, export_id desc);

-- Perceptual hashes of pictures, by content. Filled only when somebody asks for similar photos.
create table photo_hashes (
  id integer generated always as identity primary key,
  content_hash text not null unique,
  -- 32 bytes; null when the picture cannot be read or is too uniform to be compared.
  hash bytea,
  compared boolean not null default false,
  -- The smallest id of the pictures that look alike; null when there is no other.
  group_id integer
);
create index photo_hashes_group on photo_hashes (group_id) where group_id is not null;
create index photo_hashes_new on photo_hashes (id) where not compared;
