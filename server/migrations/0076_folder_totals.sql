-- What every folder holds all the way down, active items only: exact at every moment, and read without reading what lies below. Every
-- statement that changes items appends what it added to a folder and took from it, in its own transaction; folding adds that to the folder
-- and all folders around it. A folder's total is its row here and what has not been folded yet. The folder around it is a digest of its
-- path, because a path may be longer than an index takes.
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
insert into folder_totals
  select library_id, md5(array_to_string(parts[:at - 1], '/'))::uuid, parts[at], sum(items), sum(bytes)
  from (select f.library_id, string_to_array(f.rel_path, '/') as parts, i.items, i.bytes
      from (select folder_id, count(*) as items, sum(size) as bytes from items where status = 'active' group by 1) i
      join folders f on f.id = i.folder_id where f.rel_path <> '') own
    cross join generate_series(1, cardinality(parts)) at
  group by 1, 2, 3;

create or replace function count_new_items() returns trigger language plpgsql as $$
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

create or replace function count_gone_items() returns trigger language plpgsql as $$
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

create or replace function note_item_update() returns trigger language plpgsql as $$
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
