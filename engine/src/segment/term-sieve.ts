import type { Dictionary } from '../text/index.ts';

/**
 * Tells which stretches of a dictionary may hold a word at all. Terms are taken sixty-four at a time; each group has a small set of the
 * trigrams of its terms, and only groups that have all trigrams of the word need to be read.
 */
export interface TermSieve {
  groups: Uint32Array;
}

const groupTerms = 64;
/** 1,024 bits a group: two bytes a term. */
const groupWords = 32;

const slotOf = (a: number, b: number, c: number) => (Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1) >>> 22) & 1023;

export function createSieve({ bytes, offsets, size }: Dictionary): TermSieve {
  const groups = new Uint32Array(Math.ceil(size / groupTerms) * groupWords);
  for (let term = 0; term < size; term++) {
    const base = Math.floor(term / groupTerms) * groupWords;
    for (let at = offsets[term]! + 2; at < offsets[term + 1]!; at++) {
      const slot = slotOf(bytes[at - 2]!, bytes[at - 1]!, bytes[at]!);
      groups[base + (slot >>> 5)]! |= 1 << (slot & 31);
    }
  }
  return { groups };
}

/** Stretches of the dictionary's bytes, ascending and apart, outside of which the word does not stand. */
export function promisingStretches(
  { groups }: TermSieve,
  { offsets, size }: Dictionary,
  needle: Uint8Array,
): { from: number; to: number }[] {
  const slots: number[] = [];
  for (let at = 2; at < needle.length; at++) slots.push(slotOf(needle[at - 2]!, needle[at - 1]!, needle[at]!));
  const stretches: { from: number; to: number }[] = [];
  for (let group = 0; group * groupTerms < size; group++) {
    const base = group * groupWords;
    if (!slots.every((slot) => ((groups[base + (slot >>> 5)]! >>> (slot & 31)) & 1) === 1)) continue;
    const from = offsets[group * groupTerms]!;
    const to = offsets[Math.min((group + 1) * groupTerms, size)]!;
    const last = stretches.at(-1);
    if (last?.to === from) last.to = to;
    else stretches.push({ from, to });
  }
  return stretches;
}
