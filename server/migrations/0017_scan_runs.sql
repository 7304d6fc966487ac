-- A statement outlives the process that sent it. What a killed worker's last statement would store must not cross the next scan, so every
-- statement of a scan asks here first: it takes part in the library's scan and then looks, freshly, whether its run is still open. The next
-- scan ends the old run, waits once for all who take part, and begins.
create function takes_part(run uuid, library uuid) returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(hashtextextended('scan writes ' || library, 0));
  return exists (select from scan_runs where id = run and status in ('running', 'stopping'));
end $$;

-- The first run of a library: all it meets is new. No diff can begin before it, so its additions are not logged one by one; until it is
-- settled, every item of the library counts as added by it.
alter table scan_runs add column founding boolean not null default false;
