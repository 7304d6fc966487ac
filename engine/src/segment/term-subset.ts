import { type Dictionary, encodeTerm, prefixRange, type RangeSink } from '../text/index.ts';
import type { Segment } from './types.ts';
import { madeOnce, pairBytes, mostRanges, mostSubsets, termRoomAt } from './shared-memory.ts';

/**
 * Tells which stretches of a dictionary may hold a word at all. Terms are taken sixteen at a time; each group has a small set of the
 * trigrams of its terms, and only groups that have all trigrams of the word need to be read. For each slot of a trigram there is a row of
 * bits, one a group, so that the kernel `termsWith` holds many groups against a word at once.
 */
export const groupTerms = 16;
/** 1,024 slots: eight bytes a term. */
const slots = 1024;
/** More trigrams than these narrow the choice no further. */
const mostRows = 16;

const slotOf = (a: number, b: number, c: number) => (Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1) >>> 22) & (slots - 1);

/** Words of 32 groups in a row. */
export function rowWords(terms: number): number {
  return Math.ceil(terms / groupTerms / 32);
}

export function sieveBytes(terms: number): number {
  return slots * rowWords(terms) * 4;
}

/** Fills an empty table of rows. */
export function fillSieve({ bytes, offsets, size }: Dictionary, rows: Uint32Array): void {
  const words = rowWords(size);
  for (let term = 0; term < size; term++) {
    const group = Math.floor(term / groupTerms);
    for (let at = offsets[term]! + 2; at < offsets[term + 1]!; at++) {
      rows[slotOf(bytes[at - 2]!, bytes[at - 1]!, bytes[at]!) * words + (group >>> 5)]! |= 1 << (group & 31);
    }
  }
}

/** The rows in which every group that holds the word has a bit. */
export function sieveRows(needle: Uint8Array): number[] {
  const rows = new Set<number>();
  for (let at = 2; at < needle.length && rows.size < mostRows; at++) rows.add(slotOf(needle[at - 2]!, needle[at - 1]!, needle[at]!));
  return [...rows];
}

/** The first term of the group after the one that this term is in. */
export function nextGroup(term: number): number {
  return (Math.floor(term / groupTerms) + 1) * groupTerms;
}

/**
 * The terms that occur in some fields only. Most terms of a segment come from long texts; a search of names that looks for typos or
 * infixes would walk them all in vain. A subset is made when it is first wanted, and lies in the segment's memory for all threads:
 *
 *   head      u32 each: how many terms there are, how many bytes they have, and two words for the sieve (`made-once.ts`)
 *   terms     UTF-8, end to end
 *   offsets   u32 each, one more than terms
 *   places    u32 each: the term in the segment's own dictionary, ascending
 *   shares    u8 each: how many bytes a term begins with as the one before it does
 */
export interface TermSubset {
  dictionary: Dictionary;
  /** Place of each term in the segment's own dictionary, ascending. */
  places: Uint32Array;
  /** Terms at distance 1 … budget of the word; for a prefix word that of their best beginning. Only such that begin with its first letter. */
  near(word: string, budget: number, prefix: boolean, sink: RangeSink): void;
  /** Terms that contain the word anywhere, also at their start, ascending. Words of fewer than three letters contain too little. */
  within(word: string, sink: (term: number) => void): void;
}

const leastInfix = 3;
const everyField = 0xffff;
const known = new WeakMap<Segment, Map<number, TermSubset>>();

/**
 * The subset for these fields, or, when the segment has as many as it may, that of all fields: it has more terms to walk, and those of
 * other fields match nothing in the searched ones.
 */
export function termSubset(segment: Segment, fields: number): TermSubset {
  const own = known.get(segment) ?? new Map<number, TermSubset>();
  known.set(segment, own);
  const found = own.get(fields);
  if (found) return found;
  const subset = openSubset(segment, locate(segment, fields));
  own.set(fields, subset);
  return subset;
}

function locate(segment: Segment, fields: number): number {
  const { memory } = segment.shared;
  const last = segment.subsets + (mostSubsets - 1) * pairBytes;
  for (let at = segment.subsets; at < last; at += pairBytes) {
    const address = madeOnce(memory, at, fields, () => makeSubset(segment, fields));
    if (address !== null) return address;
  }
  return madeOnce(memory, last, everyField, () => makeSubset(segment, everyField))!;
}

const sieveWords = 8;
const headBytes = 16;

interface Layout {
  terms: number;
  offsets: number;
  places: number;
  shares: number;
  end: number;
}

function layoutAt(start: number, size: number, bytes: number): Layout {
  const terms = start + headBytes;
  const offsets = Math.ceil((terms + bytes) / 16) * 16;
  const places = offsets + (size + 1) * 4;
  const shares = places + size * 4;
  // The kernels read beyond the end of terms and shares.
  return { terms, offsets, places, shares, end: Math.max(terms + bytes + 80, shares + size + 16) };
}

function makeSubset(segment: Segment, fields: number): number {
  const list = segment.scratch.bytes(segment.dictionary.size * 4);
  const size = listTerms(segment, fields, list);
  const { u32, dictionary } = segment;
  const listed = u32.subarray(list >>> 2, (list >>> 2) + size);
  let bytes = 0;
  for (const place of listed) bytes += dictionary.offsets[place + 1]! - dictionary.offsets[place]!;
  const start = segment.keepBytes(layoutAt(0, size, bytes).end);
  const at = layoutAt(start, size, bytes);
  const { buffer } = segment.shared.memory;
  new Uint32Array(buffer, start, 2).set([size, bytes]);
  new Uint32Array(buffer, at.places, size).set(listed);
  copyTerms(dictionary, listed, dictionaryAt(segment, at, size, bytes), new Uint8Array(buffer, at.shares, size));
  return start;
}

function dictionaryAt(segment: Segment, at: Layout, size: number, bytes: number): Dictionary {
  const buffer = segment.shared.memory.buffer as unknown as ArrayBuffer;
  return { bytes: new Uint8Array(buffer, at.terms, bytes), offsets: new Uint32Array(buffer, at.offsets, size + 1), size };
}

function copyTerms(from: Dictionary, listed: Uint32Array, to: Dictionary, shares: Uint8Array): void {
  let end = 0;
  for (let term = 0; term < listed.length; term++) {
    const start = end;
    const before = term === 0 ? start : to.offsets[term - 1]!;
    let shared = 0;
    for (let at = from.offsets[listed[term]!]!; at < from.offsets[listed[term]! + 1]!; at++) {
      const byte = from.bytes[at]!;
      if (shared === end - start && before + shared < start && to.bytes[before + shared] === byte) shared++;
      to.bytes[end++] = byte;
    }
    shares[term] = shared;
    to.offsets[term + 1] = end;
  }
}

/** Another thread may have made it, so its end may lie behind what this thread has seen of the memory: views are taken anew. */
function openSubset(segment: Segment, start: number): TermSubset {
  const buffer = segment.shared.memory.buffer as unknown as ArrayBuffer;
  const [size, bytes] = new Uint32Array(buffer, start, 2) as unknown as [number, number];
  const at = layoutAt(start, size, bytes);
  const dictionary = dictionaryAt(segment, at, size, bytes);
  let sieve = 0;
  return {
    dictionary,
    places: new Uint32Array(buffer, at.places, size),
    near: (word, budget, prefix, sink) => nearIn(segment, dictionary, at, word, budget, prefix, sink),
    within: (word, sink) => {
      if (Array.from(word).length < leastInfix) return;
      sieve ||= madeOnce(segment.shared.memory, start + sieveWords, 1, () => makeSieve(segment, dictionary))!;
      withinIn(segment, dictionary, at, sieve, word, sink);
    },
  };
}

function nearIn(
  segment: Segment,
  dictionary: Dictionary,
  { terms, offsets, shares }: Layout,
  word: string,
  budget: number,
  prefix: boolean,
  sink: RangeSink,
): void {
  const wanted = Array.from(word, (character) => character.codePointAt(0)!);
  if (budget === 0 || wanted.length === 0) return;
  const { letters, work, out } = termRoomAt(segment.termRoom);
  segment.u32.set(wanted, letters >>> 2);
  const ranges = segment.u32.subarray(out >>> 2, (out >>> 2) + mostRanges * 3);
  let { from, to } = prefixRange(dictionary, String.fromCodePoint(wanted[0]!));
  for (let found = mostRanges; found === mostRanges; ) {
    found = segment.kernels.nearTerms(
      ...([terms, offsets, shares, from, to, letters, wanted.length, budget] as const),
      ...([prefix ? 1 : 0, work, out, mostRanges] as const),
    );
    for (let at = 0; at < found * 3; at += 3) sink(ranges[at]!, ranges[at + 1]!, ranges[at + 2]!);
    if (found > 0) from = ranges[found * 3 - 2]!;
  }
}

function makeSieve(segment: Segment, dictionary: Dictionary): number {
  const bytes = sieveBytes(dictionary.size);
  const at = segment.keepBytes(bytes);
  fillSieve(dictionary, new Uint32Array(segment.shared.memory.buffer, at, bytes / 4) as Uint32Array<never>);
  return at;
}

function withinIn(
  segment: Segment,
  { size }: Dictionary,
  { terms, offsets }: Layout,
  sieve: number,
  word: string,
  sink: (term: number) => void,
): void {
  const { needle, letters: rows, out } = termRoomAt(segment.termRoom);
  const bytes = encodeTerm(word);
  segment.u8.set(bytes, needle);
  const wanted = sieveRows(bytes);
  segment.u32.set(wanted, rows >>> 2);
  const most = mostRanges * 3;
  const found = segment.u32.subarray(out >>> 2, (out >>> 2) + most);
  const words = rowWords(size);
  for (let from = 0, count = most; count > most - groupTerms; from = nextGroup(found[count - 1]!)) {
    count = segment.kernels.termsWith(
      ...([terms, offsets, size, sieve, words, rows, wanted.length] as const),
      ...([needle, bytes.length, from, out, most] as const),
    );
    for (let at = 0; at < count; at++) sink(found[at]!);
  }
}

/** Writes the places of the terms that occur in one of the fields, u32, ascending; answers how many. FORMAT.md says how postings lie. */
function listTerms(segment: Segment, fields: number, list: number): number {
  const { u8, u32, dictionary } = segment;
  const offsets = segment.postingOffsets >>> 2;
  let count = list >>> 2;
  let at = 0;
  const next = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = u8[at++]!;
      value |= (byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  for (let term = 0; term < dictionary.size; term++) {
    const end = segment.postings + u32[offsets + term + 1]!;
    at = segment.postings + u32[offsets + term]!;
    // The heads of the term's groups until one is of the fields.
    while (at < end) {
      const head = next();
      if (((head >>> 2) & fields) !== 0) {
        u32[count++] = term;
        break;
      }
      if ((head & 1) === 1) break;
      if ((head & 2) === 2) next();
      const length = next();
      at += length;
    }
  }
  return count - (list >>> 2);
}
