import { textOf } from '../text/index.ts';
import type { GrowingBytes } from './growing-arrays.ts';

/** Texts in the order in which a section holds them, read one by one while the section is written. */
export interface Texts {
  size: number;
  /** About how many bytes they are together. */
  bytes: number;
  /** Appends the UTF-8 of text `at`. */
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

/** Texts that stand on UTF-16 units: text n is units[starts[n] … ends(n)); `places` says which of them, in order. */
export function unitTexts(source: UnitSpans, places: Uint32Array): Texts {
  return {
    size: places.length,
    bytes: source.end,
    encode: (at, into) => encodeUnits(source.units, source.starts[places[at]!]!, endOf(source, places[at]!), into),
  };
}

/** Many texts on one array of units, `gap` units between the end of one and the start of the next. */
export interface UnitSpans {
  units: Uint16Array;
  starts: Uint32Array;
  gap: number;
  size: number;
  /** Where the last text ends. */
  end: number;
}

export function endOf({ starts, gap, size, end }: UnitSpans, at: number): number {
  return at + 1 < size ? starts[at + 1]! - gap : end;
}

function encodeString(text: string, into: GrowingBytes): void {
  into.reserve(text.length * 3);
  into.length += encoder.encodeInto(text, into.items.subarray(into.length)).written;
}

/** Plain ASCII is copied unit by unit; anything else goes by way of a string. */
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
  else encodeString(textOf(units, from, to), into);
}

/**
 * Sorting of many texts by their UTF-16 units. Five units at a time become the upper 40 bits of a key, the text's number the lower 24;
 * keys are sorted as plain 64-bit numbers, many of them by digits, and texts with the same five units are sorted by the units behind those
 * they share. A unit from 254 on does not fit its byte: texts that differ only behind such a unit are compared unit by unit.
 */
export interface Alphabet {
  /** A byte for every small unit, rising with the order, from 1; 0 is the end of a text and 255 every unit too large. */
  ranks: Uint8Array;
  /** A number for every unit, rising with the order. */
  lift(unit: number): number;
}

const smallUnits = 254;
const keyUnits = 5;
const numberBits = 24;
const fewTexts = 20;
/** From so many keys on, going over them four times costs less than comparing them. */
const manyTexts = 5000;

function alphabet(lift: (unit: number) => number): Alphabet {
  const ranks = new Uint8Array(smallUnits);
  const inOrder = Array.from(ranks, (_, unit) => unit).sort((a, b) => lift(a) - lift(b));
  for (const [rank, unit] of inOrder.entries()) ranks[unit] = rank + 1;
  return { ranks, lift };
}

export const codeUnitAlphabet = alphabet((unit) => unit);
/** UTF-8 byte order, which is code point order: surrogates stand after everything else of the basic plane. */
export const codePointAlphabet = alphabet((unit) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit));
/** `/` comes first, so that a folder and all below it are one run. */
export const pathAlphabet = alphabet((unit) => (unit === 47 ? -1 : unit));

/** The numbers 0 … size − 1 in the order of their texts; equal texts stand together in any order. */
export function sortTexts(texts: UnitSpans, alphabet: Alphabet): Uint32Array {
  const order = new Uint32Array(texts.size);
  for (let at = 0; at < order.length; at++) order[at] = at;
  if (order.length >= 1 << numberBits) return order.sort((a, b) => compareTexts(texts, a, b, 0, alphabet));
  const keys = new BigUint64Array(order.length);
  const spare = new Uint32Array(order.length < manyTexts ? 0 : order.length * 2);
  sortPart({ texts, alphabet, order, keys, halves: new Uint32Array(keys.buffer), spare }, 0, order.length, 0);
  return order;
}

interface Work {
  texts: UnitSpans;
  alphabet: Alphabet;
  order: Uint32Array;
  keys: BigUint64Array;
  /** The same memory in 32 bits: the lower half of key n at 2n, the upper one after it. */
  halves: Uint32Array;
  /** As large, for sorting by digits. */
  spare: Uint32Array;
}

/** Sorts order[low … high), whose texts agree in the first `known` units. */
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
    // Where the fifth unit is an end, so is the text: equal texts need no more sorting.
    if (to - from > 1) {
      if (fifth === 255 || hasLargeUnit(upper)) order.subarray(from, to).sort((a, b) => compareTexts(texts, a, b, depth, alphabet));
      else if (fifth !== 0) sortPart(work, from, to, depth + keyUnits);
    }
    from = to;
  }
}

/** How many more units all the texts share. */
function sharedUnits({ texts, order }: Work, low: number, high: number, depth: number): number {
  const { units, starts } = texts;
  const first = starts[order[low]!]! + depth;
  let shared = endOf(texts, order[low]!) - first;
  for (let at = low + 1; at < high && shared > 0; at++) {
    const own = starts[order[at]!]! + depth;
    const most = Math.min(shared, endOf(texts, order[at]!) - own);
    shared = 0;
    while (shared < most && units[own + shared] === units[first + shared]) shared++;
  }
  return shared;
}

/** Sorts the keys by the four digits above their numbers, from the lowest up: of 8, 11, 11 and 10 bits. */
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
    const place = next[(from[at * 2 + half]! >>> shift) & 0x7ff]!++ * 2;
    to[place] = from[at * 2]!;
    to[place + 1] = from[at * 2 + 1]!;
  }
}

function fillKeys({ texts, alphabet: { ranks }, order, halves }: Work, low: number, high: number, depth: number): void {
  const { units, starts } = texts;
  for (let at = low; at < high; at++) {
    const text = order[at]!;
    const from = starts[text]! + depth;
    const left = endOf(texts, text) - from;
    let upper = 0;
    let fifth = 0;
    // Behind a unit that is too large nothing may decide: the key ends there.
    for (let place = 0; place < keyUnits && place < left; place++) {
      const unit = units[from + place]!;
      const rank = unit < smallUnits ? ranks[unit]! : 255;
      if (place === keyUnits - 1) fifth = rank;
      else upper |= rank << (24 - place * 8);
      if (rank === 255) break;
    }
    halves[at * 2 + 1] = upper;
    halves[at * 2] = (fifth << numberBits) | text;
  }
}

/** Whether one of the four bytes is 255. */
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

/** The order of two texts that agree in the first `depth` units. */
export function compareTexts(texts: UnitSpans, a: number, b: number, depth: number, { lift }: Alphabet): number {
  const { units, starts } = texts;
  const left = starts[a]!;
  const right = starts[b]!;
  const leftLength = endOf(texts, a) - left;
  const rightLength = endOf(texts, b) - right;
  const shared = Math.min(leftLength, rightLength);
  for (let at = depth; at < shared; at++) {
    const x = units[left + at]!;
    const y = units[right + at]!;
    if (x !== y) return lift(x) - lift(y);
  }
  return leftLength - rightLength;
}

export function sameText(texts: UnitSpans, a: number, b: number): boolean {
  const { units, starts } = texts;
  const left = starts[a]!;
  const right = starts[b]!;
  const length = endOf(texts, a) - left;
  if (length !== endOf(texts, b) - right) return false;
  for (let at = 0; at < length; at++) if (units[left + at] !== units[right + at]) return false;
  return true;
}
