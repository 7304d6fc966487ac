-- Whether the types of files without an extension are detected from their first bytes, per library.
alter table all_libraries add column content_sniff_enabled boolean not null default false;
create or replace view libraries as
  select id, name, root_path, enabled, enabled_categories, enabled_groups, include_globs, exclude_globs, enabled_presets, enabled_extension_groups, scan_cron,
    watch_mode, watch_degraded, hash_policy, hash_full_max_bytes, native_prefix, share_prefix, ocr_enabled, chunking_enabled, expose_gps, count_pruned_files,
    extract_overrides, source_agent_id, last_cron_fired_at, last_full_scan_at, created_at, updated_at, vanish_guard_pct, permissions_enabled,
    content_sniff_enabled
  from all_libraries where not removed;
