import { type RawBuilder, sql } from 'kysely';
import { factsOf, isContentFact } from '../../catalog/items/index.ts';
import { pathColumns, type ReportColumn } from '../reports/index.ts';

/** A column that a person can choose, with the expressions over items `i`, their folders `f` and libraries `l` that produce it. */
export interface ItemColumn {
  column: ReportColumn;
  /** Output columns by name; those behind the first are only sorted by. */
  selects: readonly (readonly [name: string, expression: RawBuilder<unknown>])[];
  /** The value as a number, for sums; null for texts. */
  number: RawBuilder<unknown> | null;
}

const plain = (
  key: string,
  label: string,
  type: ReportColumn['type'],
  expression: RawBuilder<unknown>,
  more: Partial<ReportColumn> = {},
): ItemColumn => ({
  column: { key, label, type, ...more },
  selects: [[key, expression]],
  number: type === 'integer' || type === 'bytes' || type === 'decimal' ? expression : null,
});

const instant = (key: string, label: string, expression: RawBuilder<unknown>): ItemColumn =>
  plain(key, label, 'time', sql`(extract(epoch from ${expression}) * 1000)::bigint`);

/** Paths are sorted by folder and name, because indexes have this order. */
const pathOrder: NonNullable<ReportColumn['sortBy']> = [
  { key: 'path of folder', type: 'text' },
  { key: 'name in folder', type: 'text' },
];
const relPath: ItemColumn = {
  ...plain('rel_path', 'Path', 'text', sql`i.rel_path`, { sortBy: pathOrder }),
  selects: [
    ['rel_path', sql`i.rel_path`],
    ['path of folder', sql`f.rel_path`],
    ['name in folder', sql`i.filename`],
  ],
};

/** Paths are formed from these two after the rows are read. */
export const pathParts: readonly ItemColumn[] = [
  plain('library_id', 'Library ID', 'text', sql`f.library_id`, { hidden: true, sortBy: [{ key: 'library_id', type: 'uuid' }] }),
  { ...relPath, column: { ...relPath.column, hidden: true } },
];
export const idColumn = plain('item_id', 'Item', 'text', sql`i.id`, { hidden: true, sortBy: [{ key: 'item_id', type: 'uuid' }] });

/** Scans do not write unchanged items, so an active item was last seen by the newest full scan of its library. */
const lastSeen = sql`case when i.status = 'active' then greatest(l.last_full_scan_at, i.last_changed) else i.last_changed end`;

const core: ItemColumn[] = [
  relPath,
  plain('filename', 'Name', 'text', sql`i.filename`),
  plain('extension', 'Extension', 'text', sql`i.extension`, { nullable: true }),
  plain('size', 'Size', 'bytes', sql`i.size`, { sum: true }),
  {
    ...plain('mtime', 'Modified', 'time', sql`i.mtime_ns / 1000000`, { sortBy: [{ key: 'mtime_ns', type: 'bigint' }] }),
    selects: [
      ['mtime', sql`i.mtime_ns / 1000000`],
      ['mtime_ns', sql`i.mtime_ns`],
    ],
  },
  plain('file_category', 'Kind', 'text', sql`i.file_category`),
  plain('file_group', 'Type', 'text', sql`i.file_group`),
  plain('status', 'Status', 'text', sql`i.status`),
  plain('tags', 'Tags', 'list', sql`i.tags`),
  plain('title', 'Title', 'text', sql`coalesce(i.user_title, i.title)`, { nullable: true }),
  plain('year', 'Year', 'integer', sql`coalesce(i.user_year, i.year)`, { nullable: true }),
  instant('first_seen', 'First seen', sql`i.first_seen`),
  instant('last_seen', 'Last seen', lastSeen),
  plain('content_hash', 'Content hash', 'text', sql`i.content_hash`, { nullable: true }),
  plain('quick_hash', 'Quick hash', 'text', sql`i.quick_hash`, { nullable: true }),
  plain('library', 'Library', 'text', sql`l.name`),
];
const coreByKey = new Map(core.map((each) => [each.column.key, each]));
const formed = new Map(pathColumns.map((column) => [column.key, { ...column, sortBy: pathOrder }]));

/** All column names that need no field definition, in the order in which they are offered. */
export const coreColumns: readonly string[] = [...coreByKey.keys(), ...formed.keys()];

const metaName = /^meta\.[a-z0-9_]+(?:\.[a-z0-9_]+)*$/;
const locationPart = /(?:^|_)gps|^_geo$/;

/** Why a name is not a column, or null. Content has its own right; names with _ in front are internal. */
export function columnError(name: string, fields: ReadonlySet<string>): string | null {
  if (coreByKey.has(name) || formed.has(name)) return null;
  if (name.startsWith('cf.')) return fields.has(name.slice(3)) ? null : `There is no custom field "${name.slice(3)}".`;
  if (!name.startsWith('meta.')) return `There is no column "${name}". Use one of ${coreColumns.join(', ')}, meta.<fact> or cf.<field>.`;
  if (!metaName.test(name) || name.length > 100) return `"${name}" is not the name of a fact. Write it like meta.width or meta.exif.iso.`;
  const fact = name.slice('meta.'.length);
  return isContentFact(fact) || fact.split('.').some((part) => part.startsWith('_')) ? `The fact "${name}" cannot be a column.` : null;
}

/** The column of a valid name; null for a path column, which is formed later. */
export function itemColumn(name: string): ItemColumn | null {
  const known = coreByKey.get(name);
  if (known) return known;
  if (formed.has(name)) return null;
  const parts = name.split('.').slice(1);
  const path = sql`${parts}::text[]`;
  const facts = ['archive', 'ocr_text'].includes(parts[0] ?? '') ? factsOf('i') : sql`i.metadata`;
  const found = name.startsWith('cf.')
    ? sql`coalesce(nullif(i.user_metadata -> ${parts[0] ?? ''}, 'null'), nullif(${facts} -> ${parts[0] ?? ''}, 'null'))`
    : sql`nullif(${facts} #> ${path}, 'null')`;
  // Coordinates are shown only for libraries that expose them.
  const value = parts.some((part) => locationPart.test(part)) ? sql`case when l.expose_gps then ${found} end` : found;
  const number = sql`case when jsonb_typeof(${value}) = 'number' then (${value})::float8 end`;
  return {
    column: {
      key: name,
      label: name,
      type: 'text',
      nullable: true,
      // Numbers come first and are compared as numbers; everything else is compared as text.
      sortBy: [
        { key: `${name} as number`, type: 'float8', nullable: true },
        { key: `${name} as text`, type: 'text', nullable: true },
      ],
    },
    selects: [
      [name, sql`case when jsonb_typeof(${value}) in ('object', 'array') then to_jsonb((${value})::text) else ${value} end`],
      [`${name} as number`, number],
      [`${name} as text`, sql`${value} #>> '{}'`],
    ],
    number,
  };
}

export const formedColumn = (name: string): ReportColumn | null => formed.get(name) ?? null;
