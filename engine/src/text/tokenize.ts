// biome-ignore-all lint/style/noNonNullAssertion: every index is below the length checked in the loop condition
/**
 * The class of a code point for the tokenizer, determined on NFKD text before lower-casing. Classes of the basic plane are cached in one
 * byte each, because Unicode property expressions are too slow for every letter of a million documents.
 */
export const separator = 1;
/** Combining marks that are dropped; they neither separate nor join. */
const dropped = 2;
export const lower = 3;
export const upper = 4;
/** Letters without case, and marks that are kept. */
const letter = 5;
export const digit = 6;
/** Scripts written without spaces; `Intl.Segmenter` finds their words. */
const unspaced = 7;

const unspacedScript = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]/u;

function classify(codePoint: number): number {
  const text = String.fromCodePoint(codePoint);
  if (/\p{Mn}/u.test(text)) return dropped;
  if (!/[\p{L}\p{N}\p{M}]/u.test(text)) return separator;
  if (unspacedScript.test(text)) return unspaced;
  if (/\p{N}/u.test(text)) return digit;
  if (/\p{Ll}/u.test(text)) return lower;
  return /\p{Lu}/u.test(text) ? upper : letter;
}

const basicPlane = new Uint8Array(0x10000);

function classOf(codePoint: number): number {
  if (codePoint > 0xffff) return classify(codePoint);
  const known = basicPlane[codePoint]!;
  if (known !== 0) return known;
  const found = classify(codePoint);
  basicPlane[codePoint] = found;
  return found;
}

/** The classes of ASCII as a table for the fast path. */
export const asciiClasses = Uint8Array.from({ length: 128 }, (_, unit) => classOf(unit));

/** Letters without a Unicode decomposition that people type in their plain form. */
const specialCaseFolds = new Map([
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

/** Case-folds one NFKD code point: lower case, combining marks removed. */
function caseFoldCodePoint(codePoint: number): string {
  if (codePoint < 0x80) return String.fromCharCode(codePoint >= 0x41 && codePoint <= 0x5a ? codePoint | 0x20 : codePoint);
  if (classOf(codePoint) === dropped) return '';
  const small = String.fromCodePoint(codePoint).toLowerCase();
  return specialCaseFolds.get(small) ?? small;
}

/** Case-folds a whole text without tokenising it, for comparing strings. */
export function caseFold(text: string): string {
  let folded = '';
  for (const character of text.normalize('NFKD')) folded += caseFoldCodePoint(character.codePointAt(0)!);
  return folded;
}

export interface Token {
  term: string;
  position: number;
  /**
   * True for the case-folded whole of a chunk of several parts, at the position of its first part, and for a term without its `++` or `#`.
   */
  extra: boolean;
}

type TokenSink = (term: string, position: number, extra: boolean) => void;

export const maxTermLength = 64;
export const maxTokens = 65_535;
export const maxWholeChunkLength = 40;

const words = new Intl.Segmenter('und', { granularity: 'word' });
// The first word of a script is segmented before its dictionary is loaded, and so differently from later ones. Segmenting one word of each
// script in advance keeps index and queries consistent.
for (const sample of ['東京タワーが', 'ひらがな', 'สวัสดี', 'ສະບາຍດີ', 'សួស្តី', 'မြန်မာ']) for (const _ of words.segment(sample));

/** Returns the tokens of a text in order, as RULES.md §1 describes. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  tokenizeInto(text, (term, position, extra) => tokens.push({ term, position, extra }));
  return tokens;
}

/**
 * Passes each token to `sink` instead of building a list. Positions count from `base`; returns the next free position. ASCII documents take
 * a faster path to the same tokens (`segment/term-table.ts`).
 */
export function tokenizeInto(text: string, sink: TokenSink, base = 0): number {
  return tokensOf(text.normalize('NFKD'), sink, base);
}

/** Cuts a term to its maximum length, never inside a surrogate pair. */
function cut(term: string): string {
  if (term.length <= maxTermLength) return term;
  const last = term.charCodeAt(maxTermLength - 1);
  return term.slice(0, last >= 0xd800 && last <= 0xdbff ? maxTermLength - 1 : maxTermLength);
}

/** `++` or `#` directly after a letter belongs to the term: c++, f#. */
function suffixLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x23) return 1;
  return code === 0x2b && text.charCodeAt(at + 1) === 0x2b ? 2 : 0;
}

/** Tokenises NFKD text. */
function tokensOf(text: string, sink: TokenSink, base: number): number {
  const limit = base + maxTokens;
  let position = base;
  let at = 0;
  let part = '';
  let whole = '';
  let parts = 0;
  let first = base;
  let before = separator;
  let segmented = false;

  /** A term that ends in `++` or `#` is also added without it, as an extra token at the same position. */
  const endPart = (suffix = '') => {
    if (part === '') return;
    if (position < limit) {
      sink(cut(part + suffix), position++, false);
      if (suffix !== '' && part.length < maxTermLength) sink(part, position - 1, true);
    }
    whole += part;
    parts++;
    part = '';
  };
  const endChunk = (suffix = '') => {
    endPart(suffix);
    if (parts > 1 && !segmented) {
      if (suffix !== '' && whole.length + suffix.length <= maxWholeChunkLength) sink(whole + suffix, first, true);
      if (whole.length <= maxWholeChunkLength) sink(whole, first, true);
    }
    whole = '';
    parts = 0;
    segmented = false;
    first = position;
    before = separator;
  };

  while (at < text.length && position < limit) {
    const codePoint = text.codePointAt(at)!;
    const kind = classOf(codePoint);
    if (kind === dropped) {
      at++;
      if (codePoint > 0xffff) at++;
      continue;
    }
    if (kind === separator) {
      const suffix = before === separator || before === digit || before === unspaced ? 0 : suffixLength(text, at);
      endChunk(text.slice(at, at + suffix));
      at += suffix || (codePoint > 0xffff ? 2 : 1);
      continue;
    }
    if (kind === unspaced) {
      endPart();
      segmented = true;
      const end = endOfUnspaced(text, at);
      for (const { segment } of words.segment(text.slice(at, end))) {
        for (const character of segment) part += caseFoldCodePoint(character.codePointAt(0)!);
        endPart();
      }
      at = end;
      before = unspaced;
      continue;
    }
    const splits =
      kind === upper
        ? before === lower || before === digit || (before === upper && nextIsLower(text, at + (codePoint > 0xffff ? 2 : 1)))
        : (kind === digit) !== (before === digit);
    if (splits) endPart();
    part += caseFoldCodePoint(codePoint);
    before = kind;
    at += codePoint > 0xffff ? 2 : 1;
  }
  endChunk();
  return position;
}

/** The segmenter needs the combining marks of scripts such as Thai, so they are removed only afterwards. */
function endOfUnspaced(text: string, from: number): number {
  let at = from;
  while (at < text.length) {
    const codePoint = text.codePointAt(at)!;
    const kind = classOf(codePoint);
    if (kind !== unspaced && kind !== dropped) break;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return at;
}

function nextIsLower(text: string, from: number): boolean {
  let at = from;
  while (at < text.length) {
    const codePoint = text.codePointAt(at)!;
    const kind = classOf(codePoint);
    if (kind !== dropped) return kind === lower;
    at += codePoint > 0xffff ? 2 : 1;
  }
  return false;
}
