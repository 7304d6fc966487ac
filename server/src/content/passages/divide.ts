// biome-ignore-all lint/style/noNonNullAssertion: positions come from a search in the same text
/**
 * Divides a text into passages: windows of a limited length that end where a reader would stop. A passage ends, in order of preference, at
 * the end of a page, before a heading, at the end of a paragraph, sentence, line or word. Consecutive passages of a section share some text,
 * so that a sentence at a border is found from both sides.
 *
 * The whole text is covered. A text that would need more passages than allowed gets longer ones, which may then span pages.
 */
export interface Passage {
  /** A range of UTF-16 units in the text, without blanks at either end. */
  start: number;
  end: number;
  /** Page, slide, sheet, message of a mailbox or part of a message where it starts, from 1; null for a text without form feeds. */
  page: number | null;
  /** The nearest heading above or at the start of the passage. */
  heading: string | null;
}

export interface PassageShape {
  size: number;
  overlap: number;
  max: number;
}

/** Increase it when the rules below change, so that texts are divided again. */
const rulesVersion = 2;

export function shapeKey({ size, overlap, max }: PassageShape): string {
  return `${rulesVersion}:${size}:${overlap}:${max}`;
}

export function divideText(text: string, shape: PassageShape): Passage[] {
  const overlap = Math.min(shape.overlap, Math.floor(shape.size / 2));
  let passages = windows(text, shape.size, overlap, true);
  for (let size = shape.size; passages.length > shape.max && size <= text.length; ) {
    size = Math.ceil(size * Math.max(1.3, passages.length / shape.max));
    passages = windows(text, size, overlap, false);
  }
  return passages.slice(0, shape.max);
}

function windows(text: string, size: number, overlap: number, keepPages: boolean): Passage[] {
  const pages = pageStarts(text);
  const headings = findHeadings(text);
  const passages: Passage[] = [];
  const sections = keepPages
    ? pages.map((start, at) => [start, (pages[at + 1] ?? text.length + 1) - 1] as const)
    : [[0, text.length] as const];
  let page = 0;
  let heading = -1;
  for (const [from, to] of sections) {
    for (let start = skipBlanks(text, from, to); start < to; ) {
      while (page + 1 < pages.length && pages[page + 1]! <= start) page += 1;
      while (heading + 1 < headings.length && headings[heading + 1]!.start <= start) heading += 1;
      const { end, at } = windowEnd(text, start, to, size, headings, heading + 1);
      passages.push({
        start,
        end: trimEnd(text, start, end),
        page: pages.length > 1 ? page + 1 : null,
        heading: headings[heading]?.title ?? null,
      });
      if (end >= to) break;
      const next = at === 'section' ? end : overlapStart(text, start, end, overlap, at === 'sentence');
      start = skipBlanks(text, Math.max(next, start + 1), to);
    }
  }
  return passages;
}

type Border = 'section' | 'sentence' | 'word';

const breaks: readonly { pattern: RegExp; at: Border }[] = [
  { pattern: /\f/g, at: 'sentence' },
  { pattern: /\n{2,}/g, at: 'sentence' },
  { pattern: /[.!?…]["'”’)\]]*\s|[。！？]/g, at: 'sentence' },
  { pattern: /\n/g, at: 'sentence' },
  { pattern: /\s/g, at: 'word' },
];

/** The end of the window that begins at `start`, and what ends there. Headings from `nextHeading` on begin after `start`. */
function windowEnd(
  text: string,
  start: number,
  to: number,
  size: number,
  headings: readonly Heading[],
  nextHeading: number,
): { end: number; at: Border } {
  const earliest = start + Math.floor(size / 4);
  const latest = Math.min(start + size, to);
  for (let n = nextHeading; n < headings.length && headings[n]!.start <= latest; n += 1)
    if (headings[n]!.start > earliest) return { end: headings[n]!.start, at: 'section' };
  if (start + size >= to) return { end: to, at: 'section' };
  const half = start + Math.floor(size / 2);
  const window = text.slice(half, start + size + 1);
  for (const { pattern, at } of breaks) {
    const last = lastMatchEnd(window, pattern);
    if (last > 0) return { end: Math.min(half + last, start + size), at };
  }
  const cut = start + size;
  // A surrogate pair is one character.
  return { end: /[\uDC00-\uDFFF]/.test(text[cut]!) ? Math.max(start + 1, cut - 1) : cut, at: 'word' };
}

function lastMatchEnd(text: string, pattern: RegExp): number {
  let end = 0;
  for (const match of text.matchAll(pattern)) end = match.index + match[0].length;
  return end;
}

/** The first sentence that begins within the overlap, else the first word; a passage that ends with a whole sentence needs no half one. */
function overlapStart(text: string, start: number, end: number, overlap: number, atSentence: boolean): number {
  const from = Math.max(start + 1, end - overlap);
  const tail = text.slice(from, end);
  const sentence = /[.!?…]["'”’)\]]*\s+(?=\S)|[。！？]|\n+(?=\S)/.exec(tail);
  if (sentence) return from + sentence.index + sentence[0].length;
  if (atSentence) return end;
  const word = /\s+(?=\S)/.exec(tail);
  return word ? from + word.index + word[0].length : end;
}

function pageStarts(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf('\f'); at >= 0; at = text.indexOf('\f', at + 1)) starts.push(at + 1);
  return starts;
}

interface Heading {
  start: number;
  title: string;
}

const maxHeadingChars = 120;

/** Markdown headings, numbered headings, and lines in capitals; each on a line of its own. A form feed also begins a line. */
function findHeadings(text: string): Heading[] {
  const pattern =
    /(?:^|(?<=\f))(?:#{1,6} +\S.*|(?:\d{1,2}\.){1,4}\d{0,2} +\p{Lu}.*[^.,;:!?]|(?:chapter|section|part|appendix|kapitel|chapitre) +[\dIVXLC]+\b.*|\p{Lu}[\p{Lu}\d &,'’-]{4,})$/gimu;
  const headings: Heading[] = [];
  for (const match of text.matchAll(pattern)) {
    const line = match[0].trim();
    if (line.length > maxHeadingChars) continue;
    // The flag i applies to the whole pattern, so capitals are checked here.
    if (!/^(?:#|\d|chapter|section|part|appendix|kapitel|chapitre)/i.test(line) && line !== line.toUpperCase()) continue;
    headings.push({ start: match.index, title: line.replace(/^#+ +|\s+#*$/g, '') });
  }
  return headings;
}

function skipBlanks(text: string, from: number, to: number): number {
  let at = from;
  while (at < to && /\s/.test(text[at]!)) at += 1;
  return at;
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && /\s/.test(text[at - 1]!)) at -= 1;
  return at;
}
