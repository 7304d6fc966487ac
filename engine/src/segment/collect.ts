import {
  createUnitTable,
  findUnits,
  finishHash,
  hashPrime,
  hashSeed,
  hashUnits,
  numberOfUnits,
  textOf,
  type UnitTable,
  unitsOf,
} from '../text/index.ts';
import type { Schema } from '../types.ts';
import { addVector, createColumns, type Draft, gapMark } from './draft.ts';
import { GrowingU32 } from './growing-arrays.ts';
import { type Parcel, type StringField, stringFields } from './document-batch.ts';
import { codePointAlphabet, codeUnitAlphabet, pathAlphabet, sortTexts, endOf, unitTexts } from './sort-texts.ts';
import type { TermTable } from './reference-term-table.ts';
import { createTermTable } from './term-table.ts';
import {
  appendUnits,
  createUnitList,
  settleList,
  settleReadings,
  settleSpans,
  settleTable,
  spansOfList,
  spansOfTable,
  type UnitList,
} from './values.ts';

/**
 * Collects documents in the order they come. A later document of the same id replaces an earlier one: the earlier stays where it is and
 * no longer counts.
 */
export interface Collector {
  schema: Schema;
  fields: StringField[];
  /** Documents taken in, replaced ones included. */
  count: number;
  /** Documents that count. */
  living: number;
  ids: UnitTable;
  /** By number of an id, from 1: the place of its document plus one, 0 when it is deleted. */
  places: GrowingU32;
  prints: UnitList;
  terms: TermTable;
  columns: ReturnType<typeof createColumns>;
  keywords: { table: UnitTable; codes: GrowingU32; starts: GrowingU32 }[];
  sortables: { list: UnitList; codes: GrowingU32 }[];
  scope: { list: UnitList; codes: GrowingU32 } | null;
}

/** An empty collector; `terms` is an empty table that another one no longer needs. */
export function createCollector(schema: Schema, terms: TermTable = createTermTable()): Collector {
  const strings = () => ({ list: createUnitList(), codes: new GrowingU32() });
  return {
    schema,
    fields: stringFields(schema),
    count: 0,
    living: 0,
    ids: createUnitTable(),
    places: new GrowingU32(),
    prints: createUnitList(),
    terms,
    columns: createColumns(schema),
    keywords: schema.keyword.map(() => ({ table: createUnitTable(), codes: new GrowingU32(), starts: new GrowingU32() })),
    sortables: schema.sortable.map(strings),
    scope: schema.scope === undefined ? null : strings(),
  };
}

/** How much a collector holds, in entries and units: what bounds its memory. */
export function heldBy({ columns, ids, prints, sortables, scope }: Collector): number {
  let held = columns.stream.length + (columns.vectors?.length ?? 0) + ids.used + prints.units.length + (scope?.list.units.length ?? 0);
  for (const { list } of sortables) held += list.units.length;
  return held;
}

/** Where reading a parcel has got to. */
export interface ParcelReader {
  parcel: Parcel;
  unit: number;
  length: number;
  number: number;
  float: number;
}

export const readParcel = (parcel: Parcel): ParcelReader => ({ parcel, unit: 0, length: 0, number: 0, float: 0 });

export const hashOfId = (units: Uint16Array, from: number, to: number) => finishHash(hashUnits(units, from, to, 0));

/** Deletes the id; answers whether it was there. `hash` is `hashOfId`. */
export function dropId(collector: Collector, units: Uint16Array, from: number, to: number, hash: number): boolean {
  const number = findUnits(collector.ids, units, from, to, hash, 0);
  if (number === 0 || collector.places.items[number - 1] === 0) return false;
  collector.places.items[number - 1] = 0;
  collector.living--;
  return true;
}

/** Takes in the next document of a parcel. */
export function addNext(collector: Collector, reader: ParcelReader): void {
  const { schema, columns } = collector;
  const { units, lengths, numbers } = reader.parcel;
  const place = collector.count++;
  addId(collector, reader, place);
  const printEnd = reader.unit + lengths[reader.length++]!;
  appendUnits(collector.prints, units, reader.unit, printEnd);
  reader.unit = printEnd;
  columns.streamStarts.push(columns.stream.length);
  for (const field of collector.fields) addField(collector, reader, field);
  for (const column of columns.numbers) column.push(numbers[reader.number++]!);
  if (columns.geo) {
    const lat = numbers[reader.number++]!;
    const lng = numbers[reader.number++]!;
    if (!Number.isNaN(lat)) {
      columns.geo.documents.push(place);
      columns.geo.lat.push(lat);
      columns.geo.lng.push(lng);
    }
  }
  if (columns.vectors && lengths[reader.length++] === 1) {
    const { dimension } = schema.vector!;
    const vector = reader.parcel.floats.subarray(reader.float, reader.float + dimension);
    reader.float += dimension;
    addVector(columns.vectors, place, vector, 1 / vectorLength(vector));
  }
}

function addId(collector: Collector, reader: ParcelReader, place: number): void {
  const { ids, places } = collector;
  const { units, lengths } = reader.parcel;
  const from = reader.unit;
  const to = from + lengths[reader.length++]!;
  reader.unit = to;
  const number = numberOfUnits(ids, units, from, to, hashOfId(units, from, to), 0);
  if (number > places.length) places.push(place + 1);
  else {
    if (places.items[number - 1] !== 0) collector.living--;
    places.items[number - 1] = place + 1;
  }
  collector.living++;
}

/** A field is read once for everything it is: words, values to filter by, a string to sort by, a path. */
function addField(collector: Collector, reader: ParcelReader, field: StringField): void {
  const { columns, terms } = collector;
  const { units, lengths } = reader.parcel;
  const values = lengths[reader.length++]!;
  const keyword = field.keyword < 0 ? null : collector.keywords[field.keyword]!;
  const own = keyword === null ? 0 : keyword.codes.length;
  keyword?.starts.push(own);
  const sortable = field.sortable < 0 ? null : collector.sortables[field.sortable]!;
  const scope = field.scope ? collector.scope : null;
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
    if (keyword) addCode(keyword.codes, own, numberOfValue(keyword.table, units, from, to));
    sortable?.codes.push(appendUnits(sortable.list, units, from, to));
    scope?.codes.push(appendUnits(scope.list, units, from, to));
  }
  if (field.text >= 0) endField(stream, head, end);
}

/** A document has each of its values once. */
function addCode(codes: GrowingU32, own: number, code: number): void {
  for (let at = own; at < codes.length; at++) if (codes.items[at] === code) return;
  codes.push(code);
}

/** The number of a keyword value; lone surrogates count as U+FFFD. */
function numberOfValue(table: UnitTable, units: Uint16Array, from: number, to: number): number {
  let hash = hashSeed;
  for (let at = from; at < to; at++) {
    const unit = units[at]!;
    if ((unit & 0xf800) === 0xd800) {
      const well = unitsOf(textOf(units, from, to).toWellFormed());
      return numberOfUnits(table, well, 0, well.length, hashOfId(well, 0, well.length), 0);
    }
    hash = Math.imul(hash ^ unit, hashPrime);
  }
  return numberOfUnits(table, units, from, to, finishHash(hash), 0);
}

function vectorLength(vector: Float32Array): number {
  let squares = 0;
  for (const each of vector) squares += each * each;
  return Math.sqrt(squares);
}

/** What is collected, ready to be written: a draft, the places that count in order of their ids, and the hashes of these ids. */
export function draftOf(collector: Collector): { draft: Draft; order: Uint32Array; hashes: Int32Array } {
  const { schema, columns, count } = collector;
  const ids = spansOfTable(collector.ids);
  const idOfPlace = new Uint32Array(count);
  const order = new Uint32Array(collector.living);
  const hashes = new Int32Array(collector.living);
  let kept = 0;
  for (const id of sortTexts(ids, codeUnitAlphabet)) {
    const place = collector.places.items[id]! - 1;
    if (place < 0) continue;
    idOfPlace[place] = id;
    hashes[kept] = hashOfId(ids.units, ids.starts[id]!, endOf(ids, id));
    order[kept++] = place;
  }
  const everyPlace = new Uint32Array(count);
  for (let place = 0; place < count; place++) everyPlace[place] = place;
  const draft: Draft = {
    schema,
    ids: unitTexts(ids, idOfPlace),
    prints: unitTexts(spansOfList(collector.prints), everyPlace),
    terms: { settle: () => settleSpans(collector.terms.spans(), codePointAlphabet) },
    keywords: collector.keywords.map(({ table, codes, starts }) => ({
      values: { settle: () => settleTable(table, codeUnitAlphabet) },
      codes,
      starts,
    })),
    sortables: collector.sortables.map(({ list, codes }) => ({ values: { settle: () => settleReadings(list) }, codes })),
    scope: collector.scope && { values: { settle: () => settleList(collector.scope!.list, pathAlphabet) }, codes: collector.scope.codes },
    ...columns,
  };
  return { draft, order, hashes };
}

/** Begins a field in the stream; `endField` closes it. */
export function beginField(stream: GrowingU32, field: number): number {
  const head = stream.length;
  stream.push(field);
  stream.push(0);
  return head;
}

/** Ends it where its last token does: a gap behind that separates nothing, and a field without tokens is not there. */
export function endField(stream: GrowingU32, head: number, end: number): void {
  const entries = end - head - 2;
  stream.length = entries === 0 ? head : end;
  if (entries > 0) stream.items[head + 1] = entries;
}
