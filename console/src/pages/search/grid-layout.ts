import type { SearchHit } from '../../api/types.ts';
import { formatMonth, toDate } from '../../format/dates.ts';
import { lastWhere, type Strip } from './list-layout.ts';

/** A stretch of files of one month, as far as it is known. */
export interface Month {
  title: string;
  from: number;
  /** When this month begins and ends, in seconds. */
  start: number;
  end: number;
}

/** What is known of the months of a list from its top down; grows as pages arrive and is never counted twice. */
export interface Months {
  list: Month[];
  /** Files whose month is known. */
  upTo: number;
}

export const noMonths = (): Months => ({ list: [], upTo: 0 });

const secondsOf = (when: SearchHit['mtime']): number => (typeof when === 'number' ? when : toDate(when).getTime() / 1000);

/** Reads on where it stopped, as far as hits are there without a gap. */
export function readMonths(known: Months, total: number, hitAt: (i: number) => SearchHit | undefined): Months {
  const list = [...known.list];
  let i = known.upTo;
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
  return i === known.upTo ? known : { list, upTo: i };
}

/** One line of the grid: a month heading, or a few cards. `nth` counts those of its kind. */
export type GridLine =
  | { kind: 'heading'; nth: number; title: string; from: number; count: number | null }
  | { kind: 'cards'; nth: number; from: number; to: number };

export interface GridStrip extends Strip {
  lineAt: (index: number) => GridLine;
  /** The line that shows a file. */
  lineOf: (file: number) => number;
}

interface Section {
  title: string | null;
  from: number;
  to: number;
  /** Its first line and where that begins. */
  line: number;
  top: number;
  whole: boolean;
}

/**
 * Lines for a grid. Months that are known have a heading; files whose month is not known yet follow as plain cards,
 * so that the length of the page is right from the start. Only sections are stored, lines are computed.
 */
export function gridStrip(total: number, columns: number, months: Months, measures: { heading: number; cards: number }): GridStrip {
  const sections: Section[] = [];
  let line = 0;
  let top = 0;
  const add = (title: string | null, from: number, to: number, whole: boolean) => {
    if (to <= from) return;
    sections.push({ title, from, to, line, top, whole });
    const cardLines = Math.ceil((to - from) / columns);
    line += cardLines + (title ? 1 : 0);
    top += cardLines * measures.cards + (title ? measures.heading : 0);
  };
  const known = Math.min(months.upTo, total);
  for (const [i, month] of months.list.entries()) {
    const next = months.list[i + 1]?.from;
    add(month.title, month.from, Math.min(total, next ?? known), next !== undefined || known >= total);
  }
  add(null, known, total, false);

  const of = (test: (section: Section) => boolean): Section | undefined => sections[lastWhere(sections.length, (i) => test(sections[i]!))];
  const headOf = (section: Section): number => (section.title ? 1 : 0);
  const headHeight = (section: Section): number => (section.title ? measures.heading : 0);
  return {
    count: line,
    step: Math.min(measures.heading, measures.cards),
    top(index) {
      const section = of((s) => s.line <= index);
      if (!section || index >= line) return top;
      const into = index - section.line - headOf(section);
      return into < 0 ? section.top : section.top + headHeight(section) + into * measures.cards;
    },
    at(y) {
      const section = of((s) => s.top <= y);
      if (!section) return 0;
      const below = y - section.top - headHeight(section);
      if (below < 0) return section.line;
      const lines = Math.ceil((section.to - section.from) / columns);
      return section.line + headOf(section) + Math.min(lines - 1, Math.floor(below / measures.cards));
    },
    lineAt(index) {
      const nth = lastWhere(sections.length, (i) => sections[i]!.line <= index);
      const section = sections[nth]!;
      const into = index - section.line - headOf(section);
      if (into < 0)
        return { kind: 'heading', nth, title: section.title!, from: section.from, count: section.whole ? section.to - section.from : null };
      const from = section.from + into * columns;
      // Every section before has one heading; this one's is counted where it has one.
      return { kind: 'cards', nth: index - nth - headOf(section), from, to: Math.min(section.to, from + columns) };
    },
    lineOf(file) {
      const section = of((s) => s.from <= file);
      return section ? section.line + headOf(section) + Math.floor((file - section.from) / columns) : 0;
    },
  };
}
