import type { SearchHit } from '../../api/types.ts';
import { monthYear, toDate } from '../../format/dates.ts';

/** One line of the grid: a month heading, or a few cards. */
export type GridLine = { kind: 'heading'; title: string; from: number; count: number | null } | { kind: 'cards'; from: number; to: number };

const monthOf = (hit: SearchHit): string => {
  const when = toDate(hit.mtime);
  return `${when.getFullYear()}-${when.getMonth()}`;
};

/**
 * Lines for a grid. With month headings the known hits are grouped; rows that are not loaded yet follow as plain cards,
 * so that the length of the page is right from the start.
 */
export function gridLines(total: number, columns: number, hitAt: (i: number) => SearchHit | undefined, byMonth: boolean): GridLine[] {
  const lines: GridLine[] = [];
  let i = 0;
  while (byMonth && i < total && hitAt(i)) {
    const month = monthOf(hitAt(i)!);
    let end = i;
    while (end < total) {
      const hit = hitAt(end);
      if (!hit || monthOf(hit) !== month) break;
      end += 1;
    }
    const whole = end >= total || hitAt(end) !== undefined;
    lines.push({ kind: 'heading', title: monthYear(hitAt(i)!.mtime), from: i, count: whole ? end - i : null });
    for (let at = i; at < end; at += columns) lines.push({ kind: 'cards', from: at, to: Math.min(end, at + columns) });
    i = end;
  }
  for (; i < total; i += columns) lines.push({ kind: 'cards', from: i, to: Math.min(total, i + columns) });
  return lines;
}

/** The line that shows a file. */
export function lineOf(lines: GridLine[], index: number): number {
  let low = 0;
  let high = lines.length - 1;
  while (low < high) {
    const mid = (low + high + 1) >> 1;
    if (lines[mid]!.from <= index) low = mid;
    else high = mid - 1;
  }
  return low;
}
