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

export interface Token {
  term: string;
  position: number;
  /** The folded whole of a chunk of several parts, at the position of the first of them, or a term without its `++` or `#`. */
  extra: boolean;
}

export type TokenSink = (term: string, position: number, extra: boolean) => void;

export const longestTerm = 64;
export const mostTokens = 65_535;
export const longestWhole = 40;

const words = new Intl.Segmenter('und', { granularity: 'word' });
// A process cuts its first word of a script before the dictionary of that script is loaded, and so otherwise than every later one: index
// and query would disagree. One word of each script, cut and thrown away, settles it.
for (const sample of ['東京タワーが', 'ひらがな', 'สวัสดี', 'ສະບາຍດີ', 'សួស្តី', 'မြန်မာ']) for (const _ of words.segment(sample));

/** The tokens of a text in order, as RULES.md §1 says. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  tokenizeInto(text, (term, position, extra) => tokens.push({ term, position, extra }));
  return tokens;
}

/**
 * The same without building tokens: the sink is called once a token. Positions count from `base`; the answer is the next free one.
 * Documents in plain ASCII, which is most of a catalog, are cut by a shorter way to the same tokens (`segment/term-table.ts`).
 */
export function tokenizeInto(text: string, sink: TokenSink, base = 0): number {
  return tokensOf(text.normalize('NFKD'), sink, base);
}

/** Never leaves half a surrogate pair behind. */
function cut(term: string): string {
  if (term.length <= longestTerm) return term;
  const last = term.charCodeAt(longestTerm - 1);
  return term.slice(0, last >= 0xd800 && last <= 0xdbff ? longestTerm - 1 : longestTerm);
}

/** `++` or `#` right after a letter belongs to the term: c++, f#. */
function suffixLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x23) return 1;
  return code === 0x2b && text.charCodeAt(at + 1) === 0x2b ? 2 : 0;
}

/** `text` is in NFKD. Marks are stepped over and unspaced scripts are segmented. */
function tokensOf(text: string, sink: TokenSink, base: number): number {
  const limit = base + mostTokens;
  let position = base;
  let at = 0;
  let part = '';
  let whole = '';
  let parts = 0;
  let first = base;
  let before = separator;
  let segmented = false;

  /** A term that ends in `++` or `#` is there without it too, as an extra token at the same position. */
  const endPart = (suffix = '') => {
    if (part === '') return;
    if (position < limit) {
      sink(cut(part + suffix), position++, false);
      if (suffix !== '' && part.length < longestTerm) sink(part, position - 1, true);
    }
    whole += part;
    parts++;
    part = '';
  };
  const endChunk = (suffix = '') => {
    endPart(suffix);
    if (parts > 1 && !segmented) {
      if (suffix !== '' && whole.length + suffix.length <= longestWhole) sink(whole + suffix, first, true);
      if (whole.length <= longestWhole) sink(whole, first, true);
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
        for (const character of segment) part += foldCodePoint(character.codePointAt(0)!);
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
    part += foldCodePoint(codePoint);
    before = kind;
    at += codePoint > 0xffff ? 2 : 1;
  }
  endChunk();
  return position;
}

/** The segmenter sees the marks, which Thai and its neighbours need to be read; they are dropped from each word after it. */
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
