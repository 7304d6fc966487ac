-- How many items of each count have been extracted, so that the dashboard does not read all items. Appended to by every statement that changes
-- it, like the counts themselves; rows of these triggers change neither items nor bytes.
alter table item_counts add column extracted bigint not null default 0;

create function count_extracted_of_inserted() returns trigger language plpgsql as $$
begin
  insert into item_counts (library_id, status, file_category, file_group, items, bytes, extracted)
    select library_id, status, file_category, file_group, 0, 0, count(*) from new_rows where extracted_key is not null group by 1, 2, 3, 4;
  return null;
end $$;
create trigger items_extracted_inserted after insert on items referencing new table as new_rows
  for each statement execute function count_extracted_of_inserted();

create function count_extracted_of_deleted() returns trigger language plpgsql as $$
begin
  insert into item_counts (library_id, status, file_category, file_group, items, bytes, extracted)
    select library_id, status, file_category, file_group, 0, 0, -count(*) from old_rows where extracted_key is not null group by 1, 2, 3, 4;
  return null;
end $$;
create trigger items_extracted_deleted after delete on items referencing old table as old_rows
  for each statement execute function count_extracted_of_deleted();

-- Sums of both tables instead of a comparison row by row: most updates change no sum.
create function count_extracted_of_updated() returns trigger language plpgsql as $$
begin
  insert into item_counts (library_id, status, file_category, file_group, items, bytes, extracted)
    select library_id, status, file_category, file_group, 0, 0, sum(n) from (
      select library_id, status, file_category, file_group, 1 as n from new_rows where extracted_key is not null
      union all select library_id, status, file_category, file_group, -1 from old_rows where extracted_key is not null) c
    group by 1, 2, 3, 4 having sum(n) <> 0;
  return null;
end $$;
create trigger items_extracted_updated after update on items referencing old table as old_rows new table as new_rows
  for each statement when (current_setting('catalog.moving_folders', true) is distinct from 'on') execute function count_extracted_of_updated();

insert into item_counts (library_id, status, file_category, file_group, items, bytes, extracted)
  select library_id, status, file_category, file_group, 0, 0, count(*) from items where extracted_key is not null group by 1, 2, 3, 4;
