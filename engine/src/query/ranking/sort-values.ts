import { createHash } from 'node:crypto';
import { EngineError } from '../../errors.ts';
import { byCaseFold, byCodeUnits } from '../../segment/string-order.ts';
import type { Query } from '../../types.ts';

/** A document's value for one ranking rule, as stored in cursors. */
export type SortValue = number | string | null;

/** How the sort values of a rule are ordered. Missing values come last in every order. */
export type SortValueOrder = 'ascending' | 'descending' | 'text ascending' | 'text descending' | 'id';

export function compareSortValues(order: SortValueOrder, a: SortValue, b: SortValue): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  switch (order) {
    case 'ascending':
      return (a as number) - (b as number);
    case 'descending':
      return (b as number) - (a as number);
    case 'text ascending':
      return byCaseFold(a as string, b as string);
    case 'text descending':
      return byCaseFold(b as string, a as string);
    case 'id':
      return byCodeUnits(a as string, b as string);
  }
}

/** A cursor holds the sort values of the last hit, so the next page starts after it even if the index has changed. */
export function encodeSearchCursor(query: Query, sortValues: readonly SortValue[]): string {
  return Buffer.from(JSON.stringify([orderHash(query), ...sortValues])).toString('base64url');
}

export function decodeSearchCursor(query: Query, cursor: string, ruleCount: number): SortValue[] {
  const refuse = () => new EngineError('bad_query', 'The cursor does not belong to this query. Start again from the first page.');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuse();
  }
  if (!Array.isArray(parts) || parts.length !== ruleCount + 1 || parts[0] !== orderHash(query)) throw refuse();
  const sortValues = parts.slice(1) as unknown[];
  if (!sortValues.every((value) => value === null || typeof value === 'number' || typeof value === 'string')) throw refuse();
  return sortValues as SortValue[];
}

/** A hash of everything that determines the order. */
function orderHash(query: Query): string {
  const { text, fields, prefix, matching, sort, tieBreak } = query;
  const parts = [text ?? '', fields ?? null, prefix ?? true, matching ?? 'all', sort ?? [], tieBreak ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 10);
}
