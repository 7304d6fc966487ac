-- How many active items of a library were last modified on each day (UTC, counted from 1970; all before on day -1): exact at every moment,
-- and read without reading items. Kept the way folder totals are: every statement that changes items appends what it added and took away,
-- in its own transaction, and folding adds that to the days.
create table day_totals (
  library_id uuid not null,
  day integer not null,
  items bigint not null,
  primary key (library_id, day)
);
create index day_totals_empty on day_totals (library_id) where items = 0;
create table day_changes (
  library_id uuid not null,
  day integer not null,
  items bigint not null
);
create function day_of(mtime_ns bigint) returns integer immutable parallel safe language sql
  return case when mtime_ns < 0 then -1 else mtime_ns / 86400000000000 end;

insert into day_totals select library_id, day_of(mtime_ns), count(*) from items where status = 'active' group by 1, 2;

create function date_new_items() returns trigger language plpgsql as $$
begin
  insert into day_changes select library_id, day_of(mtime_ns), count(*) from new_rows where status = 'active' group by 1, 2;
  return null;
end $$;
create trigger items_dated after insert on items referencing new table as new_rows for each statement execute function date_new_items();

create function date_gone_items() returns trigger language plpgsql as $$
begin
  insert into day_changes select library_id, day_of(mtime_ns), -count(*) from old_rows where status = 'active' group by 1, 2;
  return null;
end $$;
create trigger items_undated after delete on items referencing old table as old_rows for each statement execute function date_gone_items();

-- Most updates leave every day as full as it was, and then nothing is appended.
create function date_changed_items() returns trigger language plpgsql as $$
begin
  insert into day_changes
    select library_id, day, sum(items) from (
      select library_id, day_of(mtime_ns) as day, 1 as items from new_rows where status = 'active'
      union all select library_id, day_of(mtime_ns), -1 from old_rows where status = 'active') m
    group by 1, 2 having sum(items) <> 0;
  return null;
end $$;
create trigger items_redated after update on items referencing new table as new_rows old table as old_rows
  for each statement execute function date_changed_items();
