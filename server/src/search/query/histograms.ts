/** Bounds of the console's sliders: sizes in steps of four from 1 KB on, dates by month over the last years and by year before. */
const sizeBounds = [0, ...Array.from({ length: 16 }, (_, n) => 1024 * 4 ** n)];

export function histogramBounds(now: Date): { field: string; bounds: number[] }[] {
  const year = now.getUTCFullYear();
  const years = Array.from({ length: 25 }, (_, n) => Date.UTC(year - 24 + n, 0, 1) / 1000);
  return [
    { field: 'size', bounds: sizeBounds },
    { field: 'mtime', bounds: [0, ...years, Date.UTC(year + 1, 0, 1) / 1000] },
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
