-- How many items there are and how large they are together, by what lists and statistics are asked for: exact at every moment and read
-- without counting a million rows. Every statement that changes items appends what it added and took away, in its own transaction; the sum
-- of all rows is the count. Nothing is updated in place, so that two writers never wait for each other. Whoever reads many loose rows
-- folds them into one for each key.
create table item_counts (
  library_id uuid not null,
  status text not null,
  file_category text not null,
  file_group text not null,
  items bigint not null,
  bytes numeric not null,
  folded boolean not null default false
);
insert into item_counts
  select library_id, status, file_category, file_group, count(*), sum(size), true from items group by 1, 2, 3, 4;

create function count_new_items() returns trigger language plpgsql as $$
begin
  insert into item_counts (library_id, status, file_category, file_group, items, bytes)
    select library_id, status, file_category, file_group, count(*), sum(size) from new_rows group by 1, 2, 3, 4;
  return null;
end $$;
create trigger items_counted after insert on items referencing new table as new_rows for each statement execute function count_new_items();

create function count_gone_items() returns trigger language plpgsql as $$
begin
  insert into item_counts (library_id, status, file_category, file_group, items, bytes)
    select library_id, status, file_category, file_group, -count(*), -sum(size) from old_rows group by 1, 2, 3, 4;
  return null;
end $$;
create trigger items_uncounted after delete on items referencing old table as old_rows for each statement execute function count_gone_items();

-- What is counted is part of what search shows: the rows that are noted for the index are those to look at.
create or replace function note_item_update() returns trigger language plpgsql as $$
begin
  with changed as materialized (
    select n.id, n.library_id, n.status, n.file_category, n.file_group, n.size,
      o.library_id as old_library, o.status as old_status, o.file_category as old_category, o.file_group as old_group, o.size as old_size
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
  )
  insert into index_outbox (item_id) select id from changed order by id;
  if found then
    perform pg_notify('index_outbox', '');
  end if;
  return null;
end $$;
