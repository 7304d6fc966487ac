-- Permissions of files: who may read and write them on disk. Equal access control lists are stored once. Whether a person can open a file
-- also depends on the folders above it, so a file has an access class: its own list and the set of lists on its way that stop somebody.
-- A million files have a few hundred classes, and every question about access is answered per class.

create table file_acls (
  id integer generated always as identity primary key,
  -- SHA-256 of the record.
  digest bytea not null unique,
  acl jsonb not null,
  first_seen timestamptz not null default now()
);

-- Lists of folders that do not let everybody pass, sorted.
create table access_paths (
  id integer generated always as identity primary key,
  acl_ids integer[] not null unique
);

create table access_classes (
  id integer generated always as identity primary key,
  acl_id integer not null references file_acls (id),
  path_id integer not null references access_paths (id),
  unique (acl_id, path_id)
);

-- Null where permissions are not collected, and for symlinks.
alter table items add column access_class integer;
create index items_access_class on items (access_class) where access_class is not null;
-- The folder's own list, and the set for the files in it.
alter table folders add column acl_id integer, add column path_id integer;

-- Folders whose set has changed while those below them were not compared; a scan applies the change to everything below.
create table access_pending (
  folder_id bigint primary key references folders (id) on delete cascade
);

-- Changes of lists, newest per path kept by SVC_PERMISSION_SNAPSHOTS_RETAIN. The current list is with the item or folder.
create table permission_changes (
  id bigint generated always as identity primary key,
  library_id uuid not null references all_libraries (id) on delete cascade,
  -- Exactly one of them is set.
  item_id uuid,
  folder_id bigint references folders (id) on delete cascade,
  before_acl integer not null references file_acls (id),
  after_acl integer not null references file_acls (id),
  changed_at timestamptz not null default now(),
  check ((item_id is null) <> (folder_id is null))
);
create index permission_changes_item on permission_changes (item_id, id) where item_id is not null;
create index permission_changes_folder on permission_changes (folder_id, id) where folder_id is not null;
create index permission_changes_time on permission_changes (library_id, changed_at);

-- For each changed row only, because a scan rarely changes the class of a file.
create function record_access_change() returns trigger language plpgsql as $$
begin
  insert into permission_changes (library_id, item_id, before_acl, after_acl)
    select new.library_id, new.id, o.acl_id, n.acl_id from access_classes o, access_classes n
    where o.id = old.access_class and n.id = new.access_class and o.acl_id <> n.acl_id;
  insert into index_outbox (item_id) values (new.id);
  perform pg_notify('index_outbox', '');
  return null;
end $$;
create trigger items_access_changed after update on items for each row when (old.access_class is distinct from new.access_class)
  execute function record_access_change();

create function record_folder_acl_change() returns trigger language plpgsql as $$
begin
  insert into permission_changes (library_id, folder_id, before_acl, after_acl) values (new.library_id, new.id, old.acl_id, new.acl_id);
  return null;
end $$;
create trigger folders_acl_changed after update on folders for each row when (old.acl_id <> new.acl_id) execute function record_folder_acl_change();

create function delete_item_permission_changes() returns trigger language plpgsql as $$
begin
  delete from permission_changes c using old_rows o where c.item_id = o.id;
  return null;
end $$;
create trigger items_permission_changes_deleted after delete on items referencing old table as old_rows
  for each statement execute function delete_item_permission_changes();

-- Whether permissions are collected; on for every library, because it costs little.
alter table all_libraries add column permissions_enabled boolean not null default true;
create or replace view libraries as
  select id, name, root_path, enabled, enabled_categories, enabled_groups, include_globs, exclude_globs, enabled_presets, enabled_extension_groups, scan_cron,
    watch_mode, watch_degraded, hash_policy, hash_full_max_bytes, native_prefix, share_prefix, ocr_enabled, chunking_enabled, expose_gps, count_pruned_files,
    extract_overrides, source_agent_id, last_cron_fired_at, last_full_scan_at, created_at, updated_at, vanish_guard_pct, permissions_enabled
  from all_libraries where not removed;

-- Who may see permissions of files is a right of its own.
update roles set ceiling_actions = array_append(ceiling_actions, 'view_permissions') where builtin and name in ('admin', 'user');
-- The trigger that renews cached rights runs now: a restore continues in this transaction and alters the table.
set constraints all immediate;
set constraints all deferred;
