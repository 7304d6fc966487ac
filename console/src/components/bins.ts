import type { HistogramBar } from '../api/types.ts';

/**
 * Converts bars of any width to `count` equal bins along an axis from 0 to 1. A bar that covers several bins is divided among them;
 * values outside the axis are clamped to its ends.
 */
export function toBins(bars: readonly HistogramBar[], position: (value: number) => number, count: number): number[] {
  const bins = new Array<number>(count).fill(0);
  for (const bar of bars) {
    const from = Math.min(1, Math.max(0, position(bar.from))) * count;
    const to = Math.min(1, Math.max(0, position(bar.to))) * count;
    const first = Math.min(count - 1, Math.floor(from));
    const last = Math.min(count - 1, Math.max(first, Math.ceil(to) - 1));
    for (let at = first; at <= last; at += 1) {
      const share = to > from ? (Math.min(at + 1, to) - Math.max(at, from)) / (to - from) : 1;
      bins[at] = (bins[at] ?? 0) + bar.count * share;
    }
  }
  return bins;
}

/** The height of a bar from 0 to 1. A square root scale keeps small counts visible beside large ones. */
export const barHeight = (files: number, max: number): number => (max > 0 ? Math.sqrt(files / max) : 0);
