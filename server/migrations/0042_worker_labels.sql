-- Libraries can be bound to workers by label, so that files are read where the disks are. No label: any worker.
alter table all_libraries add column worker_labels text[] not null default '{}';
create or replace view libraries as
  select id, name, root_path, enabled, enabled_categories, enabled_groups, include_globs, exclude_globs, enabled_presets, enabled_extension_groups, scan_cron,
    watch_mode, watch_degraded, hash_policy, hash_full_max_bytes, native_prefix, share_prefix, ocr_enabled, chunking_enabled, expose_gps, count_pruned_files,
    extract_overrides, source_agent_id, last_cron_fired_at, last_full_scan_at, created_at, updated_at, vanish_guard_pct, permissions_enabled,
    content_sniff_enabled, worker_labels
  from all_libraries where not removed;

alter table workers add column labels text[] not null default '{}';

-- The library whose files a job reads; null for jobs that read none. Labels are looked up when a job is claimed, so that a change counts at once.
alter table jobs add column place uuid;
create function place_served(place uuid, labels text[]) returns boolean stable parallel safe language sql
  return not exists (select from all_libraries l where l.id = place and l.worker_labels <> '{}' and not l.worker_labels && labels);
update jobs set place = (payload ->> 'library_id')::uuid
  where state in ('todo', 'doing') and task in ('scan_library', 'extract_batch', 'rehash_library');
