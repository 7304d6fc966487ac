-- The fingerprint of a document contains the key of the extraction. A file that is read again after its content changed can give the same
-- facts and text, so the key must count as a change; otherwise the index keeps an old fingerprint.
create or replace function record_item_update() returns trigger language plpgsql as $$
begin
  with changed as materialized (
    select n.id, n.library_id, n.folder_id, n.status, n.file_category, n.file_group, n.size, o.library_id as old_library, o.folder_id as old_folder,
      o.status as old_status, o.file_category as old_category, o.file_group as old_group, o.size as old_size
    from new_rows n join old_rows o using (id)
    where (n.library_id, n.rel_path, n.file_category, n.file_group, n.status, n.size, n.mtime_ns, n.quick_hash, n.content_hash, n.metadata, n.title, n.year,
           n.body_text, n.archive_members, n.sidecar_of, n.tags, n.user_metadata, n.user_title, n.user_year, n.thumb_key,
           n.extracted_key)
      is distinct from
          (o.library_id, o.rel_path, o.file_category, o.file_group, o.status, o.size, o.mtime_ns, o.quick_hash, o.content_hash, o.metadata, o.title, o.year,
           o.body_text, o.archive_members, o.sidecar_of, o.tags, o.user_metadata, o.user_title, o.user_year, o.thumb_key,
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
