// biome-ignore-all lint/style/noNonNullAssertion: the draft's columns have one entry per document, and term numbers are below their count
import type { KeywordDraft, StringDraft } from './draft.ts';
import { GrowingBytes, type GrowingF64, GrowingU32 } from './growing-arrays.ts';
import type { SectionWriter } from './segment-file.ts';
import type { Texts } from './sort-texts.ts';

/** A value in more than one of this many documents gets a bitmap on open instead of a posting list. */
export const denseThreshold = 64;

type Column = Uint8Array | Uint16Array | Uint32Array;

function createColumn(length: number, largest: number): Column {
  if (largest < 1 << 8) return new Uint8Array(length);
  return largest < 1 << 16 ? new Uint16Array(length) : new Uint32Array(length);
}

/** Writes sections after the resident part of the file, which are read from disk on demand. */
export type DiskSection = (file: SectionWriter) => void;

export function stringSections(name: string, texts: Texts, listStarts: Uint32Array | null = null): DiskSection {
  return (file) => {
    const size = listStarts?.length ?? texts.size;
    const offsets = new Uint32Array(size + 1);
    const blob = new GrowingBytes(texts.bytes + 64);
    for (let at = 0; at < size; at++) {
      texts.encode(listStarts === null ? at : listStarts[at]!, blob);
      offsets[at + 1] = blob.length;
    }
    file.section(`${name}.offsets`, offsets);
    file.section(`${name}.strings`, blob.view());
  };
}

type Widths = Record<string, number>;

export function writeKeyword(
  file: SectionWriter,
  name: string,
  draft: KeywordDraft,
  multi: boolean,
  order: Uint32Array,
  widths: Widths,
): DiskSection {
  const { texts, renumber } = draft.values.sort();
  const count = order.length;
  const starts = new Uint32Array(count + 1);
  const codes = new GrowingU32();
  const frequency = new Uint32Array(texts.size + 1);
  for (let doc = 0; doc < count; doc++) {
    const from = draft.starts.items[order[doc]!]!;
    const end = draft.starts.items[order[doc]! + 1]!;
    const own = codes.length;
    for (let at = from; at < end; at++) {
      const code = renumber[draft.codes.items[at]!]!;
      codes.push(code);
      frequency[code]!++;
    }
    if (end - from > 1) codes.items.subarray(own, codes.length).sort();
    starts[doc + 1] = codes.length;
  }
  writeCodes(file, name, codes, starts, multi, texts.size, widths);
  file.section(`${name}.frequency`, frequency);
  writeLists(file, name, codes, starts, frequency, count);
  return stringSections(name, texts);
}

function writeCodes(
  file: SectionWriter,
  name: string,
  codes: GrowingU32,
  starts: Uint32Array,
  multi: boolean,
  largest: number,
  widths: Widths,
): void {
  const column = createColumn(multi ? codes.length : starts.length - 1, largest);
  if (multi) {
    column.set(codes.view());
    file.section(`${name}.starts`, starts);
  } else for (let doc = 0; doc < column.length; doc++) column[doc] = starts[doc] === starts[doc + 1] ? 0 : codes.items[starts[doc]!]!;
  widths[`${name}.codes`] = column.BYTES_PER_ELEMENT;
  file.section(`${name}.codes`, column);
}

/** Writes the documents of every rare value as varint gaps; frequent values have an empty list. */
function writeLists(
  file: SectionWriter,
  name: string,
  codes: GrowingU32,
  starts: Uint32Array,
  frequency: Uint32Array,
  count: number,
): void {
  const values = frequency.length;
  const rare = (code: number) => frequency[code]! * denseThreshold <= count;
  const listStarts = new Uint32Array(values + 1);
  for (let code = 0; code < values; code++) listStarts[code + 1] = listStarts[code]! + (rare(code) ? frequency[code]! : 0);
  const listed = new Uint32Array(listStarts[values]!);
  const next = listStarts.slice();
  for (let doc = 0; doc < count; doc++) {
    for (let at = starts[doc]!; at < starts[doc + 1]!; at++) {
      const code = codes.items[at]!;
      if (rare(code)) listed[next[code]!++] = doc;
    }
  }
  const bytes = new GrowingBytes(listed.length * 2 + 16);
  const offsets = new Uint32Array(values + 1);
  for (let code = 0; code < values; code++) {
    let previous = -1;
    bytes.reserve((listStarts[code + 1]! - listStarts[code]!) * 5);
    for (let at = listStarts[code]!; at < listStarts[code + 1]!; at++) {
      bytes.varint(listed[at]! - previous - 1);
      previous = listed[at]!;
    }
    offsets[code + 1] = bytes.length;
  }
  file.section(`${name}.listOffsets`, offsets);
  file.section(`${name}.lists`, bytes.view());
}

/** Writes ordinals (from 1, ascending by value), the distinct values, and the documents by (value, document). */
export function writeNumber(file: SectionWriter, name: string, column: GrowingF64, order: Uint32Array, widths: Widths): void {
  const numbers = new Float64Array(order.length);
  for (let doc = 0; doc < order.length; doc++) numbers[doc] = column.items[order[doc]!]!;
  const documents = sortNumbers(numbers);
  const values = new Float64Array(documents.length);
  const every = new Uint32Array(order.length);
  let distinct = 0;
  for (let at = 0; at < documents.length; at++) {
    const value = numbers[documents[at]!]!;
    if (distinct === 0 || values[distinct - 1] !== value) values[distinct++] = value;
    every[documents[at]!] = distinct;
  }
  const ordinals = createColumn(order.length, distinct);
  ordinals.set(every);
  widths[`${name}.ordinals`] = ordinals.BYTES_PER_ELEMENT;
  file.section(`${name}.values`, values.subarray(0, distinct));
  file.section(`${name}.ordinals`, ordinals);
  file.section(`${name}.order`, documents);
}

/** Counting sort of the documents with a value, by (ordinal, document). */
function documentsInOrder(ordinals: Column, largest: number): Uint32Array {
  const starts = new Uint32Array(largest + 2);
  for (let doc = 0; doc < ordinals.length; doc++) starts[ordinals[doc]! + 1]!++;
  const missing = starts[1]!;
  for (let at = 1; at < starts.length; at++) starts[at]! += starts[at - 1]!;
  const documents = new Uint32Array(ordinals.length - missing);
  for (let doc = 0; doc < ordinals.length; doc++) {
    const ordinal = ordinals[doc]!;
    if (ordinal !== 0) documents[starts[ordinal]!++ - missing] = doc;
  }
  return documents;
}

export function writeStrings(
  file: SectionWriter,
  name: string,
  draft: StringDraft,
  ordered: boolean,
  order: Uint32Array,
  widths: Widths,
): DiskSection {
  const { texts, renumber } = draft.values.sort();
  const ordinals = createColumn(order.length, texts.size);
  for (let doc = 0; doc < order.length; doc++) ordinals[doc] = renumber[draft.codes.items[order[doc]!]!]!;
  widths[`${name}.ordinals`] = ordinals.BYTES_PER_ELEMENT;
  file.section(`${name}.ordinals`, ordinals);
  if (ordered) file.section(`${name}.order`, documentsInOrder(ordinals, texts.size));
  return stringSections(name, texts);
}

/** Rearranges the rows of a sparse column into document order. */
export function rowsInOrder(documents: GrowingU32, order: Uint32Array): { documents: Uint32Array; rows: Uint32Array } {
  const rowOf = new Map<number, number>();
  for (let row = 0; row < documents.length; row++) rowOf.set(documents.items[row]!, row);
  const kept = new GrowingU32();
  const rows = new GrowingU32();
  for (let doc = 0; doc < order.length; doc++) {
    const row = rowOf.get(order[doc]!);
    if (row === undefined) continue;
    kept.push(doc);
    rows.push(row);
  }
  return { documents: kept.view(), rows: rows.view() };
}

const digitBits = 11;
const digits = 6;
const buckets = 1 << digitBits;

/**
 * Returns the indexes of all numbers except NaN in ascending order, ties by index. This is a radix sort with digits of eleven bits; digits
 * that are equal in all numbers, such as the low ones of integers, are skipped.
 */
export function sortNumbers(numbers: Float64Array): Uint32Array {
  const halves = new Uint32Array(numbers.slice().buffer);
  const present = new Uint32Array(numbers.length);
  const counts = new Uint32Array(digits * buckets);
  let known = 0;
  for (let index = 0; index < numbers.length; index++) {
    if (Number.isNaN(numbers[index]!)) continue;
    present[known++] = index;
    toSortableBits(halves, index * 2);
    for (let digit = 0; digit < digits; digit++) counts[digit * buckets + digitOf(halves, index * 2, digit)]!++;
  }
  let from = present.subarray(0, known);
  let to = new Uint32Array(known);
  for (let digit = 0; digit < digits; digit++) {
    const own = counts.subarray(digit * buckets, (digit + 1) * buckets);
    if (known === 0 || own[digitOf(halves, from[0]! * 2, digit)] === known) continue;
    let next = 0;
    for (let bucket = 0; bucket < buckets; bucket++) {
      const count = own[bucket]!;
      own[bucket] = next;
      next += count;
    }
    for (let at = 0; at < known; at++) {
      const index = from[at]!;
      to[own[digitOf(halves, index * 2, digit)]!++] = index;
    }
    [from, to] = [to, from];
  }
  return from;
}

/** Maps the bits of a double to an integer with the same order: negative numbers are inverted, others get the top bit. */
function toSortableBits(halves: Uint32Array, at: number): void {
  const upper = halves[at + 1]!;
  if (upper >>> 31 === 1) {
    halves[at] = ~halves[at]!;
    halves[at + 1] = ~upper;
  } else halves[at + 1] = upper | 0x80000000;
}

function digitOf(halves: Uint32Array, at: number, digit: number): number {
  const bit = digit * digitBits;
  if (bit >= 32) return (halves[at + 1]! >>> (bit - 32)) & (buckets - 1);
  if (bit + digitBits <= 32) return (halves[at]! >>> bit) & (buckets - 1);
  return ((halves[at]! >>> bit) | (halves[at + 1]! << (32 - bit))) & (buckets - 1);
}
