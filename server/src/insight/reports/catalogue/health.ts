import { sql } from 'kysely';
import type { ReportDefinition } from '../contract.ts';
import { mergeTagsIfNeeded, settleNames } from '../kept.ts';
import { column, itemColumns, itemReport, itemTables, mtimeColumns } from './columns.ts';

/** The conditions of the index items_unlinked_sidecars. */
export const sidecarExtensions = sql.raw("'nfo', 'xmp', 'thm', 'xml', 'jpg', 'jpeg', 'png', 'webp', 'tbn'");
export const looksLikeSidecar = sql<boolean>`looks_like_sidecar(i.filename)`;

const byPath = [
  { key: 'library', descending: false },
  { key: 'rel_path', descending: false },
] as const;

const unmapped: ReportDefinition = {
  id: 'unmapped_extensions',
  title: 'Unmapped extensions',
  description: 'Extensions that no file type covers, with the number of files. An administrator can add them to a file type.',
  group: 'health',
  rowLink: 'search_ext',
  library: true,
  folder: true,
  defaultLimit: 1000,
  columns: [{ key: 'extension', label: 'Extension', type: 'text' }, column.fileCount, column.totalBytes],
  order: [{ key: 'file_count', descending: true }],
  rowKey: { key: 'extension', type: 'text' },
  rows: (
    scope,
  ) => sql`select coalesce(i.extension, '') as extension, count(*) as file_count, sum(i.size)::bigint as total_bytes from items i
    where i.status = 'active' and i.file_category = 'other' and i.sidecar_of is null and i.library_id in (select id from libraries) and ${scope.anyItems('i')} group by 1`,
};

/** Failures of the media probe and of decoding, as opposed to those of tags and documents. */
const probeFailure = 'ffprobe|invalid data|moov atom|error while decoding|codec not found|no stream|contains no audio or video';

const corrupt: ReportDefinition = itemReport({
  id: 'corrupt_media',
  title: 'Extraction errors',
  description: 'Files that could not be read, with the reason.',
  group: 'health',
  columns: [
    column.relPath,
    column.library,
    { key: 'kind', label: 'Kind of error', type: 'text' },
    { key: 'error_class', label: 'Found by', type: 'text' },
    { key: 'error_text', label: 'Reason', type: 'text' },
  ],
  order: [
    { key: 'kind', descending: false },
    { key: 'rel_path', descending: false },
  ],
  rows: (scope) => sql`select ${itemColumns}, coalesce(i.metadata ->> '_extract_error_kind', 'error') as kind,
      case when i.metadata ->> '_extract_error' ~* ${sql.lit(probeFailure)} then 'ffprobe' else 'tag' end as error_class, left(i.metadata ->> '_extract_error', 500) as error_text
    ${itemTables} where ${scope.items('i')} and i.metadata ? '_extract_error'`,
});

const lowQuality: ReportDefinition = itemReport({
  id: 'low_quality_video',
  title: 'Low-quality video',
  description: 'Videos with a low resolution, an outdated codec, a low bitrate or plain sound, worst first.',
  group: 'health',
  columns: [
    column.relPath,
    column.library,
    column.size,
    { key: 'resolution', label: 'Resolution', type: 'text', nullable: true },
    { key: 'video_codec', label: 'Codec', type: 'text', nullable: true },
    { key: 'score', label: 'Points', type: 'integer' },
    { key: 'band', label: 'Advice', type: 'text' },
    { key: 'reasons', label: 'Reasons', type: 'text' },
  ],
  order: [{ key: 'score', descending: true }],
  rows: (
    scope,
  ) => sql`select ${itemColumns}, i.size, (m.facts ->> 'width') || ' × ' || (m.facts ->> 'height') as resolution, m.facts ->> 'video_codec' as video_codec,
      video_fault_points(i.metadata, i.user_metadata) as score, case when video_fault_points(i.metadata, i.user_metadata) >= 50 then 'reacquire' else 'review' end as band,
      array_to_string(array(select substr(f, strpos(f, ' ') + 1) from unnest(video_faults(i.metadata, i.user_metadata)) f), '; ') as reasons
    ${itemTables} cross join lateral (select i.metadata || i.user_metadata as facts) m
    where ${scope.items('i')} and i.status = 'active' and i.file_category = 'video' and i.metadata ? 'height' and video_fault_points(i.metadata, i.user_metadata) >= 25`,
});

const sidecars: ReportDefinition = itemReport({
  id: 'sidecar_hygiene',
  title: 'Sidecars unlinked or empty',
  description: 'Files that look like sidecars but describe no file, and sidecars that hold next to nothing.',
  group: 'health',
  columns: [column.relPath, column.library, column.extension, column.size, { key: 'issue', label: 'Issue', type: 'text' }, column.mtime],
  order: byPath,
  rows: (scope) => sql`select ${itemColumns}, i.extension, i.size, f.issue, ${mtimeColumns}
    from (
      select i.id, 'unlinked' as issue from items i
      where i.status = 'active' and i.sidecar_of is null and i.extension in (${sidecarExtensions}) and ${looksLikeSidecar}
      union all
      select i.id, case when i.size = 0 then 'empty' else 'tiny' end from items i where i.status = 'active' and i.sidecar_of is not null and i.size <= 64
    ) f join items i on i.id = f.id join libraries l on l.id = i.library_id where ${scope.items('i')}`,
});

const encrypted: ReportDefinition = itemReport({
  id: 'encrypted_files',
  title: 'Encrypted files',
  description: 'Files that need a password. Their text is not searchable.',
  group: 'health',
  columns: [column.relPath, column.library, column.category, column.size, column.mtime],
  order: byPath,
  rows: (scope) => sql`select ${itemColumns}, i.file_category, i.size, ${mtimeColumns} ${itemTables}
    where ${scope.items('i')} and i.status = 'active' and i.metadata <> '{}' and is_encrypted(i.metadata)`,
});

const names: ReportDefinition = itemReport({
  id: 'unportable_names',
  title: 'Names that other systems change',
  description: 'File names that Windows, macOS or a cloud drive refuses or changes.',
  group: 'health',
  columns: [
    column.relPath,
    column.library,
    { key: 'reason', label: 'Reason', type: 'text' },
    { key: 'name_bytes', label: 'Length in bytes', type: 'integer' },
  ],
  order: byPath,
  rows: (scope) => sql`select ${itemColumns}, octet_length(i.filename) as name_bytes, concat_ws('; ',
      case when i.filename ~ '[<>:"\\\\|?*]' then 'reserved character' end, case when i.filename ~ '[\\x01-\\x1f\\x7f]' then 'control character' end,
      case when right(i.filename, 1) in ('.', ' ') then 'ends with a dot or space' end,
      case when i.filename ~* '^(con|prn|aux|nul|com[1-9]|lpt[1-9])(\\.|$)' then 'device name' end, case when octet_length(i.filename) > 240 then 'too long' end) as reason
    ${itemTables} where ${scope.items('i')} and i.status = 'active' and is_unportable_name(i.filename)`,
});

const collisions: ReportDefinition = itemReport({
  id: 'case_collisions',
  title: 'Names that differ only in case',
  description: 'Files of one folder whose names are equal on Windows and macOS, where one would replace the other.',
  group: 'health',
  columns: [column.relPath, column.library, { key: 'same_as', label: 'Name in lower case', type: 'text' }, column.size],
  order: byPath,
  prepare: async (db) => void (await settleNames(db)),
  // A caller who sees only one of the names sees no collision.
  rows: (scope) => sql`select ${itemColumns}, f.same_as, i.size from (
      select i.id, c.folded as same_as, count(*) over (partition by c.folder_id, c.folded) as names
      from case_collisions c join items i on i.folder_id = c.folder_id and lower(i.filename) = c.folded where ${scope.items('i')}
    ) f join items i on i.id = f.id join libraries l on l.id = i.library_id where f.names > 1`,
});

const tags: ReportDefinition = {
  id: 'tags',
  title: 'Tags',
  description: 'Every tag with the number and size of its files.',
  group: 'activity',
  rowLink: 'search_tag',
  library: true,
  folder: true,
  defaultLimit: 1000,
  columns: [
    { key: 'tag', label: 'Tag', type: 'text' },
    { ...column.fileCount, sum: false },
    { ...column.totalBytes, sum: false },
  ],
  order: [{ key: 'file_count', descending: true }],
  rowKey: { key: 'tag', type: 'text' },
  prepare: mergeTagsIfNeeded,
  rows(scope) {
    if (scope.folder)
      return sql`select tag, count(*) as file_count, sum(i.size)::bigint as total_bytes from items i cross join lateral unnest(i.tags) tag
        where i.status = 'active' and i.tags <> '{}' and ${scope.items('i')} group by 1`;
    const { whole, rest } = scope.access.split('i');
    const chosen = scope.library === null ? sql`library_id in (select id from libraries)` : sql`library_id = ${scope.library}::uuid`;
    const kept = whole === 'all' ? chosen : sql`${chosen} and library_id = any(${whole}::uuid[])`;
    const seen = sql`select tag, 1 as items, i.size as bytes from items i cross join lateral unnest(i.tags) tag
      where i.status = 'active' and i.tags <> '{}' and ${scope.items('i')} and ${rest ?? sql`false`}`;
    return sql`select tag, sum(items)::bigint as file_count, sum(bytes)::bigint as total_bytes from (
        select tag, items, bytes from tag_totals where ${kept} union all select tag, items, bytes from tag_changes where ${kept} union all ${seen}) t
      group by 1 having sum(items) > 0`;
  },
};

export const healthReports = [unmapped, corrupt, lowQuality, sidecars, encrypted, names, collisions, tags];
