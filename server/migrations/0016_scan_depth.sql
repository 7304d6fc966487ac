-- A scan of one folder may leave the folders in it alone.
alter table scan_runs add column recursive boolean not null default true;
