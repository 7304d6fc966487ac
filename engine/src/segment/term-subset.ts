import { createMemory, type Kernels, loadKernels } from '../kernels/index.ts';
import type { Dictionary } from '../text/index.ts';
import type { Segment } from './open-segment.ts';
import { createSieve, type TermSieve } from './term-sieve.ts';

/**
 * The terms that occur in some fields only. Most terms of a segment come from long texts; a search of names that looks for typos or
 * infixes would walk them all in vain. A subset is made when it is first wanted and kept as long as the segment.
 */
export interface TermSubset {
  dictionary: Dictionary;
  /** Place of each term in the segment's own dictionary, ascending. */
  places: Uint32Array;
  /** Where its bytes start in the memory that its kernels work on; the 256 bytes before them are free for a needle. */
  start: number;
  kernels: Kernels;
  /** Made when an infix is first looked for. */
  sieve(): TermSieve;
}

const needleRoom = 256;
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
  const memory = createMemory(needleRoom + length);
  const own = new Uint8Array(memory.buffer as unknown as ArrayBuffer, needleRoom, length);
  places.forEach((place, index) => {
    own.set(bytes.subarray(offsets[place]!, offsets[place + 1]!), ends[index]!);
  });
  const dictionary = { bytes: own, offsets: ends, size: places.length };
  let sieve: TermSieve | null = null;
  return {
    dictionary,
    places,
    start: needleRoom,
    kernels: loadKernels(memory),
    sieve() {
      sieve ??= createSieve(dictionary);
      return sieve;
    },
  };
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
