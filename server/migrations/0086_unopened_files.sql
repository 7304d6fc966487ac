-- Files that waited to be read and could not be opened where the catalog has them: renamed, changed or out of reach since the scan. The next
-- scan queues them again.
create table extract_unopened (
  item_id uuid primary key references item_rows (id) on delete cascade,
  library_id uuid not null references all_libraries (id) on delete cascade,
  -- Both as in extract_pending.
  forced boolean not null,
  cleared_error jsonb
);
create index extract_unopened_library on extract_unopened (library_id, item_id);
