import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { toDate } from '../../format/dates.ts';
import { count, counted } from '../../format/numbers.ts';
import { barHeight } from '../../parts/bins.ts';
import { Page } from '../../parts/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../parts/states.tsx';
import { searchHref } from '../search/search-state.ts';
import s from './timeline-page.module.css';
import { TimelineChart } from './timeline-chart.tsx';
import type { TimelineBucket } from '../../api/types.ts';

const yearOf = (bucket: TimelineBucket): number => toDate(bucket.start_epoch + 43_200).getUTCFullYear();

/** Files by the month they were last modified; every bar is a search. */
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
      lead={total ? `${counted(total, 'file')} from ${years.at(-1)} to ${years[0]}` : undefined}
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
        <EmptyState title="No dates yet">Months appear here when a library is scanned.</EmptyState>
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
                      href={`#${searchHref({ modifiedFrom: months[0]!.start_epoch, modifiedTo: months.at(-1)!.end_epoch, sort: 'newest', lens: 'grid', ...only })}`}
                    >
                      {year}
                    </a>
                    <span className="muted meta"> {counted(sum, 'file')}</span>
                  </h2>
                  <ul className={s.months}>
                    {months.map((month) => (
                      <li key={month.start_epoch} style={{ gridColumn: toDate(month.start_epoch).getUTCMonth() + 1 }}>
                        <a
                          href={`#${searchHref({ modifiedFrom: month.start_epoch, modifiedTo: month.end_epoch, sort: 'newest', lens: 'grid', ...only })}`}
                        >
                          <i style={{ height: `${Math.max(2, barHeight(month.count, most) * 64)}px` }} />
                          <b>{new Intl.DateTimeFormat(undefined, { month: 'short', timeZone: 'UTC' }).format(toDate(month.start_epoch))}</b>
                          <span className="muted">
                            {count(month.count)} <span className="visually-hidden">files in {year}</span>
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
              {counted(timeline.data.invalid_count, 'file')} with an impossible date are not shown.
            </p>
          )}
        </>
      )}
    </Page>
  );
}
