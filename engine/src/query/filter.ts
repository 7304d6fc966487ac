import type { OrderedColumn } from '../segment/columns.ts';
import type { Segment } from '../segment/open-segment.ts';
import type { Filter, Schema } from '../types.ts';
import { fillOnce, isWorthKeeping } from './filter-cache.ts';
import { filterBox, filterRadius } from './filter-geo.ts';
import { filterScope } from './filter-scope.ts';
import { bound, lowerOrdinal, placeOfString } from './ordinals.ts';

/** The documents of a segment that pass a checked filter, alive or not: a bitmap of the query's scratch. */
export function filterBitmap(segment: Segment, schema: Schema, filter: Filter): number {
  if ('and' in filter) return combine(segment, schema, filter.and, 'and');
  if ('or' in filter) return combine(segment, schema, filter.or, 'or');
  if ('not' in filter) {
    const inner = filterBitmap(segment, schema, filter.not);
    segment.kernels.andNot(inner, segment.live, inner, segment.blocks);
    return inner;
  }
  const bitmap = emptyBitmap(segment);
  if (isWorthKeeping(filter)) fillOnce(segment, filter, bitmap, () => fillLeaf(segment, schema, filter, bitmap));
  else fillLeaf(segment, schema, filter, bitmap);
  return bitmap;
}

type Leaf = Exclude<Filter, { and: Filter[] } | { or: Filter[] } | { not: Filter }>;

function fillLeaf(segment: Segment, schema: Schema, filter: Leaf, bitmap: number): void {
  if ('eq' in filter) fillValues(segment, schema, filter.eq[0], [filter.eq[1]], bitmap);
  else if ('in' in filter) fillValues(segment, schema, filter.in[0], filter.in[1], bitmap);
  else if ('range' in filter) fillRange(segment, segment.numbers[schema.number.indexOf(filter.range[0])]!, filter.range[1], bitmap);
  else if ('exists' in filter) fillExisting(segment, schema, filter.exists, bitmap);
  else if ('geoRadius' in filter) filterRadius(segment, filter.geoRadius, bitmap);
  else if ('geoBox' in filter) filterBox(segment, filter.geoBox, bitmap);
  else filterScope(segment, filter.scope, bitmap);
}

export function emptyBitmap(segment: Segment): number {
  const bitmap = segment.scratch.bitmap();
  segment.kernels.clear(bitmap, segment.blocks);
  return bitmap;
}

function combine(segment: Segment, schema: Schema, parts: readonly Filter[], how: 'and' | 'or'): number {
  const { kernels, blocks, scratch } = segment;
  const result = emptyBitmap(segment);
  if (how === 'and') kernels.or(result, result, segment.live, blocks);
  for (const part of parts) {
    const held = heldBitmap(segment, schema, part);
    const bitmap = held ?? filterBitmap(segment, schema, part);
    kernels[how](result, result, bitmap, blocks);
    if (held === null) scratch.release(bitmap);
  }
  return result;
}

/** The bitmap of a frequent value, which the segment holds; it is only read. */
function heldBitmap(segment: Segment, schema: Schema, filter: Filter): number | null {
  if (!('eq' in filter) || typeof filter.eq[1] !== 'string') return null;
  const column = segment.keywords[schema.keyword.findIndex(({ name }) => name === filter.eq[0])];
  const dense = column ? column.dense.indexOf(placeOfString(column.strings, filter.eq[1].toWellFormed()) + 1) : -1;
  return dense < 0 ? null : column!.bitmaps + dense * segment.bitmapBytes;
}

function fillValues(segment: Segment, schema: Schema, field: string, values: readonly (string | number)[], bitmap: number): void {
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

/** Documents are numbered in the order of their ids. */
function setId(segment: Segment, id: string, bitmap: number): void {
  const doc = placeOfString(segment.ids, id);
  if (doc >= 0) setBit(segment, bitmap, doc);
}

/** Sets the documents that have this value of a keyword field. */
function orKeyword(segment: Segment, field: number, value: string, bitmap: number): void {
  const column = segment.keywords[field]!;
  const code = placeOfString(column.strings, value.toWellFormed()) + 1;
  if (code === 0) return;
  const dense = column.dense.indexOf(code);
  if (dense >= 0) segment.kernels.or(bitmap, bitmap, column.bitmaps + dense * segment.bitmapBytes, segment.blocks);
  else {
    const offsets = (column.listOffsets >>> 2) + code;
    segment.kernels.orList(column.lists + segment.u32[offsets]!, column.lists + segment.u32[offsets + 1]!, bitmap);
  }
}

export function setBit(segment: Segment, bitmap: number, doc: number): void {
  segment.u32[(bitmap >>> 2) + (doc >>> 5)]! |= 1 << (doc & 31);
}

/** Documents are kept in order of value, so a range of values is a stretch of that order. */
function fillRange(
  segment: Segment,
  column: OrderedColumn,
  bounds: { gte?: number; gt?: number; lte?: number; lt?: number },
  bitmap: number,
): void {
  const first = Math.max(
    bounds.gte === undefined ? 1 : lowerOrdinal(segment, column, bounds.gte, false),
    bounds.gt === undefined ? 1 : lowerOrdinal(segment, column, bounds.gt, true),
  );
  const end = Math.min(
    bounds.lte === undefined ? column.distinct + 1 : lowerOrdinal(segment, column, bounds.lte, true),
    bounds.lt === undefined ? column.distinct + 1 : lowerOrdinal(segment, column, bounds.lt, false),
  );
  if (first >= end) return;
  const from = bound(segment, column, first);
  const to = bound(segment, column, end);
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

function fillExisting(segment: Segment, schema: Schema, field: string, bitmap: number): void {
  const { u32, documents, geo, vectors } = segment;
  const number = schema.number.indexOf(field);
  const sortable = schema.sortable.indexOf(field);
  const keyword = schema.keyword.findIndex(({ name }) => name === field);
  const listed = (at: number, count: number) => {
    for (let row = 0; row < count; row++) setBit(segment, bitmap, u32[(at >>> 2) + row]!);
  };
  const coded = (at: number, width: number) => segment.kernels.setCodes(bitmap, at, width, documents, 1, 0xffffffff);
  if (keyword >= 0) {
    const column = segment.keywords[keyword]!;
    if (!column.multi) coded(column.codes, column.width);
    else
      for (let doc = 0; doc < documents; doc++)
        if (u32[(column.starts >>> 2) + doc] !== u32[(column.starts >>> 2) + doc + 1]) setBit(segment, bitmap, doc);
  } else if (number >= 0) listed(segment.numbers[number]!.order, segment.numbers[number]!.present);
  else if (sortable >= 0) listed(segment.sortables[sortable]!.order, segment.sortables[sortable]!.present);
  else if (field === schema.geo) listed(geo!.documents, geo!.count);
  else if (field === schema.vector?.name) listed(vectors!.documents, vectors!.count);
  else if (field === schema.scope) coded(segment.scope!.ordinals, segment.scope!.width);
}
