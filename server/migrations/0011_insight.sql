-- Reports, custom reports and exports.

-- SQL-standard function bodies are bound when they are created, so that they also work in ANALYZE and REINDEX, which use another search path.

-- A name that looks like a sidecar; agrees with catalog/sidecars/links.ts.
create function looks_like_sidecar(filename text) returns boolean immutable parallel safe language sql
  return filename ~* ('^.+\.(nfo|xmp|thm)$|^.+_jrsidecar\.xml$'
    || '|^(poster|folder|cover|fanart|banner|clearart|clearlogo|landscape|thumb|logo|disc|season-all-[a-z]+|season.*-?(poster|banner))\.(jpe?g|png|webp|tbn)$'
    || '|^.+-(thumb|poster|fanart|banner|landscape|clearart|clearlogo|disc|logo)\.(jpe?g|png|webp|tbn)$');

-- A name that Windows, macOS or a cloud drive refuses or changes: reserved characters, a dot or space at the end, device names, long names.
create function is_unportable_name(filename text) returns boolean immutable parallel safe language sql
  return translate(filename, '<>:"\|?*', '') <> filename or right(filename, 1) in ('.', ' ') or filename ~ '[\x01-\x1f\x7f]' or octet_length(filename) > 240
    or (lower(left(filename, 3)) in ('con', 'prn', 'aux', 'nul', 'com', 'lpt') and filename ~* '^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\.|$)');

-- What readers say about a file that cannot be read without a password.
create function is_encrypted(metadata jsonb) returns boolean immutable parallel safe language sql
  return coalesce(metadata -> 'encrypted' = 'true' or metadata #> '{database,encrypted}' = 'true' or metadata #> '{key,encrypted}' = 'true'
    or metadata #> '{archive,encrypted}' = 'true' or metadata ->> '_extract_error' ~* 'password', false);

-- What is wrong with a video, each with its points in front. Values that people entered win over extracted ones.
create function video_faults(metadata jsonb, user_metadata jsonb) returns text[] immutable parallel safe language sql
begin atomic
  with merged as (
    select metadata || user_metadata as m
  ), facts as (
    select case when jsonb_typeof(m -> 'height') = 'number' then (m -> 'height')::numeric end as height,
      case when jsonb_typeof(m -> 'width') = 'number' then (m -> 'width')::numeric end as width,
      case when jsonb_typeof(m -> 'bitrate') = 'number' then (m -> 'bitrate')::numeric end as bitrate,
      lower(m ->> 'video_codec') as codec, m -> 'hdr' = 'true' as hdr, lower(coalesce(m ->> 'color_transfer', '')) as transfer,
      case when jsonb_typeof(m -> 'audio_tracks') = 'array' then m -> 'audio_tracks' else '[]' end as tracks
    from merged
  ), rated as (
    select *, bitrate / 1000 / nullif(width * height, 0) as density,
      case when height >= 2160 then 0.00055 when height >= 1080 then 0.00080 when height >= 720 then 0.00181 end
        / case when codec in ('hevc', 'av1', 'vp9') then 2 else 1 end as floor
    from facts where height is not null
  )
  select array_remove(array[
    case when height < 720 then '40 The picture has fewer than 720 lines' end,
    case when codec in ('mpeg1video', 'mpeg2video', 'msmpeg4v2', 'msmpeg4v3', 'h263', 'wmv1', 'wmv2') then '25 The codec ' || codec || ' is outdated' end,
    case when density < floor and round(25 * least(1, (floor - density) / (floor / 2))) > 0
      then round(25 * least(1, (floor - density) / (floor / 2))) || ' The bitrate is low for its resolution' end,
    case when (hdr and transfer in ('', 'bt709', 'bt601', 'smpte170m', 'bt470bg')) or (height >= 2160 and not coalesce(hdr, false) and transfer in ('smpte2084', 'arib-std-b67'))
      then '10 HDR is marked inconsistently' end,
    case when height >= 2160 and jsonb_array_length(tracks) > 0 and not exists (
        select from jsonb_array_elements(tracks) t
        where case when jsonb_typeof(t -> 'channels') = 'number' then (t -> 'channels')::numeric > 2 else false end or lower(coalesce(t ->> 'codec', '')) ~ '^(truehd|dts|flac|mlp|pcm)')
      then '10 The sound is only stereo' end], null)
  from rated;
end;
create function video_fault_points(metadata jsonb, user_metadata jsonb) returns integer immutable parallel safe language sql
  return (select coalesce(sum(split_part(fault, ' ', 1)::integer), 0) from unnest(video_faults(metadata, user_metadata)) fault);

-- Reports read these indexes instead of all items. Most are partial, so that only the files they list cost something.
create index items_mtime on items (mtime_ns, library_id) where status = 'active';
create index items_large on items (size, id) where status = 'active' and size >= 16777216;
create index items_empty on items (library_id, rel_path) where status = 'active' and size = 0;
create index items_unmapped on items (extension, library_id) include (size) where status = 'active' and file_category = 'other' and sidecar_of is null;
create index items_hard_links on items (dev, inode) where status = 'active' and nlink > 1 and symlink_target is null;
create index items_symlinks on items (library_id, rel_path) where status = 'active' and symlink_target is not null;
create index items_unlinked_sidecars on items (library_id, rel_path)
  where status = 'active' and sidecar_of is null and extension in ('nfo', 'xmp', 'thm', 'xml', 'jpg', 'jpeg', 'png', 'webp', 'tbn') and looks_like_sidecar(filename);
create index items_tiny_sidecars on items (library_id, rel_path) where status = 'active' and sidecar_of is not null and size <= 64;
create index items_encrypted on items (library_id, rel_path) where status = 'active' and metadata <> '{}' and is_encrypted(metadata);
create index items_unportable on items (library_id, rel_path) where status = 'active' and is_unportable_name(filename);
create index items_tagged on items (library_id) where status = 'active' and tags <> '{}';
create index items_unhashed on items (library_id, rel_path) where status = 'active' and quick_hash is null and symlink_target is null;
create index items_verified on items ((coalesce(last_verified_at, first_seen))) where status = 'active' and content_hash is not null;
create index items_low_video on items ((video_fault_points(metadata, user_metadata)), id)
  where status = 'active' and file_category = 'video' and metadata ? 'height' and video_fault_points(metadata, user_metadata) >= 25;
-- Finds the path of a folder total, which knows its parent only by digest.
create index folders_digest on folders (library_id, (md5(rel_path)::uuid));

-- How much each library grew on each day (UTC), by category: the sum of all days up to one is what the library held at its end. Appended to
-- by every statement that changes item_counts; readers sum the rows, and a daily task merges those of one day.
create table growth_days (
  library_id uuid not null,
  day date not null,
  file_category text not null,
  items bigint not null,
  bytes numeric not null,
  compacted boolean not null default false
);
create index growth_days_library on growth_days (library_id, day);
insert into growth_days
  select library_id, (first_seen at time zone 'UTC')::date, file_category, count(*), sum(size), true from items where status = 'active' group by 1, 2, 3;
create function record_growth() returns trigger language plpgsql as $$
begin
  insert into growth_days
    select library_id, (now() at time zone 'UTC')::date, file_category, sum(items), sum(bytes) from new_rows
    where status = 'active' and not compacted group by 1, 3 having sum(items) <> 0 or sum(bytes) <> 0;
  return null;
end $$;
create trigger item_counts_growth after insert on item_counts referencing new table as new_rows for each statement execute function record_growth();

-- Groups of active files with equal content. Statements that change items append the first digits of the affected hashes to duplicate_changes;
-- insight/copies recomputes the groups with these digits in batches. Files with a content hash are proven copies; the others are compared by
-- quick hash and size, and their key starts with q.
create table duplicate_changes (
  prefix text not null
);
create table duplicate_groups (
  key text primary key,
  prefix text not null,
  tier text not null check (tier in ('content_hash', 'quick_hash')),
  size bigint not null,
  copies integer not null,
  -- Copies that are not hard links of each other.
  stored integer not null,
  wasted bigint not null
);
create index duplicate_groups_prefix on duplicate_groups (prefix);
create index duplicate_groups_wasted on duplicate_groups (wasted, key);
create index duplicate_groups_size on duplicate_groups (size, key);
create table duplicate_members (
  item_id uuid primary key,
  key text not null,
  prefix text not null,
  library_id uuid not null
);
create index duplicate_members_key on duplicate_members (prefix, key);

create function duplicate_prefix(content_hash text, quick_hash text) returns text immutable parallel safe language sql
  return case when content_hash is not null then left(content_hash, 8) else 'q' || quick_hash end;
create function record_inserted_duplicates() returns trigger language plpgsql as $$
begin
  insert into duplicate_changes select distinct duplicate_prefix(content_hash, quick_hash) from new_rows
    where status = 'active' and size > 0 and (content_hash is not null or quick_hash is not null);
  return null;
end $$;
create trigger items_duplicates_inserted after insert on items referencing new table as new_rows for each statement execute function record_inserted_duplicates();
create function record_deleted_duplicates() returns trigger language plpgsql as $$
begin
  insert into duplicate_changes select distinct duplicate_prefix(content_hash, quick_hash) from old_rows
    where status = 'active' and size > 0 and (content_hash is not null or quick_hash is not null);
  return null;
end $$;
create trigger items_duplicates_deleted after delete on items referencing old table as old_rows for each statement execute function record_deleted_duplicates();
create function record_updated_duplicates() returns trigger language plpgsql as $$
begin
  insert into duplicate_changes
    select distinct prefix from new_rows n join old_rows o using (id)
      cross join lateral (values (duplicate_prefix(n.content_hash, n.quick_hash)), (duplicate_prefix(o.content_hash, o.quick_hash))) p (prefix)
    where prefix is not null and (n.content_hash, n.quick_hash, n.size, n.status, n.library_id, n.dev, n.inode)
      is distinct from (o.content_hash, o.quick_hash, o.size, o.status, o.library_id, o.dev, o.inode);
  return null;
end $$;
create trigger items_duplicates_updated after update on items referencing new table as new_rows old table as old_rows
  for each statement execute function record_updated_duplicates();
insert into duplicate_changes select distinct duplicate_prefix(content_hash, quick_hash) from items
  where status = 'active' and size > 0 and (content_hash is not null or quick_hash is not null);

-- Reports that people define. Private to the owner unless shared; the owner is an account or a service account, null when authentication is off.
create table custom_reports (
  id uuid primary key default uuidv7(),
  owner_id uuid,
  owner_name text not null,
  name text not null,
  query text not null,
  columns text[] not null,
  -- Columns in order of precedence; a leading - sorts descending.
  sort text[] not null default '{}',
  group_by text[] not null default '{}',
  -- Such as sum:size; count needs no column.
  aggregates text[] not null default '{}',
  format text not null default 'csv' check (format in ('csv', 'json', 'ndjson', 'xml', 'xlsx')),
  shared boolean not null default false,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create unique index custom_reports_name on custom_reports (owner_id, lower(name)) nulls not distinct;

-- Background exports. insight/exports/tasks.ts describes the states. The owner's rights are read when the export runs; nothing here stores them.
create table exports (
  id uuid primary key default uuidv7(),
  job_id uuid,
  status text not null default 'queued' check (status in ('queued', 'running', 'complete', 'failed', 'cancelled')),
  title text not null,
  source jsonb not null,
  canned_report_key text,
  report_definition_id uuid references custom_reports (id) on delete set null,
  triggered_by text not null default 'manual' check (triggered_by in ('manual', 'schedule')),
  schedule_id uuid,
  format text not null check (format in ('csv', 'ndjson', 'xml', 'xlsx')),
  gzip boolean not null default false,
  owner_kind text not null check (owner_kind in ('user', 'service', 'open')),
  owner_id uuid,
  owner_name text not null,
  -- The API key that asked, whose limits apply as well.
  key_id uuid,
  row_count bigint,
  file_size_bytes bigint,
  sha256 text,
  error text,
  delivery_status text check (delivery_status in ('pending', 'delivered', 'failed', 'skipped')),
  delivery_error text,
  created_at timestamptz not null default now(),
  started_at timestamptz,
  finished_at timestamptz,
  expires_at timestamptz,
  purged_at timestamptz
);
create index exports_owner on exports (owner_id, id desc);
create index exports_open on exports (status) where status in ('queued', 'running');
create index exports_expiry on exports (expires_at) where purged_at is null and expires_at is not null;
