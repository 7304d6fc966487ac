/** The shapes of the service's answers, all in one place. Names follow the OpenAPI document. */

export type Category = 'image' | 'audio' | 'video' | 'document' | 'three-d-cad' | 'development' | 'archive' | 'system' | 'other';

export interface Page<T> {
  items: T[];
  total: number | null;
  limit: number;
  next_cursor: string | null;
}

export interface AuthStatus {
  auth_enabled: boolean;
  users_exist: boolean;
  mode: 'disabled' | 'bootstrap' | 'enabled';
  oidc_enabled?: boolean;
  ldap_enabled?: boolean;
}

export interface Principal {
  id: string;
  username: string;
  email: string | null;
  global_role: string;
  kind: string;
  disabled: boolean;
  auth_provider?: string;
  display_name?: string | null;
  preferences?: Record<string, unknown>;
  scopes?: string[];
  created_at?: string;
  last_login_at?: string | null;
}

export interface Session {
  id: string;
  ip_address: string | null;
  user_agent: string | null;
  created_at: string;
  last_seen_at: string;
  current?: boolean;
}

export interface ApiKey {
  id: string;
  name: string;
  prefix: string;
  scopes: string[];
  expires_at: string | null;
  expired?: boolean;
  last_used_at: string | null;
  created_at: string;
  service_account?: string | null;
  key?: string;
}

export interface LastScan {
  id?: string;
  started_at: string;
  finished_at: string | null;
  status: ScanStatus;
  seen: number | null;
  new: number | null;
  changed: number | null;
  missing: number | null;
  excluded: number | null;
  pruned_dirs: number | null;
  permission_denied: number | null;
  bytes_seen: number | null;
  pruned_files: number | null;
  pruned_counted: boolean | null;
  files_per_s: number | null;
  error?: string | null;
}

export type HashPolicy = 'auto' | 'full' | 'quick_only';

export interface LibraryFields {
  name: string;
  root_path: string;
  enabled_categories: string[];
  enabled_groups: string[];
  include_globs: string[];
  exclude_globs: string[];
  enabled_presets: string[];
  scan_cron: string | null;
  watch_mode: boolean;
  hash_policy: HashPolicy;
  native_prefix: string | null;
  ocr_enabled: boolean;
  chunking_enabled: boolean;
  expose_gps: boolean;
  count_pruned_files: boolean;
}

export interface Library extends LibraryFields {
  id: string;
  enabled: boolean;
  created_at: string;
  last_scan: LastScan | null;
}

export interface LibraryStats {
  library_id: string;
  name: string;
  file_count: number;
  total_bytes: number;
  missing_count: number;
  trashed_count: number;
  by_category?: Record<string, { count: number; bytes: number }>;
}

export type ScanStatus = 'queued' | 'running' | 'stopping' | 'stopped' | 'failed' | 'finished';

export interface Scan {
  id: string;
  library_id: string;
  started_at: string;
  finished_at: string | null;
  status: ScanStatus;
  error: string | null;
  seen: number;
  new: number;
  changed: number;
  missing: number;
  moved?: number;
  excluded?: number;
  excluded_gate?: number;
  excluded_filtered?: number;
  pruned_dirs?: number;
  pruned_files?: number | null;
  permission_denied?: number;
  bytes_seen?: number;
  guard?: ScanGuard | null;
  started_by?: string | null;
}

/** What a scan that held itself back would have done. */
export interface ScanGuard {
  kind: 'empty' | 'vanish';
  would_vanish: number;
  total: number;
  top_folders?: { path: string; count: number }[];
}

export interface ScanStage {
  done: number;
  total: number | null;
  rate?: number | null;
  unit?: string;
  state?: 'waiting' | 'running' | 'done' | 'stalled';
}

export interface ScanProgress {
  scan_id: string;
  library_id: string;
  status: ScanStatus;
  phase?: string;
  elapsed?: number;
  rate?: number;
  seen?: number;
  new?: number;
  changed?: number;
  current_folder?: string | null;
  estimate_seconds?: number | null;
  stalled?: boolean;
  stalled_seconds?: number | null;
  stages?: Partial<Record<'walk' | 'hash' | 'extract' | 'index', ScanStage>>;
  detail?: string;
}

export interface ScanChange {
  kind: 'added' | 'changed' | 'gone' | 'returned' | 'moved';
  item_id?: string | null;
  rel_path: string;
  from_rel_path?: string | null;
  size?: number | null;
}

export interface Explanation {
  verdict: string;
  reason: string;
  item_id?: string | null;
  status?: string | null;
  preset?: string | null;
  pattern?: string | null;
  line?: number | null;
  directory?: string | null;
}

export interface ExtractError {
  id: string;
  rel_path: string;
  error: string;
  kind: 'guard' | 'corrupt' | 'dependency' | 'timeout' | string;
}

export interface TreeFolder {
  name: string;
  item_count: number;
  total_bytes?: number;
  main_category?: string | null;
  has_children?: boolean;
}

export interface TreeItem {
  id: string;
  rel_path: string;
  filename: string;
  file_category: string | null;
  file_group: string | null;
  size: number;
}

export interface TreeResponse {
  library_id: string;
  library_name: string;
  path: string;
  folders: TreeFolder[];
  folders_total: number;
  items: TreeItem[];
  total_items: number;
}

export interface SearchHit {
  id: string;
  library_id: string;
  rel_path: string;
  filename: string;
  file_category: string | null;
  file_group: string | null;
  extension?: string | null;
  status?: string;
  size: number;
  mtime: number | string;
  tags?: string[];
  title?: string | null;
  year?: number | null;
  score?: number | null;
  snippet?: string | null;
  snippet_page?: number | null;
  highlight?: Record<string, string | string[]> | null;
  duration?: number | null;
  missing_since?: string | null;
  _geo?: { lat: number; lng: number } | null;
  reason?: string | null;
}

export interface HistogramBar {
  from: number;
  to: number;
  count: number;
}

export interface SearchResponse {
  hits: SearchHit[];
  total: number;
  total_bytes?: number | null;
  facets: Record<string, Record<string, number>>;
  facet_stats: Record<string, { min: number; max: number }>;
  histograms?: Record<string, HistogramBar[]>;
  next_cursor: string | null;
  degraded?: boolean | string | null;
  took_ms: number;
  did_you_mean?: ({ text: string; total?: number } | string)[] | null;
}

export interface SavedSearch {
  id: string;
  name: string;
  params: Record<string, unknown>;
  owner_principal?: string | null;
  shared?: boolean;
  created_at: string;
  updated_at: string;
}

export interface Item {
  id: string;
  library_id: string;
  library_name?: string | null;
  file_category: string | null;
  file_group: string | null;
  status: 'active' | 'missing' | 'trashed' | string;
  path: string;
  rel_path: string;
  native_path?: string | null;
  filename: string;
  extension: string | null;
  size: number;
  mtime: string;
  quick_hash?: string | null;
  content_hash?: string | null;
  nlink?: number | null;
  symlink_target?: string | null;
  title: string | null;
  year: number | null;
  external_ids?: Record<string, unknown>;
  metadata: Record<string, unknown>;
  user_metadata: Record<string, unknown>;
  tags: string[];
  first_seen: string;
  last_seen: string;
  deleted_at?: string | null;
  missing_since?: string | null;
  sidecar_of?: string | null;
  last_verified_at?: string | null;
  sidecars?: { id: string; filename: string; rel_path: string }[];
}

export interface ItemPatch {
  title?: string | null;
  year?: number | null;
  tags?: string[];
  user_metadata?: Record<string, unknown>;
}

export interface ItemCopies {
  id: string;
  count: number;
  match: string;
  capped: boolean;
  copies: {
    id: string;
    library_id: string;
    library_name?: string | null;
    rel_path: string;
    path: string;
    size: number;
    last_seen: string;
    status?: string;
  }[];
}

export interface ItemVersion {
  id: string | number;
  at: string;
  actor: string | null;
  kind: string;
  changes: Record<string, { from: unknown; to: unknown }>;
  note?: string | null;
}

export interface Preset {
  name: string;
  label: string;
  patterns: string[];
  default_enabled: boolean;
  caveat?: string | null;
  builtin?: boolean;
}

export interface TaxonomyGroup {
  key: string;
  label: string;
  description?: string;
  sort_order?: number;
  is_builtin?: boolean;
  extensions: string[];
}

export interface TaxonomyCategory {
  key: string;
  label: string;
  description?: string;
  extractor?: string | null;
  sort_order?: number;
  is_builtin?: boolean;
  groups: TaxonomyGroup[];
}

export interface Taxonomy {
  version: number;
  tree: TaxonomyCategory[];
}

export type JobState = 'todo' | 'doing' | 'aborting' | 'failed' | 'succeeded';

export interface Job {
  id: string;
  queue: string;
  task: string;
  state: JobState;
  args?: Record<string, unknown>;
  attempts?: number;
  created_at?: string;
  scheduled_at?: string | null;
  started_at?: string | null;
  finished_at?: string | null;
  heartbeat_at?: string | null;
  error?: string | null;
  library_name?: string | null;
  rel_path?: string | null;
  stalled?: boolean;
}

export interface Stats {
  by_type?: Record<string, { count: number; bytes: number }>;
  queues?: Record<string, Partial<Record<JobState, number>>>;
  extract_errors?: Record<string, number>;
  semantic?: { enabled: boolean };
  degraded?: Record<string, string>;
  backpressure?: { active: boolean; reason?: string | null } | null;
}

export interface LogRow {
  id: number;
  ts: string;
  source: string;
  level: 'debug' | 'info' | 'warning' | 'error' | 'critical' | string;
  logger: string;
  message: string;
  exc?: string | null;
}

export interface LogPage {
  enabled: boolean;
  logs: LogRow[];
  next_before_id: number | null;
}

export interface FsBrowse {
  path: string;
  parent: string | null;
  roots: string[];
  dirs: { name: string; path: string; readable?: boolean; note?: string | null }[];
}

export interface Role {
  name: string;
  display_name: string;
  description: string;
  builtin: boolean;
  scopes: string[];
  ceiling_actions: string[];
  bypass: boolean;
  users: number;
}

export interface Group {
  id: string;
  name: string;
  description: string | null;
  source?: string;
  member_count?: number;
}

export interface GroupMember {
  principal_id: string;
  username: string | null;
  global_role: string | null;
}

export interface Grant {
  id: string;
  subject_kind: 'principal' | 'group';
  subject_id: string;
  subject_label: string | null;
  library_id: string;
  scope?: string;
  rel_path?: string;
  action: string;
  effect: 'allow' | 'deny';
  warnings?: string[];
}

export interface GrantPreview {
  allowed: boolean;
  reason: string;
  action: string;
  role: string;
  item_scope?: string;
  winning_grant?: { scope: string; action: string; effect: string; subject_kind: string | null; subject_id: string | null } | null;
}

export interface SecurityEvent {
  id: string;
  event_type: string;
  principal_id: string | null;
  username_attempted: string | null;
  ip: string | null;
  user_agent?: string | null;
  ts: string;
  details: Record<string, unknown> | null;
}

export interface TimelineBucket {
  start: string;
  start_epoch: number;
  end_epoch: number;
  count: number;
}

export interface Timeline {
  bucket: 'month' | 'year';
  buckets: TimelineBucket[];
  invalid_count: number;
}

export interface Version {
  app_version: string;
  build_stamp?: string;
}
