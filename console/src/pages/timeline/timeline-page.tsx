import { Select, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import * as catalog from '../../api/catalog.ts';
import type { TimelineBucket } from '../../api/types.ts';
import { barHeight } from '../../components/bins.ts';
import { Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { toDate } from '../../format/dates.ts';
import { formatCount, pluralize } from '../../format/numbers.ts';
import { searchHref } from '../search/search-state.ts';
import s from './timeline-page.module.css';

const yearOf = (bucket: TimelineBucket): number => toDate(bucket.start_epoch + 43_200).getUTCFullYear();

/** Files by the month of their last modification. Every bar links to a search. */
export default function TimelinePage() {
  const [library, setLibrary] = useState<string | null>(null);
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const timeline = useQuery({
    queryKey: ['timeline', library],
    queryFn: () => catalog.timeline({ bucket: 'month', ...(library ? { library } : {}) }),
    staleTime: 60_000,
  });
  if (timeline.error && !timeline.data) return <ErrorState error={timeline.error} retry={() => void timeline.refetch()} />;
  if (!timeline.data) return <Loading what="the timeline" />;
  const buckets = timeline.data.buckets;
  const total = buckets.reduce((n, b) => n + b.count, 0);
  const years = [...new Set(buckets.map(yearOf))].sort((a, b) => b - a);
  const most = buckets.reduce((n, b) => Math.max(n, b.count), 0);
  const only = library ? { libraries: [library] } : {};
  return (
    <Page
      title="Timeline"
      lead={total ? `${pluralize(total, 'file')} by date modified, ${years.at(-1)} – ${years[0]}` : undefined}
      actions={
        <Select
          aria-label="Library"
          w={220}
          placeholder="All libraries"
          clearable
          value={library}
          onChange={setLibrary}
          data={(libraries.data ?? []).map((l) => ({ value: l.id, label: l.name }))}
        />
      }
    >
      {total === 0 ? (
        <EmptyState title="No files yet">Files appear here by date modified after a library is scanned.</EmptyState>
      ) : (
        <>
          <section className={s.chart} aria-label="Files by month">
            <TimelineChart buckets={buckets} />
          </section>
          <div className={s.years} data-list="across">
            {years.map((year) => {
              const months = buckets.filter((b) => yearOf(b) === year);
              const sum = months.reduce((n, b) => n + b.count, 0);
              return (
                <section key={year} className={s.year} aria-label={String(year)}>
                  <h2 className="h3">
                    <a
                      href={`#${searchHref({ modifiedFrom: months[0]?.start_epoch ?? null, modifiedTo: months.at(-1)?.end_epoch ?? null, sort: 'newest', viewMode: 'grid', ...only })}`}
                    >
                      {year}
                    </a>
                    <span className="muted meta"> {pluralize(sum, 'file')}</span>
                  </h2>
                  <ul className={s.months}>
                    {months.map((month) => (
                      <li key={month.start_epoch} style={{ gridColumn: toDate(month.start_epoch).getUTCMonth() + 1 }}>
                        <a
                          href={`#${searchHref({ modifiedFrom: month.start_epoch, modifiedTo: month.end_epoch, sort: 'newest', viewMode: 'grid', ...only })}`}
                        >
                          <i style={{ height: `${Math.max(2, barHeight(month.count, most) * 64)}px` }} />
                          <b>{new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' }).format(toDate(month.start_epoch))}</b>
                          <span className="muted">
                            {formatCount(month.count)}{' '}
                            <span className="visually-hidden">
                              {month.count === 1 ? 'file' : 'files'} in {year}
                            </span>
                          </span>
                        </a>
                      </li>
                    ))}
                  </ul>
                </section>
              );
            })}
          </div>
          {timeline.data.invalid_count > 0 && (
            <p className="muted meta" style={{ marginTop: 16 }}>
              {pluralize(timeline.data.invalid_count, 'file')} with an invalid date {timeline.data.invalid_count === 1 ? 'is' : 'are'} not
              shown.
            </p>
          )}
        </>
      )}
    </Page>
  );
}

const cssVariable = (name: string): string => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

/** All months from the first to the last, with 0 for months without files. */
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

/** The range of the count axis, which always starts at 0. */
export const countRange = (_plot: unknown, _least: number, most: number): [number, number] => [0, Math.max(1, most)];

const month = new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' });
const year = new Intl.DateTimeFormat(undefined, { year: 'numeric', timeZone: 'UTC' });
const YEAR = 365 * 86_400;

/** Axis labels for times that are `step` seconds apart: years, or months with the year below the first of each year. */
export const axisLabels = (seconds: number[], step: number): string[] => {
  const years = seconds.map((second) => year.format(toDate(second)));
  if (step >= YEAR) return years;
  return seconds.map((second, at) => month.format(toDate(second)) + (years[at] === years[at - 1] ? '' : `\n${years[at]}`));
};

/** A line chart of all months. The list of years below it has the same data as text. */
function TimelineChart({ buckets }: { buckets: TimelineBucket[] }) {
  const { ref, width } = useElementSize<HTMLDivElement>();
  const box = useRef<HTMLDivElement>(null);
  const scheme = useComputedColorScheme('light');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the colors depend on the color scheme
  useEffect(() => {
    if (!box.current || width < 50) return;
    const axis = { stroke: cssVariable('--text-3'), grid: { show: false }, ticks: { show: false }, font: `11px ${cssVariable('--font')}` };
    const plot = new uPlot(
      {
        width: Math.floor(width),
        height: 160,
        legend: { show: false },
        // The server's months are in UTC.
        tzDate: (second) => uPlot.tzDate(new Date(second * 1000), 'Etc/UTC'),
        scales: { y: { range: countRange } },
        cursor: { y: false, drag: { x: false, y: false } },
        series: [{}, { stroke: cssVariable('--active-fill'), width: 1.5, fill: cssVariable('--active-soft'), points: { show: false } }],
        axes: [
          { ...axis, size: 40, values: (_u, seconds, _axis, _space, step) => axisLabels(seconds, step) },
          { ...axis, size: 56, values: (_u, values) => values.map((v) => formatCount(v)) },
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
