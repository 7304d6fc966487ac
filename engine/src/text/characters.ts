/**
 * What a code point is to the tokenizer. Judged on normalised text (NFKD), before lower-casing, and remembered in one
 * byte per code point of the basic plane: property expressions are too slow for every letter of a million documents.
 */
export const separator = 1;
/** Combining marks that are dropped; they neither separate nor join. */
export const dropped = 2;
export const lower = 3;
export const upper = 4;
/** Letters without case, and marks that stay. */
export const letter = 5;
export const digit = 6;
/** Scripts written without spaces; `Intl.Segmenter` finds their words. */
export const unspaced = 7;

const unspacedScript = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

function judge(codePoint: number): number {
  const text = String.fromCodePoint(codePoint);
  if (/\p{Mn}/u.test(text)) return dropped;
  if (!/[\p{L}\p{N}\p{M}]/u.test(text)) return separator;
  if (unspacedScript.test(text)) return unspaced;
  if (/\p{N}/u.test(text)) return digit;
  if (/\p{Ll}/u.test(text)) return lower;
  return /\p{Lu}/u.test(text) ? upper : letter;
}

const basicPlane = new Uint8Array(0x10000);

export function classOf(codePoint: number): number {
  if (codePoint > 0xffff) return judge(codePoint);
  const known = basicPlane[codePoint]!;
  if (known !== 0) return known;
  const found = judge(codePoint);
  basicPlane[codePoint] = found;
  return found;
}

/** The same for plain ASCII, where it is asked for every letter of a corpus. */
export const asciiClasses = Uint8Array.from({ length: 128 }, (_, unit) => classOf(unit));

/** Letters that Unicode does not decompose and that people type in their plain form. */
const specialFolds = new Map([
  ['ß', 'ss'],
  ['æ', 'ae'],
  ['œ', 'oe'],
  ['ø', 'o'],
  ['đ', 'd'],
  ['ł', 'l'],
  ['þ', 'th'],
  ['ı', 'i'],
  ['ς', 'σ'],
]);

/** Folds one code point of normalised text: lower case without marks. */
export function foldCodePoint(codePoint: number): string {
  if (codePoint < 0x80) return String.fromCharCode(codePoint >= 0x41 && codePoint <= 0x5a ? codePoint | 0x20 : codePoint);
  if (classOf(codePoint) === dropped) return '';
  const small = String.fromCodePoint(codePoint).toLowerCase();
  return specialFolds.get(small) ?? small;
}

/** Folds a whole text without cutting it: for comparing strings as people read them. */
export function foldText(text: string): string {
  let folded = '';
  for (const character of text.normalize('NFKD')) folded += foldCodePoint(character.codePointAt(0)!);
  return folded;
}
