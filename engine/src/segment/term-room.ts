import { pairBytes } from './made-once.ts';

/** Subsets of terms a segment has at most; the last is that of all fields. */
export const mostSubsets = 8;
export const subsetsBytes = mostSubsets * pairBytes;

/** Where a thread that looks up terms keeps the word, what the kernels note down while they read, and what they find. */
const needleRoom = 256;
const mostLetters = 64;
export const mostRanges = 2048;
const workBytes = 4224;

export interface TermRoom {
  needle: number;
  letters: number;
  work: number;
  out: number;
}

export const termRoomBytes = needleRoom + mostLetters * 4 + workBytes + mostRanges * 12;

export function termRoomAt(start: number): TermRoom {
  const letters = start + needleRoom;
  const work = letters + mostLetters * 4;
  return { needle: start, letters, work, out: work + workBytes };
}
