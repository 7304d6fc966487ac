import { type RawBuilder, sql } from 'kysely';
import type { RangeBounds } from './ast.ts';

type Condition = RawBuilder<boolean>;

/** Numbers are compared as the index compares them: as doubles. */
export function between(value: RawBuilder<unknown>, { gte, gt, lte, lt }: RangeBounds): Condition {
  const parts: Condition[] = [];
  if (gte !== undefined) parts.push(sql<boolean>`${value} >= ${gte}::float8`);
  if (gt !== undefined) parts.push(sql<boolean>`${value} > ${gt}::float8`);
  if (lte !== undefined) parts.push(sql<boolean>`${value} <= ${lte}::float8`);
  if (lt !== undefined) parts.push(sql<boolean>`${value} < ${lt}::float8`);
  return parts.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(parts, sql` and `)})`;
}
