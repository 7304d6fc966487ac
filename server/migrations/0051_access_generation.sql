-- One value that changes with every change of who may see what, in the same transaction. It is read together with the caller's credential;
-- what a process remembers of somebody's rights holds only as long as this value is the one it was read under. It is random rather than
-- counted, so that a restored database never shows a value under which something else was remembered.
create table access_generation (
  one boolean primary key default true check (one),
  generation uuid not null default gen_random_uuid()
);
insert into access_generation default values;

create function renew_access_generation() returns trigger language plpgsql as $$
begin
  -- Once a transaction is enough.
  if current_setting('catalog.access_renewed', true) is distinct from pg_current_xact_id()::text then
    update access_generation set generation = gen_random_uuid();
    perform set_config('catalog.access_renewed', pg_current_xact_id()::text, true);
  end if;
  return null;
end $$;

-- Deferred to the commit: the one row is locked last and for a moment, however long the rest of the transaction takes.
create constraint trigger grants_renew_access after insert or update or delete on grants
  deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger members_renew_access after insert or update or delete on principal_group_members
  deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger principals_renew_access after update of global_role on principals
  deferrable initially deferred for each row execute function renew_access_generation();
create constraint trigger roles_renew_access after insert or update or delete on roles
  deferrable initially deferred for each row execute function renew_access_generation();
-- A service account's key sees every library below its own limits.
create constraint trigger libraries_renew_access after insert or delete on libraries
  deferrable initially deferred for each row execute function renew_access_generation();
