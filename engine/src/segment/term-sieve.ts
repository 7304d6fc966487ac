import type { Dictionary } from '../text/index.ts';

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
