/** Collects the words of a document up to the stored limit, with runs of white space folded, and remembers whether anything was left out. */
export interface BodyText {
  /** Adds text; false once the limit is reached, so that the reader can stop early. */
  add(text: string): boolean;
  /** A paragraph or cell ends here. */
  break(separator?: string): void;
  full(): boolean;
  /** Says that text was left out for another reason (pages not read, parts skipped). */
  markTruncated(): void;
  result(): { bodyText?: string; bodyTextTruncated?: boolean };
  /** Words collected so far. */
  words(): number;
}

export function createBodyText(maxChars: number): BodyText {
  const parts: string[] = [];
  let length = 0;
  let truncated = false;
  let pending = '';
  const add = (text: string): boolean => {
    if (text === '') return !truncated;
    if (length >= maxChars) {
      if (!truncated && /\S/.test(text)) truncated = true;
      return false;
    }
    const whole = length === 0 ? text : pending + text;
    // Folding white space may halve a text, seldom more: what lies beyond that is left out before it costs anything.
    const room = maxChars * 2 + 1024 - length;
    const piece = whole.length > room ? whole.slice(0, room) : whole;
    if (piece !== whole) truncated = true;
    pending = '';
    parts.push(piece);
    length += piece.length;
    return length < maxChars;
  };
  const joined = (): string => {
    const text = parts.join('');
    parts.length = 0;
    parts.push(text);
    return text;
  };
  return {
    add,
    break(separator = '\n') {
      if (length > 0) pending = separator;
    },
    full: () => length >= maxChars,
    markTruncated() {
      truncated = true;
    },
    result() {
      const whole = collapseWhitespace(joined());
      const text = whole.length > maxChars ? whole.slice(0, maxChars).toWellFormed() : whole;
      const cut = truncated || whole.length > maxChars;
      if (text === '') return cut ? { bodyTextTruncated: true } : {};
      return cut ? { bodyText: text, bodyTextTruncated: true } : { bodyText: text };
    },
    words: () => countWords(joined()),
  };
}

/**
 * Runs of white space become one: a blank, a line end, or two line ends for a paragraph. Form feeds stay, each of them: the one between two
 * pages tells where a page begins. One walk over the text, because every document goes through here.
 */
export function collapseWhitespace(text: string): string {
  let folded = '';
  let kept = 0;
  let blankPage = true;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (!isGap(code)) {
      blankPage = code === formFeed;
      at += 1;
      continue;
    }
    const start = at;
    let lines = 0;
    for (; at < text.length; at++) {
      const here = text.charCodeAt(at);
      if (!isGap(here)) break;
      if (isLineEnd(here) && !(here === lineFeed && text.charCodeAt(at - 1) === carriageReturn)) lines += 1;
    }
    const atEdge = blankPage || at === text.length || text.charCodeAt(at) === formFeed;
    const gap = atEdge ? '' : lines === 0 ? ' ' : lines === 1 ? '\n' : '\n\n';
    if (at - start === gap.length && text.startsWith(gap, start)) continue;
    folded += text.slice(kept, start) + gap;
    kept = at;
  }
  return withoutLastBreaks(kept === 0 ? text : folded + text.slice(kept));
}

const [lineFeed, formFeed, carriageReturn] = [10, 12, 13];

function isLineEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn || code === 0x2028 || code === 0x2029;
}

/** Blank, tab, vertical tab, no-break space and line ends. */
function isGap(code: number): boolean {
  return code === 32 || (code < 14 && code > 8 && code !== formFeed) || code === 160 || code === 0x2028 || code === 0x2029;
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\f') end--;
  return text.slice(0, end);
}

/** What each character is, found out when it is first met: 1 letter or digit, 2 anything else. */
const kinds = new Uint8Array(65_536);

/** Runs of letters and digits; an apostrophe or hyphen inside a word does not part it. */
export function countWords(text: string): number {
  let words = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((kinds[code] || kindOf(text, at, code)) === 1) {
      if (!inWord) words += 1;
      inWord = true;
    } else if (inWord) inWord = joins(code) && at + 1 < text.length && kindOf(text, at + 1, text.charCodeAt(at + 1)) === 1;
  }
  return words;
}

function joins(code: number): boolean {
  return code === 0x27 || code === 0x2d || code === 0x2019;
}

/** Halves of a character outside the first plane are judged by the whole, so they are not remembered. */
function kindOf(text: string, at: number, code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) {
    const whole = text.codePointAt(code >= 0xdc00 ? at - 1 : at) ?? code;
    return whole > 0xffff && /[\p{L}\p{N}]/u.test(String.fromCodePoint(whole)) ? 1 : 2;
  }
  kinds[code] ||= /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? 1 : 2;
  return kinds[code] as number;
}
