-- Renewed by every change of the directory or of names given by hand. Names that a process keeps are valid only under the value read with them.
create table directory_generation (generation bigint not null);
insert into directory_generation values (1);
create function renew_directory_generation() returns trigger language plpgsql as $$
begin
  if exists (select from changed_rows) then
    update directory_generation set generation = generation + 1;
  end if;
  return null;
end $$;
create trigger directory_objects_added after insert on directory_objects referencing new table as changed_rows
  for each statement execute function renew_directory_generation();
create trigger directory_objects_changed after update on directory_objects referencing new table as changed_rows
  for each statement execute function renew_directory_generation();
create trigger directory_objects_removed after delete on directory_objects referencing old table as changed_rows
  for each statement execute function renew_directory_generation();
create trigger principal_aliases_added after insert on principal_aliases referencing new table as changed_rows
  for each statement execute function renew_directory_generation();
create trigger principal_aliases_changed after update on principal_aliases referencing new table as changed_rows
  for each statement execute function renew_directory_generation();
create trigger principal_aliases_removed after delete on principal_aliases referencing old table as changed_rows
  for each statement execute function renew_directory_generation();

-- Whether the alert rules have read the change.
alter table permission_changes add column alerted boolean not null default false;
create index permission_changes_unread on permission_changes (id) where not alerted;

-- Since when no file has the class; it is deleted a day later, unless a scan uses it again.
alter table access_classes add column unused_since timestamptz;
