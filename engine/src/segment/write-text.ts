// biome-ignore-all lint/style/noNonNullAssertion: the draft's columns have one entry per document, and term numbers are below their count
import { extraMark, firstCode, gapMark, type SegmentDraft } from './draft.ts';
import { GrowingBytes } from './growing-arrays.ts';
import type { SectionWriter } from './segment-file.ts';
import type { Texts } from './sort-texts.ts';

/**
 * Writes the dictionary, the postings and the forward streams described in FORMAT.md, and returns the number of terms.
 *
 * A draft numbers terms by first occurrence. Tables used while reading the stream are indexed by that number, because frequent terms then
 * share cache lines. `order` maps the numbers to dictionary order at the end.
 */
export function writeText(file: SectionWriter, draft: SegmentDraft, order: Uint32Array): number {
  const { texts, renumber } = draft.terms.sort();
  const survey = countTerms(draft, order, texts.size);
  const kept = selectUsedTerms(renumber, survey);
  writeDictionary(file, texts, kept.indexes);
  writePostings(file, draft, order, kept.numbers, survey.documents);
  writeForward(file, draft, order, kept.numbers, survey.occurrences);
  return kept.indexes.length;
}

/** Indexed by term number. */
interface TermCounts {
  documents: Uint32Array;
  occurrences: Uint32Array;
}

/** Counts the documents and the occurrences of each term. */
function countTerms(draft: SegmentDraft, order: Uint32Array, size: number): TermCounts {
  const documents = new Uint32Array(size);
  const occurrences = new Uint32Array(size);
  const last = new Int32Array(size).fill(-1);
  const stream = draft.stream.items;
  const starts = draft.streamStarts.items;
  for (let doc = 0; doc < order.length; doc++) {
    const end = starts[order[doc]! + 1]!;
    let at = starts[order[doc]!]!;
    while (at < end) {
      const fieldEnd = at + 2 + stream[at + 1]!;
      at += 2;
      while (at < fieldEnd) {
        const entry = stream[at++]!;
        if (entry === gapMark) continue;
        const term = (entry === extraMark ? stream[at]! : entry) - firstCode;
        if (entry === extraMark) at += 2;
        occurrences[term]!++;
        if (last[term] === doc) continue;
        last[term] = doc;
        documents[term]!++;
      }
    }
  }
  return { documents, occurrences };
}

/** The terms of the dictionary in order: their indexes among all sorted terms, and their numbers. */
interface UsedTerms {
  indexes: Uint32Array;
  numbers: Uint32Array;
}

/** Leaves out terms whose documents were all replaced before the segment was written. */
function selectUsedTerms(renumber: Uint32Array, { documents }: TermCounts): UsedTerms {
  const numbers = new Uint32Array(documents.length);
  for (let number = 0; number < documents.length; number++) numbers[renumber[number + 1]! - 1] = number;
  const indexes = new Uint32Array(documents.length);
  let kept = 0;
  for (let index = 0; index < numbers.length; index++) {
    const number = numbers[index]!;
    if (documents[number] === 0) continue;
    numbers[kept] = number;
    indexes[kept++] = index;
  }
  return { indexes: indexes.subarray(0, kept), numbers: numbers.subarray(0, kept) };
}

function writeDictionary(file: SectionWriter, texts: Texts, indexes: Uint32Array): void {
  const offsets = new Uint32Array(indexes.length + 1);
  const blob = new GrowingBytes(indexes.length * 10 + 64);
  for (let at = 0; at < indexes.length; at++) {
    texts.encode(indexes[at]!, blob);
    offsets[at + 1] = blob.length;
  }
  file.section('text.terms', blob.view());
  file.section('text.termOffsets', offsets);
}

function writePostings(file: SectionWriter, draft: SegmentDraft, order: Uint32Array, numbers: Uint32Array, frequency: Uint32Array): void {
  const starts = new Float64Array(numbers.length + 1);
  for (let term = 0; term < numbers.length; term++) starts[term + 1] = starts[term]! + frequency[numbers[term]!]!;
  const postings = groupByTerm(draft, order, numbers, starts, frequency.length);
  const offsets = new Uint32Array(numbers.length + 1);
  const bytes = new GrowingBytes(starts[numbers.length]! * 3 + 64);
  const groups: PostingGroup[] = [];
  for (let term = 0; term < numbers.length; term++) {
    writePostingGroups(bytes, groups, postings, starts[term]!, starts[term + 1]!);
    offsets[term + 1] = bytes.length;
  }
  file.section('text.postingOffsets', offsets);
  file.section('text.postings', bytes.view());
}

/** Groups the postings by term: those of term t start at starts[t], ascending, as pairs of document and field mask. */
function groupByTerm(draft: SegmentDraft, order: Uint32Array, numbers: Uint32Array, starts: Float64Array, size: number): Uint32Array {
  const postings = new Uint32Array(starts[numbers.length]! * 2);
  // By term number: the index of its next posting, and its last document plus one.
  const heads = new Uint32Array(size * 2);
  for (let term = 0; term < numbers.length; term++) heads[numbers[term]! * 2] = starts[term]!;
  const stream = draft.stream.items;
  const streamStarts = draft.streamStarts.items;
  for (let doc = 0; doc < order.length; doc++) {
    const end = streamStarts[order[doc]! + 1]!;
    let at = streamStarts[order[doc]!]!;
    while (at < end) {
      const field = stream[at]!;
      const entries = stream[at + 1]!;
      const fieldEnd = at + 2 + entries;
      // The only token of the field, possibly with one extra token.
      const only = entries === 1 || (entries === 4 && stream[at + 2]! >= firstCode && stream[at + 3] === extraMark);
      const fieldBit = 1 << field;
      const tokenMask = only ? fieldBit | (1 << (16 + field)) : fieldBit;
      at += 2;
      while (at < fieldEnd) {
        let entry = stream[at++]!;
        let mask = tokenMask;
        if (entry < firstCode) {
          if (entry === gapMark) continue;
          entry = stream[at]!;
          at += 2;
          mask = fieldBit;
        }
        const head = (entry - firstCode) * 2;
        const to = heads[head]! * 2;
        if (heads[head + 1] === doc + 1) postings[to - 1]! |= mask;
        else {
          postings[to] = doc;
          postings[to + 1] = mask;
          heads[head]!++;
          heads[head + 1] = doc + 1;
        }
      }
    }
  }
  return postings;
}

/** Returns codes by dictionary index. Frequent terms get small codes, so that most tokens take one or two bytes. */
function codesByFrequency(numbers: Uint32Array, occurrences: Uint32Array): Uint32Array {
  const cap = 1 << 16;
  const starts = new Uint32Array(cap + 1);
  const bucket = (term: number) => cap - 1 - Math.min(occurrences[numbers[term]!]!, cap - 1);
  for (let term = 0; term < numbers.length; term++) starts[bucket(term) + 1]!++;
  for (let at = 0; at < cap; at++) starts[at + 1]! += starts[at]!;
  const codes = new Uint32Array(numbers.length);
  for (let term = 0; term < numbers.length; term++) codes[term] = firstCode + starts[bucket(term)]!++;
  return codes;
}

function writeForward(file: SectionWriter, draft: SegmentDraft, order: Uint32Array, numbers: Uint32Array, occurrences: Uint32Array): void {
  const codes = codesByFrequency(numbers, occurrences);
  /** By stream entry. */
  const codeOf = new Uint32Array(occurrences.length + firstCode);
  for (let term = 0; term < numbers.length; term++) codeOf[numbers[term]! + firstCode] = codes[term]!;
  const stream = draft.stream.items;
  const starts = new Uint32Array(order.length + 1);
  const bytes = new GrowingBytes(draft.stream.length * 2 + 64);
  for (let doc = 0; doc < order.length; doc++) {
    const end = draft.streamStarts.items[order[doc]! + 1]!;
    for (let at = draft.streamStarts.items[order[doc]!]!; at < end; at += 2 + stream[at + 1]!) {
      const entries = stream[at + 1]!;
      bytes.reserve(10 + entries * 5);
      bytes.varint(stream[at]!);
      writeField(bytes, stream, at + 2, entries, codeOf);
    }
    starts[doc + 1] = bytes.length;
  }
  file.section('text.codes', codes);
  file.section('text.forwardStarts', starts);
  file.section('text.forward', bytes.view());
}

/** Writes the entries of a field after their byte count. The caller must have reserved the space. */
function writeField(bytes: GrowingBytes, stream: Uint32Array, from: number, entries: number, codeOf: Uint32Array): void {
  const { items } = bytes;
  const head = bytes.length;
  // Reserves the byte count under the assumption that every entry takes one byte.
  let length = head + varintBytes(entries);
  const start = length;
  for (let at = from; at < from + entries; at++) {
    const entry = stream[at]!;
    let rest = entry;
    if (entry >= firstCode) rest = codeOf[entry]!;
    else if (entry === extraMark) {
      items[length++] = extraMark;
      rest = codeOf[stream[++at]!]!;
    }
    while (rest > 127) {
      items[length++] = (rest & 127) | 128;
      rest >>>= 7;
    }
    items[length++] = rest;
    if (entry !== extraMark) continue;
    for (rest = stream[++at]!; rest > 127; rest >>>= 7) items[length++] = (rest & 127) | 128;
    items[length++] = rest;
  }
  const count = length - start;
  const moved = head + varintBytes(count);
  if (moved !== start) items.copyWithin(moved, start, length);
  bytes.varint(count);
  bytes.length = moved + count;
}

const varintBytes = (value: number) => (value < 1 << 7 ? 1 : value < 1 << 14 ? 2 : value < 1 << 21 ? 3 : value < 1 << 28 ? 4 : 5);

/** Documents of a term that contain it in the same fields. */
interface PostingGroup {
  mask: number;
  previous: number;
  gaps: GrowingBytes;
}

/** Writes postings from … to − 1 of one term, grouped by field mask as FORMAT.md describes. `groups` is reused between terms. */
function writePostingGroups(bytes: GrowingBytes, groups: PostingGroup[], postings: Uint32Array, from: number, to: number): void {
  if (writeSingleGroup(bytes, postings, from, to)) return;
  let used = 0;
  let group: PostingGroup | undefined;
  for (let at = from; at < to; at++) {
    const mask = postings[at * 2 + 1]!;
    if (group?.mask !== mask) {
      let found = 0;
      while (found < used && groups[found]!.mask !== mask) found++;
      group = groups[found] ?? { mask, previous: -1, gaps: new GrowingBytes() };
      groups[found] = group;
      if (found === used) {
        group.mask = mask;
        group.previous = -1;
        group.gaps.length = 0;
        used++;
      }
    }
    group.gaps.reserve(5);
    group.gaps.varint(postings[at * 2]! - group.previous - 1);
    group.previous = postings[at * 2]!;
  }
  for (let at = 0; at < used; at++) {
    const { mask, gaps } = groups[at]!;
    const isLast = at === used - 1;
    bytes.reserve(15 + gaps.length);
    writeHead(bytes, mask, isLast);
    if (!isLast) bytes.varint(gaps.length);
    bytes.append(gaps.view());
  }
}

function writeHead(bytes: GrowingBytes, mask: number, isLast: boolean): void {
  const only = mask >>> 16;
  bytes.varint((mask & 0xffff) * 4 + (only === 0 ? 0 : 2) + (isLast ? 1 : 0));
  if (only !== 0) bytes.varint(only);
}

/**
 * Most terms have the same mask in all documents, so their single group is written directly. Returns false when there are several masks.
 */
function writeSingleGroup(bytes: GrowingBytes, postings: Uint32Array, from: number, to: number): boolean {
  const mask = postings[from * 2 + 1]!;
  for (let at = from + 1; at < to; at++) if (postings[at * 2 + 1] !== mask) return false;
  bytes.reserve(10 + (to - from) * 5);
  writeHead(bytes, mask, true);
  let previous = -1;
  for (let at = from; at < to; at++) {
    bytes.varint(postings[at * 2]! - previous - 1);
    previous = postings[at * 2]!;
  }
  return true;
}
