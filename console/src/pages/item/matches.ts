import { findMarks, type MarkRange } from '../../parts/marked.tsx';

export interface Match {
  /** Place in the whole text. */
  at: number;
  end: number;
  page: number | null;
  text: string;
  marks: MarkRange[];
}

const BEFORE = 48;
const AFTER = 64;
/** Beyond this many places a list helps nobody. */
const MOST = 2_000;

/** Every place where the words occur, with a little around it; pages are known when the text has page breaks. */
export function matchesIn(body: string, words: string[]): Match[] {
  const breaks = [...body.matchAll(/\f/g)].map((m) => m.index);
  const paged = breaks.length > 0;
  let page = 1;
  return findMarks(body, words)
    .slice(0, MOST)
    .map(([start, end]) => {
      while (page <= breaks.length && breaks[page - 1]! < start) page += 1;
      // What stands around a match is of its own page.
      const from = Math.max(page > 1 ? breaks[page - 2]! + 1 : 0, start - BEFORE);
      const to = Math.min(breaks[page - 1] ?? body.length, end + AFTER);
      return {
        at: start,
        end,
        page: paged ? page : null,
        text: body.slice(from, to).replace(/\s/g, ' '),
        marks: [[start - from, end - from]],
      };
    });
}
