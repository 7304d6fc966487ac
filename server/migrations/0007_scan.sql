-- Scopes of a run, the vanish guard of a library, and what identifies a file and a folder on disk beyond its path.

-- The share of a library, in percent, that one scan may mark as missing. Null follows SVC_SCAN_VANISH_GUARD_PCT; 0 is no limit.
alter table all_libraries add column vanish_guard_pct double precision check (vanish_guard_pct between 0 and 100);
create or replace view libraries as
  select id, name, root_path, enabled, enabled_categories, enabled_groups, include_globs, exclude_globs, enabled_presets, enabled_extension_groups, scan_cron,
    watch_mode, watch_degraded, hash_policy, hash_full_max_bytes, native_prefix, share_prefix, ocr_enabled, chunking_enabled, expose_gps, count_pruned_files,
    extract_overrides, source_agent_id, last_cron_fired_at, last_full_scan_at, created_at, updated_at, vanish_guard_pct
  from all_libraries where not removed;

-- The folders of a run that covers several, as [{"path", "depth"}]. `scope` is then the folder above all of them and `recursive` is false.
alter table scan_runs add column scopes jsonb;

-- The inode change time, where the file system keeps it; only compared for equality.
alter table items add column ctime_ns bigint;

-- The folder's own inode: a renamed folder keeps it, so its files are recognized without reading them.
alter table folders add column inode bigint;
create index folders_inode on folders (inode) where inode is not null;

-- Missing items that carry tags or notes, which are paired with the files that hold their bytes.
create index items_annotated_missing on items (id) where status = 'missing'
  and not (tags = '{}' and user_metadata = '{}' and user_title is null and user_year is null and user_external_ids = '{}');
