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

function foldForSort(text: string): string {
  return plain.test(text) ? text.toLowerCase() : foldText(text);
}
