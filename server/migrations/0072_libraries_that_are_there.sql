-- The planner takes "is null" of a column it has no statistics of for one row in two hundred, and a table of a few libraries never gets
-- statistics: every page of items was then found by reading and sorting all that follow. A yes or no is taken for every second row.
alter table all_libraries add column removed boolean not null generated always as (removed_at is not null) stored;
create or replace view libraries as
  select id, name, root_path, enabled, enabled_categories, enabled_groups, include_globs, exclude_globs, enabled_presets, enabled_extension_groups, scan_cron,
    watch_mode, watch_degraded, hash_policy, hash_full_max_bytes, native_prefix, share_prefix, ocr_enabled, chunking_enabled, expose_gps, count_pruned_files,
    extract_overrides, source_agent_id, last_cron_fired_at, last_full_scan_at, created_at, updated_at
  from all_libraries where not removed;
