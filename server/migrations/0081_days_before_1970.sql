-- Days before 1970 are negative, one for each day, rounded down like those after it.
create or replace function day_of(mtime_ns bigint) returns integer immutable parallel safe language sql
  return case when mtime_ns < 0 then -1 - (-1 - mtime_ns) / 86400000000000 else mtime_ns / 86400000000000 end;

-- Earlier versions counted all of them as day -1. No item may change between the count and the end of this transaction.
lock table items in share row exclusive mode;
delete from day_changes where day < 0;
delete from day_totals where day < 0;
insert into day_totals select library_id, day_of(mtime_ns), count(*) from items where status = 'active' and mtime_ns < 0 group by 1, 2;
