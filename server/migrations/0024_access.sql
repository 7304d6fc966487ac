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

-- How long sessions of people with the role last; null means the settings of the service. What is set for one account wins.
alter table roles add column session_inactivity_hours float8, add column session_ttl_hours float8;

-- Links with which people choose their own password. A link works once; only the hash of its token is kept.
create table invitations (
  principal_id uuid primary key references principals (id) on delete cascade,
  token_hash text not null unique,
  expires_at timestamptz not null
);

-- The account to which an identity is connected, when a signed-in person started the sign-in for that.
alter table oidc_sign_ins add column link_principal_id uuid references principals (id) on delete cascade;
