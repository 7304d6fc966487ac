import { caseFold } from '../text/index.ts';

/** The sort orders of dictionaries. Each is total: different strings never compare as equal. */
export type Compare = (a: string, b: string) => number;

export const byCodeUnits: Compare = (a, b) => (a < b ? -1 : a > b ? 1 : 0);

/** UTF-8 byte order, which equals code point order; it differs from code unit order only for surrogates. */
export const byBytes: Compare = (a, b) => {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return surrogatesLast(left) - surrogatesLast(right);
  }
  return a.length - b.length;
};

const surrogatesLast = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit);

/** Path order: `/` sorts first, so that a folder and everything below it are adjacent. */
export const byPath: Compare = (a, b) => {
  const shared = Math.min(a.length, b.length);
  for (let at = 0; at < shared; at++) {
    const left = a.charCodeAt(at);
    const right = b.charCodeAt(at);
    if (left !== right) return (left === 47 ? -1 : left) - (right === 47 ? -1 : right);
  }
  return a.length - b.length;
};

/** Order by case-folded text without accents, then by code units. */
export const byCaseFold: Compare = (a, b) => byCodeUnits(caseFoldForSort(a), caseFoldForSort(b)) || byCodeUnits(a, b);

const plain = /^[\x00-\x7f]*$/;

function caseFoldForSort(text: string): string {
  return plain.test(text) ? text.toLowerCase() : caseFold(text);
}
