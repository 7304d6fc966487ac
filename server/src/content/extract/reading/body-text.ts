/** Collects the words of a document up to the stored limit, with runs of white space folded, and remembers whether anything was left out. */
export interface BodyText {
  /** Adds text; false once the limit is reached, so that the reader can stop early. */
  add(text: string): boolean;
  /** A paragraph or cell ends here. */
  break(separator?: string): void;
  full(): boolean;
  /** Says that text was left out for another reason (pages not read, parts skipped). */
  leaveOut(): void;
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
    leaveOut() {
      truncated = true;
    },
    result() {
      const whole = foldSpace(joined());
      const text = whole.length > maxChars ? whole.slice(0, maxChars).toWellFormed() : whole;
      const cut = truncated || whole.length > maxChars;
      if (text === '') return cut ? { bodyTextTruncated: true } : {};
      return cut ? { bodyText: text, bodyTextTruncated: true } : { bodyText: text };
    },
    words: () => countWords(joined()),
  };
}

/** Runs of white space become one; form feeds stay, each of them: the one between two pages tells where a page begins. */
export function foldSpace(text: string): string {
  const folded = text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/[\t\v \u00a0]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n');
  return withoutLastBreaks(folded.includes('\f') ? folded.split('\f').map(trimmed).join('\f') : trimmed(folded));
}

/** Like trim, for a text whose only white space is spaces, line ends and page breaks; a pattern would try every run of them anew. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && (text[start] === ' ' || text[start] === '\n')) start++;
  while (end > start && (text[end - 1] === ' ' || text[end - 1] === '\n')) end--;
  return text.slice(start, end);
}

function withoutLastBreaks(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\f') end--;
  return text.slice(0, end);
}

export function countWords(text: string): number {
  let words = 0;
  for (const _ of text.matchAll(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)) words += 1;
  return words;
}
