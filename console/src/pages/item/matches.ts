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

/** A cut never tears a word apart: it moves back towards the match, unless one word fills all the room there is. */
function wholeWords(body: string, [from, to]: MarkRange, [start, end]: MarkRange, edges: MarkRange): MarkRange {
  const head = from > edges[0] ? body.slice(from - 1, start).search(/\s/) : 0;
  const tail = to < edges[1] ? body.slice(end, to + 1).search(/\s\S*$/) : -1;
  return [from + Math.max(0, head), tail >= 0 ? end + tail : to];
}

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
      const edges: MarkRange = [page > 1 ? breaks[page - 2]! + 1 : 0, breaks[page - 1] ?? body.length];
      const room: MarkRange = [Math.max(edges[0], start - BEFORE), Math.min(edges[1], end + AFTER)];
      const [from, to] = wholeWords(body, room, [start, end], edges);
      return {
        at: start,
        end,
        page: paged ? page : null,
        text: body.slice(from, to).replace(/\s/g, ' '),
        marks: [[start - from, end - from]],
      };
    });
}
