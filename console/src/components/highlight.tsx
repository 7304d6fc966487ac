import type { ReactNode } from 'react';

/** A matched range of a text; the end is exclusive. */
export type MatchRange = [start: number, end: number];

const OPEN = /<(?:em|mark)>/g;
const BOTH = /<\/?(?:em|mark)>/g;

const ENTITIES: Record<string, string> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#38': '&',
  '#60': '<',
  '#62': '>',
  '#34': '"',
  '#39': "'",
  '#8230': '…',
};
const unescapeText = (escaped: string): string =>
  escaped.replace(/&(amp|lt|gt|quot|#(?:38|60|62|34|39|8230));/g, (_all, name: string) => ENTITIES[name] ?? '');

/** The API marks matches with em tags inside escaped text. No other markup is interpreted. */
export function parseHighlights(marked: string): { text: string; marks: MatchRange[] } {
  let text = '';
  const marks: MatchRange[] = [];
  let start = -1;
  let from = 0;
  for (const tag of marked.matchAll(BOTH)) {
    text += unescapeText(marked.slice(from, tag.index));
    from = tag.index + tag[0].length;
    if (tag[0].match(OPEN)) start = text.length;
    else if (start >= 0) {
      marks.push([start, text.length]);
      start = -1;
    }
  }
  text += unescapeText(marked.slice(from));
  return { text, marks };
}

/** The ranges that fall into text.slice(from, to), relative to `from`. */
export function clipRanges(marks: MatchRange[] | undefined, from: number, to: number): MatchRange[] {
  return (marks ?? []).flatMap(([a, b]): MatchRange[] => {
    const start = Math.max(a, from) - from;
    const end = Math.min(b, to) - from;
    return end > start ? [[start, end]] : [];
  });
}

const ASCII = /^[\x00-\x7f]*$/;
const MARKS = /\p{M}+/gu;

/** The text in lowercase without accents, as search compares it; `at` maps an index back to the original text. */
function folded(text: string): { letters: string; at: (index: number) => number } {
  if (ASCII.test(text)) return { letters: text.toLowerCase(), at: (index) => index };
  let letters = '';
  const places: number[] = [];
  let place = 0;
  for (const letter of text) {
    const plain = letter.normalize('NFKD').replace(MARKS, '').toLowerCase();
    for (let i = 0; i < plain.length; i += 1) places.push(place);
    letters += plain;
    place += letter.length;
  }
  places.push(text.length);
  return { letters, at: (index) => places[index] ?? text.length };
}

/** Finds the words of a query in a text, for responses without marks. Ignores accents and case, as search does. */
export function findRanges(text: string, words: string[]): MatchRange[] {
  const wanted = words.map((word) => folded(word).letters).filter((word) => word.length > 1);
  if (wanted.length === 0) return [];
  const { letters, at } = folded(text);
  const found: MatchRange[] = [];
  for (const word of wanted)
    for (let start = letters.indexOf(word); start >= 0; start = letters.indexOf(word, start + word.length))
      found.push([at(start), at(start + word.length)]);
  found.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
  let end = -1;
  return found.filter((mark) => {
    if (mark[0] < end || mark[1] === mark[0]) return false;
    end = mark[1];
    return true;
  });
}

/** Text with marked ranges. Keys are positional, so that React reuses the nodes when a row shows another file. */
export function Highlighted({ text, marks }: { text: string; marks: MatchRange[] }) {
  if (marks.length === 0) return text;
  const out: ReactNode[] = [];
  let from = 0;
  for (const [nth, [start, end]] of marks.entries()) {
    out.push(text.slice(from, start), <mark key={nth}>{text.slice(start, end)}</mark>);
    from = end;
  }
  return [...out, text.slice(from)];
}
