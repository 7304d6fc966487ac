// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table
import {
  asciiClasses,
  caseBit,
  createInternTable,
  digit,
  finalizeHash,
  fromCodeUnits,
  hashCodeUnits,
  hashPrime,
  hashSeed,
  type InternTable,
  intern,
  lower,
  maxTermLength,
  maxTokens,
  maxWholeChunkLength,
  separator,
  toCodeUnits,
  tokenizeInto,
  upper,
} from '../text/index.ts';
import { extraMark, firstCode } from './draft.ts';
import type { GrowingU32 } from './growing-arrays.ts';
import type { TextSpans } from './sort-texts.ts';
import { spansOfTable } from './values.ts';

/** Numbers the terms of a document buffer in order of first occurrence. */
export interface TermTable {
  /** Number of terms. */
  count(): number;
  /** Appends the tokens of units[from … to) to the stream. The contents of `units` must not change between calls with the same array. */
  addValue(stream: GrowingU32, units: Uint16Array, from: number, to: number): void;
  /** The terms in order of their numbers. */
  spans(): TextSpans;
  /** Removes all terms. */
  clear(): void;
}

const plus = 0x2b;
const sharp = 0x23;

/** The reference implementation of `kernels/words.as.ts`, used without SIMD and to test the kernels. */
export function createReferenceTermTable(): TermTable {
  let terms = createInternTable();
  return {
    count: () => terms.count,
    addValue(stream, units, from, to) {
      let all = 0;
      for (let at = from; at < to; at++) all |= units[at]!;
      if (all < 128) addAscii(stream, terms, units, from, to);
      else addAny(stream, terms, fromCodeUnits(units, from, to));
    },
    spans: () => spansOfTable(terms),
    clear() {
      terms = createInternTable();
    },
  };
}

function addAny(stream: GrowingU32, terms: InternTable, text: string): void {
  let next = 0;
  tokenizeInto(text, (term, position, extra) => {
    const units = toCodeUnits(term);
    const number = intern(terms, units, 0, units.length, finalizeHash(hashCodeUnits(units, 0, units.length, 0)), 0);
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

/** Returns the stream entry of the term units[from … to). `running` is the hash of its code units so far. */
function entryOf(terms: InternTable, units: Uint16Array, from: number, to: number, running: number): number {
  if (to - from > maxTermLength)
    return entryOf(terms, units, from, from + maxTermLength, hashCodeUnits(units, from, from + maxTermLength, caseBit));
  return intern(terms, units, from, to, finalizeHash(running), caseBit) - 1 + firstCode;
}

/**
 * Tokenises ASCII text like `tokenizeInto`, but splits, case-folds, hashes and numbers in one pass. An extra token has the position of its
 * first part, so `back` counts the parts since then.
 */
function addAscii(stream: GrowingU32, terms: InternTable, units: Uint16Array, from: number, end: number): void {
  // Including extra tokens, a code unit yields at most four entries and a token at most six.
  stream.grow(stream.length + Math.min((end - from) * 4, maxTokens * 6) + 16);
  const { items } = stream;
  let length = stream.length;
  let tokens = 0;
  let at = from;
  while (at < end && tokens < maxTokens) {
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
          if (tokens < maxTokens) {
            items[length++] = entryOf(terms, units, part, at, running);
            tokens++;
          }
          part = at;
          running = hashSeed;
        }
      }
      running = Math.imul(running ^ (unit >= 65 && unit <= 90 ? unit | caseBit : unit), hashPrime);
    }
    const bare = at;
    if (before !== digit && at < end) at += suffixAt(units, at, end);
    if (tokens < maxTokens) {
      items[length++] = entryOf(terms, units, part, at, at === bare ? running : hashCodeUnits(units, part, at, caseBit));
      tokens++;
      if (at > bare && bare - part < maxTermLength) {
        items[length++] = extraMark;
        items[length++] = entryOf(terms, units, part, bare, running);
        items[length++] = 1;
      }
    }
    if (part === chunk) continue;
    for (let stop = at; ; stop = bare) {
      if (stop - chunk <= maxWholeChunkLength) {
        items[length++] = extraMark;
        items[length++] = entryOf(terms, units, chunk, stop, hashCodeUnits(units, chunk, stop, caseBit));
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
