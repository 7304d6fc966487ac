-- Sign-ins that are being verified, counted apart from failures: a slow directory must not make them look like failed ones.
alter table auth_failures add column in_flight integer not null default 0;
comment on table auth_failures is 'Recent failed sign-ins, and those in flight, per client and account, client, account or known device.';
