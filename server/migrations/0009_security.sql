-- The limit of each count of failed sign-ins, because an account as a whole has a far higher one than a client at an account.
alter table auth_failures add column attempt_limit integer not null default 3;
comment on table auth_failures is 'Recent sign-in attempts per client and account, client, account or known device.';

-- Signs the cookie of known devices. Deleting the row and inserting another key makes every device unknown again.
create table device_key (
  key bytea not null,
  only_row boolean primary key default true check (only_row)
);
insert into device_key (key)
  values (sha256(convert_to(gen_random_uuid()::text || gen_random_uuid()::text || gen_random_uuid()::text, 'UTF8')));

-- A key with the scope admin can create further keys and grants, so a limit on it would limit nothing.
update api_keys set scopes = '{write}' where 'admin' = any(scopes) and num_nonnulls(libraries, path_scope) > 0;
alter table api_keys add constraint api_keys_admin_without_limits check (not ('admin' = any(scopes)) or num_nonnulls(libraries, path_scope) = 0);
