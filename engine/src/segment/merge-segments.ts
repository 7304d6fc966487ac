import type { Schema } from '../types.ts';
import type { Segment } from './types.ts';
import { codesView, vectorRow } from './columns.ts';
import { addVector, createColumns, type Draft, extraMark, firstCode, gapMark } from './draft.ts';
import { GrowingU32 } from './growing-arrays.ts';
import { byBytes, byCodeUnits, byPath, byReading, type Compare } from './string-order.ts';
import { stringTexts } from './sort-texts.ts';
import { settledValues } from './values.ts';

/** For each source, the number its documents have in the merged segment; `gone` for those that were deleted. */
export const gone = 0xffffffff;

/**
 * Brings the living documents of several segments into one draft, in order of id, without tokenising anything again: dictionaries are
 * merged as sorted lists and the codes of each source are carried over through tables.
 */
export function mergeSegments(schema: Schema, sources: readonly Segment[]): { draft: Draft; maps: Uint32Array[]; ids: string[] } {
  const terms = mergeSorted(sources.map(termList), byBytes);
  const keywords = schema.keyword.map((_, field) =>
    mergeSorted(
      sources.map((source) => source.keywords[field]!.strings),
      byCodeUnits,
    ),
  );
  const sortables = schema.sortable.map((_, field) =>
    mergeSorted(
      sources.map((source) => source.sortables[field]!.strings),
      byReading,
    ),
  );
  const scope =
    schema.scope === undefined
      ? null
      : mergeSorted(
          sources.map((source) => source.scope!.strings),
          byPath,
        );
  const values = ({ values: strings }: MergedStrings) => settledValues(stringTexts(strings));
  const ids: string[] = [];
  const prints: string[] = [];
  const draft: Draft = {
    schema,
    ids: stringTexts(ids),
    prints: stringTexts(prints),
    terms: values(terms),
    keywords: keywords.map((merged) => ({ values: values(merged), codes: new GrowingU32(), starts: new GrowingU32() })),
    sortables: sortables.map((merged) => ({ values: values(merged), codes: new GrowingU32() })),
    scope: scope && { values: values(scope), codes: new GrowingU32() },
    ...createColumns(schema),
  };
  const readers = sources.map((source, index) => ({
    source,
    terms: termsByCode(source, terms.maps[index]!),
    columns: columnReaders(
      draft,
      source,
      keywords.map(({ maps }) => maps[index]!),
      sortables.map(({ maps }) => maps[index]!),
      scope?.maps[index],
    ),
    ...rowPointers(),
  }));
  const maps = sources.map((source) => new Uint32Array(source.documents).fill(gone));
  for (const { index, doc, id } of documentsById(sources)) {
    const reader = readers[index]!;
    const place = ids.push(id) - 1;
    maps[index]![doc] = place;
    prints.push(printOf(reader, doc));
    copyTokens(draft, reader.source, doc, reader.terms);
    for (const copy of reader.columns) copy(doc);
    copyPoint(draft, reader, doc, place);
    copyVector(draft, reader, doc, place);
  }
  return { draft, maps, ids };
}

interface RowPointers {
  geoRow: number;
  vectorRow: number;
  prints: string[];
  printsFrom: number;
}

const rowPointers = (): RowPointers => ({ geoRow: 0, vectorRow: 0, prints: [], printsFrom: 0 });
const slice = 4096;

function printOf(reader: RowPointers & { source: Segment }, doc: number): string {
  if (doc >= reader.printsFrom + reader.prints.length || doc < reader.printsFrom) {
    reader.printsFrom = doc;
    reader.prints = reader.source.prints.slice(doc, Math.min(doc + slice, reader.source.documents));
  }
  return reader.prints[doc - reader.printsFrom]!;
}

function termList(source: Segment): { size: number; slice(from: number, to: number): string[] } {
  const { bytes, offsets, size } = source.dictionary;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size,
    slice: (from, to) => Array.from({ length: to - from }, (_, at) => text.toString('utf8', offsets[from + at]!, offsets[from + at + 1]!)),
  };
}

/** From a code of the source's forward streams to the merged place of its term. */
function termsByCode(source: Segment, places: Uint32Array): Uint32Array {
  const terms = new Uint32Array(source.dictionary.size + firstCode);
  for (let place = 0; place < source.dictionary.size; place++) terms[source.u32[(source.codes >>> 2) + place]!] = places[place]!;
  return terms;
}

/** The living documents of all sources, by id. */
function* documentsById(sources: readonly Segment[]): Generator<{ index: number; doc: number; id: string }> {
  const heads = sources.map((source, index) => ({ source, index, doc: -1, id: '', ids: [] as string[], from: 0 }));
  const advance = (head: (typeof heads)[number]): boolean => {
    const { source } = head;
    do head.doc++;
    while (head.doc < source.documents && ((source.u32[(source.live >>> 2) + (head.doc >>> 5)]! >>> (head.doc & 31)) & 1) === 0);
    if (head.doc >= source.documents) return false;
    if (head.doc >= head.from + head.ids.length) {
      head.from = head.doc;
      head.ids = source.ids.slice(head.doc, Math.min(head.doc + slice, source.documents));
    }
    head.id = head.ids[head.doc - head.from]!;
    return true;
  };
  let open = heads.filter(advance);
  while (open.length > 0) {
    let least = open[0]!;
    for (const head of open) if (head.id < least.id) least = head;
    yield { index: least.index, doc: least.doc, id: least.id };
    if (!advance(least)) open = open.filter((head) => head !== least);
  }
}

function copyTokens(draft: Draft, source: Segment, doc: number, terms: Uint32Array): void {
  const { u8 } = source;
  const { stream } = draft;
  draft.streamStarts.push(stream.length);
  let at = source.forward + source.u32[(source.forwardStarts >>> 2) + doc]!;
  const end = source.forward + source.u32[(source.forwardStarts >>> 2) + doc + 1]!;
  const next = (): number => {
    let value = 0;
    let shift = 0;
    for (;;) {
      const byte = u8[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
      shift += 7;
    }
  };
  while (at < end) {
    stream.push(next());
    const head = stream.length;
    stream.push(0);
    const fieldEnd = next() + at;
    while (at < fieldEnd) {
      const code = next();
      if (code >= firstCode) stream.push(terms[code]! + firstCode);
      else if (code === gapMark) stream.push(gapMark);
      else {
        stream.push(extraMark);
        stream.push(terms[next()]! + firstCode);
        stream.push(next());
      }
    }
    stream.items[head] = stream.length - head - 1;
  }
}

/** One function per column, copying a document's value into the draft. Maps are by place, codes count from 1. */
function columnReaders(
  draft: Draft,
  source: Segment,
  keywordMaps: Uint32Array[],
  sortableMaps: Uint32Array[],
  scopeMap: Uint32Array | undefined,
): ((doc: number) => void)[] {
  const keywords = source.keywords.map((column, field) => {
    const codes = codesView(source, column.codes, column.width);
    const map = keywordMaps[field]!;
    const target = draft.keywords[field]!;
    const starts = column.starts >>> 2;
    return (doc: number) => {
      target.starts.push(target.codes.length);
      if (column.multi)
        for (let at = source.u32[starts + doc]!; at < source.u32[starts + doc + 1]!; at++) target.codes.push(map[codes[at]! - 1]! + 1);
      else if (codes[doc] !== 0) target.codes.push(map[codes[doc]! - 1]! + 1);
    };
  });
  const numbers = source.numbers.map((column, field) => {
    const ordinals = codesView(source, column.ordinals, column.width);
    const target = draft.numbers[field]!;
    return (doc: number) => target.push(ordinals[doc] === 0 ? Number.NaN : source.f64[(column.values >>> 3) + ordinals[doc]! - 1]!);
  });
  const strings = [...source.sortables.map((column, field) => ({ column, map: sortableMaps[field]!, target: draft.sortables[field]! }))];
  if (source.scope) strings.push({ column: source.scope, map: scopeMap!, target: draft.scope! });
  const texts = strings.map(({ column, map, target }) => {
    const ordinals = codesView(source, column.ordinals, column.width);
    return (doc: number) => target.codes.push(ordinals[doc] === 0 ? 0 : map[ordinals[doc]! - 1]! + 1);
  });
  return [...keywords, ...numbers, ...texts];
}

function copyPoint(draft: Draft, reader: RowPointers & { source: Segment }, doc: number, place: number): void {
  const { geo, u32, f64 } = reader.source;
  if (!geo || !draft.geo) return;
  while (reader.geoRow < geo.count && u32[(geo.documents >>> 2) + reader.geoRow]! < doc) reader.geoRow++;
  if (reader.geoRow === geo.count || u32[(geo.documents >>> 2) + reader.geoRow] !== doc) return;
  draft.geo.documents.push(place);
  draft.geo.lat.push(f64[(geo.lat >>> 3) + reader.geoRow]!);
  draft.geo.lng.push(f64[(geo.lng >>> 3) + reader.geoRow]!);
}

function copyVector(draft: Draft, reader: RowPointers & { source: Segment }, doc: number, place: number): void {
  const { vectors, u32 } = reader.source;
  if (!vectors || !draft.vectors) return;
  while (reader.vectorRow < vectors.count && u32[(vectors.documents >>> 2) + reader.vectorRow]! < doc) reader.vectorRow++;
  if (reader.vectorRow === vectors.count || u32[(vectors.documents >>> 2) + reader.vectorRow] !== doc) return;
  addVector(draft.vectors, place, vectorRow(reader.source, reader.vectorRow), 1);
}

/** A sorted list of distinct strings that can be read piece by piece. */
export interface SortedStrings {
  size: number;
  slice(from: number, to: number): string[];
}

const piece = 4096;

/** The distinct strings of several lists in order and, for each list, the merged place of each of its strings. */
export interface MergedStrings {
  values: string[];
  maps: Uint32Array[];
}

export function mergeSorted(lists: readonly SortedStrings[], compare: Compare): MergedStrings {
  const values: string[] = [];
  const maps = lists.map((list) => new Uint32Array(list.size));
  const heads = lists.map((list, index) => ({ list, map: maps[index]!, at: -1, from: 0, strings: [] as string[], value: '' }));
  const advance = (head: (typeof heads)[number]): boolean => {
    if (++head.at >= head.list.size) return false;
    if (head.at >= head.from + head.strings.length) {
      head.from = head.at;
      head.strings = head.list.slice(head.at, Math.min(head.at + piece, head.list.size));
    }
    head.value = head.strings[head.at - head.from]!;
    return true;
  };
  let open = heads.filter(advance);
  while (open.length > 0) {
    let least = open[0]!.value;
    for (let at = 1; at < open.length; at++) if (compare(open[at]!.value, least) < 0) least = open[at]!.value;
    const place = values.push(least) - 1;
    let ended = false;
    for (const head of open) {
      if (head.value !== least) continue;
      head.map[head.at] = place;
      if (!advance(head)) ended = true;
    }
    if (ended) open = open.filter((head) => head.at < head.list.size);
  }
  return { values, maps };
}
