import { createMemory, type Kernels, loadKernels } from '../kernels/index.ts';
import { type Dictionary, encodeTerm, prefixRange, type RangeSink } from '../text/index.ts';
import type { Segment } from './open-segment.ts';
import { fillSieve, groupTerms, nextGroup, rowWords, sieveBytes, sieveRows } from './term-sieve.ts';

/**
 * The terms that occur in some fields only. Most terms of a segment come from long texts; a search of names that looks for typos or
 * infixes would walk them all in vain. A subset is made when it is first wanted and kept as long as the segment.
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

const needleRoom = 256;
const leastInfix = 3;
const mostSubsets = 8;
const known = new WeakMap<Segment, Map<number, TermSubset>>();

export function termSubset(segment: Segment, fields: number): TermSubset {
  const own = known.get(segment) ?? new Map<number, TermSubset>();
  known.set(segment, own);
  const found = own.get(fields);
  if (found) return found;
  const made = subsetOf(segment, termsInFields(segment, fields));
  if (own.size === mostSubsets) own.delete(own.keys().next().value!);
  own.set(fields, made);
  return made;
}

function subsetOf(segment: Segment, places: Uint32Array): TermSubset {
  const { bytes, offsets } = segment.dictionary;
  const ends = new Uint32Array(places.length + 1);
  places.forEach((place, index) => {
    ends[index + 1] = ends[index]! + offsets[place + 1]! - offsets[place]!;
  });
  const length = ends[places.length]!;
  const layout = layoutOf(length, places.length);
  const memory = createMemory(layout.end);
  const buffer = memory.buffer as unknown as ArrayBuffer;
  const own = new Uint8Array(buffer, needleRoom, length);
  places.forEach((place, index) => {
    own.set(bytes.subarray(offsets[place]!, offsets[place + 1]!), ends[index]!);
  });
  const ownEnds = new Uint32Array(buffer, layout.offsets, ends.length);
  ownEnds.set(ends);
  const dictionary = { bytes: own, offsets: ownEnds, size: places.length };
  fillShares(dictionary, new Uint8Array(buffer, layout.shares, places.length));
  const kernels = loadKernels(memory);
  // Made when an infix is first looked for.
  let sieve = 0;
  return {
    dictionary,
    places,
    near: (word, budget, prefix, sink) => nearIn(dictionary, layout, kernels, word, budget, prefix, sink),
    within: (word, sink) => {
      if (Array.from(word).length < leastInfix) return;
      sieve ||= addSieve(memory, dictionary);
      withinIn(dictionary, layout, kernels, sieve, word, sink);
    },
  };
}

/** Where things lie in a subset's memory: needle, terms, their offsets, what each shares with the one before it, and room for a search. */
interface Layout {
  offsets: number;
  shares: number;
  letters: number;
  work: number;
  out: number;
  end: number;
}

const mostLetters = 64;
const workBytes = 4192;
const mostRanges = 2048;

function layoutOf(bytes: number, terms: number): Layout {
  const aligned = (at: number) => (at + 15) & ~15;
  const offsets = aligned(needleRoom + bytes);
  const shares = offsets + (terms + 1) * 4;
  // The kernels look sixteen terms ahead.
  const letters = aligned(shares + terms + 16);
  const work = letters + mostLetters * 4;
  const out = work + workBytes;
  return { offsets, shares, letters, work, out, end: out + mostRanges * 12 };
}

function fillShares({ bytes, offsets, size }: Dictionary, shares: Uint8Array): void {
  for (let term = 1; term < size; term++) {
    const before = offsets[term - 1]!;
    const start = offsets[term]!;
    const most = Math.min(start - before, offsets[term + 1]! - start);
    let shared = 0;
    while (shared < most && bytes[before + shared] === bytes[start + shared]) shared++;
    shares[term] = shared;
  }
}

function nearIn(
  dictionary: Dictionary,
  { offsets, shares, letters, work, out }: Layout,
  kernels: Kernels,
  word: string,
  budget: number,
  prefix: boolean,
  sink: RangeSink,
): void {
  const wanted = Array.from(word, (character) => character.codePointAt(0)!);
  if (budget === 0 || wanted.length === 0) return;
  const { buffer } = dictionary.bytes;
  new Uint32Array(buffer, letters, mostLetters).set(wanted);
  const ranges = new Uint32Array(buffer, out, mostRanges * 3);
  let { from, to } = prefixRange(dictionary, String.fromCodePoint(wanted[0]!));
  for (let found = mostRanges; found === mostRanges; ) {
    found = kernels.nearTerms(
      ...([needleRoom, offsets, shares, from, to, letters, wanted.length, budget] as const),
      ...([prefix ? 1 : 0, work, out, mostRanges] as const),
    );
    for (let at = 0; at < found * 3; at += 3) sink(ranges[at]!, ranges[at + 1]!, ranges[at + 2]!);
    if (found > 0) from = ranges[found * 3 - 2]!;
  }
}

const page = 65_536;

function addSieve(memory: WebAssembly.Memory, dictionary: Dictionary): number {
  const bytes = sieveBytes(dictionary.size);
  const at = memory.grow(Math.ceil(bytes / page)) * page;
  fillSieve(dictionary, new Uint32Array(memory.buffer as unknown as ArrayBuffer, at, bytes / 4));
  return at;
}

function withinIn(
  dictionary: Dictionary,
  { offsets, letters: rows, out }: Layout,
  kernels: Kernels,
  sieve: number,
  word: string,
  sink: (term: number) => void,
): void {
  const { buffer } = dictionary.bytes;
  const needle = encodeTerm(word);
  new Uint8Array(buffer, 0, needleRoom).set(needle);
  const wanted = sieveRows(needle);
  new Uint32Array(buffer, rows, mostLetters).set(wanted);
  const most = mostRanges * 3;
  const found = new Uint32Array(buffer, out, most);
  const words = rowWords(dictionary.size);
  for (let from = 0, count = most; count > most - groupTerms; from = nextGroup(found[count - 1]!)) {
    count = kernels.termsWith(
      ...([needleRoom, offsets, dictionary.size, sieve, words, rows, wanted.length] as const),
      ...([0, needle.length, from, out, most] as const),
    );
    for (let at = 0; at < count; at++) sink(found[at]!);
  }
}

/** Reads the heads of each term's groups until one is of the fields. FORMAT.md says how they lie. */
function termsInFields(segment: Segment, fields: number): Uint32Array {
  const { u8, u32, dictionary } = segment;
  const offsets = segment.postingOffsets >>> 2;
  const places = new Uint32Array(dictionary.size);
  let count = 0;
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
    while (at < end) {
      const head = next();
      if (((head >>> 2) & fields) !== 0) {
        places[count++] = term;
        break;
      }
      if ((head & 1) === 1) break;
      if ((head & 2) === 2) next();
      const length = next();
      at += length;
    }
  }
  return places.slice(0, count);
}
