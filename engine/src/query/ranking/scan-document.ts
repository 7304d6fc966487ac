import type { Segment } from '../../segment/types.ts';
import { firstCode, gapMark, valueGap } from '../../segment/draft.ts';
import type { Expansion } from '../expand.ts';
import type { Marks, PatternPart } from './term-marks.ts';
import type { TextPlan } from '../plan.ts';

/** Field and position in one number: two fields are further apart than any two positions. */
export const fieldStride = 2 ** 27;

/** Where the words of the query stand in the document scanned last. */
export interface Scan {
  /** Best level of each word, 9 when it is not there. */
  level: Uint8Array;
  /** 1 when the word has an occurrence that is the word itself. */
  exact: Uint8Array;
  /** Occurrences at the best level, ascending. */
  places: Int32Array[];
  counts: Int32Array;
  /** Whether some searched field consists of exactly the query's words. */
  whole: boolean;
}

export interface Scanner extends Scan {
  scan(doc: number): void;
}

/** Reads documents of one segment against the marks of one query. */
export function createScanner(segment: Segment, plan: TextPlan, expansions: readonly Expansion[], marks: Marks): Scanner {
  const marksAt = segment.marks >>> 1;
  const { patterns } = marks;
  const wordCount = plan.words.length + plan.excludedPhrases.reduce((sum, phrase) => sum + phrase.length, 0);
  const exactCodes = Int32Array.from(expansions, ({ exact }) => (exact < 0 ? -1 : segment.u32[(segment.codes >>> 2) + exact]!));
  const queryLength = expansions.length;
  const starts = segment.forwardStarts >>> 2;
  const scan: Scanner = {
    level: new Uint8Array(wordCount),
    exact: new Uint8Array(wordCount),
    places: Array.from({ length: wordCount }, () => new Int32Array(16)),
    counts: new Int32Array(wordCount),
    whole: false,
    scan: read,
  };
  const { level, exact, places, counts } = scan;

  function note(parts: PatternPart[], fieldClass: number, place: number): void {
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
      let list = places[word]!;
      if (count === list.length) {
        list = new Int32Array(count * 2);
        list.set(places[word]!);
        places[word] = list;
      }
      // Extra tokens come after their parts and stand before them.
      while (count > 0 && list[count - 1]! > place) {
        list[count] = list[count - 1]!;
        count--;
      }
      list[count] = place;
      counts[word]!++;
    }
  }

  function read(doc: number): void {
    // Taken anew each time: the memory may have grown since.
    const { u8, u16, u32 } = segment;
    level.fill(9);
    exact.fill(0);
    counts.fill(0);
    scan.whole = false;
    let at = segment.forward + u32[starts + doc]!;
    const end = segment.forward + u32[starts + doc + 1]!;
    while (at < end) {
      const field = u8[at++]!;
      let byte = u8[at++]!;
      let length = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = u8[at++]!;
        length |= (byte & 127) << shift;
      }
      const fieldEnd = at + length;
      if (((plan.searched >>> field) & 1) === 0) {
        at = fieldEnd;
        continue;
      }
      const fieldClass = ((plan.typoFields >>> field) & 1) | (((plan.infixFields >>> field) & 1) << 1);
      let place = field * fieldStride;
      let same = 0;
      while (at < fieldEnd) {
        byte = u8[at++]!;
        let code = byte & 127;
        for (let shift = 7; byte > 127; shift += 7) {
          byte = u8[at++]!;
          code |= (byte & 127) << shift;
        }
        if (code >= firstCode) {
          const pattern = u16[marksAt + code]!;
          if (pattern !== 0) note(patterns[pattern]!, fieldClass, place);
          same = same >= 0 && same < queryLength && exactCodes[same] === code ? same + 1 : -1;
          place++;
        } else if (code === gapMark) place += valueGap;
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
          if (pattern !== 0) note(patterns[pattern]!, fieldClass, place - back);
        }
      }
      if (same === queryLength && queryLength > 0) scan.whole = true;
    }
  }
  return scan;
}

/** Whether words first … first + length − 1 stand at consecutive positions of one field. */
export function standsTogether(scan: Scan, first: number, length: number): boolean {
  const { places, counts } = scan;
  for (let word = first; word < first + length; word++) if (counts[word] === 0) return false;
  for (let at = 0; at < counts[first]!; at++) {
    const place = places[first]![at]!;
    let next = 1;
    while (next < length && includes(places[first + next]!, counts[first + next]!, place + next)) next++;
    if (next === length) return true;
  }
  return false;
}

function includes(list: Int32Array, count: number, place: number): boolean {
  let low = 0;
  let high = count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (list[middle]! < place) low = middle + 1;
    else high = middle;
  }
  return low < count && list[low] === place;
}
