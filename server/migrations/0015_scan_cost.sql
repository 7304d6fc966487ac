-- What storing a file costs: what was asked once a row is asked once a statement, or only of the rows it concerns.

-- Content hashes lie in no order, so every new one lands on another page of its index: short entries keep those pages few. Whoever looks
-- for a hash asks for its first eight digits too; a search by hash has at least as many.
drop index items_content_hash;
create index items_content_start on items (left(content_hash, 8)) where content_hash is not null;

-- A foreign key queues a check for every row; almost none is a sidecar.
alter table items drop constraint items_sidecar_of_fkey;
create function check_sidecar_parent() returns trigger language plpgsql as $$
begin
  perform from items where id = new.sidecar_of for key share;
  if not found then
    raise foreign_key_violation using message = 'A sidecar must accompany an item that is there.';
  end if;
  return null;
end $$;
create trigger items_accompany after insert or update of sidecar_of on items for each row when (new.sidecar_of is not null)
  execute function check_sidecar_parent();
create function release_sidecars() returns trigger language plpgsql as $$
begin
  update items set sidecar_of = null where sidecar_of = any(array(select id from old_rows));
  return null;
end $$;
create trigger items_released after delete on items referencing old table as old_rows for each statement execute function release_sidecars();

-- A look at each folder once, not at all folders for every batch.
create or replace function check_item_folders() returns trigger language plpgsql as $$
begin
  if exists (
    select from (select distinct folder_id, library_id from new_rows) n
    where (select f.library_id from folders f where f.id = n.folder_id) is distinct from n.library_id) then
    raise foreign_key_violation using message = 'An item must lie in a folder of its own library.';
  end if;
  return null;
end $$;
