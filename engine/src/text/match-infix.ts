import { type Dictionary, encodeTerm, type RangeSink } from './dictionary.ts';

/** The next place at or after `from`, in the bytes of the dictionary, where the word stands; -1 when there is none. */
export type Finder = (from: number) => number;

/**
 * Reports the terms that contain the word anywhere, also at their start. Words of fewer than three code points contain too little.
 * The whole dictionary is read for it, so whoever holds it where a faster search is at hand brings that.
 */
export function matchInfix(dictionary: Dictionary, word: string, sink: RangeSink, find = plainFinder(dictionary, word)): void {
  if (Array.from(word).length < 3) return;
  const { offsets, size } = dictionary;
  const length = Buffer.byteLength(word);
  let index = 0;
  let at = find(0);
  while (at !== -1) {
    index = termAt(offsets, index, size, at);
    const end = offsets[index + 1]!;
    if (at + length <= end) {
      sink(index, index + 1, 3);
      at = find(end);
    } else at = find(at + 1);
  }
}

function plainFinder({ bytes, offsets, size }: Dictionary, word: string): Finder {
  const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, offsets[size]!);
  const needle = encodeTerm(word);
  return (from) => haystack.indexOf(needle, from);
}

/** The term that owns the byte at `at`; no earlier than `from`. */
function termAt(offsets: Uint32Array, from: number, size: number, at: number): number {
  let low = from;
  let high = size;
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (offsets[middle]! <= at) low = middle;
    else high = middle;
  }
  return low;
}
