// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table
import { fromCodeUnits } from '../text/index.ts';
import type { GrowingBytes } from './growing-arrays.ts';

/** Texts in the order of a section, encoded one at a time while the section is written. */
export interface Texts {
  size: number;
  /** Estimated total size in bytes. */
  bytes: number;
  /** Appends text `at` as UTF-8. */
  encode(at: number, into: GrowingBytes): void;
}

const encoder = new TextEncoder();

export function stringTexts(strings: readonly string[]): Texts {
  return {
    get size() {
      return strings.length;
    },
    bytes: 1 << 16,
    encode: (at, into) => encodeString(strings[at]!, into),
  };
}

/** The spans listed in `order`, in that order. */
export function spanTexts(source: TextSpans, order: Uint32Array): Texts {
  return {
    size: order.length,
    bytes: source.end,
    encode: (at, into) => encodeUnits(source.units, source.starts[order[at]!]!, spanEnd(source, order[at]!), into),
  };
}

/** Many texts in one array of UTF-16 code units, with `gap` units between consecutive texts. */
export interface TextSpans {
  units: Uint16Array;
  starts: Uint32Array;
  gap: number;
  size: number;
  /** End of the last text. */
  end: number;
}

export function spanEnd({ starts, gap, size, end }: TextSpans, at: number): number {
  return at + 1 < size ? starts[at + 1]! - gap : end;
}

function encodeString(text: string, into: GrowingBytes): void {
  into.reserve(text.length * 3);
  into.length += encoder.encodeInto(text, into.items.subarray(into.length)).written;
}

/** ASCII is copied unit by unit; other text is encoded by way of a string. */
function encodeUnits(units: Uint16Array, from: number, to: number, into: GrowingBytes): void {
  into.reserve(to - from);
  const { items } = into;
  let length = into.length;
  for (let at = from; at < to; at++) {
    const unit = units[at]!;
    if (unit > 127) break;
    items[length++] = unit;
  }
  if (length - into.length === to - from) into.length = length;
  else encodeString(fromCodeUnits(units, from, to), into);
}

/**
 * An order of code units, used to sort many texts by their UTF-16 code units.
 *
 * Five units form the upper 40 bits of a key and the number of the text the lower 24. Keys are sorted as 64-bit integers, large sets by
 * radix sort; texts with the same five units are then sorted by the units that follow. Units from 254 on do not fit into a byte, so texts
 * that differ only after such a unit are compared unit by unit.
 */
export interface Alphabet {
  /** The rank of every small unit as one byte, from 1; 0 is the end of a text and 255 any larger unit. */
  ranks: Uint8Array;
  /** Maps every unit to a number that ascends in this order. */
  orderOf(unit: number): number;
}

const smallUnits = 254;
const keyUnits = 5;
const numberBits = 24;
const fewTexts = 20;
/** From this many keys on, radix sort is faster than comparison sort. */
const manyTexts = 5000;

function alphabet(orderOf: (unit: number) => number): Alphabet {
  const ranks = new Uint8Array(smallUnits);
  const batchesInOrder = Array.from(ranks, (_, unit) => unit).sort((a, b) => orderOf(a) - orderOf(b));
  for (const [rank, unit] of batchesInOrder.entries()) ranks[unit] = rank + 1;
  return { ranks, orderOf };
}

export const codeUnitAlphabet = alphabet((unit) => unit);
/** UTF-8 byte order, which equals code point order: surrogates sort after the rest of the basic plane. */
export const codePointAlphabet = alphabet((unit) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit));
/** `/` sorts first, so that a folder and everything below it are adjacent. */
export const pathAlphabet = alphabet((unit) => (unit === 47 ? -1 : unit));

/** Returns the numbers 0 … size − 1 in the order of their texts. Equal texts are adjacent in arbitrary order. */
export function sortTexts(texts: TextSpans, alphabet: Alphabet): Uint32Array {
  const order = new Uint32Array(texts.size);
  for (let at = 0; at < order.length; at++) order[at] = at;
  if (order.length >= 1 << numberBits) return order.sort((a, b) => compareTexts(texts, a, b, 0, alphabet));
  const keys = new BigUint64Array(order.length);
  const spare = new Uint32Array(order.length < manyTexts ? 0 : order.length * 2);
  sortPart({ texts, alphabet, order, keys, halves: new Uint32Array(keys.buffer), spare }, 0, order.length, 0);
  return order;
}

interface Work {
  texts: TextSpans;
  alphabet: Alphabet;
  order: Uint32Array;
  keys: BigUint64Array;
  /** The keys as 32-bit halves: the lower half of key n at index 2n, the upper half after it. */
  halves: Uint32Array;
  /** Working memory of the same size for radix sort. */
  spare: Uint32Array;
}

/** Sorts order[low … high), whose texts share the first `known` units. */
function sortPart(work: Work, low: number, high: number, known: number): void {
  const { texts, alphabet, order, keys, halves } = work;
  if (high - low <= fewTexts) {
    insert(work, low, high, known);
    return;
  }
  const depth = known + sharedUnits(work, low, high, known);
  fillKeys(work, low, high, depth);
  if (high - low < manyTexts) keys.subarray(low, high).sort();
  else sortByDigits(work, low, high);
  for (let at = low; at < high; at++) order[at] = halves[at * 2]! & ((1 << numberBits) - 1);
  for (let from = low; from < high; ) {
    const upper = halves[from * 2 + 1]!;
    const fifth = halves[from * 2]! >>> numberBits;
    let to = from + 1;
    while (to < high && halves[to * 2 + 1] === upper && halves[to * 2]! >>> numberBits === fifth) to++;
    // A fifth unit of 0 means that the text has ended, so these texts are equal.
    if (to - from > 1) {
      if (fifth === 255 || hasLargeUnit(upper)) order.subarray(from, to).sort((a, b) => compareTexts(texts, a, b, depth, alphabet));
      else if (fifth !== 0) sortPart(work, from, to, depth + keyUnits);
    }
    from = to;
  }
}

/** Returns how many further units all these texts share. */
function sharedUnits({ texts, order }: Work, low: number, high: number, depth: number): number {
  const { units, starts } = texts;
  const first = starts[order[low]!]! + depth;
  let shared = spanEnd(texts, order[low]!) - first;
  for (let at = low + 1; at < high && shared > 0; at++) {
    const own = starts[order[at]!]! + depth;
    const most = Math.min(shared, spanEnd(texts, order[at]!) - own);
    shared = 0;
    while (shared < most && units[own + shared] === units[first + shared]) shared++;
  }
  return shared;
}

/** Radix sort by the 40 bits above the text number, in digits of 8, 11, 11 and 10 bits. */
function sortByDigits({ halves, spare }: Work, low: number, high: number): void {
  moveByDigit(halves, spare, low, high, 0, numberBits);
  moveByDigit(spare, halves, low, high, 1, 0);
  moveByDigit(halves, spare, low, high, 1, 11);
  moveByDigit(spare, halves, low, high, 1, 22);
}

function moveByDigit(from: Uint32Array, to: Uint32Array, low: number, high: number, half: number, shift: number): void {
  const next = new Uint32Array(1 << 11);
  for (let at = low; at < high; at++) next[(from[at * 2 + half]! >>> shift) & 0x7ff]!++;
  let start = low;
  for (let digit = 0; digit < next.length; digit++) {
    const count = next[digit]!;
    next[digit] = start;
    start += count;
  }
  for (let at = low; at < high; at++) {
    const slot = next[(from[at * 2 + half]! >>> shift) & 0x7ff]!++ * 2;
    to[slot] = from[at * 2]!;
    to[slot + 1] = from[at * 2 + 1]!;
  }
}

function fillKeys({ texts, alphabet: { ranks }, order, halves }: Work, low: number, high: number, depth: number): void {
  const { units, starts } = texts;
  for (let at = low; at < high; at++) {
    const text = order[at]!;
    const from = starts[text]! + depth;
    const left = spanEnd(texts, text) - from;
    let upper = 0;
    let fifth = 0;
    // The key ends at a large unit, because later units must not decide before it has been compared.
    for (let index = 0; index < keyUnits && index < left; index++) {
      const unit = units[from + index]!;
      const rank = unit < smallUnits ? ranks[unit]! : 255;
      if (index === keyUnits - 1) fifth = rank;
      else upper |= rank << (24 - index * 8);
      if (rank === 255) break;
    }
    halves[at * 2 + 1] = upper;
    halves[at * 2] = (fifth << numberBits) | text;
  }
}

/** Returns whether one of the four bytes is 255. */
const hasLargeUnit = (upper: number) => {
  const inverted = ~upper;
  return ((inverted - 0x01010101) & upper & 0x80808080) !== 0;
};

function insert({ texts, alphabet, order }: Work, low: number, high: number, depth: number): void {
  for (let at = low + 1; at < high; at++) {
    const text = order[at]!;
    let to = at;
    for (; to > low && compareTexts(texts, order[to - 1]!, text, depth, alphabet) > 0; to--) order[to] = order[to - 1]!;
    order[to] = text;
  }
}

/** Compares two texts that share the first `depth` units. */
export function compareTexts(texts: TextSpans, a: number, b: number, depth: number, { orderOf }: Alphabet): number {
  const { units, starts } = texts;
  const left = starts[a]!;
  const right = starts[b]!;
  const leftLength = spanEnd(texts, a) - left;
  const rightLength = spanEnd(texts, b) - right;
  const shared = Math.min(leftLength, rightLength);
  for (let at = depth; at < shared; at++) {
    const x = units[left + at]!;
    const y = units[right + at]!;
    if (x !== y) return orderOf(x) - orderOf(y);
  }
  return leftLength - rightLength;
}

export function sameText(texts: TextSpans, a: number, b: number): boolean {
  const { units, starts } = texts;
  const left = starts[a]!;
  const right = starts[b]!;
  const length = spanEnd(texts, a) - left;
  if (length !== spanEnd(texts, b) - right) return false;
  for (let at = 0; at < length; at++) if (units[left + at] !== units[right + at]) return false;
  return true;
}
