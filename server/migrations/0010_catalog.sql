-- What is there: libraries, their folders and items, the taxonomy, presets, scan runs, and the outbox that keeps search in step.

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

create table libraries (
  id uuid primary key default uuidv7(),
  name text not null,
  root_path text not null,
  enabled boolean not null default true,
  enabled_categories text[] not null default '{}',
  enabled_groups text[] not null default '{}',
  include_globs text[] not null default '{}',
  exclude_globs text[] not null default '{}',
  -- Names of enabled presets; `-name` switches a default-on preset off.
  enabled_presets text[] not null default '{}',
  enabled_extension_groups text[] not null default '{}',
  scan_cron text,
  watch_mode boolean not null default false,
  -- Why watching is not active although asked for (too many folders, network file system); null while it works.
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
  -- Start of the newest full scan that finished: "last seen" of every active item not written since.
  last_full_scan_at timestamptz,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index libraries_name on libraries (lower(name));

create table scan_paths (
  id uuid primary key default uuidv7(),
  library_id uuid not null references libraries (id) on delete cascade,
  rel_path text not null default '',
  scan_cron text,
  watch_mode boolean,
  enabled boolean not null default true,
  last_cron_fired_at timestamptz,
  created_at timestamptz not null default now(),
  unique (library_id, rel_path)
);

-- A folder carries the path tree; its items only point at it. `fingerprint` covers names, sizes, times, links and inodes of all entries and
-- the rules they were judged by: an unchanged folder costs one comparison and no item rows, and its share of the counters is kept beside
-- it. Null means: look again. `path` labels are encoded so that any file name fits. Paths are ordered by their bytes everywhere.
create table folders (
  id bigint generated always as identity primary key,
  library_id uuid not null references libraries (id) on delete cascade,
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

-- Library and folder are guarded by statement triggers at the end of this file: a foreign key asks once a row, which was half the cost of
-- storing a file.
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
  -- Whole nanoseconds since 1970: two files written in one millisecond stay apart.
  mtime_ns bigint not null,
  inode bigint,
  dev bigint,
  nlink integer,
  symlink_target text,
  quick_hash text,
  content_hash text,
  policy_version text,
  hash_error text,
  -- Extracted by machines; a person's words are in tags, user_metadata and the user_* columns.
  metadata jsonb not null default '{}',
  title text,
  year integer,
  external_ids jsonb not null default '{}',
  body_text text,
  archive_members text,
  -- Which bytes and which extractor made the metadata: same pair, no second run.
  extracted_key text,
  thumb_key text,
  sidecar_of uuid references items (id) on delete set null,
  tags text[] not null default '{}',
  user_metadata jsonb not null default '{}',
  user_title text,
  user_year integer,
  first_seen timestamptz not null default now(),
  last_changed timestamptz not null default now(),
  last_verified_at timestamptz,
  -- When it went missing or to the recycle bin.
  deleted_at timestamptz,
  unique (library_id, rel_path)
);
create index items_folder on items (folder_id, filename);
-- Whose content hash is still to come: large files of a scan under way, and what a changed policy asks for.
create index items_hash_due on items (library_id, id) where content_hash is null and symlink_target is null and status = 'active';
create index items_content_hash on items (content_hash) where content_hash is not null;
-- Only where nothing better is known: large files of quick-hash-only libraries.
create index items_quick_hash on items (quick_hash, size) where quick_hash is not null and content_hash is null;
create index items_status on items (library_id, status) where status <> 'active';
create index items_sidecar on items (sidecar_of) where sidecar_of is not null;
create index items_extract_error on items (library_id) where metadata ? '_extract_error';

-- One row a change of the overlay (by a person) or of the metadata (by an extractor); `source` tells which.
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

create table scan_runs (
  id uuid primary key default uuidv7(),
  library_id uuid not null references libraries (id) on delete cascade,
  job_id uuid,
  status text not null check (status in ('running', 'stopping', 'stopped', 'failed', 'finished')),
  trigger text not null default 'manual',
  -- '' is the whole library; otherwise the folder or file scanned.
  scope text not null default '',
  force_empty boolean not null default false,
  phase text not null default 'queued',
  started_at timestamptz not null default now(),
  finished_at timestamptz,
  heartbeat_at timestamptz not null default now(),
  error text,
  error_code text,
  -- Counters of the accounting table and the rest (new, changed, missing, moved, bytes_seen, pruned_files, guard details, rates).
  stats jsonb not null default '{}'
);
create index scan_runs_library on scan_runs (library_id, id desc);
create index scan_runs_open on scan_runs (status) where status in ('running', 'stopping');

-- Per-run change log, for the diff between two runs; bounded by retention.
create table scan_changes (
  run_id uuid not null,
  library_id uuid not null,
  item_id uuid not null,
  kind text not null check (kind in ('added', 'changed', 'gone', 'returned', 'moved')),
  rel_path text not null,
  from_rel_path text,
  from_library_id uuid,
  -- An item changes in one way a run.
  primary key (run_id, item_id)
);

-- Every change of an item that search shows is noted here in the same transaction; the projector drains it.
create table index_outbox (
  seq bigint generated always as identity primary key,
  item_id uuid not null
);

create function note_item_change() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    insert into index_outbox (item_id) select id from old_rows order by id;
  else
    insert into index_outbox (item_id) select id from new_rows order by id;
  end if;
  perform pg_notify('index_outbox', '');
  return null;
end $$;

create trigger items_inserted after insert on items referencing new table as new_rows for each statement execute function note_item_change();
create trigger items_deleted after delete on items referencing old table as old_rows for each statement execute function note_item_change();
-- Only columns that reach the index: a hash stamp or a verification time alone does not.
create function note_item_update() returns trigger language plpgsql as $$
begin
  insert into index_outbox (item_id)
  select n.id from new_rows n join old_rows o using (id)
  where (n.library_id, n.rel_path, n.file_category, n.file_group, n.status, n.size, n.mtime_ns, n.quick_hash, n.content_hash, n.metadata, n.title, n.year,
         n.body_text, n.archive_members, n.sidecar_of, n.tags, n.user_metadata, n.user_title, n.user_year, n.thumb_key)
    is distinct from
        (o.library_id, o.rel_path, o.file_category, o.file_group, o.status, o.size, o.mtime_ns, o.quick_hash, o.content_hash, o.metadata, o.title, o.year,
         o.body_text, o.archive_members, o.sidecar_of, o.tags, o.user_metadata, o.user_title, o.user_year, o.thumb_key)
  order by n.id;
  if found then
    perform pg_notify('index_outbox', '');
  end if;
  return null;
end $$;
create trigger items_updated after update on items referencing old table as old_rows new table as new_rows for each statement execute function note_item_update();

-- A row that goes, or is trashed, restored or moved, outside a scan leaves its folder to be looked at again: the file may be there still.
-- A scan does the same and then stores the new fingerprint in the same transaction.
create function forget_fingerprint() returns trigger language plpgsql as $$
begin
  update folders set fingerprint = null where id = old.folder_id and fingerprint is not null;
  return null;
end $$;
create trigger items_left after delete on items for each row execute function forget_fingerprint();
create trigger items_restated after update on items for each row
  when (old.status is distinct from new.status or old.folder_id is distinct from new.folder_id or old.rel_path is distinct from new.rel_path)
  execute function forget_fingerprint();

-- What foreign keys would say about items and scan_changes, said once a statement.
create function check_item_folders() returns trigger language plpgsql as $$
begin
  if exists (select from new_rows n left join folders f on f.id = n.folder_id and f.library_id = n.library_id where f.id is null) then
    raise foreign_key_violation using message = 'An item must lie in a folder of its own library.';
  end if;
  return null;
end $$;
create trigger items_placed after insert on items referencing new table as new_rows for each statement execute function check_item_folders();

create function keep_filled_folders() returns trigger language plpgsql as $$
begin
  if exists (select from old_rows o join items i on i.folder_id = o.id) then
    raise foreign_key_violation using message = 'A folder that holds items cannot be removed.';
  end if;
  return null;
end $$;
create trigger folders_removed after delete on folders referencing old table as old_rows for each statement execute function keep_filled_folders();

create function empty_library() returns trigger language plpgsql as $$
begin
  delete from items where library_id = old.id;
  return old;
end $$;
create trigger libraries_removed before delete on libraries for each row execute function empty_library();

create function drop_run_changes() returns trigger language plpgsql as $$
begin
  delete from scan_changes c using old_rows o where c.run_id = o.id;
  return null;
end $$;
create trigger scan_runs_removed after delete on scan_runs referencing old table as old_rows for each statement execute function drop_run_changes();
