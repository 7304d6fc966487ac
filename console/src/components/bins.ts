import type { HistogramBar } from '../api/types.ts';

/**
 * Bars of any widths as so many bins of one width along an axis from 0 to 1. A bar that lies over several bins is shared out among them;
 * what of it lies beyond the ends of the axis holds no file.
 */
export function toBins(bars: readonly HistogramBar[], along: (value: number) => number, count: number): number[] {
  const bins = new Array<number>(count).fill(0);
  for (const bar of bars) {
    const from = Math.min(1, Math.max(0, along(bar.from))) * count;
    const to = Math.min(1, Math.max(0, along(bar.to))) * count;
    const first = Math.min(count - 1, Math.floor(from));
    const last = Math.min(count - 1, Math.max(first, Math.ceil(to) - 1));
    for (let at = first; at <= last; at += 1) {
      const share = to > from ? (Math.min(at + 1, to) - Math.max(at, from)) / (to - from) : 1;
      bins[at]! += bar.count * share;
    }
  }
  return bins;
}

/** The height of a bar, from 0 to 1. Counts of files differ by thousands: by their roots the small ones can still be told apart. */
export const barHeight = (files: number, most: number): number => (most > 0 ? Math.sqrt(files / most) : 0);
