// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table
import { type Dictionary, encodeTerm, prefixRange, type RangeSink } from '../text/index.ts';
import { createOnce, createOnceBytes, maxRanges, maxSubsets, termScratchAt } from './shared-memory.ts';
import type { Segment } from './types.ts';

/**
 * The trigram index shows which parts of a dictionary can contain a word. Terms form groups of sixteen, and each group has a bit set of the
 * trigrams of its terms; only groups with all trigrams of the word are read. The index has one row of bits per trigram slot and one bit per
 * group, so that the kernel `termsWith` tests many groups at once.
 */
export const groupTerms = 16;
/** 1,024 slots take eight bytes per term. */
const slots = 1024;
/** Further trigrams hardly narrow the selection. */
const maxRows = 16;

/** The slot of a trigram, as the kernel `fillTrigrams` computes it. */
const slotOf = (a: number, b: number, c: number) => Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1) >>> 22;

/** Returns the number of 32-bit words per row. */
export function rowWords(terms: number): number {
  return Math.ceil(terms / groupTerms / 32);
}

export function trigramIndexBytes(terms: number): number {
  return slots * rowWords(terms) * 4;
}

/** Returns the rows in which every group that contains the word has a bit. */
export function trigramRows(needle: Uint8Array): number[] {
  const rows = new Set<number>();
  for (let at = 2; at < needle.length && rows.size < maxRows; at++) rows.add(slotOf(needle[at - 2]!, needle[at - 1]!, needle[at]!));
  return [...rows];
}

/** Returns the first term of the following group. */
export function nextGroup(term: number): number {
  return (Math.floor(term / groupTerms) + 1) * groupTerms;
}

/**
 * The terms that occur in given fields. Most terms of a segment with long texts come from these, and looking for typos or infixes in names
 * would scan them all in vain. A subset is created on first use in the segment's shared memory:
 *
 *  header             u32 each: number of terms, size of the terms, and two words for the trigram index (`createOnce`)
 *  terms              UTF-8, concatenated
 *  offsets            u32 each, one more than terms
 *  dictionaryIndexes  u32 each: index of the term in the segment's dictionary, ascending
 *  sharedPrefixes     u8 each: number of leading bytes shared with the previous term
 *
 * Where most terms occur in the fields, the segment's own dictionary serves, with nothing but header and shared prefixes here. That is
 * correct too: terms of other fields have no postings in the searched ones.
 */
interface TermSubset {
  dictionary: Dictionary;
  /** Returns the index of a term in the segment's dictionary. It grows with the term. */
  dictionaryIndex(term: number): number;
  /** Finds terms at distance 1 … budget with the same first letter; for a prefix word, the best prefix of the term is compared. */
  near(word: string, budget: number, prefix: boolean, sink: RangeSink): void;
  /** Finds terms that contain the word, in ascending order. Words of fewer than three letters find nothing. */
  within(word: string, sink: (term: number) => void): void;
}

const minInfixLength = 3;
const everyField = 0xffff;
/** The dictionary serves when at least this share of its terms is in the subset. */
const mostTerms = 2 / 3;
const known = new WeakMap<Segment, Map<number, TermSubset>>();

/** Returns the subset for these fields, or that of all fields when the segment has no free slot. */
export function termSubset(segment: Segment, fields: number): TermSubset {
  const own = known.get(segment) ?? new Map<number, TermSubset>();
  known.set(segment, own);
  const found = own.get(fields);
  if (found) return found;
  const subset = openSubset(segment, findOrCreateSubset(segment, fields));
  own.set(fields, subset);
  return subset;
}

const lastSlot = ({ subsetSlots }: Segment): number => subsetSlots + (maxSubsets - 1) * createOnceBytes;

function findOrCreateSubset(segment: Segment, fields: number): number {
  for (let at = segment.subsetSlots; at < lastSlot(segment); at += createOnceBytes) {
    const address = createOnce(segment.shared.memory, at, fields, () => createSubset(segment, fields));
    if (address !== null) return address;
  }
  return findOrCreateWhole(segment);
}

function findOrCreateWhole(segment: Segment): number {
  return createOnce(segment.shared.memory, lastSlot(segment), everyField, () => createWhole(segment))!;
}

const trigramIndexSlot = 8;
const headBytes = 16;
/** Instead of the size of the terms: they are those of the segment's dictionary. */
const whole = 0xffffffff;

interface Layout {
  terms: number;
  offsets: number;
  /** Null when the terms are those of the dictionary. */
  dictionaryIndexes: number | null;
  sharedPrefixes: number;
  end: number;
}

/** The kernels read past the end of terms and shared prefixes. */
const [pastTerms, pastPrefixes] = [80, 16];

function layoutAt(start: number, size: number, bytes: number): Layout {
  const terms = start + headBytes;
  const offsets = Math.ceil((terms + bytes) / 16) * 16;
  const dictionaryIndexes = offsets + (size + 1) * 4;
  const sharedPrefixes = dictionaryIndexes + size * 4;
  const end = Math.max(terms + bytes + pastTerms, sharedPrefixes + size + pastPrefixes);
  return { terms, offsets, dictionaryIndexes, sharedPrefixes, end };
}

function wholeLayoutAt(start: number, { bytes, offsets, size }: Dictionary): Layout {
  const sharedPrefixes = start + headBytes;
  const end = sharedPrefixes + size + pastPrefixes;
  return { terms: bytes.byteOffset, offsets: offsets.byteOffset, dictionaryIndexes: null, sharedPrefixes, end };
}

function createSubset(segment: Segment, fields: number): number {
  const { kernels, postings, postingOffsets } = segment;
  const list = segment.scratch.bytes(segment.dictionary.size * 4);
  const size = kernels.listTerms(postings, postingOffsets, segment.dictionary.size, fields, list);
  if (size >= segment.dictionary.size * mostTerms) return findOrCreateWhole(segment);
  const bytes = kernels.bytesOfTerms(segment.dictionary.offsets.byteOffset, list, size);
  const start = segment.allocate(layoutAt(0, size, bytes).end);
  const at = layoutAt(start, size, bytes);
  // Allocating has renewed the views.
  const { u32, dictionary } = segment;
  u32.set([size, bytes], start >>> 2);
  u32.copyWithin(at.dictionaryIndexes! >>> 2, list >>> 2, (list >>> 2) + size);
  kernels.copyTerms(dictionary.bytes.byteOffset, dictionary.offsets.byteOffset, list, size, at.terms, at.offsets);
  kernels.sharedPrefixes(at.terms, at.offsets, size, at.sharedPrefixes);
  return start;
}

function createWhole(segment: Segment): number {
  const { size } = segment.dictionary;
  const start = segment.allocate(wholeLayoutAt(0, segment.dictionary).end);
  const at = wholeLayoutAt(start, segment.dictionary);
  segment.u32.set([size, whole], start >>> 2);
  segment.kernels.sharedPrefixes(at.terms, at.offsets, size, at.sharedPrefixes);
  return start;
}

/** Another thread may have created the subset after this thread last mapped the memory, so new views are needed. */
function openSubset(segment: Segment, start: number): TermSubset {
  const buffer = segment.shared.memory.buffer as unknown as ArrayBuffer;
  const [size, bytes] = new Uint32Array(buffer, start, 2) as unknown as [number, number];
  const at = bytes === whole ? wholeLayoutAt(start, segment.dictionary) : layoutAt(start, size, bytes);
  const offsets = new Uint32Array(buffer, at.offsets, size + 1);
  const dictionary: Dictionary = { bytes: new Uint8Array(buffer, at.terms, offsets[size]), offsets, size };
  const indexes = at.dictionaryIndexes === null ? null : new Uint32Array(buffer, at.dictionaryIndexes, size);
  let trigramIndex = 0;
  return {
    dictionary,
    dictionaryIndex: (term) => (indexes === null ? term : indexes[term]!),
    near: (word, budget, prefix, sink) => findNearTerms(segment, dictionary, at, word, budget, prefix, sink),
    within: (word, sink) => {
      if (Array.from(word).length < minInfixLength) return;
      trigramIndex ||= createOnce(segment.shared.memory, start + trigramIndexSlot, 1, () => createTrigramIndex(segment, size, at))!;
      findTermsContaining(segment, dictionary, at, trigramIndex, word, sink);
    },
  };
}

function findNearTerms(
  segment: Segment,
  dictionary: Dictionary,
  { terms, offsets, sharedPrefixes }: Layout,
  word: string,
  budget: number,
  prefix: boolean,
  sink: RangeSink,
): void {
  const wanted = Array.from(word, (character) => character.codePointAt(0)!);
  if (budget === 0 || wanted.length === 0) return;
  const { letters, work, out } = termScratchAt(segment.termScratch);
  segment.u32.set(wanted, letters >>> 2);
  const ranges = segment.u32.subarray(out >>> 2, (out >>> 2) + maxRanges * 3);
  let { from, to } = prefixRange(dictionary, String.fromCodePoint(wanted[0]!));
  for (let found = maxRanges; found === maxRanges; ) {
    found = segment.kernels.nearTerms(
      ...([terms, offsets, sharedPrefixes, from, to, letters, wanted.length, budget] as const),
      ...([prefix ? 1 : 0, work, out, maxRanges] as const),
    );
    for (let at = 0; at < found * 3; at += 3) sink(ranges[at]!, ranges[at + 1]!, ranges[at + 2]!);
    if (found > 0) from = ranges[found * 3 - 2]!;
  }
}

function createTrigramIndex(segment: Segment, size: number, { terms, offsets }: Layout): number {
  const at = segment.allocate(trigramIndexBytes(size));
  segment.kernels.fillTrigrams(terms, offsets, size, at, rowWords(size), termScratchAt(segment.termScratch).work);
  return at;
}

function findTermsContaining(
  segment: Segment,
  { size }: Dictionary,
  { terms, offsets }: Layout,
  trigramIndex: number,
  word: string,
  sink: (term: number) => void,
): void {
  const { needle, letters: rows, out } = termScratchAt(segment.termScratch);
  const bytes = encodeTerm(word);
  segment.u8.set(bytes, needle);
  const wanted = trigramRows(bytes);
  segment.u32.set(wanted, rows >>> 2);
  const most = maxRanges * 3;
  const found = segment.u32.subarray(out >>> 2, (out >>> 2) + most);
  const words = rowWords(size);
  for (let from = 0, count = most; count > most - groupTerms; from = nextGroup(found[count - 1]!)) {
    count = segment.kernels.termsWith(
      ...([terms, offsets, size, trigramIndex, words, rows, wanted.length] as const),
      ...([needle, bytes.length, from, out, most] as const),
    );
    for (let at = 0; at < count; at++) sink(found[at]!);
  }
}
