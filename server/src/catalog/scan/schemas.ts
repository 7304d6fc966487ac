import { Type } from 'typebox';
import { Id, JsonObject, noExtraFields, nullable, Time } from '../../platform/schemas.ts';
import { BackpressureOut, StagesOut } from '../stages/index.ts';

const Count = Type.Integer();
export const ScanStatusName = Type.Enum(['running', 'stopping', 'stopped', 'failed', 'finished']);

export const ScanOut = Type.Object(
  {
    id: Id,
    library_id: Id,
    job_id: nullable(Id),
    status: ScanStatusName,
    trigger: Type.String(),
    scope: Type.String({ description: 'The scanned folder or file; empty for the whole library. Of several folders, the one above them.' }),
    scopes: Type.Array(Type.String(), { description: 'The scanned folders.' }),
    recursive: Type.Boolean({ description: 'True when everything below `scope` was scanned.' }),
    phase: Type.String(),
    started_at: Time,
    finished_at: nullable(Time),
    error: nullable(Type.String()),
    error_code: nullable(Type.String()),
    stalled: Type.Boolean({ description: 'True when a running scan has not reported progress for 30 seconds.' }),
    stalled_since: nullable(Time),
    seen: Count,
    new: Count,
    changed: Count,
    missing: Count,
    returned: Count,
    moved: Count,
    excluded: Count,
    excluded_gate: Count,
    excluded_filtered: Count,
    pruned_dirs: Count,
    pruned_paths: Type.Array(Type.String()),
    pruned_files: nullable(Count),
    permission_denied: Count,
    bytes_seen: Count,
    files_per_s: Type.Number(),
    bytes_per_s: Type.Number(),
    elapsed: Type.Number(),
    current_folder: nullable(Type.String()),
    estimate: nullable(Type.Object({ seen: Type.Number(), seconds: Type.Number(), share: nullable(Type.Number()) })),
    accounting: nullable(
      Type.String({
        description: 'The counters as one sentence. Null for what an agent reports, and for people who see part of the library.',
      }),
    ),
    stages: StagesOut,
    backpressure: BackpressureOut,
    guard: nullable(
      Type.Object({
        kind: Type.Enum(['empty', 'vanish']),
        would_vanish: Count,
        of: Count,
        folders: Type.Array(Type.Object({ rel_path: Type.String(), count: Count })),
        sample: Type.Array(Type.String()),
        annotated: Type.Optional(Count),
      }),
    ),
    stats: JsonObject,
  },
  { title: 'ScanOut' },
);

export const ScanStarted = Type.Object(
  { scan_id: Id, job_id: nullable(Id), status: ScanStatusName, already_running: Type.Boolean() },
  { title: 'ScanStarted' },
);
export const TargetedScanIn = Type.Object(
  {
    path: Type.Optional(Type.String({ maxLength: 4096, default: '', pattern: '^[^\\u0000]*$' })),
    recursive: Type.Optional(Type.Boolean({ default: true })),
  },
  noExtraFields,
);
export const TargetedScanStarted = Type.Object({
  scan_id: Id,
  job_id: nullable(Id),
  status: ScanStatusName,
  library_id: Id,
  path: Type.String(),
  recursive: Type.Boolean({ description: 'When false, subfolders are not scanned.' }),
  is_file: Type.Boolean(),
  coalesced: Type.Boolean({ description: 'True when a scan was already queued or running; the response describes that scan.' }),
});

const DiffEntry = Type.Object({
  item_id: Id,
  kind: Type.Enum(['added', 'changed', 'gone', 'returned', 'moved']),
  rel_path: Type.String(),
  from_rel_path: nullable(Type.String()),
  from_library_id: nullable(Id),
});
export const DiffOut = Type.Object(
  {
    library_id: Id,
    complete: Type.Boolean({ description: 'False when the change log of a scan in between was deleted, so that changes may be missing.' }),
    items: Type.Array(DiffEntry),
    limit: Count,
    next_cursor: nullable(Type.String()),
  },
  { title: 'ScanDiff' },
);

export const ExplanationOut = Type.Object(
  {
    path: Type.String(),
    verdict: Type.String(),
    reason: Type.String(),
    at: Type.Optional(Type.String()),
    preset: Type.Optional(Type.String()),
    list: Type.Optional(Type.String()),
    pattern: Type.Optional(Type.String()),
    line: Type.Optional(Type.Integer()),
    category: Type.Optional(Type.String()),
    group: Type.Optional(Type.String()),
    item: Type.Optional(Type.Object({ id: Id, status: Type.String(), symlink_target: nullable(Type.String()) })),
    moved_to: Type.Optional(Type.Object({ id: Id, library_id: Id, rel_path: Type.String() })),
  },
  { title: 'Explanation' },
);
