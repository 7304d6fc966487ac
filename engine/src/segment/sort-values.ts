import { foldText } from '../text/index.ts';

/** The orders in which dictionaries lie. Each is total: two different strings never compare as equal. */
export type Compare = (a: string, b: string) => number;

export const byCodeUnits: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** UTF-8 byte order, which is code point order; it differs from code unit order only where surrogates meet the end of the basic plane. */
export const byBytes: Compare = (a, b) => {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return liftSurrogate(left) - liftSurrogate(right);
  }
  return a.length - b.length;
};

const liftSurrogate = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Paths: `/` comes before everything else, so that a folder and all below it are one run. */
export const byPath: Compare = (a, b) => {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return (left === 47 ? -1 : left) - (right === 47 ? -1 : right);
  }
  return a.length - b.length;
};

/** How people read names: without case and accents; equal readings by code units. */
export const byReading: Compare = (a, b) => byCodeUnits(foldForSort(a), foldForSort(b)) || byCodeUnits(a, b);

const plain = /^[\x00-\x7f]*$/;

export function foldForSort(text: string): string {
  return plain.test(text) ? text.toLowerCase() : foldText(text);
}

/** For values numbered from 1 in any order: their sorted list and, by old number, the new one (0 stays 0). */
export function sortValues(values: string[], compare: Compare, sorted: boolean): { ordered: string[]; renumber: Uint32Array } {
  const renumber = new Uint32Array(values.length + 1);
  if (sorted) {
    for (let at = 1; at <= values.length; at++) renumber[at] = at;
    return { ordered: values, renumber };
  }
  const order = sortedPlaces(values, compare);
  const ordered = new Array<string>(values.length);
  for (let at = 0; at < order.length; at++) {
    ordered[at] = values[order[at]!]!;
    renumber[order[at]! + 1] = at + 1;
  }
  return { ordered, renumber };
}

/** Places 0 … n−1 in the order of their strings. Folded keys are made once, not per comparison. */
export function sortedPlaces(values: string[], compare: Compare): Uint32Array {
  const order = Uint32Array.from(values, (_, index) => index);
  if (compare === byReading) {
    const keys = values.map(foldForSort);
    return order.sort((a, b) => byCodeUnits(keys[a]!, keys[b]!) || byCodeUnits(values[a]!, values[b]!));
  }
  if (compare === byBytes && !values.some(hasSurrogates)) return order.sort((a, b) => (values[a]! < values[b]! ? -1 : 1));
  return order.sort((a, b) => compare(values[a]!, values[b]!));
}

const surrogates = /[\ud800-\udfff]/;
const hasSurrogates = (text: string) => surrogates.test(text);
