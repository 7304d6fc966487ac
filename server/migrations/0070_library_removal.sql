-- A library that is taken out may hold a million items: it leaves every list at once and is emptied afterwards, by a job. `libraries` shows
-- those that are there; a new column goes to `all_libraries`, and the view is made again.
alter table libraries rename to all_libraries;
alter table all_libraries add column removed_at timestamptz;
create view libraries as
  select id, name, root_path, enabled, enabled_categories, enabled_groups, include_globs, exclude_globs, enabled_presets, enabled_extension_groups, scan_cron,
    watch_mode, watch_degraded, hash_policy, hash_full_max_bytes, native_prefix, share_prefix, ocr_enabled, chunking_enabled, expose_gps, count_pruned_files,
    extract_overrides, source_agent_id, last_cron_fired_at, last_full_scan_at, created_at, updated_at
  from all_libraries where removed_at is null;
