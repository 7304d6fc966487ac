import { type Draft, extraMark, firstCode, gapMark } from './draft.ts';
import { GrowingBytes } from './growing-arrays.ts';
import type { SectionWriter } from './segment-file.ts';
import type { Texts } from './sort-texts.ts';

/**
 * Writes the dictionary, the postings and the forward streams; FORMAT.md says how they lie. Answers the number of terms.
 *
 * A draft numbers its terms as they come, and whatever is kept by term while the stream is read is kept under that number: frequent terms
 * come early, so what is looked at most lies close together. `order` brings the numbers into the dictionary's order at the end.
 */
export function writeText(file: SectionWriter, draft: Draft, order: Uint32Array): number {
  const { texts, renumber } = draft.terms.settle();
  const survey = surveyTerms(draft, order, texts.size);
  const kept = keptTerms(renumber, survey);
  writeDictionary(file, texts, kept.places);
  writePostings(file, draft, order, kept.numbers, survey.documents);
  writeForward(file, draft, order, kept.numbers, survey.occurrences);
  return kept.places.length;
}

/** By number of a term. */
interface Survey {
  documents: Uint32Array;
  occurrences: Uint32Array;
}

/** How many documents hold each term, and how often it occurs. */
function surveyTerms(draft: Draft, order: Uint32Array, size: number): Survey {
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

/** The terms of the dictionary in its order: their places among all, and their numbers. */
interface KeptTerms {
  places: Uint32Array;
  numbers: Uint32Array;
}

/** Terms whose documents were all replaced before the segment was written are left out. */
function keptTerms(renumber: Uint32Array, { documents }: Survey): KeptTerms {
  const numbers = new Uint32Array(documents.length);
  for (let number = 0; number < documents.length; number++) numbers[renumber[number + 1]! - 1] = number;
  const places = new Uint32Array(documents.length);
  let kept = 0;
  for (let place = 0; place < numbers.length; place++) {
    const number = numbers[place]!;
    if (documents[number] === 0) continue;
    numbers[kept] = number;
    places[kept++] = place;
  }
  return { places: places.subarray(0, kept), numbers: numbers.subarray(0, kept) };
}

function writeDictionary(file: SectionWriter, texts: Texts, places: Uint32Array): void {
  const offsets = new Uint32Array(places.length + 1);
  const blob = new GrowingBytes(places.length * 10 + 64);
  for (let at = 0; at < places.length; at++) {
    texts.encode(places[at]!, blob);
    offsets[at + 1] = blob.length;
  }
  file.section('text.terms', blob.view());
  file.section('text.termOffsets', offsets);
}

function writePostings(file: SectionWriter, draft: Draft, order: Uint32Array, numbers: Uint32Array, frequency: Uint32Array): void {
  const starts = new Float64Array(numbers.length + 1);
  for (let term = 0; term < numbers.length; term++) starts[term + 1] = starts[term]! + frequency[numbers[term]!]!;
  const postings = scatter(draft, order, numbers, starts, frequency.length);
  const offsets = new Uint32Array(numbers.length + 1);
  const bytes = new GrowingBytes(starts[numbers.length]! * 3 + 64);
  const groups: PostingGroup[] = [];
  for (let term = 0; term < numbers.length; term++) {
    writeGroups(bytes, groups, postings, starts[term]!, starts[term + 1]!);
    offsets[term + 1] = bytes.length;
  }
  file.section('text.postingOffsets', offsets);
  file.section('text.postings', bytes.view());
}

/** Brings the documents of each term together: those of term t stand from starts[t] on, ascending, two items each: document and mask. */
function scatter(draft: Draft, order: Uint32Array, numbers: Uint32Array, starts: Float64Array, size: number): Uint32Array {
  const postings = new Uint32Array(starts[numbers.length]! * 2);
  // By number: where the term's next posting goes, and the document of its last one, plus one.
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
      // The only token of the field, with or without an extra one beside it.
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

/** By place in the dictionary: frequent terms get small codes, so that most tokens take one or two bytes. */
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

function writeForward(file: SectionWriter, draft: Draft, order: Uint32Array, numbers: Uint32Array, occurrences: Uint32Array): void {
  const codes = codesByFrequency(numbers, occurrences);
  /** By entry of the stream. */
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

/** The entries of a field behind the count of their bytes. The caller has reserved the room. */
function writeField(bytes: GrowingBytes, stream: Uint32Array, from: number, entries: number, codeOf: Uint32Array): void {
  const { items } = bytes;
  const head = bytes.length;
  // Room for the count, as long as it is if every entry takes a byte.
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

/** Documents of a term that have it in the same fields. */
export interface PostingGroup {
  mask: number;
  previous: number;
  gaps: GrowingBytes;
}

/**
 * Writes the postings from … to − 1 of one term, document and mask each, grouped by their masks as FORMAT.md says. `groups` is room that
 * all terms use, empty before the first.
 */
export function writeGroups(bytes: GrowingBytes, groups: PostingGroup[], postings: Uint32Array, from: number, to: number): void {
  if (writeAlike(bytes, postings, from, to)) return;
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

/** Most terms have one mask in all their documents, and so one group, which is written in place. False when there are several. */
function writeAlike(bytes: GrowingBytes, postings: Uint32Array, from: number, to: number): boolean {
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
