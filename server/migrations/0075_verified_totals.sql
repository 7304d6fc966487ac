-- Files with a content hash per day on which they were last read again, so that the state of integrity is read without reading the items.
create function verified_day(last_verified_at timestamptz) returns integer immutable parallel safe language sql
  return coalesce(floor(extract(epoch from last_verified_at) / 86400)::integer, -1);

create table verified_totals (
  library_id uuid not null,
  -- Days since 1970 in UTC; -1 counts files that were never read again.
  day integer not null,
  files bigint not null,
  bytes numeric not null,
  primary key (library_id, day)
);
create index verified_totals_empty on verified_totals (library_id) where files = 0 and bytes = 0;
create table verified_changes (
  library_id uuid not null,
  day integer not null,
  files bigint not null,
  bytes numeric not null
);
insert into verified_totals select library_id, verified_day(last_verified_at), count(*), sum(size) from items
  where status = 'active' and content_hash is not null group by 1, 2;

create or replace function count_days_of_inserted_items() returns trigger language plpgsql as $$
begin
  insert into day_changes select library_id, day_of(mtime_ns), count(*) from new_rows where status = 'active' group by 1, 2;
  insert into verified_changes select library_id, verified_day(last_verified_at), count(*), sum(size) from new_rows
    where status = 'active' and content_hash is not null group by 1, 2;
  return null;
end $$;

create or replace function count_days_of_deleted_items() returns trigger language plpgsql as $$
begin
  insert into day_changes select library_id, day_of(mtime_ns), -count(*) from old_rows where status = 'active' group by 1, 2;
  insert into verified_changes select library_id, verified_day(last_verified_at), -count(*), -sum(size) from old_rows
    where status = 'active' and content_hash is not null group by 1, 2;
  return null;
end $$;

-- Most updates change no day's count and append nothing.
create or replace function count_days_of_updated_items() returns trigger language plpgsql as $$
begin
  insert into day_changes
    select library_id, day, sum(items) from (
      select library_id, day_of(mtime_ns) as day, 1 as items from new_rows where status = 'active'
      union all select library_id, day_of(mtime_ns), -1 from old_rows where status = 'active') m
    group by 1, 2 having sum(items) <> 0;
  insert into verified_changes
    select library_id, day, sum(files), sum(bytes) from (
      select library_id, verified_day(last_verified_at) as day, 1 as files, size as bytes from new_rows where status = 'active' and content_hash is not null
      union all select library_id, verified_day(last_verified_at), -1, -size from old_rows where status = 'active' and content_hash is not null) m
    group by 1, 2 having sum(files) <> 0 or sum(bytes) <> 0;
  return null;
end $$;
