import type { ColumnType, Generated, JSONColumnType } from 'kysely';

/** The catalog's tables. `mtime_ns` and `inode` may exceed 2^53 and must be selected as text (`mtime_ns::text`), or JavaScript rounds them. */
type Timestamp = ColumnType<Date, Date | string | undefined, Date | string>;
type NullableTimestamp = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>;
type Wide = ColumnType<string, string | number, string | number>;
type NullableWide = ColumnType<string | null, string | number | null | undefined, string | number | null>;
type Json = JSONColumnType<Record<string, unknown>>;
type GeneratedJson = ColumnType<Record<string, unknown>, string | undefined, string>;

interface CategoriesTable {
  key: string;
  label: string;
  description: Generated<string>;
  extractor: string | null;
  sort_order: Generated<number>;
  is_builtin: Generated<boolean>;
}

interface GroupsTable {
  key: string;
  category: string;
  label: string;
  description: Generated<string>;
  sort_order: Generated<number>;
  is_builtin: Generated<boolean>;
}

interface ExtensionsTable {
  ext: string;
  group_key: string;
}

interface PresetsTable {
  name: string;
  label: string;
  patterns: string[];
  caveat: string | null;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

export interface LibrariesTable {
  id: Generated<string>;
  name: string;
  root_path: string;
  enabled: Generated<boolean>;
  enabled_categories: Generated<string[]>;
  enabled_groups: Generated<string[]>;
  include_globs: Generated<string[]>;
  exclude_globs: Generated<string[]>;
  enabled_presets: Generated<string[]>;
  enabled_extension_groups: Generated<string[]>;
  scan_cron: string | null;
  watch_mode: Generated<boolean>;
  watch_degraded: string | null;
  hash_policy: Generated<'auto' | 'full' | 'quick_only'>;
  hash_full_max_bytes: number | null;
  native_prefix: string | null;
  share_prefix: string | null;
  ocr_enabled: Generated<boolean>;
  chunking_enabled: Generated<boolean>;
  expose_gps: Generated<boolean>;
  count_pruned_files: Generated<boolean>;
  extract_overrides: ColumnType<Record<string, number> | null, string | null | undefined, string | null>;
  source_agent_id: string | null;
  last_cron_fired_at: NullableTimestamp;
  last_full_scan_at: NullableTimestamp;
  created_at: Generated<Date>;
  updated_at: Timestamp;
  vanish_guard_pct: number | null;
  permissions_enabled: Generated<boolean>;
  worker_labels: Generated<string[]>;
  content_sniff_enabled: Generated<boolean>;
}

interface ScanPathsTable {
  id: Generated<string>;
  library_id: string;
  rel_path: Generated<string>;
  scan_cron: string | null;
  watch_mode: boolean | null;
  enabled: Generated<boolean>;
  last_cron_fired_at: NullableTimestamp;
  created_at: Generated<Date>;
}

interface FoldersTable {
  id: Generated<number>;
  library_id: string;
  rel_path: string;
  path: string;
  fingerprint: string | null;
  seen: Generated<number>;
  excluded_gate: Generated<number>;
  excluded_filtered: Generated<number>;
  bytes_seen: Generated<number>;
  inode: NullableWide;
  acl_id: number | null;
  path_id: number | null;
}

export type ItemStatus = 'active' | 'missing' | 'trashed';

interface ItemsTable {
  id: Generated<string>;
  library_id: string;
  folder_id: number;
  filename: string;
  extension: string | null;
  file_category: Generated<string>;
  file_group: Generated<string>;
  status: Generated<ItemStatus>;
  size: number;
  mtime_ns: Wide;
  inode: NullableWide;
  dev: number | null;
  nlink: number | null;
  ctime_ns: NullableWide;
  symlink_target: string | null;
  quick_hash: string | null;
  content_hash: string | null;
  policy_version: string | null;
  hash_error: string | null;
  metadata: GeneratedJson;
  title: string | null;
  year: number | null;
  external_ids: GeneratedJson;
  body_text: string | null;
  archive_members: string | null;
  extracted_key: string | null;
  thumb_key: string | null;
  sidecar_of: string | null;
  tags: Generated<string[]>;
  user_metadata: GeneratedJson;
  user_title: string | null;
  user_year: number | null;
  first_seen: Generated<Date>;
  last_changed: Timestamp;
  last_verified_at: NullableTimestamp;
  deleted_at: NullableTimestamp;
  access_class: number | null;
  allocated: number | null;
  /** The path of the folder and the name, joined by the view `items`. */
  rel_path: ColumnType<string, never, never>;
}

interface ItemHistoryTable {
  id: Generated<string>;
  item_id: string;
  at: Generated<Date>;
  source: 'user' | 'extractor' | 'sidecar';
  principal_id: string | null;
  actor: string | null;
  before: Json;
  after: Json;
}

export type ScanStatus = 'running' | 'stopping' | 'stopped' | 'failed' | 'finished';

interface ScanRunsTable {
  id: Generated<string>;
  library_id: string;
  job_id: string | null;
  status: ScanStatus;
  trigger: Generated<string>;
  scope: Generated<string>;
  force_empty: Generated<boolean>;
  phase: Generated<string>;
  started_at: Timestamp;
  finished_at: NullableTimestamp;
  heartbeat_at: Timestamp;
  error: string | null;
  error_code: string | null;
  stats: GeneratedJson;
}

export type ChangeKind = 'added' | 'changed' | 'gone' | 'returned' | 'moved';

interface ScanChangesTable {
  run_id: string;
  library_id: string;
  item_id: string;
  kind: ChangeKind;
  rel_path: string;
  from_rel_path: string | null;
  from_library_id: string | null;
  old_content_hash: string | null;
}

interface IndexOutboxTable {
  seq: Generated<number>;
  item_id: string;
}

declare module '../platform/database/tables.ts' {
  interface Tables {
    categories: CategoriesTable;
    groups: GroupsTable;
    extensions: ExtensionsTable;
    presets: PresetsTable;
    libraries: LibrariesTable;
    scan_paths: ScanPathsTable;
    folders: FoldersTable;
    items: ItemsTable;
    item_history: ItemHistoryTable;
    scan_runs: ScanRunsTable;
    scan_changes: ScanChangesTable;
    index_outbox: IndexOutboxTable;
  }
}
