-- All changes of an item in order, so that the net change between two dates is found without sorting the log.
create index scan_changes_item on scan_changes (item_id, run_id);

-- Reports on a person's start page.
create table report_pins (
  id bigint generated always as identity primary key,
  -- Account or service account; null when authentication is off.
  owner_id uuid,
  report_id text not null,
  unique nulls not distinct (owner_id, report_id)
);
