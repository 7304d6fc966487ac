-- The path of a file is that of its folder and its name, and only the folder stores it: renaming a folder rewrites no row of a file, and
-- neither the rows nor an index repeat long paths. Table `item_rows` has the files; the view `items` adds their paths, and can be read and
-- written like a table except for them. A new column goes into both.
alter table items rename to item_rows;

create or replace function record_item_update() returns trigger language plpgsql as $$
begin
  with changed as materialized (
    select n.id, n.library_id, n.folder_id, n.status, n.file_category, n.file_group, n.size, o.library_id as old_library, o.folder_id as old_folder,
      o.status as old_status, o.file_category as old_category, o.file_group as old_group, o.size as old_size
    from new_rows n join old_rows o using (id)
    where (n.library_id, n.folder_id, n.filename, n.file_category, n.file_group, n.status, n.size, n.mtime_ns, n.quick_hash, n.content_hash, n.metadata,
           n.title, n.year, n.body_text, n.archive_members, n.sidecar_of, n.tags, n.user_metadata, n.user_title, n.user_year, n.thumb_key,
           n.extracted_key)
      is distinct from
          (o.library_id, o.folder_id, o.filename, o.file_category, o.file_group, o.status, o.size, o.mtime_ns, o.quick_hash, o.content_hash, o.metadata,
           o.title, o.year, o.body_text, o.archive_members, o.sidecar_of, o.tags, o.user_metadata, o.user_title, o.user_year, o.thumb_key,
           o.extracted_key)
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

-- Members of duplicate groups keep folder and name in the same way.
alter table duplicate_members add column folder_id bigint not null default 0, add column filename text collate "C" not null default '';
update duplicate_members m set folder_id = i.folder_id, filename = i.filename from item_rows i where i.id = m.item_id;
alter table duplicate_members alter column folder_id drop default, alter column filename drop default, drop column rel_path;
create or replace function record_updated_duplicates() returns trigger language plpgsql as $$
begin
  insert into duplicate_changes
    select distinct prefix from new_rows n join old_rows o using (id)
      cross join lateral (values (duplicate_prefix(n.content_hash, n.quick_hash)), (duplicate_prefix(o.content_hash, o.quick_hash))) p (prefix)
    where prefix is not null and (n.content_hash, n.quick_hash, n.size, n.status, n.library_id, n.dev, n.inode)
      is distinct from (o.content_hash, o.quick_hash, o.size, o.status, o.library_id, o.dev, o.inode)
    union
    -- `lateral … limit 1` makes PostgreSQL use the index for each row, also when the plan was made for a large statement.
    select m.prefix from new_rows n join old_rows o using (id) cross join lateral (select prefix from duplicate_members where item_id = n.id limit 1) m
    where (n.folder_id, n.filename, n.allocated, n.mtime_ns, n.nlink, n.tags, n.user_metadata, n.user_title, n.user_year, n.user_external_ids, n.metadata -> 'width', n.metadata -> 'height')
      is distinct from (o.folder_id, o.filename, o.allocated, o.mtime_ns, o.nlink, o.tags, o.user_metadata, o.user_title, o.user_year, o.user_external_ids, o.metadata -> 'width', o.metadata -> 'height');
  return null;
end $$;

-- Plans depend on paths, so a renamed folder may change them.
create trigger folders_plan_changed after update of rel_path on folders for each statement execute function record_plan_change();

-- These triggers were switched off while the rows of moved folders were rewritten, which nothing does any more.
drop trigger items_fingerprint_updated on item_rows;
create trigger items_fingerprint_updated after update on item_rows referencing old table as old_rows new table as new_rows
  for each statement execute function clear_fingerprints_of_updated();
drop trigger items_updated on item_rows;
create trigger items_updated after update on item_rows referencing old table as old_rows new table as new_rows
  for each statement execute function record_item_update();
drop trigger items_days_updated on item_rows;
create trigger items_days_updated after update on item_rows referencing old table as old_rows new table as new_rows
  for each statement execute function count_days_of_updated_items();
drop trigger items_duplicates_updated on item_rows;
create trigger items_duplicates_updated after update on item_rows referencing old table as old_rows new table as new_rows
  for each statement execute function record_updated_duplicates();
drop trigger items_names_updated on item_rows;
create trigger items_names_updated after update on item_rows referencing old table as old_rows new table as new_rows
  for each statement execute function record_updated_names();
drop trigger items_extracted_updated on item_rows;
create trigger items_extracted_updated after update on item_rows referencing old table as old_rows new table as new_rows
  for each statement execute function count_extracted_of_updated();

-- Whole folders that a scan found moved, until what follows for each file is written: its row in the change log and in the outbox of the
-- index (catalog/scan/settle-folder-moves.ts).
create table folder_moves (
  id bigint generated always as identity primary key,
  run_id uuid not null references scan_runs (id) on delete cascade,
  library_id uuid not null,
  rel_path text not null,
  from_rel_path text not null,
  item_ids uuid[] not null
);
create index folder_moves_run on folder_moves (run_id);
-- How many files the search index has yet to take in.
create function index_backlog() returns bigint stable language sql
  return (select count(*) from index_outbox) + (select coalesce(sum(cardinality(item_ids)), 0) from folder_moves);

-- With the column go its indexes: the unique one on library and path, and those of reports, which sorted by path.
alter table item_rows drop column rel_path;
drop index items_folder;
create unique index items_folder on item_rows (folder_id, filename) include (size, status);
create index items_library on item_rows (library_id, id);
create index items_empty on item_rows (library_id, folder_id) where status = 'active' and size = 0;
create index items_symlinks on item_rows (library_id, folder_id) where status = 'active' and symlink_target is not null;
create index items_unlinked_sidecars on item_rows (library_id, folder_id)
  where status = 'active' and sidecar_of is null
    and extension in ('nfo', 'xmp', 'thm', 'xml', 'jpg', 'jpeg', 'png', 'webp', 'tbn') and looks_like_sidecar(filename);
create index items_tiny_sidecars on item_rows (library_id, folder_id) where status = 'active' and sidecar_of is not null and size <= 64;
create index items_encrypted on item_rows (library_id, folder_id) where status = 'active' and metadata <> '{}' and is_encrypted(metadata);
create index items_unportable on item_rows (library_id, folder_id) where status = 'active' and is_unportable_name(filename);
create index items_unhashed on item_rows (library_id, folder_id) where status = 'active' and quick_hash is null and symlink_target is null;

create view items as select i.id, i.library_id, i.folder_id, i.filename, i.extension, i.file_category, i.file_group, i.status, i.size, i.mtime_ns, i.inode,
    i.dev, i.nlink, i.symlink_target, i.quick_hash, i.content_hash, i.policy_version, i.hash_error, i.metadata, i.title, i.year, i.external_ids,
    i.body_text, i.archive_members, i.extracted_key, i.thumb_key, i.sidecar_of, i.tags, i.user_metadata, i.user_title, i.user_year,
    i.user_external_ids, i.first_seen, i.last_changed, i.last_verified_at, i.deleted_at, i.ctime_ns, i.access_class, i.allocated,
    (select case when f.rel_path = '' then i.filename else f.rel_path || '/' || i.filename end from folders f where f.id = i.folder_id) as rel_path
  from item_rows i;
