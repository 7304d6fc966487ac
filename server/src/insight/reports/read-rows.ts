import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../platform/database/index.ts';
import { one } from '../../platform/database/index.ts';
import { problem } from '../../platform/problem.ts';
import type { ColumnType, Counted, ReportColumn, SortKey } from './contract.ts';

/** Limits of statements in the database. */
const pageSeconds = 20;
const countSeconds = 5;

/** One term of an order; the last one is unique. */
export interface OrderTerm {
  column: string;
  /** The PostgreSQL type, to compare a cursor's value with the column. */
  type: string;
  descending: boolean;
  nullable: boolean;
}

const sortTypes: Record<ColumnType, string> = {
  text: 'text',
  integer: 'bigint',
  bytes: 'bigint',
  decimal: 'float8',
  time: 'bigint',
  date: 'text',
  boolean: 'boolean',
  list: 'text',
};

/** The row key follows the direction of the last key, so that an index on both can be read backwards. */
export function orderTerms(columns: readonly ReportColumn[], sort: readonly SortKey[], rowKey: { key: string; type: string }): OrderTerm[] {
  const terms = sort.flatMap(({ key, descending }): OrderTerm[] => {
    const column = columns.find((each) => each.key === key);
    if (!column) throw new Error(`There is no column ${key}.`);
    const { sortBy = [{ key, type: sortTypes[column.type], nullable: column.nullable ?? false }] } = column;
    return sortBy.map((each) => ({ column: each.key, type: each.type, descending, nullable: each.nullable ?? false }));
  });
  return terms.some(({ column }) => column === rowKey.key)
    ? terms
    : [...terms, { column: rowKey.key, type: rowKey.type, descending: terms.at(-1)?.descending ?? false, nullable: false }];
}

/** Null values come last in both directions. Columns without them are ordered plainly, so that an index can be used. */
export function orderBy(terms: readonly OrderTerm[]): RawBuilder<unknown> {
  return sql.join(
    terms.map(({ column, descending, nullable }) => {
      const direction = descending ? sql`desc` : sql`asc`;
      return sql`${columnOf(column)} ${direction}${nullable ? sql` nulls last` : sql``}`;
    }),
    sql`, `,
  );
}

/** Rows after the one with these values, in the order of the terms. */
function isAfter(terms: readonly OrderTerm[], values: readonly (string | null)[]): RawBuilder<boolean> {
  const alternatives = terms.map((term, at) =>
    sql.join([...terms.slice(0, at).map((each, n) => isEqual(each, values[n] ?? null)), isBeyond(term, values[at] ?? null)], sql` and `),
  );
  return sql<boolean>`(${sql.join([...notBefore(terms, values), sql`((${sql.join(alternatives, sql`) or (`)}))`], sql` and `)})`;
}

/**
 * Redundant bounds on the first sort columns, one for each number of them. PostgreSQL can start an index scan with the one whose columns are
 * those of the index, which it cannot with the alternatives of the full condition.
 */
function notBefore(terms: readonly OrderTerm[], values: readonly (string | null)[]): RawBuilder<boolean>[] {
  const descending = terms[0]?.descending;
  const end = terms.findIndex((term, at) => term.nullable || term.descending !== descending || (values[at] ?? null) === null);
  const comparable = end < 0 ? terms : terms.slice(0, end);
  const columns = comparable.map(({ column }) => columnOf(column));
  const limits = comparable.map(({ type }, at) => typed(values[at] ?? '', type));
  return comparable.map(
    (_, at) =>
      sql<boolean>`(${sql.join(columns.slice(0, at + 1))}) ${descending ? sql`<=` : sql`>=`} (${sql.join(limits.slice(0, at + 1))})`,
  );
}

/** Output columns may have any name, such as meta.exif.iso. */
const columnOf = (name: string): RawBuilder<unknown> => sql`r.${sql.id(name)}`;

const typed = (value: string, type: string): RawBuilder<unknown> => sql`${value}::${sql.raw(type)}`;

function isEqual({ column, type }: OrderTerm, value: string | null): RawBuilder<boolean> {
  const name = columnOf(column);
  return value === null ? sql<boolean>`${name} is null` : sql<boolean>`${name} = ${typed(value, type)}`;
}

function isBeyond({ column, type, descending, nullable }: OrderTerm, value: string | null): RawBuilder<boolean> {
  if (value === null) return sql<boolean>`false`;
  const name = columnOf(column);
  const beyond = sql<boolean>`${name} ${descending ? sql`<` : sql`>`} ${typed(value, type)}`;
  return nullable ? sql<boolean>`(${beyond} or ${name} is null)` : beyond;
}

/** Runs a statement with a limit in the database. Reports may sort many rows, so they get more memory than other statements. */
async function limited<Row>(db: Db, query: RawBuilder<Row>, seconds: number): Promise<Row[]> {
  return db.transaction().execute(async (transaction) => {
    await sql`select set_config('statement_timeout', ${`${seconds}s`}, true), set_config('work_mem', '32MB', true)`.execute(transaction);
    return (await query.execute(transaction)).rows;
  });
}

const isTimeout = (error: unknown): boolean => (error as { code?: string }).code === '57014';

/** One page of rows as objects. `_k0`, `_k1`, … hold the values of the order terms as text, for a cursor. */
export async function readPage(
  db: Db,
  rows: RawBuilder<unknown>,
  terms: readonly OrderTerm[],
  page: { limit: number; offset: number; after: readonly (string | null)[] | null },
): Promise<Record<string, unknown>[]> {
  const keys = terms.map(({ column }, at) => sql`${columnOf(column)}::text as ${sql.id(`_k${at}`)}`);
  const where = page.after === null ? sql`true` : isAfter(terms, page.after);
  return queryWithLimit(
    db,
    sql<Record<string, unknown>>`select r.*, ${sql.join(keys)} from (${rows}) r where ${where} order by ${orderBy(terms)}
      limit ${page.limit} offset ${page.offset}`,
    'Choose a library or a folder, or export it in the background.',
  );
}

/** Runs a statement within the time of a page. `advice` says what to do when it takes longer. */
export async function queryWithLimit<Row>(db: Db, query: RawBuilder<Row>, advice: string): Promise<Row[]> {
  try {
    return await limited(db, query, pageSeconds);
  } catch (error) {
    if (!isTimeout(error)) throw error;
    throw problem('took_too_long', `The report took longer than ${pageSeconds} seconds. ${advice}`);
  }
}

export async function countRows(db: Db, rows: RawBuilder<unknown>, summed: readonly string[]): Promise<Counted> {
  const sums = summed.map((key) => sql`coalesce(sum(r.${sql.id(key)}), 0)::float8 as ${sql.id(key)}`);
  try {
    const counted = await limited(
      db,
      sql<{ total: number } & Record<string, number>>`select ${sql.join([sql`count(*) as total`, ...sums])} from (${rows}) r`,
      countSeconds,
    );
    const { total, ...rest } = one(counted);
    return { total, sums: rest };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return { total: null, sums: {} };
  }
}
