// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table
import {
  createInternTable,
  finalizeHash,
  findInterned,
  fromCodeUnits,
  hashCodeUnits,
  hashPrime,
  hashSeed,
  type InternTable,
  intern,
  toCodeUnits,
} from '../text/index.ts';
import type { Schema } from '../types.ts';
import { type DocumentBatch, type StringField, stringFields } from './document-batch.ts';
import { addVector, createColumns, gapMark, type SegmentDraft } from './draft.ts';
import { GrowingU32 } from './growing-arrays.ts';
import type { TermTable } from './reference-term-table.ts';
import { codePointAlphabet, codeUnitAlphabet, pathAlphabet, sortTexts, spanEnd, spanTexts } from './sort-texts.ts';
import { createTermTable } from './term-table.ts';
import {
  appendText,
  createTextList,
  sortCaseFolded,
  sortSpans,
  sortTable,
  sortTextList,
  spansOfList,
  spansOfTable,
  type TextList,
} from './values.ts';

/** Buffers documents for the next segment. A replaced document stays in the buffer but no longer counts. */
export interface DocumentBuffer {
  schema: Schema;
  fields: StringField[];
  /** Number of documents added, including replaced ones. */
  count: number;
  /** Number of documents that were neither replaced nor deleted. */
  liveCount: number;
  ids: InternTable;
  /** By id number (from 1): the index of its document plus one, or 0 when deleted. */
  documentById: GrowingU32;
  fingerprints: TextList;
  terms: TermTable;
  columns: ReturnType<typeof createColumns>;
  keywords: { table: InternTable; codes: GrowingU32; starts: GrowingU32 }[];
  sortables: { list: TextList; codes: GrowingU32 }[];
  scope: { list: TextList; codes: GrowingU32 } | null;
}

/** Creates an empty buffer. `terms` is an empty term table to reuse. */
export function createDocumentBuffer(schema: Schema, terms: TermTable = createTermTable()): DocumentBuffer {
  const strings = () => ({ list: createTextList(), codes: new GrowingU32() });
  return {
    schema,
    fields: stringFields(schema),
    count: 0,
    liveCount: 0,
    ids: createInternTable(),
    documentById: new GrowingU32(),
    fingerprints: createTextList(),
    terms,
    columns: createColumns(schema),
    keywords: schema.keyword.map(() => ({ table: createInternTable(), codes: new GrowingU32(), starts: new GrowingU32() })),
    sortables: schema.sortable.map(strings),
    scope: schema.scope === undefined ? null : strings(),
  };
}

/** The size of a buffer in entries and code units, used to bound its memory. */
export function bufferedSize({ columns, ids, fingerprints, sortables, scope }: DocumentBuffer): number {
  let size =
    columns.stream.length + (columns.vectors?.length ?? 0) + ids.used + fingerprints.units.length + (scope?.list.units.length ?? 0);
  for (const { list } of sortables) size += list.units.length;
  return size;
}

/** Read positions within a batch. */
interface BatchReader {
  batch: DocumentBatch;
  unit: number;
  length: number;
  number: number;
  float: number;
}

export const createBatchReader = (batch: DocumentBatch): BatchReader => ({ batch, unit: 0, length: 0, number: 0, float: 0 });

export const hashOfId = (units: Uint16Array, from: number, to: number) => finalizeHash(hashCodeUnits(units, from, to, 0));

/** Deletes the id, and returns whether it existed. `hash` is `hashOfId` of the id. */
export function deleteId(buffer: DocumentBuffer, units: Uint16Array, from: number, to: number, hash: number): boolean {
  const number = findInterned(buffer.ids, units, from, to, hash, 0);
  if (number === 0 || buffer.documentById.items[number - 1] === 0) return false;
  buffer.documentById.items[number - 1] = 0;
  buffer.liveCount--;
  return true;
}

/** Adds the next document of a batch. */
export function addDocument(buffer: DocumentBuffer, reader: BatchReader): void {
  const { schema, columns } = buffer;
  const { units, lengths, numbers } = reader.batch;
  const document = buffer.count++;
  addId(buffer, reader, document);
  const fingerprintEnd = reader.unit + lengths[reader.length++]!;
  appendText(buffer.fingerprints, units, reader.unit, fingerprintEnd);
  reader.unit = fingerprintEnd;
  columns.streamStarts.push(columns.stream.length);
  for (const field of buffer.fields) addField(buffer, reader, field);
  for (const column of columns.numbers) column.push(numbers[reader.number++]!);
  if (columns.geo) {
    const lat = numbers[reader.number++]!;
    const lng = numbers[reader.number++]!;
    if (!Number.isNaN(lat)) {
      columns.geo.documents.push(document);
      columns.geo.lat.push(lat);
      columns.geo.lng.push(lng);
    }
  }
  if (columns.vectors && lengths[reader.length++] === 1) {
    const { dimension } = schema.vector!;
    const vector = reader.batch.floats.subarray(reader.float, reader.float + dimension);
    reader.float += dimension;
    addVector(columns.vectors, document, vector, 1 / vectorLength(vector));
  }
}

function addId(buffer: DocumentBuffer, reader: BatchReader, document: number): void {
  const { ids, documentById } = buffer;
  const { units, lengths } = reader.batch;
  const from = reader.unit;
  const to = from + lengths[reader.length++]!;
  reader.unit = to;
  const number = intern(ids, units, from, to, hashOfId(units, from, to), 0);
  if (number > documentById.length) documentById.push(document + 1);
  else {
    if (documentById.items[number - 1] !== 0) buffer.liveCount--;
    documentById.items[number - 1] = document + 1;
  }
  buffer.liveCount++;
}

/** Reads a field once for all its uses: text, keyword, sort value and scope. */
function addField(buffer: DocumentBuffer, reader: BatchReader, field: StringField): void {
  const { columns, terms } = buffer;
  const { units, lengths } = reader.batch;
  const values = lengths[reader.length++]!;
  const keyword = field.keyword < 0 ? null : buffer.keywords[field.keyword]!;
  const own = keyword === null ? 0 : keyword.codes.length;
  keyword?.starts.push(own);
  const sortable = field.sortable < 0 ? null : buffer.sortables[field.sortable]!;
  const scope = field.scope ? buffer.scope : null;
  if (values === 0) {
    sortable?.codes.push(0);
    scope?.codes.push(0);
    return;
  }
  const { stream } = columns;
  const head = field.text < 0 ? 0 : beginField(stream, field.text);
  let end = head + 2;
  for (let value = 0; value < values; value++) {
    const from = reader.unit;
    const to = from + lengths[reader.length++]!;
    reader.unit = to;
    if (field.text >= 0) {
      if (stream.length > head + 2) stream.push(gapMark);
      const before = stream.length;
      terms.addValue(stream, units, from, to);
      if (stream.length > before) end = stream.length;
    }
    if (keyword) addCode(keyword.codes, own, internValue(keyword.table, units, from, to));
    sortable?.codes.push(appendText(sortable.list, units, from, to));
    scope?.codes.push(appendText(scope.list, units, from, to));
  }
  if (field.text >= 0) endField(stream, head, end);
}

/** Adds a code unless the document already has it. */
function addCode(codes: GrowingU32, own: number, code: number): void {
  for (let at = own; at < codes.length; at++) if (codes.items[at] === code) return;
  codes.push(code);
}

/** Returns the number of a keyword value; lone surrogates are replaced by U+FFFD. */
function internValue(table: InternTable, units: Uint16Array, from: number, to: number): number {
  let hash = hashSeed;
  for (let at = from; at < to; at++) {
    const unit = units[at]!;
    if ((unit & 0xf800) === 0xd800) {
      const well = toCodeUnits(fromCodeUnits(units, from, to).toWellFormed());
      return intern(table, well, 0, well.length, hashOfId(well, 0, well.length), 0);
    }
    hash = Math.imul(hash ^ unit, hashPrime);
  }
  return intern(table, units, from, to, finalizeHash(hash), 0);
}

function vectorLength(vector: Float32Array): number {
  let squares = 0;
  for (const each of vector) squares += each * each;
  return Math.sqrt(squares);
}

/** Returns a draft of the buffered documents, the live documents in order of their ids, and the hashes of these ids. */
export function buildDraft(buffer: DocumentBuffer): { draft: SegmentDraft; order: Uint32Array; hashes: Int32Array } {
  const { schema, columns, count } = buffer;
  const ids = spansOfTable(buffer.ids);
  const idOfDocument = new Uint32Array(count);
  const order = new Uint32Array(buffer.liveCount);
  const hashes = new Int32Array(buffer.liveCount);
  let kept = 0;
  for (const id of sortTexts(ids, codeUnitAlphabet)) {
    const document = buffer.documentById.items[id]! - 1;
    if (document < 0) continue;
    idOfDocument[document] = id;
    hashes[kept] = hashOfId(ids.units, ids.starts[id]!, spanEnd(ids, id));
    order[kept++] = document;
  }
  const everyDocument = new Uint32Array(count);
  for (let document = 0; document < count; document++) everyDocument[document] = document;
  const draft: SegmentDraft = {
    schema,
    ids: spanTexts(ids, idOfDocument),
    fingerprints: spanTexts(spansOfList(buffer.fingerprints), everyDocument),
    terms: { sort: () => sortSpans(buffer.terms.spans(), codePointAlphabet) },
    keywords: buffer.keywords.map(({ table, codes, starts }) => ({
      values: { sort: () => sortTable(table, codeUnitAlphabet) },
      codes,
      starts,
    })),
    sortables: buffer.sortables.map(({ list, codes }) => ({ values: { sort: () => sortCaseFolded(list) }, codes })),
    scope: buffer.scope && { values: { sort: () => sortTextList(buffer.scope!.list, pathAlphabet) }, codes: buffer.scope.codes },
    ...columns,
  };
  return { draft, order, hashes };
}

/** Starts a field in the stream; `endField` finishes it. */
function beginField(stream: GrowingU32, field: number): number {
  const head = stream.length;
  stream.push(field);
  stream.push(0);
  return head;
}

/** Cuts the field after its last token, because a trailing gap separates nothing. A field without tokens is removed. */
function endField(stream: GrowingU32, head: number, end: number): void {
  const entries = end - head - 2;
  stream.length = entries === 0 ? head : end;
  if (entries > 0) stream.items[head + 1] = entries;
}
