-- Extraction and thumbnails.

-- Items waiting for extraction: at most one row per item, so nothing is queued twice and a crash loses nothing. The row is deleted in the
-- transaction that writes the result.
create table extract_pending (
  item_id uuid primary key references items (id) on delete cascade,
  library_id uuid not null references all_libraries (id) on delete cascade,
  -- Extract again although bytes and extractor are the same (a retry, a raised limit).
  forced boolean not null default false,
  queued_at timestamptz not null default now(),
  claimed_by uuid,
  claimed_at timestamptz,
  run_id uuid
);
create index extract_pending_library on extract_pending (library_id, item_id) where claimed_at is null;
create index extract_pending_claimed on extract_pending (claimed_at) where claimed_at is not null;
create index extract_pending_run on extract_pending (run_id) where run_id is not null;

-- Progress of extraction and thumbnails for the files of a scan. The work continues after the scan has ended, so it is counted apart from the
-- run: each batch adds its sums.
create table scan_stages (
  run_id uuid primary key references scan_runs (id) on delete cascade,
  queued integer not null default 0,
  extracted integer not null default 0,
  failed integer not null default 0,
  -- Files with a renderer; those whose thumbnail is settled, including files without a picture; those whose thumbnail failed.
  thumbs_wanted integer not null default 0,
  thumbs_done integer not null default 0,
  thumbs_failed integer not null default 0,
  -- Start and size of the current burst of work, to compute its rate.
  burst_at timestamptz not null default now(),
  burst_done integer not null default 0,
  changed_at timestamptz not null default now()
);

-- Items whose thumbnail was skipped because the disk was critically full, or was evicted and then requested. Queued again when there is space.
create table thumbs_due (
  item_id uuid primary key references items (id) on delete cascade
);

create index items_extract_error on items (library_id) where metadata ? '_extract_error';
create index items_extracted_key on items (extracted_key) where extracted_key is not null;
create index items_thumb_key on items (thumb_key) where thumb_key is not null;
