-- How far a replica must have replayed the log before a caller who wrote reads from it. Written only while SVC_DATABASE_REPLICA_URL is set.
create table caller_writes (
  caller uuid primary key,
  position pg_lsn not null,
  at timestamptz not null
) with (fillfactor = 50);

-- An item that leaves its folder, or changes its name or status in it, makes the next scan compare the folder. Once per statement, because a
-- renamed folder moves many items at once; a move of the folder itself changes neither name nor folder of an item.
drop trigger items_fingerprint_deleted on items;
drop trigger items_fingerprint_updated on items;
drop function clear_folder_fingerprint();
create function clear_fingerprints_of_deleted() returns trigger language plpgsql as $$
begin
  update folders f set fingerprint = null where f.id in (select o.folder_id from old_rows o) and f.fingerprint is not null;
  return null;
end $$;
create trigger items_fingerprint_deleted after delete on items referencing old table as old_rows
  for each statement execute function clear_fingerprints_of_deleted();
create function clear_fingerprints_of_updated() returns trigger language plpgsql as $$
begin
  update folders f set fingerprint = null
  where f.id in (
      select o.folder_id from old_rows o join new_rows n using (id)
      where (o.status, o.folder_id, o.filename) is distinct from (n.status, n.folder_id, n.filename))
    and f.fingerprint is not null;
  return null;
end $$;

-- These triggers compare every changed row with its former self. A move of whole folders changes nothing but paths; it writes the outbox and
-- the totals of folders itself (catalog/scan/folder-moves.ts) and says so for its transaction, because the comparisons took more than half of
-- its time.
create trigger items_fingerprint_updated after update on items referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('catalog.moving_folders', true) is distinct from 'on') execute function clear_fingerprints_of_updated();
drop trigger items_updated on items;
create trigger items_updated after update on items referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('catalog.moving_folders', true) is distinct from 'on') execute function record_item_update();
drop trigger items_days_updated on items;
create trigger items_days_updated after update on items referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('catalog.moving_folders', true) is distinct from 'on') execute function count_days_of_updated_items();
drop trigger items_duplicates_updated on items;
create trigger items_duplicates_updated after update on items referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('catalog.moving_folders', true) is distinct from 'on') execute function record_updated_duplicates();
drop trigger items_names_updated on items;
create trigger items_names_updated after update on items referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('catalog.moving_folders', true) is distinct from 'on') execute function record_updated_names();

-- By default PostgreSQL vacuums and analyzes a table when a tenth to a fifth of it has changed, which is millions of rows in a large catalog. These
-- tables grow with the files and are looked after at a few percent. A scan writes fingerprints of folders in place, so their pages keep room for
-- them. The rows of items are not updated in place anyway, because their indexes cover most columns that change.
alter table items set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 10000, autovacuum_vacuum_insert_scale_factor = 0.05,
  autovacuum_analyze_scale_factor = 0.02, autovacuum_analyze_threshold = 10000);
alter table folders set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, autovacuum_analyze_scale_factor = 0.02, fillfactor = 80);
alter table scan_changes set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table item_history set (autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.02);
alter table folder_totals set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_threshold = 5000, fillfactor = 80);
-- Queues: rows are added and deleted all the time, and readers start at the front, where the deleted ones are.
alter table index_outbox set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);
alter table passage_outbox set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);
alter table extract_pending set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);
alter table embed_pending set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);
alter table folder_changes set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);
alter table duplicate_changes set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);
alter table name_changes set (autovacuum_vacuum_scale_factor = 0.01, autovacuum_vacuum_threshold = 10000);
