import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { toDate } from '../../format/dates.ts';
import { count } from '../../format/numbers.ts';
import type { TimelineBucket } from '../../api/types.ts';

const token = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** Every month between the first and the last, so that an empty one is drawn as empty. */
export function everyMonth(buckets: TimelineBucket[]): [starts: number[], counts: number[]] {
  const counts = new Map(buckets.map(({ start_epoch, count: files }) => [start_epoch, files]));
  const starts = [...counts.keys()].sort((a, b) => a - b);
  for (let at = starts[0] ?? 0; at < (starts.at(-1) ?? 0); ) {
    const when = new Date(at * 1000);
    at = Date.UTC(when.getUTCFullYear(), when.getUTCMonth() + 1, 1) / 1000;
    if (!counts.has(at)) counts.set(at, 0);
  }
  const all = [...counts].sort((a, b) => a[0] - b[0]);
  return [all.map(([start]) => start), all.map(([, files]) => files)];
}

/** The ends of the axis of counts. */
export const fromZero = (_plot: unknown, _least: number, most: number): [number, number] => [0, Math.max(1, most)];

const month = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const year = new Intl.DateTimeFormat(undefined, { year: 'numeric', timeZone: 'UTC' });
const YEAR = 365 * 86_400;

/** What stands below the line at these seconds, `step` apart: years, or months, with the year below the first that is shown of it. */
export const labelsOf = (seconds: number[], step: number): string[] => {
  const years = seconds.map((second) => year.format(toDate(second)));
  if (step >= YEAR) return years;
  return seconds.map((second, at) => month.format(toDate(second)) + (years[at] === years[at - 1] ? '' : `\n${years[at]}`));
};

/** A line over all months. The years below it are the same figures as text. */
export function TimelineChart({ buckets }: { buckets: TimelineBucket[] }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  // biome-ignore lint/correctness/useExhaustiveDependencies: drawn again in the other colours
  useEffect(() => {
    if (!box.current || width < 50) return;
    const axis = { stroke: token('--text-3'), grid: { show: false }, ticks: { show: false }, font: `11px ${token('--font')}` };
    const plot = new uPlot(
      {
        width: Math.floor(width),
        height: 160,
        legend: { show: false },
        // Months are those of UTC, wherever the reader is.
        tzDate: (second) => uPlot.tzDate(new Date(second * 1000), 'Etc/UTC'),
        scales: { y: { range: fromZero } },
        cursor: { y: false, drag: { x: false, y: false } },
        series: [{}, { stroke: token('--active-fill'), width: 1.5, fill: token('--active-soft'), points: { show: false } }],
        axes: [
          { ...axis, size: 40, values: (_u, seconds, _axis, _space, step) => labelsOf(seconds, step) },
          { ...axis, size: 56, values: (_u, values) => values.map((v) => count(v)) },
        ],
      },
      everyMonth(buckets),
      box.current,
    );
    return () => plot.destroy();
  }, [buckets, width, scheme]);
  return (
    <div ref={ref}>
      <div ref={box} aria-hidden />
    </div>
  );
}
