import { type RawBuilder, sql } from 'kysely';
import { joinFolders } from '../../catalog/paths/index.ts';
import type { OrderTerm, ReportAccess, ReportColumn, SortKey } from '../reports/index.ts';
import { orderTerms } from '../reports/index.ts';
import { formedColumn, type ItemColumn, idColumn, itemColumn, pathParts } from './columns.ts';

export interface ReportShape {
  columns: readonly string[];
  sort: readonly string[];
  groupBy: readonly string[];
  aggregates: readonly string[];
}

/** A query over items with its columns and order. */
export interface BuiltQuery {
  rows: RawBuilder<unknown>;
  columns: readonly ReportColumn[];
  terms: readonly OrderTerm[];
  /** Rows have library_id and rel_path, from which the path columns are made. */
  paths: boolean;
}

export const aggregateFunctions = ['count', 'sum', 'min', 'max'] as const;

export function parseAggregate(text: string): { fn: string; column: string | null } {
  const colon = text.indexOf(':');
  return colon < 0 ? { fn: text, column: null } : { fn: text.slice(0, colon), column: text.slice(colon + 1) };
}

const parseSortKeys = (sort: readonly string[]): SortKey[] =>
  sort.map((text) => ({ key: text.replace(/^-/, ''), descending: text.startsWith('-') }));

/** The columns of the result, which are those that it can be sorted by. */
export function resultColumns({ columns, groupBy, aggregates }: Pick<ReportShape, 'columns' | 'groupBy' | 'aggregates'>): ReportColumn[] {
  if (groupBy.length === 0) return columns.map((name) => itemColumn(name)?.column ?? formedColumn(name)).filter((each) => each !== null);
  return [...groupBy.map((name) => one(itemColumn(name)).column), ...aggregates.map(aggregateColumn)];
}

function aggregateColumn(text: string): ReportColumn {
  const { fn, column } = parseAggregate(text);
  if (column === null) return { key: text, label: 'Files', type: 'integer', sum: true };
  const source = one(itemColumn(column)).column;
  const label = { sum: 'Sum of', min: 'Least', max: 'Greatest' }[fn] ?? fn;
  // Facts and custom fields are measured by their numbers.
  const type = /^(?:meta|cf)\./.test(column) ? 'decimal' : source.type;
  return { key: text, label: `${label} ${source.label.toLowerCase()}`, type, nullable: true, ...(fn === 'sum' ? { sum: true } : {}) };
}

function one(column: ItemColumn | null): ItemColumn {
  if (column === null) throw new Error('A path column cannot be grouped.');
  return column;
}

/** `where` is a condition over items `i`. */
export function buildQuery(
  shape: ReportShape,
  access: Pick<ReportAccess, 'whereItem'>,
  where: RawBuilder<unknown>,
  folders = joinFolders,
): BuiltQuery {
  const from = sql`from items i ${folders} join libraries l on l.id = i.library_id where ${access.whereItem('i')} and ${where}`;
  return shape.groupBy.length > 0 ? grouped(shape, from) : listed(shape, from);
}

const pathOrder: readonly SortKey[] = [
  { key: 'library_id', descending: false },
  { key: 'rel_path', descending: false },
];

function listed(shape: ReportShape, from: RawBuilder<unknown>): BuiltQuery {
  const shown = resultColumns(shape);
  const parts = [idColumn, ...pathParts.filter(({ column }) => !shape.columns.includes(column.key))];
  const chosen = [...parts, ...shape.columns.map(itemColumn).filter((each) => each !== null)];
  const columns = [...parts.map(({ column }) => column), ...shown];
  return {
    rows: sql`select ${selectList(chosen)} ${from}`,
    columns,
    terms: orderTerms(columns, shape.sort.length > 0 ? parseSortKeys(shape.sort) : pathOrder, {
      key: 'item_id',
      type: 'uuid',
    }),
    paths: shown.some(({ key }) => formedColumn(key) !== null),
  };
}

function selectList(chosen: readonly ItemColumn[]): RawBuilder<unknown> {
  return sql.join(chosen.flatMap(({ selects }) => selects.map(([name, expression]) => sql`${expression} as ${sql.id(name)}`)));
}

function grouped(shape: ReportShape, from: RawBuilder<unknown>): BuiltQuery {
  const keys = shape.groupBy.map((name) => one(itemColumn(name)));
  const columns: ReportColumn[] = [{ key: 'group_key', label: 'Group', type: 'text', hidden: true }, ...resultColumns(shape)];
  const measured = [...new Set(shape.aggregates.map((text) => parseAggregate(text).column).filter((name) => name !== null))]
    .filter((name) => !shape.groupBy.includes(name))
    .map((name) => one(itemColumn(name)));
  const sums = shape.aggregates.map((text) => {
    const { fn, column } = parseAggregate(text);
    if (column === null) return sql`count(*) as ${sql.id(text)}`;
    const { column: source, selects } = one(itemColumn(column));
    const dynamic = selects.find(([name]) => name.endsWith(' as number'))?.[0];
    const value = sql`s.${sql.id(dynamic ?? source.key)}`;
    if (fn === 'sum')
      return sql`sum(${value})::${source.type === 'bytes' || source.type === 'integer' ? sql`bigint` : sql`float8`} as ${sql.id(text)}`;
    return fn === 'min' ? sql`min(${value}) as ${sql.id(text)}` : sql`max(${value}) as ${sql.id(text)}`;
  });
  const names = keys.flatMap(({ selects }) => selects.map(([name]) => sql`s.${sql.id(name)}`));
  const first = columns.find(({ key }) => shape.aggregates.includes(key));
  const order = shape.sort.length > 0 ? parseSortKeys(shape.sort) : first ? [{ key: first.key, descending: true }] : [];
  return {
    rows: sql`select jsonb_build_array(${sql.join(names)})::text as group_key, ${sql.join([...names, ...sums])}
      from (select ${selectList([...keys, ...measured])} ${from}) s group by ${sql.join(names)}`,
    columns,
    terms: orderTerms(columns, order, { key: 'group_key', type: 'text' }),
    paths: false,
  };
}
