/*
 * Bars of the console's sliders. They are fine, so that a slider over a week of photos still shows a shape; whoever draws them puts as many
 * together as there is room for. Sizes go up by the root of two from 64 bytes on; dates by month over the last years, by year before.
 * At most 127 bounds a field: the engine finds the bar of a value in seven steps.
 */
const sizeBounds = [0, ...Array.from({ length: 77 }, (_, n) => Math.round(64 * 2 ** (n / 2)))];
const FIRST_YEAR = 1990;
const YEARS_BY_MONTH = 7;

export function histogramBounds(now: Date): { field: string; bounds: number[] }[] {
  const monthsFrom = now.getUTCFullYear() - YEARS_BY_MONTH;
  const years = Array.from({ length: monthsFrom - FIRST_YEAR }, (_, n) => Date.UTC(FIRST_YEAR + n, 0, 1) / 1000);
  const months = Array.from({ length: (YEARS_BY_MONTH + 1) * 12 + 1 }, (_, n) => Date.UTC(monthsFrom, n, 1) / 1000);
  return [
    { field: 'size', bounds: sizeBounds },
    { field: 'mtime', bounds: [0, ...years.slice(-29), ...months] },
  ];
}

export function presentHistograms(counts: Record<string, number[]>, asked: readonly { field: string; bounds: readonly number[] }[]) {
  return Object.fromEntries(
    asked.map(({ field, bounds }) => {
      const bars = bounds.slice(0, -1).map((from, at) => ({ from, to: bounds[at + 1]!, count: counts[field]?.[at] ?? 0 }));
      const first = bars.findIndex((bar) => bar.count > 0);
      const last = bars.findLastIndex((bar) => bar.count > 0);
      return [field, first < 0 ? [] : bars.slice(first, last + 1)];
    }),
  );
}
