import { type Static, Type } from 'typebox';
import { Id, JsonObject, noExtraFields, nullable } from '../../platform/schemas.ts';

const ColumnOut = Type.Object(
  {
    key: Type.String(),
    label: Type.String(),
    type: Type.Enum(['text', 'integer', 'bytes', 'decimal', 'time', 'date', 'boolean', 'list']),
    hidden: Type.Boolean(),
    sortable: Type.Boolean(),
  },
  { title: 'ReportColumn' },
);

export const ReportOut = Type.Object(
  {
    id: Type.String(),
    title: Type.String(),
    description: Type.String(),
    group: Type.Enum(['space', 'health', 'activity', 'access']),
    columns: Type.Array(Type.String()),
    fields: Type.Array(ColumnOut),
    supports_library: Type.Boolean(),
    supports_folder: Type.Boolean(),
    supports_dates: Type.Boolean(),
    is_capped: Type.Boolean({ description: 'A top list: limit is its length.' }),
    default_limit: Type.Integer(),
    default_days: nullable(Type.Integer()),
    default_sort: Type.String(),
    row_link: Type.Enum(['item', 'search_ext', 'search_hash', 'search_tag', 'search_category', 'browse', 'library', 'person', 'none']),
    supports_threshold: Type.Boolean(),
    threshold_unit: nullable(Type.Enum(['days', 'bytes'])),
    threshold_label: nullable(Type.String()),
    default_threshold_days: nullable(Type.Integer()),
    default_min_bytes: nullable(Type.Integer()),
    supports_principal: Type.Boolean(),
    default_principal: nullable(Type.String()),
    supports_other_principal: Type.Boolean(),
    default_other_principal: nullable(Type.String()),
    supports_words: Type.Boolean(),
    default_words: nullable(Type.String()),
    supports_on: Type.Boolean(),
    default_on_days: nullable(Type.Integer()),
  },
  { title: 'ReportOut' },
);

const plainText = (maxLength: number, description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength, pattern: '^[^\\u0000]*$', description }));

/** What every run of a report accepts, as page and as file. */
export const filterParameters = {
  library_id: Type.Optional(Id),
  folder: Type.Optional(
    Type.String({ maxLength: 4096, pattern: '^[^\\u0000]*$', description: 'Only what is below this folder of the library' }),
  ),
  threshold_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 36_500 })),
  min_bytes: Type.Optional(Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER })),
  since: Type.Optional(Type.String({ format: 'date-time' })),
  until: Type.Optional(Type.String({ format: 'date-time' })),
  principal: plainText(256, 'A person or group: a name, `uid:1000`, `gid:100`, a SID, or `everyone`'),
  other_principal: plainText(256, 'The person or group to compare with'),
  words: plainText(500, 'Words separated by commas; at most 20'),
  on: Type.Optional(Type.String({ format: 'date-time' })),
};

export const sortParameter = Type.Optional(
  Type.String({
    maxLength: 500,
    pattern: '^-?[A-Za-z0-9_.:]+(,-?[A-Za-z0-9_.:]+)*$',
    description: 'Columns in order of precedence, separated by commas; a leading - sorts descending',
  }),
);

export const fileParameters = {
  gzip: Type.Optional(Type.Boolean({ default: false, description: 'Compress the file. XLSX is compressed already.' })),
  bom: Type.Optional(Type.Boolean({ default: false, description: 'Start a CSV file with a byte order mark, for Excel' })),
};

export const RunQuery = Type.Object(
  {
    format: Type.Optional(Type.Enum(['json', 'csv', 'ndjson', 'xml', 'xlsx'])),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000, description: 'Rows of the page, or of a top list or file' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000_000 })),
    cursor: Type.Optional(Type.String({ maxLength: 8192 })),
    sort: sortParameter,
    ...filterParameters,
    ...fileParameters,
  },
  noExtraFields,
);
export type RunParams = Static<typeof RunQuery>;

export const runPageMembers = {
  columns: Type.Array(Type.String()),
  fields: Type.Array(ColumnOut),
  rows: Type.Array(JsonObject),
  limit: Type.Integer(),
  offset: Type.Integer(),
  count: Type.Integer(),
  has_more: Type.Boolean(),
  next_cursor: nullable(Type.String()),
  total: nullable(Type.Integer({ description: 'All rows; null when counting takes too long' })),
  sums: Type.Record(Type.String(), Type.Number()),
};
export const RunOut = Type.Object({ report: ReportOut, ...runPageMembers }, { title: 'ReportRun' });

export const FolderTreeQuery = Type.Object(
  {
    library_id: Type.Optional(Id),
    parent: Type.Optional(Type.String({ maxLength: 4096, pattern: '^[^\\u0000]*$', default: '' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 500, default: 100 })),
  },
  noExtraFields,
);
export const FolderTreeOut = Type.Object(
  {
    parent: Type.String(),
    library_id: nullable(Id),
    children: Type.Array(
      Type.Object({
        name: Type.String(),
        folder: Type.String(),
        library_id: Id,
        library: Type.String(),
        file_count: Type.Integer(),
        total_bytes: Type.Integer(),
        has_children: Type.Boolean(),
      }),
    ),
    truncated: Type.Boolean(),
  },
  { title: 'FolderTree' },
);
