import { fieldProblem, problem } from '../../platform/problem.ts';
import { cursorKeyOf, decodeCursor, encodeCursor } from '../../platform/schemas.ts';
import type { Counted, ReportColumn } from './contract.ts';
import { presentColumns, presentRow } from './present.ts';
import type { OrderTerm } from './read-rows.ts';

/** What a cursor holds: the key of the query, the order values of the last row, and the totals, which are counted for the first page only. */
interface Position extends Counted {
  k: string;
  a: (string | null)[];
}

interface PageSource {
  columns: readonly ReportColumn[];
  terms: readonly OrderTerm[];
  page(page: { limit: number; offset: number; after: readonly (string | null)[] | null }): Promise<Record<string, unknown>[]>;
  count(): Promise<Counted>;
}

/** One page as JSON. `identity` names the report, its filters and the rights of the caller, so that a cursor works for one query only. */
export async function runPage(
  source: PageSource,
  identity: unknown,
  { limit, offset = 0, cursor }: { limit: number; offset?: number | undefined; cursor?: string | undefined },
) {
  if (cursor !== undefined && offset > 0)
    throw fieldProblem(['query', 'offset'], 'Send either cursor or offset, not both.', 'cursor_and_offset');
  const key = cursorKeyOf(identity);
  const position = decodeCursor(cursor, isPosition);
  if (position && (position.k !== key || position.a.length !== source.terms.length)) throw problem('cursor_invalid');
  const found = await source.page({ limit: limit + 1, offset, after: position?.a ?? null });
  const rows = found.slice(0, limit);
  const has_more = found.length > limit;
  // Rows that fit one page are counted here, so that a report with few rows runs once.
  const isWhole = !position && offset === 0 && !has_more;
  const { total, sums }: Counted = position ?? (isWhole ? countPage(rows, source.columns) : await source.count());
  const last = has_more ? rows.at(-1) : undefined;
  const next: Position | null = last
    ? { k: key, a: source.terms.map((_, at) => (last[`_k${at}`] as string | null) ?? null), total, sums }
    : null;
  return {
    ...presentColumns(source.columns),
    rows: rows.map((row) => presentRow(row, source.columns)),
    limit,
    offset,
    count: rows.length,
    has_more,
    next_cursor: next ? encodeCursor(next) : null,
    total,
    sums,
  };
}

function countPage(rows: readonly Record<string, unknown>[], columns: readonly ReportColumn[]): Counted {
  const summed = columns.filter(({ sum }) => sum).map(({ key }) => key);
  const sums = summed.map((key) => [key, rows.reduce((sum, row) => sum + Number(row[key] ?? 0), 0)]);
  return { total: rows.length, sums: Object.fromEntries(sums) };
}

function isPosition(value: unknown): value is Position {
  const { k, a, total, sums } = (value ?? {}) as Partial<Position>;
  return (
    typeof k === 'string' &&
    Array.isArray(a) &&
    a.every((each) => each === null || (typeof each === 'string' && !each.includes('\0'))) &&
    (total === null || Number.isSafeInteger(total)) &&
    typeof sums === 'object' &&
    sums !== null &&
    Object.values(sums).every((each) => typeof each === 'number')
  );
}
