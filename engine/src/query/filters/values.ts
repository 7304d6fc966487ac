// biome-ignore-all lint/style/noNonNullAssertion: the filter was validated against the schema, and offsets come from verified segment sections

import { codesView } from '../../segment/columns.ts';
import type { DiskStrings } from '../../segment/disk-strings.ts';
import { byCodeUnits, byPath, type Compare } from '../../segment/string-order.ts';
import type { OrderedColumn, Segment } from '../../segment/types.ts';
import type { Schema } from '../../types.ts';

/** Returns the first ordinal whose value is ≥ `value`, or > `value` with `past`; one past the last ordinal when there is none. */
export function ordinalLowerBound(segment: Segment, column: OrderedColumn, value: number, past: boolean): number {
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

/** Returns the index in the column's order of the first document whose ordinal is ≥ `ordinal`. */
export function orderLowerBound(segment: Segment, column: OrderedColumn, ordinal: number): number {
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

/** Returns the index of the first string ≥ `value`. */
export function stringLowerBound(strings: DiskStrings, value: string, compare: Compare = byCodeUnits): number {
  let low = 0;
  let high = strings.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compare(strings.get(middle), value) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Returns the index of a string, or -1. */
export function indexOfString(strings: DiskStrings, value: string, compare: Compare = byCodeUnits): number {
  const index = stringLowerBound(strings, value, compare);
  return index < strings.size && strings.get(index) === value ? index : -1;
}

/** Returns a document's ordinal, 0 when it has no value. */
export function ordinalAt(segment: Segment, column: OrderedColumn, doc: number): number {
  if (column.width === 1) return segment.u8[column.ordinals + doc]!;
  return column.width === 2 ? segment.u16[(column.ordinals >>> 1) + doc]! : segment.u32[(column.ordinals >>> 2) + doc]!;
}

export function emptyBitmap(segment: Segment): number {
  const bitmap = segment.scratch.bitmap();
  segment.kernels.clear(bitmap, segment.blocks);
  return bitmap;
}

export function fillValues(segment: Segment, schema: Schema, field: string, values: readonly (string | number)[], bitmap: number): void {
  const keyword = schema.keyword.findIndex(({ name }) => name === field);
  if (keyword < 0 && field === 'id') {
    for (const value of values) if (typeof value === 'string') setId(segment, value, bitmap);
    return;
  }
  if (keyword >= 0) {
    for (const value of values) if (typeof value === 'string') orKeyword(segment, keyword, value, bitmap);
    return;
  }
  const column = segment.numbers[schema.number.indexOf(field)]!;
  for (const value of values) if (typeof value === 'number') fillRange(segment, column, { gte: value, lte: value }, bitmap);
}

/** Documents are numbered in order of their ids, so the index of an id is its document. */
function setId(segment: Segment, id: string, bitmap: number): void {
  const doc = indexOfString(segment.ids, id);
  if (doc >= 0) addToBitmap(segment, bitmap, doc);
}

/** Adds the documents that have this keyword value. */
function orKeyword(segment: Segment, field: number, value: string, bitmap: number): void {
  const column = segment.keywords[field]!;
  const code = indexOfString(column.strings, value.toWellFormed()) + 1;
  if (code === 0) return;
  const dense = column.dense.indexOf(code);
  if (dense >= 0) segment.kernels.or(bitmap, bitmap, column.bitmaps + dense * segment.bitmapBytes, segment.blocks);
  else {
    const offsets = (column.listOffsets >>> 2) + code;
    segment.kernels.orList(column.lists + segment.u32[offsets]!, column.lists + segment.u32[offsets + 1]!, bitmap);
  }
}

function addToBitmap(segment: Segment, bitmap: number, doc: number): void {
  segment.u32[(bitmap >>> 2) + (doc >>> 5)]! |= 1 << (doc & 31);
}

/** The column lists its documents in order of value, so a range of values is a contiguous part of that list. */
export function fillRange(
  segment: Segment,
  column: OrderedColumn,
  bounds: { gte?: number; gt?: number; lte?: number; lt?: number },
  bitmap: number,
): void {
  const first = Math.max(
    bounds.gte === undefined ? 1 : ordinalLowerBound(segment, column, bounds.gte, false),
    bounds.gt === undefined ? 1 : ordinalLowerBound(segment, column, bounds.gt, true),
  );
  const end = Math.min(
    bounds.lte === undefined ? column.distinct + 1 : ordinalLowerBound(segment, column, bounds.lte, true),
    bounds.lt === undefined ? column.distinct + 1 : ordinalLowerBound(segment, column, bounds.lt, false),
  );
  if (first >= end) return;
  const from = orderLowerBound(segment, column, first);
  const to = orderLowerBound(segment, column, end);
  const { u32, documents } = segment;
  const order = column.order >>> 2;
  const bits = bitmap >>> 2;
  if (to - from <= documents / 8) {
    for (let at = from; at < to; at++) {
      const doc = u32[order + at]!;
      u32[bits + (doc >>> 5)]! |= 1 << (doc & 31);
    }
    return;
  }
  segment.kernels.setCodes(bitmap, column.ordinals, column.width, documents, first, end);
}

export function fillExisting(segment: Segment, schema: Schema, field: string, bitmap: number): void {
  const { u32, documents, geo, vectors } = segment;
  const number = schema.number.indexOf(field);
  const sortable = schema.sortable.indexOf(field);
  const keyword = schema.keyword.findIndex(({ name }) => name === field);
  const listed = (at: number, count: number) => {
    for (let row = 0; row < count; row++) addToBitmap(segment, bitmap, u32[(at >>> 2) + row]!);
  };
  const coded = (at: number, width: number) => segment.kernels.setCodes(bitmap, at, width, documents, 1, 0xffffffff);
  if (keyword >= 0) {
    const column = segment.keywords[keyword]!;
    if (!column.multi) coded(column.codes, column.width);
    else
      for (let doc = 0; doc < documents; doc++)
        if (u32[(column.starts >>> 2) + doc] !== u32[(column.starts >>> 2) + doc + 1]) addToBitmap(segment, bitmap, doc);
  } else if (number >= 0) listed(segment.numbers[number]!.order, segment.numbers[number]!.present);
  else if (sortable >= 0) listed(segment.sortables[sortable]!.order, segment.sortables[sortable]!.present);
  else if (field === schema.geo) listed(geo!.documents, geo!.count);
  else if (field === schema.vector?.name) listed(vectors!.documents, vectors!.count);
  else if (field === schema.scope) coded(segment.scope!.ordinals, segment.scope!.width);
}

/** Paths are ordered so that a folder and everything below it have consecutive ordinals; each prefix is one range. */
export function filterScope(segment: Segment, prefixes: readonly string[], bitmap: number): void {
  if (prefixes.includes('')) {
    segment.kernels.or(bitmap, bitmap, segment.live, segment.blocks);
    return;
  }
  const column = segment.scope!;
  const allowed = new Uint8Array(column.distinct + 1);
  let any = false;
  for (const prefix of new Set(prefixes)) {
    const wanted = prefix.toWellFormed();
    const from = stringLowerBound(column.strings, wanted, byPath);
    const to = endOfFolder(column.strings, wanted, from);
    allowed.fill(1, from + 1, to + 1);
    any ||= to > from;
  }
  if (!any) return;
  const { u32, documents } = segment;
  const ordinals = codesView(segment, column.ordinals, column.width);
  const bits = bitmap >>> 2;
  for (let base = 0; base < documents; base += 32) {
    let word = 0;
    const last = Math.min(32, documents - base);
    for (let bit = 0; bit < last; bit++) word |= allowed[ordinals[base + bit]!]! << bit;
    u32[bits + (base >>> 5)]! |= word;
  }
}

/** Returns the end of the folder itself and all paths below it. */
function endOfFolder(strings: Segment['ids'], folder: string, from: number): number {
  const below = `${folder}/`;
  let low = from;
  let high = strings.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const path = strings.get(middle);
    if (path === folder || path.startsWith(below)) low = middle + 1;
    else high = middle;
  }
  return low;
}
