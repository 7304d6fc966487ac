-- How far extraction and thumbnails of a scan's files have come. The work goes on after the scan has ended, so it is counted beside the run:
-- a batch adds its sums once, whoever asks reads one row.
alter table extract_pending add column run_id uuid;
create index extract_pending_run on extract_pending (run_id) where run_id is not null;

create table scan_stages (
  run_id uuid primary key references scan_runs (id) on delete cascade,
  queued integer not null default 0,
  extracted integer not null default 0,
  failed integer not null default 0,
  -- Files that some renderer knows; those whose picture is settled (also: the file holds none); those whose picture could not be made.
  thumbs_wanted integer not null default 0,
  thumbs_done integer not null default 0,
  thumbs_failed integer not null default 0,
  -- The present stretch of work, for its speed: begun when, and how many since.
  stretch_at timestamptz not null default now(),
  stretch_done integer not null default 0,
  changed_at timestamptz not null default now()
);

-- Items whose picture was left out because the disk was critically full, or whose picture was evicted and then asked for. The upkeep puts
-- them back on the list once there is room.
create table thumbs_due (
  item_id uuid primary key references items (id) on delete cascade
);
