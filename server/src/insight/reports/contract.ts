import type { RawBuilder } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import type { ReportAccess } from './access.ts';

/** `time` cells are milliseconds since 1970, `date` cells are days such as 2026-03-14, `list` cells are texts. */
export type ColumnType = 'text' | 'integer' | 'bytes' | 'decimal' | 'time' | 'date' | 'boolean' | 'list';

export interface ReportColumn {
  key: string;
  label: string;
  type: ColumnType;
  /** Part of JSON, NDJSON and XML, but not of tables: the ids behind a row. */
  hidden?: boolean;
  nullable?: boolean;
  /** The output columns to sort by instead, with their types. */
  sortBy?: readonly { key: string; type: string; nullable?: boolean }[];
  /** Lists cannot be sorted. */
  sortable?: boolean;
  /** The sum over all rows is shown below the table. */
  sum?: boolean;
}

export type Cell = string | number | boolean | string[] | null;

export interface SortKey {
  key: string;
  descending: boolean;
}

/** Anything with columns and rows: a report, a custom report, a search, a folder. Exports, schedules and the console all read rows this way. */
export interface RowSource {
  /** For people. */
  title: string;
  /** The stem of a file name. */
  name: string;
  columns: readonly ReportColumn[];
  /** The column that identifies a row from one run to the next, if there is one. */
  rowKey?: string;
  /** The number of rows, or null when counting takes too long. */
  total(): Promise<number | null>;
  /**
   * All rows in batches, from one snapshot of the database and with bounded memory. Cells are in the order of the columns. Throws
   * AccessChanged when the reader's rights change on the way; rows that were yielded before are then no longer to be used.
   */
  batches(options: { signal?: AbortSignal }): AsyncIterable<Cell[][]>;
}

/** What a caller chose. */
export interface ReportFilters {
  library: string | null;
  folder: string | null;
  /** In days or bytes, whatever the report declares. */
  threshold: number | null;
  since: Date | null;
  until: Date | null;
  /** People or groups as the caller wrote them. */
  principal: string | null;
  otherPrincipal: string | null;
  words: string[] | null;
  on: Date | null;
}

export interface ReportScope extends ReportFilters {
  db: Db;
  now: Date;
  access: ReportAccess;
  /** The length of a top list. */
  cap: number;
  /** A condition on items: active, visible, and in the chosen library and folder. */
  items(alias: string): RawBuilder<boolean>;
  /** The same without the status. */
  anyItems(alias: string): RawBuilder<boolean>;
  /** The caller may also see the permissions of the item. */
  permissions(alias: string): RawBuilder<boolean>;
  /** `anyItems` and `permissions` over other rows that have library_id and rel_path. */
  paths(alias: string): RawBuilder<boolean>;
  permissionsOfPaths(alias: string): RawBuilder<boolean>;
  /** Only the chosen library and folder, for rows that have a path and are visible already. */
  chosen(alias: string): RawBuilder<boolean>;
}

export interface Counted {
  /** Null when counting took too long. */
  total: number | null;
  sums: Record<string, number>;
}

/** Where a page in the default order starts. */
export interface PagePosition {
  /** The values of the order terms of the last row before the page; null for the first page. */
  after: readonly (string | null)[] | null;
  /** How many rows are needed from there. */
  take: number;
}

export interface Threshold {
  unit: 'days' | 'bytes';
  label: string;
  default: number;
  minimum: number;
  maximum: number;
}

export interface ReportDefinition {
  id: string;
  title: string;
  description: string;
  group: 'space' | 'health' | 'activity' | 'access';
  columns: readonly ReportColumn[];
  /** What a row opens. */
  rowLink: 'item' | 'search_ext' | 'search_hash' | 'search_tag' | 'search_category' | 'browse' | 'library' | 'person' | 'none';
  /** The report is a top list: its limit is the length of the list. */
  capped?: boolean;
  defaultLimit: number;
  library: boolean;
  folder: boolean;
  /** Takes since and until; the default is so many days up to now. */
  dates?: { defaultDays: number };
  threshold?: Threshold;
  /** Takes a person or group; the default may be nobody in particular. */
  principal?: { default: string | null };
  /** Takes a second person or group. */
  otherPrincipal?: { default: string };
  /** Takes words, separated by commas. */
  words?: { default: string };
  /** Takes one date; the default is so many days ago. */
  on?: { defaultDays: number };
  order: readonly SortKey[];
  /** Makes a unique order; an output column of `rows`. */
  rowKey: { key: string; type: string };
  /** Rows have library_id and rel_path, from which the four path columns are made. */
  paths?: boolean;
  /** A query whose output columns are those of the report. */
  rows(scope: ReportScope): RawBuilder<unknown> | Promise<RawBuilder<unknown>>;
  /** `rows` limited to what a page in the default order can need: at least the first `take` rows after the position. */
  next?(scope: ReportScope, page: PagePosition): Promise<RawBuilder<unknown>>;
  /** The number of rows and the sums of columns from kept totals; null when they must be counted. Not for a top list, which is short. */
  count?(scope: ReportScope): Promise<Counted | null>;
  /** Runs before the report, for instance to bring kept totals up to date. */
  prepare?(db: Db): Promise<void>;
}

/** The rights of the reader changed while rows were read. */
export class AccessChanged extends Error {
  constructor() {
    super('Permissions changed while the rows were read.');
    this.name = 'AccessChanged';
  }
}
