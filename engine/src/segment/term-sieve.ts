import type { Dictionary } from '../text/index.ts';

/**
 * Tells which stretches of a dictionary may hold a word at all. Terms are taken sixty-four at a time; each group has a small set of the
 * trigrams of its terms, and only groups that have all trigrams of the word need to be read.
 */
export interface TermSieve {
  /** For each slot of a trigram a row of bits: which groups have such a trigram. */
  rows: Uint32Array;
  /** Words of 32 groups in a row. */
  words: number;
}

const groupTerms = 64;
/** 1,024 slots: two bytes a term. */
const slots = 1024;

const slotOf = (a: number, b: number, c: number) => (Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1) >>> 22) & (slots - 1);

export function createSieve({ bytes, offsets, size }: Dictionary): TermSieve {
  const words = Math.ceil(size / groupTerms / 32);
  const rows = new Uint32Array(slots * words);
  for (let term = 0; term < size; term++) {
    const group = Math.floor(term / groupTerms);
    for (let at = offsets[term]! + 2; at < offsets[term + 1]!; at++) {
      rows[slotOf(bytes[at - 2]!, bytes[at - 1]!, bytes[at]!) * words + (group >>> 5)]! |= 1 << (group & 31);
    }
  }
  return { rows, words };
}

/** Stretches of the dictionary's bytes, ascending and apart, outside of which the word does not stand. */
export function promisingStretches(
  { rows, words }: TermSieve,
  { offsets, size }: Dictionary,
  needle: Uint8Array,
): { from: number; to: number }[] {
  const wanted: number[] = [];
  for (let at = 2; at < needle.length; at++) wanted.push(slotOf(needle[at - 2]!, needle[at - 1]!, needle[at]!) * words);
  const stretches: { from: number; to: number }[] = [];
  let end = -1;
  for (let word = 0; word < words; word++) {
    let groups = 0xffffffff;
    for (let at = 0; at < wanted.length && groups !== 0; at++) groups &= rows[wanted[at]! + word]!;
    for (; groups !== 0; groups &= groups - 1) {
      const first = (word * 32 + 31 - Math.clz32(groups & -groups)) * groupTerms;
      if (first >= size) break;
      const to = offsets[Math.min(first + groupTerms, size)]!;
      if (first === end) stretches.at(-1)!.to = to;
      else stretches.push({ from: offsets[first]!, to });
      end = first + groupTerms;
    }
  }
  return stretches;
}
