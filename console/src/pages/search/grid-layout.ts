// biome-ignore-all lint/style/noNonNullAssertion: lastIndexWhere returns an index below the number of sections, and a heading line has a title
import type { SearchHit } from '../../api/types.ts';
import { formatMonth, toDate } from '../../format/dates.ts';
import { type ListLayout, lastIndexWhere } from './list-layout.ts';

/** Consecutive files of one month. */
interface Month {
  title: string;
  from: number;
  /** Start and end of the month in seconds since the epoch. */
  start: number;
  end: number;
}

/** The months of a list, from the top down to the first hit that is not loaded. */
export interface Months {
  list: Month[];
  /** Number of files whose month is known. */
  knownCount: number;
}

export const emptyMonths = (): Months => ({ list: [], knownCount: 0 });

const secondsOf = (when: SearchHit['mtime']): number => (typeof when === 'number' ? when : toDate(when).getTime() / 1000);

/** Continues with the hits that were loaded since, up to the first gap. */
export function extendMonths(known: Months, total: number, hitAt: (i: number) => SearchHit | undefined): Months {
  const list = [...known.list];
  let i = known.knownCount;
  for (; i < total; i += 1) {
    const hit = hitAt(i);
    if (!hit) break;
    const seconds = secondsOf(hit.mtime);
    const last = list.at(-1);
    if (last && seconds >= last.start && seconds < last.end) continue;
    const when = toDate(hit.mtime);
    list.push({
      title: formatMonth(hit.mtime),
      from: i,
      start: new Date(when.getFullYear(), when.getMonth(), 1).getTime() / 1000,
      end: new Date(when.getFullYear(), when.getMonth() + 1, 1).getTime() / 1000,
    });
  }
  return i === known.knownCount ? known : { list, knownCount: i };
}

/** One line of the grid: a month heading or a row of cards. `nth` is its number among lines of the same kind. */
type GridLine =
  | { kind: 'heading'; nth: number; title: string; from: number; count: number | null }
  | { kind: 'cards'; nth: number; from: number; to: number };

interface GridLayout extends ListLayout {
  lineAt: (index: number) => GridLine;
  /** The line that shows a file. */
  lineOf: (file: number) => number;
}

interface Section {
  title: string | null;
  from: number;
  to: number;
  /** Its first line, and the top of that line. */
  line: number;
  top: number;
  complete: boolean;
}

/**
 * The layout of a grid. Known months have a heading; files whose month is not known yet follow as plain cards,
 * so that the list has almost its final height from the start. Only sections are stored; lines are computed.
 */
export function gridLayout(total: number, columns: number, months: Months, measures: { heading: number; cards: number }): GridLayout {
  const sections: Section[] = [];
  let line = 0;
  let top = 0;
  const add = (title: string | null, from: number, to: number, complete: boolean) => {
    if (to <= from) return;
    sections.push({ title, from, to, line, top, complete });
    const cardLines = Math.ceil((to - from) / columns);
    line += cardLines + (title ? 1 : 0);
    top += cardLines * measures.cards + (title ? measures.heading : 0);
  };
  const known = Math.min(months.knownCount, total);
  for (const [i, month] of months.list.entries()) {
    const next = months.list[i + 1]?.from;
    add(month.title, month.from, Math.min(total, next ?? known), next !== undefined || known >= total);
  }
  add(null, known, total, false);

  const lastSectionWhere = (test: (section: Section) => boolean): Section | undefined =>
    sections[lastIndexWhere(sections.length, (i) => test(sections[i]!))];
  const headingLines = (section: Section): number => (section.title ? 1 : 0);
  const headingHeight = (section: Section): number => (section.title ? measures.heading : 0);
  return {
    count: line,
    minHeight: Math.min(measures.heading, measures.cards),
    top(index) {
      const section = lastSectionWhere((s) => s.line <= index);
      if (!section || index >= line) return top;
      const into = index - section.line - headingLines(section);
      return into < 0 ? section.top : section.top + headingHeight(section) + into * measures.cards;
    },
    indexAt(y) {
      const section = lastSectionWhere((s) => s.top <= y);
      if (!section) return 0;
      const below = y - section.top - headingHeight(section);
      if (below < 0) return section.line;
      const lines = Math.ceil((section.to - section.from) / columns);
      return section.line + headingLines(section) + Math.min(lines - 1, Math.floor(below / measures.cards));
    },
    lineAt(index) {
      const nth = lastIndexWhere(sections.length, (i) => sections[i]!.line <= index);
      const section = sections[nth]!;
      const into = index - section.line - headingLines(section);
      if (into < 0)
        return {
          kind: 'heading',
          nth,
          title: section.title!,
          from: section.from,
          count: section.complete ? section.to - section.from : null,
        };
      const from = section.from + into * columns;
      // Each earlier section has exactly one heading line.
      return { kind: 'cards', nth: index - nth - headingLines(section), from, to: Math.min(section.to, from + columns) };
    },
    lineOf(file) {
      const section = lastSectionWhere((s) => s.from <= file);
      return section ? section.line + headingLines(section) + Math.floor((file - section.from) / columns) : 0;
    },
  };
}
