const responseBounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** Every metric with its help text. Times are in seconds, sizes in bytes. */
export const definitions = {
  catalog_build_info: { type: 'gauge', help: 'The version of the service; the value is always 1.' },
  catalog_http_requests_total: { type: 'counter', help: 'Requests by route, method and class of the status.' },
  catalog_http_request_seconds: {
    type: 'histogram',
    help: 'Time from a request to its response, by route and method.',
    bounds: responseBounds,
  },
  catalog_files_extracted_total: { type: 'counter', help: 'Files that passed extraction, by category and outcome.' },
  catalog_process_resident_memory_bytes: { type: 'gauge', help: 'Resident memory of a process.' },
  catalog_process_heap_bytes: { type: 'gauge', help: 'Used JavaScript heap of a process.' },
  catalog_process_cpu_seconds_total: { type: 'counter', help: 'CPU time of a process, user and system.' },
  catalog_process_start_time_seconds: { type: 'gauge', help: 'When a process started, as a Unix time.' },
  catalog_process_event_loop_delay_seconds: { type: 'gauge', help: 'The 99th percentile of the event loop delay since the last report.' },
  catalog_database_connections: { type: 'gauge', help: 'Connections of the pool of a process, by state.' },
  catalog_database_bytes: { type: 'gauge', help: 'Size of the database.' },
  catalog_jobs: { type: 'gauge', help: 'Jobs by queue and state; finished ones are purged after a while.' },
  catalog_jobs_oldest_seconds: { type: 'gauge', help: 'How long the oldest due job of a queue has been waiting.' },
  catalog_workers: { type: 'gauge', help: 'Worker processes with a recent heartbeat.' },
  catalog_items: { type: 'gauge', help: 'Files in the catalog by status.' },
  catalog_item_bytes: { type: 'gauge', help: 'Size of the files in the catalog by status.' },
  catalog_extract_pending_files: { type: 'gauge', help: 'Files that wait for extraction.' },
  catalog_index_outbox_rows: { type: 'gauge', help: 'Changes that the search index has yet to take in.' },
  catalog_scans_running: { type: 'gauge', help: 'Scans that run now.' },
  catalog_scan_files_per_second: { type: 'gauge', help: 'Files per second of the last finished scan, by library.' },
  catalog_scan_last_end_time_seconds: { type: 'gauge', help: 'When the last finished scan of a library ended, as a Unix time.' },
  catalog_scan_last_failed: { type: 'gauge', help: 'Whether the last scan of a library failed: 1 or 0.' },
  catalog_disk_free_bytes: { type: 'gauge', help: 'Free space of a watched folder.' },
  catalog_disk_size_bytes: { type: 'gauge', help: 'Size of the file system of a watched folder.' },
  catalog_alerts_firing: { type: 'gauge', help: 'Alerts that fire and that nobody has acknowledged, by severity.' },
  catalog_alert_deliveries: { type: 'gauge', help: 'Messages that are not delivered, by state.' },
  catalog_backups: { type: 'gauge', help: 'Backups in the config folder.' },
  catalog_backup_last_time_seconds: { type: 'gauge', help: 'When the newest backup was made, as a Unix time.' },
  catalog_backup_last_verified_time_seconds: { type: 'gauge', help: 'When a backup was last verified without damage, as a Unix time.' },
} as const satisfies Record<string, { type: 'counter' | 'gauge' | 'histogram'; help: string; bounds?: readonly number[] }>;

export type MetricName = keyof typeof definitions;
