import { byCodeUnits, byReading } from '../segment/sort-values.ts';
import type { Mark } from './cells.ts';

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
