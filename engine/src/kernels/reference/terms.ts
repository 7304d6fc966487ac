// biome-ignore-all lint/style/noNonNullAssertion: the kernels' contract says that every address and index is inside the memory
import type { Kernels } from '../kernels.ts';
import { memoryViews } from './bitmaps.ts';

/** Reference implementation of terms.as.ts. It computes the full distance table of every term, row by row, until no match is possible. */
export function referenceTerms(memory: WebAssembly.Memory): Pick<Kernels, 'nearTerms' | 'termsWith'> {
  const views = memoryViews(memory);
  const decoder = new TextDecoder();
  return {
    nearTerms: (terms, offsets, sharedPrefixes, from, to, word, width, budget, prefix, _work, out, most) => {
      const { u8, u32 } = views();
      const wanted = Array.from(u32.subarray(word / 4, word / 4 + width));
      let found = 0;
      let index = from;
      while (index < to && found < most) {
        // TextDecoder does not accept shared memory, so the bytes are copied.
        const bytes = u8.slice(terms + u32[offsets / 4 + index]!, terms + u32[offsets / 4 + index + 1]!);
        const term = decoder.decode(bytes);
        const { distance, read, jumps } = alignment(wanted, term, budget, prefix !== 0);
        let next = index + 1;
        if (jumps) while (next < to && u8[sharedPrefixes + next]! >= Buffer.byteLength(read)) next++;
        if (distance > 0 && distance <= budget) u32.set([index, next, distance], out / 4 + found++ * 3);
        index = next;
      }
      return found;
    },
    termsWith: (terms, offsets, size, trigramIndex, words, rows, rowCount, needle, length, from, out, most) => {
      const { u8, u32 } = views();
      const wanted = Buffer.from(u8.slice(needle, needle + length));
      const wantedRows = Array.from(u32.subarray(rows / 4, rows / 4 + rowCount));
      let found = 0;
      for (let term = from; term < size; term++) {
        const group = Math.floor(term / groupTerms);
        if (term % groupTerms === 0 && found + groupTerms > most) break;
        const promising = wantedRows.every((row) => ((u32[trigramIndex / 4 + row * words + (group >>> 5)]! >>> (group & 31)) & 1) === 1);
        if (!promising) continue;
        const bytes = u8.slice(terms + u32[offsets / 4 + term]!, terms + u32[offsets / 4 + term + 1]!);
        if (Buffer.from(bytes).includes(wanted)) u32[out / 4 + found++] = term;
      }
      return found;
    },
  };
}

/** Terms per bit of the trigram index. */
const groupTerms = 16;

interface Alignment {
  /** Distance to the whole term, or for a prefix word to its best prefix; 99 when it exceeds the budget. */
  distance: number;
  /** The prefix that was compared. When `jumps` is true, every term with this prefix has the same result. */
  read: string;
  jumps: boolean;
}

function alignment(word: readonly number[], term: string, budget: number, prefix: boolean): Alignment {
  const noLevel = 99;
  const rows = [word.map((_, column) => column).concat(word.length)];
  let read = '';
  let letterBefore = -1;
  let best = word.length;
  for (const character of term) {
    const letter = character.codePointAt(0)!;
    const above = rows.at(-1)!;
    const row = [rows.length];
    for (let column = 1; column <= word.length; column++) {
      let value = Math.min(above[column]! + 1, row[column - 1]! + 1, above[column - 1]! + (word[column - 1] === letter ? 0 : 1));
      const swapped = column > 1 && rows.length > 1 && word[column - 1] === letterBefore && word[column - 2] === letter;
      if (swapped) value = Math.min(value, rows.at(-2)![column - 2]! + 1);
      row.push(value);
    }
    rows.push(row);
    read += character;
    letterBefore = letter;
    best = Math.min(best, row.at(-1)!);
    const least = Math.min(...row);
    const dead = least > budget;
    if (dead || (prefix && best <= least)) return { distance: prefix ? best : noLevel, read, jumps: true };
  }
  return { distance: prefix ? best : rows.at(-1)!.at(-1)!, read, jumps: false };
}
