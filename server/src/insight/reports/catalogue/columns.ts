import { type RawBuilder, sql } from 'kysely';
import type { ReportColumn, ReportDefinition, ReportScope } from '../contract.ts';
import { pathColumns } from '../paths.ts';

/** Columns that several reports share. */
export const column = {
  itemId: { key: 'item_id', label: 'Item', type: 'text', hidden: true, sortBy: [{ key: 'item_id', type: 'uuid' }] },
  libraryId: { key: 'library_id', label: 'Library ID', type: 'text', hidden: true, sortBy: [{ key: 'library_id', type: 'uuid' }] },
  relPath: { key: 'rel_path', label: 'Path', type: 'text' },
  library: { key: 'library', label: 'Library', type: 'text' },
  size: { key: 'size', label: 'Size', type: 'bytes', sum: true },
  /** Less than the size for sparse and compressed files, and for placeholders. */
  sizeOnDisk: { key: 'size_on_disk', label: 'Size on disk', type: 'bytes', sum: true },
  mtime: { key: 'mtime', label: 'Modified', type: 'time', sortBy: [{ key: 'mtime_ns', type: 'bigint' }] },
  category: { key: 'file_category', label: 'Kind', type: 'text' },
  extension: { key: 'extension', label: 'Extension', type: 'text', nullable: true },
  group: { key: 'file_group', label: 'Type', type: 'text' },
  fileCount: { key: 'file_count', label: 'Files', type: 'integer', sum: true },
  totalBytes: { key: 'total_bytes', label: 'Size', type: 'bytes', sum: true },
} as const satisfies Record<string, ReportColumn>;

/** What every row about a file selects; reports add their own columns. */
export const itemColumns = sql`i.id as item_id, i.library_id, i.rel_path, l.name as library`;
export const itemTables = sql`from items i join libraries l on l.id = i.library_id`;
/** Only sizes on disk that are smaller than the size are stored. */
export const sizeOnDisk = sql`coalesce(i.allocated, i.size) as size_on_disk`;
export const mtimeColumns = sql`i.mtime_ns, i.mtime_ns / 1000000 as mtime`;
/** A timestamp as milliseconds. */
export const milliseconds = (name: string): RawBuilder<unknown> => sql`(extract(epoch from ${sql.ref(name)}) * 1000)::bigint`;

type ItemReport = Omit<ReportDefinition, 'rowKey' | 'paths' | 'rowLink' | 'library' | 'folder' | 'columns' | 'defaultLimit'> & {
  columns: readonly ReportColumn[];
  defaultLimit?: number;
};

/** A report with one row per file. */
export function itemReport({ columns, ...report }: ItemReport): ReportDefinition {
  return {
    rowLink: 'item',
    library: true,
    folder: true,
    defaultLimit: 1000,
    rowKey: { key: 'item_id', type: 'uuid' },
    paths: true,
    columns: [column.itemId, column.libraryId, ...columns, ...pathColumns],
    ...report,
  };
}

/** The sum of kept counts of active items under the chosen library, when nothing but whole libraries is concerned; otherwise null. */
export function wholeLibraries({ access, folder }: ReportScope): 'all' | string[] | null {
  const { whole, rest } = access.split('i');
  return folder || rest !== null ? null : whole;
}
