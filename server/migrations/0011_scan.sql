-- What a scan keeps for itself.

-- A run is settled when the moves among what it added are resolved and its extraction is queued. Runs that ended before that (a kill, a
-- stop, a guard) are settled by the next one.
alter table scan_runs add column settled boolean not null default false;
create index scan_runs_unsettled on scan_runs (library_id) where not settled;

-- Items whose file a run did not meet, until the guards have spoken. Emptied at the start and end of every run; a crash may lose it.
create unlogged table scan_gone (
  run_id uuid not null,
  item_id uuid not null,
  -- The file is there, but a rule leaves it out now.
  excluded boolean not null default false,
  primary key (run_id, item_id)
);

-- "Where did the item go that was at this path?"
create index scan_changes_from on scan_changes (from_library_id, from_rel_path) where kind = 'moved';
