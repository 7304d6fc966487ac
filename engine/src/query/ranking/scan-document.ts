// biome-ignore-all lint/style/noNonNullAssertion: offsets come from verified segment sections, and word indexes from the plan

import { firstCode, gapMark, valueGap } from '../../segment/draft.ts';
import type { Segment } from '../../segment/types.ts';
import type { TextPlan } from '../plan.ts';
import type { TermMarks, WordMatch } from './term-marks.ts';

const notWhole = 2;

/** Field and position are combined into one number, with fields further apart than any two positions. */
export const fieldStride = 2 ** 27;

/** The occurrences of the query's words in the document scanned last. */
export interface DocumentScan {
  /** Best level of each word, 9 when it does not occur. */
  level: Uint8Array;
  /** 1 when the word itself occurs. */
  exact: Uint8Array;
  /** Occurrences at the best level, ascending. */
  positions: Int32Array[];
  counts: Int32Array;
  /** As in `Rank`. */
  whole: number;
}

export interface Scanner extends DocumentScan {
  scan(doc: number): void;
}

/** Reads documents of one segment using the term marks of one query. */
export function createScanner(segment: Segment, plan: TextPlan, marks: TermMarks): Scanner {
  const marksAt = segment.marks >>> 1;
  const { patterns } = marks;
  const wordCount = plan.words.length + plan.excludedPhrases.reduce((sum, phrase) => sum + phrase.length, 0);
  const queryLength = plan.words.length;
  const starts = segment.forwardStarts >>> 2;
  const scan: Scanner = {
    level: new Uint8Array(wordCount),
    exact: new Uint8Array(wordCount),
    positions: Array.from({ length: wordCount }, () => new Int32Array(16)),
    counts: new Int32Array(wordCount),
    whole: notWhole,
    scan: read,
  };
  const { level, exact, positions, counts } = scan;
  /** The addresses of fields with as many tokens as the query has words. */
  const candidates: number[] = [];

  function addOccurrence(parts: WordMatch[], fieldClass: number, position: number): void {
    for (let at = 0; at < parts.length; at++) {
      const part = parts[at]!;
      const found = part.levels[fieldClass]!;
      const { word } = part;
      if (found > level[word]! || found === 9) continue;
      if (found < level[word]!) {
        level[word] = found;
        counts[word] = 0;
      }
      if (part.exact) exact[word] = 1;
      let count = counts[word]!;
      let list = positions[word]!;
      if (count === list.length) {
        list = new Int32Array(count * 2);
        list.set(positions[word]!);
        positions[word] = list;
      }
      // Extra tokens follow their parts in the stream but have an earlier position.
      while (count > 0 && list[count - 1]! > position) {
        list[count] = list[count - 1]!;
        count--;
      }
      list[count] = position;
      counts[word]!++;
    }
  }

  function read(doc: number): void {
    // Read the views on each call, because the memory may have grown.
    const { u8, u16, u32 } = segment;
    level.fill(9);
    exact.fill(0);
    counts.fill(0);
    scan.whole = notWhole;
    candidates.length = 0;
    let at = segment.forward + u32[starts + doc]!;
    const end = segment.forward + u32[starts + doc + 1]!;
    while (at < end) {
      const start = at;
      const field = u8[at++]!;
      let byte = u8[at++]!;
      let length = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = u8[at++]!;
        length |= (byte & 127) << shift;
      }
      const fieldEnd = at + length;
      if (((plan.searchedFields >>> field) & 1) === 0) {
        at = fieldEnd;
        continue;
      }
      const fieldClass = ((plan.typoFields >>> field) & 1) | (((plan.infixFields >>> field) & 1) << 1);
      let position = field * fieldStride;
      let tokens = 0;
      while (at < fieldEnd) {
        byte = u8[at++]!;
        let code = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = u8[at++]!;
          code |= (byte & 127) << shift;
        }
        if (code >= firstCode) {
          const pattern = u16[marksAt + code]!;
          if (pattern !== 0) addOccurrence(patterns[pattern]!, fieldClass, position);
          tokens++;
          position++;
        } else if (code === gapMark) position += valueGap;
        else {
          byte = u8[at++]!;
          code = byte & 127;
          for (let shift = 7; byte > 127; shift += 7) {
            byte = u8[at++]!;
            code |= (byte & 127) << shift;
          }
          byte = u8[at++]!;
          let back = byte & 127;
          for (let shift = 7; byte > 127; shift += 7) {
            byte = u8[at++]!;
            back |= (byte & 127) << shift;
          }
          const pattern = u16[marksAt + code]!;
          if (pattern !== 0) addOccurrence(patterns[pattern]!, fieldClass, position - back);
        }
      }
      if (tokens === queryLength) candidates.push(start);
    }
    for (const start of candidates) {
      const own = (plan.variantFields >>> u8[start]!) & 1;
      if (own < scan.whole && hasOnlyWords(start)) scan.whole = own;
    }
  }

  /** Returns whether every token of the field, not counting extra tokens, is a word at its best level, and every word is there. */
  function hasOnlyWords(start: number): boolean {
    const { u8, u16 } = segment;
    const field = u8[start]!;
    const fieldClass = ((plan.typoFields >>> field) & 1) | (((plan.infixFields >>> field) & 1) << 1);
    let at = start + 1;
    const varint = () => {
      let byte = u8[at++]!;
      let value = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = u8[at++]!;
        value |= (byte & 127) << shift;
      }
      return value;
    };
    const end = varint() + at;
    const seen = new Set<number>();
    while (at < end) {
      const code = varint();
      if (code === gapMark) continue;
      if (code < firstCode) {
        varint();
        varint();
        continue;
      }
      const parts = patterns[u16[marksAt + code]!]!.filter(
        ({ word, levels }) => word < queryLength && levels[fieldClass] !== 9 && levels[fieldClass] === level[word],
      );
      if (parts.length === 0) return false;
      for (const { word } of parts) seen.add(word);
    }
    return seen.size === queryLength;
  }
  return scan;
}

/** Returns whether words first … first + length − 1 occur at consecutive positions of one field. */
export function containsPhrase(scan: DocumentScan, first: number, length: number): boolean {
  const { positions, counts } = scan;
  for (let word = first; word < first + length; word++) if (counts[word] === 0) return false;
  for (let at = 0; at < counts[first]!; at++) {
    const position = positions[first]![at]!;
    let next = 1;
    while (next < length && includes(positions[first + next]!, counts[first + next]!, position + next)) next++;
    if (next === length) return true;
  }
  return false;
}

function includes(list: Int32Array, count: number, position: number): boolean {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < position) low = middle + 1;
    else high = middle;
  }
  return low < count && list[low] === position;
}
