import { foldText, prefixRange } from '../text/index.ts';
import type { View } from './execute.ts';

const mostLooked = 20_000;

/** Terms of the index that begin with what was typed, those in most documents first. */
export function suggestTerms(view: View, word: string, limit: number): string[] {
  const prefix = foldText(word.trim().toWellFormed());
  if (prefix === '' || limit <= 0) return [];
  const sums = new Map<string, number>();
  for (const segment of view.segments) {
    const { dictionary, u32 } = segment;
    const { from, to } = prefixRange(dictionary, prefix);
    const offsets = segment.postingOffsets >>> 2;
    const text = Buffer.from(dictionary.bytes.buffer, dictionary.bytes.byteOffset, dictionary.bytes.byteLength);
    // The bytes of a term's postings stand for the number of its documents.
    let places = Array.from({ length: Math.min(to - from, mostLooked) }, (_, at) => from + at);
    const weight = (place: number) => u32[offsets + place + 1]! - u32[offsets + place]!;
    places = places.sort((a, b) => weight(b) - weight(a) || a - b).slice(0, limit * 4);
    for (const place of places) {
      const term = text.toString('utf8', dictionary.offsets[place]!, dictionary.offsets[place + 1]!);
      sums.set(term, (sums.get(term) ?? 0) + weight(place));
    }
  }
  return [...sums]
    .sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1))
    .slice(0, limit)
    .map(([term]) => term);
}
