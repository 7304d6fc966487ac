-- Items that wait for extraction: at most one row an item, so that nothing is queued twice and a crash loses nothing. A row goes when its
-- result is written, in the same transaction.
create table extract_pending (
  item_id uuid primary key references items (id) on delete cascade,
  library_id uuid not null references libraries (id) on delete cascade,
  -- Read again although bytes and extractor are the same (a retry, a raised ceiling).
  forced boolean not null default false,
  queued_at timestamptz not null default now(),
  claimed_by uuid,
  claimed_at timestamptz
);
create index extract_pending_library on extract_pending (library_id, item_id) where claimed_at is null;
create index extract_pending_claimed on extract_pending (claimed_at) where claimed_at is not null;
create index items_extracted_key on items (extracted_key) where extracted_key is not null;
create index items_thumb_key on items (thumb_key) where thumb_key is not null;
