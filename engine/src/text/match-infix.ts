import { type Dictionary, encodeTerm, type RangeSink } from './dictionary.ts';

/** Reports the terms that contain the word anywhere, also at their start. Words of fewer than three code points contain too little. */
export function matchInfix(dictionary: Dictionary, word: string, sink: RangeSink): void {
  if (Array.from(word).length < 3) return;
  const { bytes, offsets, size } = dictionary;
  const haystack = Buffer.from(bytes.buffer, bytes.byteOffset, offsets[size]!);
  const needle = encodeTerm(word);
  let index = 0;
  let at = haystack.indexOf(needle, 0);
  while (at !== -1) {
    index = termAt(offsets, index, size, at);
    const end = offsets[index + 1]!;
    if (at + needle.length <= end) {
      sink(index, index + 1, 3);
      at = haystack.indexOf(needle, end);
    } else at = haystack.indexOf(needle, at + 1);
  }
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
