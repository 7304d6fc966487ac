import { Type } from 'typebox';
import { Id, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { BackpressureOut, StagesOut } from '../stages/index.ts';
import { extractOverrideKeys } from './rules.ts';

const text = (maxLength: number) => Type.String({ maxLength, pattern: '^[^\\u0000]*$' });
const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '^[^\\u0000-\\u001f]*[^\\s\\u0000-\\u001f][^\\u0000-\\u001f]*$' });
const RootPath = Type.String({ minLength: 1, maxLength: 4096, pattern: '^[^\\u0000]*$' });
const Keys = Type.Array(Type.String({ maxLength: 64 }), { maxItems: 200, uniqueItems: true });
const Globs = Type.Array(Type.String({ minLength: 1, maxLength: 512, pattern: '^[^\\u0000\\n]*$' }), { maxItems: 500 });
const Prefix = nullable(text(2048));
const HashPolicy = Type.Enum(['auto', 'full', 'quick_only']);
const CronText = nullable(Type.String({ maxLength: 200 }));
const Override = Type.Union([
  Type.Number({ exclusiveMinimum: 0, maximum: 1e15 }),
  Type.Null(),
  Type.String({ pattern: '^\\s*$', description: 'A blank text, like null, keeps the global value.' }),
]);
// The keys are known only at run time, so the type is given here.
const Overrides = Type.Unsafe<Record<string, number | string | null>>(
  Type.Object(Object.fromEntries(extractOverrideKeys.map((key) => [key, Type.Optional(Override)])), noExtraFields),
);

const libraryFields = {
  enabled: Type.Optional(Type.Boolean()),
  enabled_categories: Type.Optional(Keys),
  enabled_groups: Type.Optional(Keys),
  include_globs: Type.Optional(Globs),
  exclude_globs: Type.Optional(Globs),
  enabled_presets: Type.Optional(Type.Array(Type.String({ maxLength: 65 }), { maxItems: 200, uniqueItems: true })),
  enabled_extension_groups: Type.Optional(Keys),
  scan_cron: Type.Optional(CronText),
  watch_mode: Type.Optional(Type.Boolean()),
  hash_policy: Type.Optional(HashPolicy),
  hash_full_max_bytes: Type.Optional(nullable(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }))),
  native_prefix: Type.Optional(Prefix),
  share_prefix: Type.Optional(Prefix),
  ocr_enabled: Type.Optional(Type.Boolean()),
  chunking_enabled: Type.Optional(Type.Boolean()),
  expose_gps: Type.Optional(Type.Boolean()),
  permissions_enabled: Type.Optional(Type.Boolean({ description: 'Record who can read and change the files on disk.' })),
  content_sniff_enabled: Type.Optional(
    Type.Boolean({ description: 'Detect the types of files without an extension from their first bytes, and read them by it.' }),
  ),
  count_pruned_files: Type.Optional(Type.Boolean()),
  vanish_guard_pct: Type.Optional(
    nullable(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Percent of the library that one scan may mark as missing; 0 is no limit, null follows the service.',
      }),
    ),
  ),
  extract_overrides: Type.Optional(nullable(Overrides)),
  worker_labels: Type.Optional(
    Type.Array(Type.String({ pattern: '^[a-z0-9][a-z0-9._-]{0,62}$' }), {
      maxItems: 20,
      uniqueItems: true,
      description: 'Only workers with one of these labels (SVC_WORKER_LABELS) read its files. Empty: every worker.',
    }),
  ),
};

export const LibraryIn = Type.Object({ name: Name, root_path: RootPath, ...libraryFields }, noExtraFields);
export const LibraryUpdate = Type.Object(
  { name: Type.Optional(Name), root_path: Type.Optional(RootPath), ...libraryFields },
  noExtraFields,
);

const Count = Type.Integer();
const LastScan = Type.Object(
  {
    id: Id,
    status: Type.String(),
    trigger: Type.String(),
    scope: Type.String(),
    recursive: Type.Boolean({ description: 'True when everything below `scope` was scanned.' }),
    started_at: Time,
    finished_at: nullable(Time),
    seconds: nullable(Type.Number()),
    error: nullable(Type.String()),
    error_code: nullable(Type.String()),
    seen: Count,
    new: Count,
    changed: Count,
    missing: Count,
    moved: Count,
    bytes_seen: Count,
    excluded_gate: Count,
    excluded_filtered: Count,
    pruned_dirs: Count,
    pruned_files: nullable(Count),
    permission_denied: Count,
    files_per_s: nullable(Type.Number()),
    bytes_per_s: nullable(Type.Number()),
    median_files_per_s: nullable(Type.Number({ description: 'The usual rate: of the last ten scans of the whole library.' })),
    throughput_runs: Type.Integer({ description: 'How many scans that is.' }),
    accounting: nullable(
      Type.String({ description: 'The counters as one sentence. Null for a library of an agent, which reports differences only.' }),
    ),
    counts_hidden: Type.Boolean({
      description: 'True when the caller sees only part of the library: counters are 0, and rates and error null.',
    }),
    stages: StagesOut,
    backpressure: BackpressureOut,
  },
  { title: 'LastScan' },
);

export const LibraryOut = Type.Object(
  {
    id: Id,
    name: Type.String(),
    root_path: Type.String(),
    enabled: Type.Boolean(),
    enabled_categories: Type.Array(Type.String()),
    enabled_groups: Type.Array(Type.String()),
    include_globs: Type.Array(Type.String()),
    exclude_globs: Type.Array(Type.String()),
    enabled_presets: Type.Array(Type.String()),
    effective_presets: Type.Array(Type.String()),
    enabled_extension_groups: Type.Array(Type.String()),
    scan_cron: nullable(Type.String()),
    next_scan_at: nullable(Time),
    watch_mode: Type.Boolean(),
    watch_degraded: nullable(Type.String()),
    hash_policy: HashPolicy,
    hash_full_max_bytes: nullable(Type.Integer()),
    native_prefix: nullable(Type.String()),
    share_prefix: nullable(Type.String()),
    share_prefix_effective: nullable(Type.String()),
    share_prefix_source: Type.Enum(['manual', 'mount-map', 'none']),
    share_unc_effective: nullable(Type.String()),
    ocr_enabled: Type.Boolean(),
    chunking_enabled: Type.Boolean(),
    expose_gps: Type.Boolean(),
    permissions_enabled: Type.Boolean(),
    content_sniff_enabled: Type.Boolean(),
    count_pruned_files: Type.Boolean(),
    vanish_guard_pct: nullable(Type.Number()),
    extract_overrides: nullable(Type.Record(Type.String(), Type.Number())),
    worker_labels: Type.Array(Type.String()),
    worker_missing: nullable(Type.String({ description: 'Why scans of this library wait, when no running worker has one of its labels.' })),
    source_agent_id: nullable(Id),
    agent_name: nullable(Type.String()),
    agent_status: nullable(Type.Enum(['pending', 'active', 'revoked'])),
    agent_last_seen_at: nullable(Time),
    agent_last_reconcile_at: nullable(Time),
    agent_error: nullable(Type.String({ description: 'Why the last scan of the agent stopped.' })),
    last_full_scan_at: nullable(Time),
    last_scan: nullable(LastScan),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'LibraryOut' },
);

const RelPath = Type.String({ maxLength: 4096, pattern: '^[^\\u0000]*$' });
const scanPathFields = {
  rel_path: Type.Optional(RelPath),
  scan_cron: Type.Optional(CronText),
  watch_mode: Type.Optional(nullable(Type.Boolean())),
  enabled: Type.Optional(Type.Boolean()),
};
export const ScanPathIn = Type.Object(scanPathFields, noExtraFields);
export const ScanPathUpdate = Type.Object(scanPathFields, noExtraFields);
export const ScanPathOut = Type.Object(
  {
    id: Id,
    library_id: Id,
    rel_path: Type.String(),
    scan_cron: nullable(Type.String()),
    next_scan_at: nullable(Time),
    watch_mode: nullable(Type.Boolean()),
    enabled: Type.Boolean(),
    created_at: Time,
  },
  { title: 'ScanPathOut' },
);

export const TreeOut = Type.Object(
  {
    library_id: Id,
    library_name: Type.String(),
    path: Type.String(),
    folders: Type.Array(Type.Object({ name: Type.String(), item_count: Count, total_bytes: Count })),
    folders_total: Count,
    folders_offset: Count,
    items: Type.Array(
      Type.Object({
        id: Id,
        rel_path: Type.String(),
        filename: Type.String(),
        file_category: Type.String(),
        file_group: Type.String(),
        size: Count,
        mtime: Time,
        title: nullable(Type.String()),
        year: nullable(Type.Integer()),
        has_thumb: Type.Boolean(),
        thumb_version: nullable(Type.String()),
      }),
    ),
    total_items: Count,
    total_files: Count,
    total_bytes: Count,
    next_cursor: nullable(Type.String()),
  },
  { title: 'TreeResponse' },
);

export const ErrorsOut = Type.Object(
  {
    library_id: Id,
    count: Count,
    items: Type.Array(Type.Object({ id: Id, rel_path: Type.String(), error: Type.String(), kind: nullable(Type.String()) })),
  },
  { title: 'LibraryErrors' },
);

export const ShareMapEntryOut = Type.Object(
  {
    container_prefix: Type.String(),
    share_url: Type.String(),
    storage_type: nullable(Type.String()),
    host: nullable(Type.String()),
    unc: nullable(Type.String()),
  },
  { title: 'ShareMapEntryOut' },
);
