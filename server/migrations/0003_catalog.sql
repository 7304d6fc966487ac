-- Taxonomy, presets, libraries, folders, items, scan runs, and the counts and outbox that triggers maintain.

create table categories (
  key text primary key,
  label text not null,
  description text not null default '',
  extractor text,
  sort_order integer not null default 0,
  is_builtin boolean not null default false
);
create table groups (
  key text primary key,
  category text not null references categories (key) on update cascade,
  label text not null,
  description text not null default '',
  sort_order integer not null default 0,
  is_builtin boolean not null default false
);
create table extensions (
  ext text primary key,
  group_key text not null references groups (key) on update cascade
);

create table presets (
  name text primary key,
  label text not null,
  patterns text[] not null,
  caveat text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);

-- Which metadata fields items of a category can have, for forms, tables and filters. Seeded by the program; a newer version replaces it.
create table metadata_profiles (
  id uuid primary key default uuidv7(),
  file_category text not null unique,
  version integer not null,
  fields jsonb not null,
  created_at timestamptz not null default now()
);

create table custom_fields (
  id uuid primary key default uuidv7(),
  name text not null unique check (name ~ '^[a-z][a-z0-9_]{0,62}$'),
  label text not null,
  data_type text not null check (data_type in ('string', 'integer', 'float', 'boolean', 'date', 'url', 'select')),
  select_options text[],
  -- Categories and libraries the field applies to; empty means all.
  applies_to text[] not null default '{}',
  library_ids uuid[] not null default '{}',
  facetable boolean not null default false,
  sortable boolean not null default false,
  required boolean not null default false,
  created_at timestamptz not null default now(),
  check ((data_type = 'select') = (select_options is not null))
);

-- A deleted library may hold a million items: it disappears from the view `libraries` at once, and a job empties it afterwards. A new column
-- goes into this table and into the view.
create table all_libraries (
  id uuid primary key default uuidv7(),
  name text not null,
  root_path text not null,
  enabled boolean not null default true,
  enabled_categories text[] not null default '{}',
  enabled_groups text[] not null default '{}',
  include_globs text[] not null default '{}',
  exclude_globs text[] not null default '{}',
  -- Names of enabled presets; `-name` turns a default preset off.
  enabled_presets text[] not null default '{}',
  enabled_extension_groups text[] not null default '{}',
  scan_cron text,
  watch_mode boolean not null default false,
  -- Why watching is not active although enabled (too many folders, network file system); null while it works.
  watch_degraded text,
  hash_policy text not null default 'auto' check (hash_policy in ('auto', 'full', 'quick_only')),
  hash_full_max_bytes bigint,
  native_prefix text,
  share_prefix text,
  ocr_enabled boolean not null default false,
  chunking_enabled boolean not null default false,
  expose_gps boolean not null default false,
  count_pruned_files boolean not null default false,
  extract_overrides jsonb,
  source_agent_id uuid,
  last_cron_fired_at timestamptz,
  -- Start of the newest full scan that finished: the "last seen" time of every active item that was not written since.
  last_full_scan_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  removed_at timestamptz,
  -- Without statistics, which a table of a few rows never gets, the planner expects `removed_at is null` to match one row in 200 and picks
  -- bad plans for every page of items. For a boolean it expects every second row.
  removed boolean not null generated always as (removed_at is not null) stored
);
create unique index libraries_name on all_libraries (lower(name));
create view libraries as
  select id, name, root_path, enabled, enabled_categories, enabled_groups, include_globs, exclude_globs, enabled_presets, enabled_extension_groups, scan_cron,
    watch_mode, watch_degraded, hash_policy, hash_full_max_bytes, native_prefix, share_prefix, ocr_enabled, chunking_enabled, expose_gps, count_pruned_files,
    extract_overrides, source_agent_id, last_cron_fired_at, last_full_scan_at, created_at, updated_at
  from all_libraries where not removed;

alter table grants add constraint grants_library_id_fkey foreign key (library_id) references all_libraries (id) on delete cascade;
-- A service account's key sees every library within its limits, so libraries are part of the cached rights.
create constraint trigger libraries_renew_access after insert or delete on all_libraries
  deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger libraries_removed_renew_access after update of removed_at on all_libraries
  deferrable initially deferred for each row execute function renew_access_generation();

create table scan_paths (
  id uuid primary key default uuidv7(),
  library_id uuid not null references all_libraries (id) on delete cascade,
  rel_path text not null default '',
  scan_cron text,
  watch_mode boolean,
  enabled boolean not null default true,
  last_cron_fired_at timestamptz,
  created_at timestamptz not null default now(),
  unique (library_id, rel_path)
);

-- Folders carry the path tree and items point at them. `fingerprint` covers the names, sizes, times, links and inodes of all entries and the
-- rules applied to them: an unchanged folder costs one comparison and no item rows, and its counters are stored with it. A null fingerprint
-- forces the next scan to compare the folder. `path` labels are encoded so that any file name fits. Paths are ordered by bytes everywhere.
create table folders (
  id bigint generated always as identity primary key,
  library_id uuid not null references all_libraries (id) on delete cascade,
  rel_path text collate "C" not null,
  path ltree not null,
  fingerprint text,
  seen integer not null default 0,
  excluded_gate integer not null default 0,
  excluded_filtered integer not null default 0,
  bytes_seen bigint not null default 0,
  unique (library_id, rel_path)
);
create index folders_path on folders using gist (path);

-- Library, folder and sidecar references are checked by the triggers below, once per statement: foreign keys check once per row, which was
-- half the cost of storing a file.
create table items (
  id uuid primary key default uuidv7(),
  library_id uuid not null,
  folder_id bigint not null,
  rel_path text collate "C" not null,
  filename text collate "C" not null,
  extension text,
  file_category text not null default 'other',
  file_group text not null default 'other',
  status text not null default 'active' check (status in ('active', 'missing', 'trashed')),
  size bigint not null,
  -- Nanoseconds since 1970, so that two files written in the same millisecond differ.
  mtime_ns bigint not null,
  inode bigint,
  dev bigint,
  nlink integer,
  symlink_target text,
  quick_hash text,
  content_hash text,
  policy_version text,
  hash_error text,
  -- Extracted. What people enter is in tags, user_metadata and the other user_* columns.
  metadata jsonb not null default '{}',
  title text,
  year integer,
  external_ids jsonb not null default '{}',
  body_text text,
  archive_members text,
  -- The bytes and the extractor version that produced the metadata: the same pair is never extracted twice.
  extracted_key text,
  thumb_key text,
  sidecar_of uuid,
  tags text[] not null default '{}',
  user_metadata jsonb not null default '{}',
  user_title text,
  user_year integer,
  -- Overrides external_ids, which extraction finds.
  user_external_ids jsonb not null default '{}',
  first_seen timestamptz not null default now(),
  last_changed timestamptz not null default now(),
  last_verified_at timestamptz,
  -- When the item became missing or trashed.
  deleted_at timestamptz,
  unique (library_id, rel_path)
);
-- Counts and sizes of folders are read from this index alone. size and status are in other indexes too, so including them here does not
-- prevent any update from being heap-only.
create index items_folder on items (folder_id, filename) include (size, status);
-- Items without a content hash yet: large files of a running scan, or after a policy change.
create index items_hash_due on items (library_id, id) where content_hash is null and symlink_target is null and status = 'active';
-- Content hashes are random, so each insert touches another index page; eight-digit entries keep the index small. Queries compare the first
-- eight digits as well.
create index items_content_start on items (left(content_hash, 8)) where content_hash is not null;
-- Large files of quick-hash-only libraries.
create index items_quick_hash on items (quick_hash, size) where quick_hash is not null and content_hash is null;
-- Items hashed under an older scheme. Empty while nothing is stale. The scheme is part of the condition: whoever raises `scheme` in
-- scanner/src/hash recreates this index in a migration, and a test checks that.
create index items_stale_hash on items (library_id, id)
  where status = 'active' and quick_hash is not null and (policy_version is null or policy_version not like 'h1:%');
create index items_status on items (library_id, status) where status <> 'active';
create index items_trashed on items (deleted_at) where status = 'trashed';
create index items_sidecar on items (sidecar_of) where sidecar_of is not null;

-- One row per change of an item's overlay (by a person) or metadata (by an extractor or sidecar).
create table item_history (
  id uuid primary key default uuidv7(),
  item_id uuid not null references items (id) on delete cascade,
  at timestamptz not null default now(),
  source text not null check (source in ('user', 'extractor', 'sidecar')),
  principal_id uuid,
  actor text,
  before jsonb not null,
  after jsonb not null
);
create index item_history_item on item_history (item_id, id desc);
create index item_history_machine on item_history (at) where source <> 'user';

create table scan_runs (
  id uuid primary key default uuidv7(),
  library_id uuid not null references all_libraries (id) on delete cascade,
  job_id uuid,
  status text not null check (status in ('running', 'stopping', 'stopped', 'failed', 'finished')),
  trigger text not null default 'manual',
  -- '' is the whole library; otherwise the folder or file scanned.
  scope text not null default '',
  recursive boolean not null default true,
  force_empty boolean not null default false,
  phase text not null default 'queued',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  heartbeat_at timestamptz not null default now(),
  error text,
  error_code text,
  -- Counters, rates and guard details.
  stats jsonb not null default '{}',
  -- True once moves among the added items are resolved and their extraction is queued. The next run settles a run that ended before that.
  settled boolean not null default false,
  -- The first run of a library. No diff can start before it, so its additions are not logged; until it is settled, every item of the library
  -- counts as added by it.
  initial boolean not null default false
);
create index scan_runs_library on scan_runs (library_id, id desc);
create index scan_runs_open on scan_runs (status) where status in ('running', 'stopping');
create index scan_runs_unsettled on scan_runs (library_id) where not settled;

-- A statement can outlive the process that sent it. To keep the last statement of a killed worker from interfering with the next scan, every
-- write of a scan calls this first: it takes a shared lock on the library's scan and checks that its run is still open. The next scan
-- ends the old run, waits once for all holders of the lock, and begins.
create function scan_may_write(run uuid, library uuid) returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('scan writes ' || library, 0));
  return exists (select from scan_runs where id = run and status in ('running', 'stopping'));
end $$;

-- Items that a run did not find on disk, until the guards have decided. Emptied at the start and end of every run, so a crash may lose it.
create unlogged table scan_missing (
  run_id uuid not null,
  item_id uuid not null,
  -- The file exists but a rule excludes it now.
  excluded boolean not null default false,
  primary key (run_id, item_id)
);

-- The change log of a run, for the difference between two runs; limited by retention.
create table scan_changes (
  run_id uuid not null,
  library_id uuid not null,
  item_id uuid not null,
  kind text not null check (kind in ('added', 'changed', 'gone', 'returned', 'moved')),
  rel_path text not null,
  from_rel_path text,
  from_library_id uuid,
  -- An item changes in one way per run.
  primary key (run_id, item_id)
);
create index scan_changes_from on scan_changes (from_library_id, from_rel_path) where kind = 'moved';

create function delete_run_changes() returns trigger language plpgsql as $$
begin
  delete from scan_changes c using old_rows o where c.run_id = o.id;
  return null;
end $$;
create trigger scan_runs_deleted after delete on scan_runs referencing old table as old_rows for each statement execute function delete_run_changes();

-- Item counts and sizes, exact at every moment and read without counting items. Every statement that changes items appends its difference in
-- its own transaction, and the sum of all rows is the count. Nothing is updated in place, so writers never wait for each other. Readers
-- compact the rows when there are many.
create table item_counts (
  library_id uuid not null,
  status text not null,
  file_category text not null,
  file_group text not null,
  items bigint not null,
  bytes numeric not null,
  compacted boolean not null default false
);

-- Recursive totals of every folder, active items only. Statements append differences to folder_changes; compaction adds them to the folder
-- and all its ancestors. A folder's total is its row here plus what is not compacted yet. `parent` is a digest of the parent's path
-- because a path may be too long for an index.
create table folder_totals (
  library_id uuid not null,
  parent uuid not null,
  name text collate "C" not null,
  items bigint not null,
  bytes numeric not null,
  primary key (library_id, parent, name)
);
create index folder_totals_empty on folder_totals (library_id) where items = 0 and bytes = 0;
create table folder_changes (
  library_id uuid not null,
  folder text collate "C" not null,
  items bigint not null,
  bytes numeric not null
);

-- Active items of a library by the UTC day of their modification (days since 1970; -1 is everything before). Maintained like folder totals.
create table day_totals (
  library_id uuid not null,
  day integer not null,
  items bigint not null,
  primary key (library_id, day)
);
create index day_totals_empty on day_totals (library_id) where items = 0;
create table day_changes (
  library_id uuid not null,
  day integer not null,
  items bigint not null
);
create function day_of(mtime_ns bigint) returns integer immutable parallel safe language sql
  return case when mtime_ns < 0 then -1 else mtime_ns / 86400000000000 end;

-- Every item change that affects search is recorded here in the same transaction; the projector drains it into the index.
create table index_outbox (
  seq bigint generated always as identity primary key,
  item_id uuid not null
);

create function queue_index_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into index_outbox (item_id) select id from old_rows order by id;
  else
    insert into index_outbox (item_id) select id from new_rows order by id;
  end if;
  perform pg_notify('index_outbox', '');
  return null;
end $$;
create trigger items_inserted after insert on items referencing new table as new_rows for each statement execute function queue_index_change();
create trigger items_deleted after delete on items referencing old table as old_rows for each statement execute function queue_index_change();

create function count_inserted_items() returns trigger language plpgsql as $$
begin
  with grouped as materialized (
    select library_id, folder_id, status, file_category, file_group, count(*) as items, sum(size) as bytes from new_rows group by 1, 2, 3, 4, 5
  ), counted as (
    insert into item_counts (library_id, status, file_category, file_group, items, bytes)
    select library_id, status, file_category, file_group, sum(items), sum(bytes) from grouped group by 1, 2, 3, 4
  )
  insert into folder_changes
    select f.library_id, f.rel_path, g.items, g.bytes
    from (select folder_id, sum(items) as items, sum(bytes) as bytes from grouped where status = 'active' group by 1) g
    join folders f on f.id = g.folder_id where f.rel_path <> '';
  return null;
end $$;
create trigger items_counted after insert on items referencing new table as new_rows for each statement execute function count_inserted_items();

create function count_deleted_items() returns trigger language plpgsql as $$
begin
  with grouped as materialized (
    select library_id, folder_id, status, file_category, file_group, -count(*) as items, -sum(size) as bytes from old_rows group by 1, 2, 3, 4, 5
  ), counted as (
    insert into item_counts (library_id, status, file_category, file_group, items, bytes)
    select library_id, status, file_category, file_group, sum(items), sum(bytes) from grouped group by 1, 2, 3, 4
  )
  insert into folder_changes
    select f.library_id, f.rel_path, g.items, g.bytes
    from (select folder_id, sum(items) as items, sum(bytes) as bytes from grouped where status = 'active' group by 1) g
    join folders f on f.id = g.folder_id where f.rel_path <> '';
  return null;
end $$;
create trigger items_uncounted after delete on items referencing old table as old_rows for each statement execute function count_deleted_items();

-- Outbox and counts in one pass, because everything that is counted is also shown by search. Columns that do not reach the index, such as a
-- verification time, change nothing here.
create function record_item_update() returns trigger language plpgsql as $$
begin
  with changed as materialized (
    select n.id, n.library_id, n.folder_id, n.status, n.file_category, n.file_group, n.size, o.library_id as old_library, o.folder_id as old_folder,
      o.status as old_status, o.file_category as old_category, o.file_group as old_group, o.size as old_size
    from new_rows n join old_rows o using (id)
    where (n.library_id, n.rel_path, n.file_category, n.file_group, n.status, n.size, n.mtime_ns, n.quick_hash, n.content_hash, n.metadata, n.title, n.year,
           n.body_text, n.archive_members, n.sidecar_of, n.tags, n.user_metadata, n.user_title, n.user_year, n.thumb_key)
      is distinct from
          (o.library_id, o.rel_path, o.file_category, o.file_group, o.status, o.size, o.mtime_ns, o.quick_hash, o.content_hash, o.metadata, o.title, o.year,
           o.body_text, o.archive_members, o.sidecar_of, o.tags, o.user_metadata, o.user_title, o.user_year, o.thumb_key)
  ), moved as (
    select * from changed
    where (library_id, status, file_category, file_group, size) is distinct from (old_library, old_status, old_category, old_group, old_size)
  ), counted as (
    insert into item_counts (library_id, status, file_category, file_group, items, bytes)
    select library_id, status, file_category, file_group, sum(items), sum(size) from (
      select library_id, status, file_category, file_group, 1 as items, size from moved
      union all select old_library, old_status, old_category, old_group, -1, -old_size from moved) m
    group by 1, 2, 3, 4
  ), refilled as (
    select folder_id, sum(items) as items, sum(size) as bytes from (
      select folder_id, 1 as items, size from changed where status = 'active'
      union all select old_folder, -1, -old_size from changed where old_status = 'active') m
    group by 1 having sum(items) <> 0 or sum(size) <> 0
  ), filled as (
    insert into folder_changes
    select f.library_id, f.rel_path, r.items, r.bytes from refilled r join folders f on f.id = r.folder_id where f.rel_path <> ''
  )
  insert into index_outbox (item_id) select id from changed order by id;
  if found then
    perform pg_notify('index_outbox', '');
  end if;
  return null;
end $$;
create trigger items_updated after update on items referencing old table as old_rows new table as new_rows for each statement execute function record_item_update();

create function count_days_of_inserted_items() returns trigger language plpgsql as $$
begin
  insert into day_changes select library_id, day_of(mtime_ns), count(*) from new_rows where status = 'active' group by 1, 2;
  return null;
end $$;
create trigger items_days_inserted after insert on items referencing new table as new_rows for each statement execute function count_days_of_inserted_items();

create function count_days_of_deleted_items() returns trigger language plpgsql as $$
begin
  insert into day_changes select library_id, day_of(mtime_ns), -count(*) from old_rows where status = 'active' group by 1, 2;
  return null;
end $$;
create trigger items_days_deleted after delete on items referencing old table as old_rows for each statement execute function count_days_of_deleted_items();

-- Most updates change no day's count and append nothing.
create function count_days_of_updated_items() returns trigger language plpgsql as $$
begin
  insert into day_changes
    select library_id, day, sum(items) from (
      select library_id, day_of(mtime_ns) as day, 1 as items from new_rows where status = 'active'
      union all select library_id, day_of(mtime_ns), -1 from old_rows where status = 'active') m
    group by 1, 2 having sum(items) <> 0;
  return null;
end $$;
create trigger items_days_updated after update on items referencing new table as new_rows old table as old_rows
  for each statement execute function count_days_of_updated_items();

-- When a row is deleted, trashed, restored or moved outside a scan, the next scan must compare its folder, because the file may still be
-- there. A scan stores the new fingerprint in the same transaction.
create function clear_folder_fingerprint() returns trigger language plpgsql as $$
begin
  update folders set fingerprint = null where id = old.folder_id and fingerprint is not null;
  return null;
end $$;
create trigger items_fingerprint_deleted after delete on items for each row execute function clear_folder_fingerprint();
create trigger items_fingerprint_updated after update on items for each row
  when (old.status is distinct from new.status or old.folder_id is distinct from new.folder_id or old.rel_path is distinct from new.rel_path)
  execute function clear_folder_fingerprint();

-- The foreign keys of items, checked once per statement and looking up each folder once.
create function check_item_folders() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct folder_id, library_id from new_rows) n
    where (select f.library_id from folders f where f.id = n.folder_id) is distinct from n.library_id) then
    raise foreign_key_violation using message = 'An item must be in a folder of its own library.';
  end if;
  return null;
end $$;
create trigger items_folder_checked after insert on items referencing new table as new_rows for each statement execute function check_item_folders();

create function check_deleted_folders() returns trigger language plpgsql as $$
begin
  if exists (select from old_rows o join items i on i.folder_id = o.id) then
    raise foreign_key_violation using message = 'A folder that contains items cannot be deleted.';
  end if;
  return null;
end $$;
create trigger folders_deleted after delete on folders referencing old table as old_rows for each statement execute function check_deleted_folders();

create function check_sidecar_parent() returns trigger language plpgsql as $$
begin
  perform from items where id = new.sidecar_of for key share;
  if not found then
    raise foreign_key_violation using message = 'A sidecar must belong to an existing item.';
  end if;
  return null;
end $$;
create trigger items_sidecar_checked after insert or update of sidecar_of on items for each row when (new.sidecar_of is not null)
  execute function check_sidecar_parent();

create function release_sidecars() returns trigger language plpgsql as $$
begin
  update items set sidecar_of = null where sidecar_of = any(array(select id from old_rows));
  return null;
end $$;
create trigger items_sidecars_released after delete on items referencing old table as old_rows for each statement execute function release_sidecars();

create function delete_library_items() returns trigger language plpgsql as $$
begin
  delete from items where library_id = old.id;
  return old;
end $$;
create trigger libraries_deleted before delete on all_libraries for each row execute function delete_library_items();
