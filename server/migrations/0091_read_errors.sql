-- The report of files without a hash lists files with read errors as well.
drop index items_unhashed;
create index items_unhashed on item_rows (library_id, folder_id)
  where status = 'active' and (quick_hash is null or hash_error is not null) and symlink_target is null;
