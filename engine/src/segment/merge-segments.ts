// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table
import type { Schema } from '../types.ts';
import { codesView, vectorRow } from './columns.ts';
import { addVector, createColumns, extraMark, firstCode, gapMark, type SegmentDraft } from './draft.ts';
import { GrowingU32 } from './growing-arrays.ts';
import { stringTexts } from './sort-texts.ts';
import { byBytes, byCaseFold, byCodeUnits, byPath, type Compare } from './string-order.ts';
import type { Segment } from './types.ts';
import { alreadySorted } from './values.ts';

/** Marks deleted documents in the maps from source to merged document numbers. */
const deletedDocument = 0xffffffff;

/**
 * Merges the live documents of several segments into one draft in id order, without tokenising again. Dictionaries are merged as sorted
 * lists, and the codes of each source are translated by lookup tables.
 */
export function mergeSegments(schema: Schema, sources: readonly Segment[]): { draft: SegmentDraft; maps: Uint32Array[]; ids: string[] } {
  const terms = mergeSortedStrings(sources.map(termList), byBytes);
  const keywords = schema.keyword.map((_, field) =>
    mergeSortedStrings(
      sources.map((source) => source.keywords[field]!.strings),
      byCodeUnits,
    ),
  );
  const sortables = schema.sortable.map((_, field) =>
    mergeSortedStrings(
      sources.map((source) => source.sortables[field]!.strings),
      byCaseFold,
    ),
  );
  const scope =
    schema.scope === undefined
      ? null
      : mergeSortedStrings(
          sources.map((source) => source.scope!.strings),
          byPath,
        );
  const values = ({ values: strings }: MergedStrings) => alreadySorted(stringTexts(strings));
  const ids: string[] = [];
  const fingerprints: string[] = [];
  const draft: SegmentDraft = {
    schema,
    ids: stringTexts(ids),
    fingerprints: stringTexts(fingerprints),
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
  const maps = sources.map((source) => new Uint32Array(source.documents).fill(deletedDocument));
  for (const { index, doc, id } of documentsById(sources)) {
    const reader = readers[index]!;
    const newIndex = ids.push(id) - 1;
    maps[index]![doc] = newIndex;
    fingerprints.push(fingerprintOf(reader, doc));
    copyTokens(draft, reader.source, doc, reader.terms);
    for (const copy of reader.columns) copy(doc);
    copyPoint(draft, reader, doc, newIndex);
  }
  for (const [index, source] of sources.entries()) copyVectors(draft, source, maps[index]!);
  return { draft, maps, ids };
}

interface RowPointers {
  geoRow: number;
  fingerprints: string[];
  fingerprintsFrom: number;
}

const rowPointers = (): RowPointers => ({ geoRow: 0, fingerprints: [], fingerprintsFrom: 0 });
const idsPerRead = 4096;

function fingerprintOf(reader: RowPointers & { source: Segment }, doc: number): string {
  if (doc >= reader.fingerprintsFrom + reader.fingerprints.length || doc < reader.fingerprintsFrom) {
    reader.fingerprintsFrom = doc;
    reader.fingerprints = reader.source.fingerprints.slice(doc, Math.min(doc + idsPerRead, reader.source.documents));
  }
  return reader.fingerprints[doc - reader.fingerprintsFrom]!;
}

function termList(source: Segment): { size: number; slice(from: number, to: number): string[] } {
  const { bytes, offsets, size } = source.dictionary;
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return {
    size,
    slice: (from, to) => Array.from({ length: to - from }, (_, at) => text.toString('utf8', offsets[from + at]!, offsets[from + at + 1]!)),
  };
}

/** Maps the forward-stream codes of a source to merged term indexes. */
function termsByCode(source: Segment, newIndexes: Uint32Array): Uint32Array {
  const terms = new Uint32Array(source.dictionary.size + firstCode);
  for (let newIndex = 0; newIndex < source.dictionary.size; newIndex++)
    terms[source.u32[(source.codes >>> 2) + newIndex]!] = newIndexes[newIndex]!;
  return terms;
}

/** Yields the live documents of all sources in id order. */
function* documentsById(sources: readonly Segment[]): Generator<{ index: number; doc: number; id: string }> {
  const inputs = sources.map((source, index) => ({ source, index, doc: -1, id: '', ids: [] as string[], from: 0 }));
  const advance = (input: (typeof inputs)[number]): boolean => {
    const { source } = input;
    do input.doc++;
    while (input.doc < source.documents && ((source.u32[(source.live >>> 2) + (input.doc >>> 5)]! >>> (input.doc & 31)) & 1) === 0);
    if (input.doc >= source.documents) return false;
    if (input.doc >= input.from + input.ids.length) {
      input.from = input.doc;
      input.ids = source.ids.slice(input.doc, Math.min(input.doc + idsPerRead, source.documents));
    }
    input.id = input.ids[input.doc - input.from]!;
    return true;
  };
  let open = inputs.filter(advance);
  while (open.length > 0) {
    let least = open[0]!;
    for (const input of open) if (input.id < least.id) least = input;
    yield { index: least.index, doc: least.doc, id: least.id };
    if (!advance(least)) open = open.filter((input) => input !== least);
  }
}

function copyTokens(draft: SegmentDraft, source: Segment, doc: number, terms: Uint32Array): void {
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
    const input = stream.length;
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
    stream.items[input] = stream.length - input - 1;
  }
}

/** Returns one function per column that copies a document's value into the draft. Maps are indexed from 0, codes count from 1. */
function columnReaders(
  draft: SegmentDraft,
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

function copyPoint(draft: SegmentDraft, reader: RowPointers & { source: Segment }, doc: number, newIndex: number): void {
  const { geo, u32, f64 } = reader.source;
  if (!geo || !draft.geo) return;
  while (reader.geoRow < geo.count && u32[(geo.documents >>> 2) + reader.geoRow]! < doc) reader.geoRow++;
  if (reader.geoRow === geo.count || u32[(geo.documents >>> 2) + reader.geoRow] !== doc) return;
  draft.geo.documents.push(newIndex);
  draft.geo.lat.push(f64[(geo.lat >>> 3) + reader.geoRow]!);
  draft.geo.lng.push(f64[(geo.lng >>> 3) + reader.geoRow]!);
}

/** Vectors are copied in the order of the file, because reading them in the order of documents would read the disk at random. */
function copyVectors({ vectors: target }: SegmentDraft, source: Segment, newIndexes: Uint32Array): void {
  const { vectors, u32 } = source;
  if (!vectors || !target) return;
  const buffer = new Float32Array(vectors.dimension);
  for (let row = 0; row < vectors.count; row++) {
    const newIndex = newIndexes[u32[(vectors.documents >>> 2) + row]!]!;
    if (newIndex !== deletedDocument) addVector(target, newIndex, vectorRow(source, row, buffer), 1);
  }
}

/** A sorted list of distinct strings that can be read in slices. */
interface SortedStrings {
  size: number;
  slice(from: number, to: number): string[];
}

const stringsPerRead = 4096;

/** The sorted distinct strings of several lists and, for each list, the merged index of each of its strings. */
interface MergedStrings {
  values: string[];
  maps: Uint32Array[];
}

function mergeSortedStrings(lists: readonly SortedStrings[], compare: Compare): MergedStrings {
  const values: string[] = [];
  const maps = lists.map((list) => new Uint32Array(list.size));
  const inputs = lists.map((list, index) => ({ list, map: maps[index]!, at: -1, from: 0, strings: [] as string[], value: '' }));
  const advance = (input: (typeof inputs)[number]): boolean => {
    if (++input.at >= input.list.size) return false;
    if (input.at >= input.from + input.strings.length) {
      input.from = input.at;
      input.strings = input.list.slice(input.at, Math.min(input.at + stringsPerRead, input.list.size));
    }
    input.value = input.strings[input.at - input.from]!;
    return true;
  };
  let open = inputs.filter(advance);
  while (open.length > 0) {
    let least = open[0]!.value;
    for (let at = 1; at < open.length; at++) if (compare(open[at]!.value, least) < 0) least = open[at]!.value;
    const newIndex = values.push(least) - 1;
    let ended = false;
    for (const input of open) {
      if (input.value !== least) continue;
      input.map[input.at] = newIndex;
      if (!advance(input)) ended = true;
    }
    if (ended) open = open.filter((input) => input.at < input.list.size);
  }
  return { values, maps };
}
