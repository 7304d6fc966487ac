import { createHash } from 'node:crypto';
import { byCodeUnits, byReading } from '../../segment/string-order.ts';
import { EngineError } from '../../errors.ts';
import type { Query } from '../../types.ts';

/** What a cursor remembers of a document for one rule. */
export type Mark = number | string | null;

/** How the marks of one rule are ordered. What has no value comes last either way. */
export type MarkOrder = 'ascending' | 'descending' | 'reading' | 'reading back' | 'ids';

export function compareMarks(order: MarkOrder, a: Mark, b: Mark): number {
  if (a === null || b === null) return a === b ? 0 : a === null ? 1 : -1;
  switch (order) {
    case 'ascending':
      return (a as number) - (b as number);
    case 'descending':
      return (b as number) - (a as number);
    case 'reading':
      return byReading(a as string, b as string);
    case 'reading back':
      return byReading(b as string, a as string);
    case 'ids':
      return byCodeUnits(a as string, b as string);
  }
}

/** A cursor names the last hit of a page by its marks, so the next page begins after it whatever happened to the index meanwhile. */
export function encodeCursor(query: Query, marks: readonly Mark[]): string {
  return Buffer.from(JSON.stringify([orderMark(query), ...marks])).toString('base64url');
}

export function decodeCursor(query: Query, cursor: string, stages: number): Mark[] {
  const refuse = () => new EngineError('bad_query', 'The cursor does not belong to this query. Start again from the first page.');
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw refuse();
  }
  if (!Array.isArray(parts) || parts.length !== stages + 1 || parts[0] !== orderMark(query)) throw refuse();
  const marks = parts.slice(1) as unknown[];
  if (!marks.every((mark) => mark === null || typeof mark === 'number' || typeof mark === 'string')) throw refuse();
  return marks as Mark[];
}

/** Everything that decides the order. */
function orderMark(query: Query): string {
  const { text, fields, prefix, matching, sort, tieBreak } = query;
  const parts = [text ?? '', fields ?? null, prefix ?? true, matching ?? 'all', sort ?? [], tieBreak ?? null];
  return createHash('sha256').update(JSON.stringify(parts)).digest('base64url').slice(0, 10);
}
