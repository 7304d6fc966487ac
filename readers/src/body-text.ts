/** Collects the text of a document up to a limit, with whitespace collapsed, and records whether text was left out. */
export interface BodyText {
  /** Adds text. Returns false once the limit is reached, so that the extractor can stop early. */
  add(text: string): boolean;
  /** Ends a paragraph or cell. */
  break(separator?: string): void;
  full(): boolean;
  /** Records that text was left out for another reason, such as pages that were not read. */
  markTruncated(): void;
  /** `finish` is applied to the whole text before it is cut to the limit. */
  result(finish?: (text: string) => string): { bodyText?: string; bodyTextTruncated?: boolean };
  /** The number of words collected so far. */
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
    const separated = length === 0 ? text : pending + text;
    // Collapsing whitespace rarely shortens a text to less than half, so at most twice the limit is kept until then.
    const capacity = maxChars * 2 + 1024 - length;
    const kept = separated.length > capacity ? separated.slice(0, capacity) : separated;
    if (kept !== separated) truncated = true;
    pending = '';
    parts.push(kept);
    length += kept.length;
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
    result(finish = (text) => text) {
      const whole = finish(collapseWhitespace(withoutSoftHyphens(joined())));
      const text = whole.length > maxChars ? whole.slice(0, maxChars).toWellFormed() : whole;
      const cut = truncated || whole.length > maxChars;
      if (text === '') return cut ? { bodyTextTruncated: true } : {};
      return cut ? { bodyText: text, bodyTextTruncated: true } : { bodyText: text };
    },
    words: () => countWords(joined()),
  };
}

/** A soft hyphen is invisible inside a line and would split the word for search. At the end of a line it is a visible hyphen. */
function withoutSoftHyphens(text: string): string {
  return text.includes('\u00ad') ? text.replace(/\u00ad(?!\s*[\r\n])/g, '') : text;
}

/**
 * Collapses each run of whitespace to a space, a newline, or two newlines for a paragraph. Form feeds are kept, because they mark page
 * breaks. Runs in a single pass, because every document's text goes through it.
 */
export function collapseWhitespace(text: string): string {
  let collapsed = '';
  let kept = 0;
  let blankPage = true;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (!isWhitespace(code)) {
      blankPage = code === formFeed;
      at += 1;
      continue;
    }
    const start = at;
    let lines = 0;
    for (; at < text.length; at++) {
      const here = text.charCodeAt(at);
      if (!isWhitespace(here)) break;
      if (isLineEnd(here) && !(here === lineFeed && text.charCodeAt(at - 1) === carriageReturn)) lines += 1;
    }
    const atEdge = blankPage || at === text.length || text.charCodeAt(at) === formFeed;
    const gap = atEdge ? '' : lines === 0 ? ' ' : lines === 1 ? '\n' : '\n\n';
    if (at - start === gap.length && text.startsWith(gap, start)) continue;
    collapsed += text.slice(kept, start) + gap;
    kept = at;
  }
  return trimTrailingFormFeeds(kept === 0 ? text : collapsed + text.slice(kept));
}

const [lineFeed, formFeed, carriageReturn] = [10, 12, 13];

function isLineEnd(code: number): boolean {
  return code === lineFeed || code === carriageReturn || code === 0x2028 || code === 0x2029;
}

/** Space, tab, vertical tab, no-break space and line ends, but not form feed. */
function isWhitespace(code: number): boolean {
  return code === 32 || (code < 14 && code > 8 && code !== formFeed) || code === 160 || code === 0x2028 || code === 0x2029;
}

function trimTrailingFormFeeds(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\f') end--;
  return text.slice(0, end);
}

/** Lazily computed class of each UTF-16 unit: 1 letter or digit, 2 anything else. */
const characterClasses = new Uint8Array(65_536);

/** Counts runs of letters and digits; an apostrophe or hyphen inside a word does not split it. */
export function countWords(text: string): number {
  let words = 0;
  let inWord = false;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((characterClasses[code] || classOf(text, at, code)) === 1) {
      if (!inWord) words += 1;
      inWord = true;
    } else if (inWord) inWord = isWordJoiner(code) && at + 1 < text.length && classOf(text, at + 1, text.charCodeAt(at + 1)) === 1;
  }
  return words;
}

function isWordJoiner(code: number): boolean {
  return code === 0x27 || code === 0x2d || code === 0x2019;
}

/** A surrogate is classified by its whole character, so its class is not cached. */
function classOf(text: string, at: number, code: number): number {
  if (code >= 0xd800 && code <= 0xdfff) {
    const codePoint = text.codePointAt(code >= 0xdc00 ? at - 1 : at) ?? code;
    return codePoint > 0xffff && /[\p{L}\p{N}]/u.test(String.fromCodePoint(codePoint)) ? 1 : 2;
  }
  characterClasses[code] ||= /[\p{L}\p{N}]/u.test(String.fromCharCode(code)) ? 1 : 2;
  return characterClasses[code] as number;
}
