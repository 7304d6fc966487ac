import { classOf, digit, dropped, foldCodePoint, lower, separator, unspaced, upper } from './characters.ts';

export interface Token {
  term: string;
  position: number;
  /** The folded whole of a chunk of several parts; it stands at the position of the first of them. */
  extra: boolean;
}

export type TokenSink = (term: string, position: number, extra: boolean) => void;

export const longestTerm = 64;
export const mostTokens = 65_535;
const longestWhole = 40;

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
 * Text that is plain ASCII, which is most of a catalog, takes a shorter way to the same tokens.
 */
export function tokenizeInto(text: string, sink: TokenSink, base = 0): number {
  return isAscii(text) ? asciiTokens(text, sink, base) : unicodeTokens(text.normalize('NFKD'), sink, base);
}

export function isAscii(text: string): boolean {
  for (let at = 0; at < text.length; at++) if (text.charCodeAt(at) > 127) return false;
  return true;
}

/** Never leaves half a surrogate pair behind. */
function cut(term: string): string {
  if (term.length <= longestTerm) return term;
  const last = term.charCodeAt(longestTerm - 1);
  return term.slice(0, last >= 0xd800 && last <= 0xdbff ? longestTerm - 1 : longestTerm);
}

const asciiClass = Uint8Array.from({ length: 128 }, (_, code) => classOf(code));

/** Where the tokens of plain text begin and end; nothing is cut out or folded yet. */
export type PieceSink = (start: number, end: number, position: number, extra: boolean) => void;

function asciiTokens(text: string, sink: TokenSink, base: number): number {
  const folded = text.toLowerCase();
  return asciiPieces(text, (start, end, position, extra) => sink(cut(folded.slice(start, end)), position, extra), base);
}

export function asciiPieces(text: string, sink: PieceSink, base: number): number {
  const end = text.length;
  const limit = base + mostTokens;
  let position = base;
  let at = 0;
  while (at < end && position < limit) {
    let kind = asciiClass[text.charCodeAt(at)]!;
    if (kind === separator) {
      at++;
      continue;
    }
    const chunk = at;
    const first = position;
    let part = at;
    let before = kind;
    at++;
    for (; at < end; at++) {
      kind = asciiClass[text.charCodeAt(at)]!;
      if (kind === before && kind !== upper) continue;
      if (kind === separator) break;
      const splits =
        kind === upper
          ? before !== upper || (at + 1 < end && asciiClass[text.charCodeAt(at + 1)] === lower)
          : (kind === digit) !== (before === digit);
      before = kind;
      if (!splits) continue;
      if (position < limit) sink(part, at, position++, false);
      part = at;
    }
    if (before !== digit && at < end) at += suffixLength(text, at);
    if (position < limit) sink(part, at, position++, false);
    if (part !== chunk && at - chunk <= longestWhole) sink(chunk, at, first, true);
  }
  return position;
}

/** `++` or `#` right after a letter belongs to the term: c++, f#. */
function suffixLength(text: string, at: number): number {
  const code = text.charCodeAt(at);
  if (code === 0x23) return 1;
  return code === 0x2b && text.charCodeAt(at + 1) === 0x2b ? 2 : 0;
}

/** `text` is in NFKD. The shape is that of the ASCII way; marks are stepped over and unspaced scripts are segmented. */
function unicodeTokens(text: string, sink: TokenSink, base: number): number {
  const limit = base + mostTokens;
  let position = base;
  let at = 0;
  let part = '';
  let whole = '';
  let parts = 0;
  let first = base;
  let before = separator;
  let segmented = false;

  const endPart = () => {
    if (part === '') return;
    if (position < limit) sink(cut(part), position++, false);
    whole += part;
    parts++;
    part = '';
  };
  const endChunk = () => {
    endPart();
    if (parts > 1 && !segmented && whole.length <= longestWhole) sink(whole, first, true);
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
      part += text.slice(at, at + suffix);
      endChunk();
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
