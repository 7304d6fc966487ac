import { codesView, type OrderedColumn } from '../segment/columns.ts';
import type { DiskStrings } from '../segment/disk-strings.ts';
import type { Segment } from '../segment/open-segment.ts';
import { byCodeUnits, type Compare } from '../segment/sort-values.ts';

/** The first ordinal whose value is not below `value`; `past` asks for the first above it. One past the last when there is none. */
export function lowerOrdinal(segment: Segment, column: OrderedColumn, value: number, past: boolean): number {
  const values = column.values >>> 3;
  let low = 0;
  let high = column.distinct;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const found = segment.f64[values + middle]!;
    if (found < value || (past && found === value)) low = middle + 1;
    else high = middle;
  }
  return low + 1;
}

/** The place in the column's order of the first document whose ordinal is at least `ordinal`. */
export function bound(segment: Segment, column: OrderedColumn, ordinal: number): number {
  const ordinals = codesView(segment, column.ordinals, column.width);
  const order = column.order >>> 2;
  let low = 0;
  let high = column.present;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (ordinals[segment.u32[order + middle]!]! < ordinal) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Where the strings at or after `value` begin. */
export function lowerString(strings: DiskStrings, value: string, compare: Compare = byCodeUnits): number {
  let low = 0;
  let high = strings.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(strings.get(middle), value) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of a string, or -1. */
export function placeOfString(strings: DiskStrings, value: string, compare: Compare = byCodeUnits): number {
  const place = lowerString(strings, value, compare);
  return place < strings.size && strings.get(place) === value ? place : -1;
}

/** A document's ordinal; 0 when it has no value. */
export function ordinalAt(segment: Segment, column: OrderedColumn, doc: number): number {
  if (column.width === 1) return segment.u8[column.ordinals + doc]!;
  return column.width === 2 ? segment.u16[(column.ordinals >>> 1) + doc]! : segment.u32[(column.ordinals >>> 2) + doc]!;
}
