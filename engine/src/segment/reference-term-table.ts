import {
  asciiClasses,
  createUnitTable,
  digit,
  finishHash,
  foldBit,
  hashPrime,
  hashSeed,
  hashUnits,
  longestTerm,
  longestWhole,
  lower,
  mostTokens,
  numberOfUnits,
  separator,
  textOf,
  tokenizeInto,
  type UnitTable,
  unitsOf,
  upper,
} from '../text/index.ts';
import { extraMark, firstCode } from './draft.ts';
import type { GrowingU32 } from './growing-arrays.ts';
import type { UnitSpans } from './sort-texts.ts';
import { spansOfTable } from './values.ts';

/** The terms of a collector, numbered as they come. */
export interface TermTable {
  /** How many there are. */
  count(): number;
  /** Adds the tokens of a value, units[from … to), to the stream. The units may not change while their array is in use. */
  addValue(stream: GrowingU32, units: Uint16Array, from: number, to: number): void;
  /** The terms in order of number. */
  spans(): UnitSpans;
  /** Forgets all terms. */
  clear(): void;
}

const plus = 0x2b;
const sharp = 0x23;

/** What the kernels of words do, unit by unit: for a runtime without SIMD, and to hold the kernels against. */
export function createPlainTermTable(): TermTable {
  let terms = createUnitTable();
  return {
    count: () => terms.count,
    addValue(stream, units, from, to) {
      let all = 0;
      for (let at = from; at < to; at++) all |= units[at]!;
      if (all < 128) addAscii(stream, terms, units, from, to);
      else addAny(stream, terms, textOf(units, from, to));
    },
    spans: () => spansOfTable(terms),
    clear() {
      terms = createUnitTable();
    },
  };
}

function addAny(stream: GrowingU32, terms: UnitTable, text: string): void {
  let next = 0;
  tokenizeInto(text, (term, position, extra) => {
    const units = unitsOf(term);
    const number = numberOfUnits(terms, units, 0, units.length, finishHash(hashUnits(units, 0, units.length, 0)), 0);
    if (extra) {
      stream.push(extraMark);
      stream.push(number - 1 + firstCode);
      stream.push(next - position);
    } else {
      stream.push(number - 1 + firstCode);
      next = position + 1;
    }
  });
}

/** The entry of the term at units[from … to); `running` is the hash over its units. */
function entryOf(terms: UnitTable, units: Uint16Array, from: number, to: number, running: number): number {
  if (to - from > longestTerm) return entryOf(terms, units, from, from + longestTerm, hashUnits(units, from, from + longestTerm, foldBit));
  return numberOfUnits(terms, units, from, to, finishHash(running), foldBit) - 1 + firstCode;
}

/**
 * What `tokenizeInto` does, for plain ASCII: cut, folded, hashed and numbered in one pass. An extra token stands where its first part
 * does, so `back` counts the parts since then.
 */
function addAscii(stream: GrowingU32, terms: UnitTable, units: Uint16Array, from: number, end: number): void {
  // With its share of the extra ones a unit gives four entries at most, and a token six.
  stream.grow(stream.length + Math.min((end - from) * 4, mostTokens * 6) + 16);
  const { items } = stream;
  let length = stream.length;
  let tokens = 0;
  let at = from;
  while (at < end && tokens < mostTokens) {
    let kind = asciiClasses[units[at]!]!;
    if (kind === separator) {
      at++;
      continue;
    }
    const chunk = at;
    const first = tokens;
    let part = at;
    let before = kind;
    let running = hashSeed;
    for (; at < end; at++) {
      const unit = units[at]!;
      kind = asciiClasses[unit]!;
      if (kind !== before || kind === upper) {
        if (kind === separator) break;
        const splits =
          at > part &&
          (kind === upper
            ? before !== upper || (at + 1 < end && asciiClasses[units[at + 1]!] === lower)
            : (kind === digit) !== (before === digit));
        before = kind;
        if (splits) {
          if (tokens < mostTokens) {
            items[length++] = entryOf(terms, units, part, at, running);
            tokens++;
          }
          part = at;
          running = hashSeed;
        }
      }
      running = Math.imul(running ^ (unit >= 65 && unit <= 90 ? unit | foldBit : unit), hashPrime);
    }
    const bare = at;
    if (before !== digit && at < end) at += suffixAt(units, at, end);
    if (tokens < mostTokens) {
      items[length++] = entryOf(terms, units, part, at, at === bare ? running : hashUnits(units, part, at, foldBit));
      tokens++;
      if (at > bare && bare - part < longestTerm) {
        items[length++] = extraMark;
        items[length++] = entryOf(terms, units, part, bare, running);
        items[length++] = 1;
      }
    }
    if (part === chunk) continue;
    for (let stop = at; ; stop = bare) {
      if (stop - chunk <= longestWhole) {
        items[length++] = extraMark;
        items[length++] = entryOf(terms, units, chunk, stop, hashUnits(units, chunk, stop, foldBit));
        items[length++] = tokens - first;
      }
      if (stop === bare) break;
    }
  }
  stream.length = length;
}

function suffixAt(units: Uint16Array, at: number, end: number): number {
  if (units[at] === sharp) return 1;
  return units[at] === plus && at + 1 < end && units[at + 1] === plus ? 2 : 0;
}
