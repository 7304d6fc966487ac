import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { CalendarClock } from 'lucide-react';
import { useParams, useSearch } from 'wouter';
import * as api from '../../api/reports.ts';
import type { ExportFormat, Report } from '../../api/types.ts';
import { Button, ButtonLink } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { Segmented } from '../../components/segmented.tsx';
import { EmptyState, ErrorNote, ErrorState, Loading } from '../../components/states.tsx';
import { inSentence, t } from '../../language/text.ts';
import { navigate } from '../../shell/hash-location.ts';
import { useKeys } from '../../shell/keys.ts';
import { useSession } from '../../shell/session.tsx';
import { ExportMenu } from './export-menu.tsx';
import { figuresOf, findingOf } from './findings.tsx';
import { GrowthView } from './growth-view.tsx';
import { PinButton } from './pin-button.tsx';
import { FigureRows } from './report-chart.tsx';
import { ReportFilters } from './report-filters.tsx';
import { readParams, writeParams } from './report-params.ts';
import { ReportTable } from './report-table.tsx';
import s from './reports.module.css';

/** One report: its finding, filters, chart and table. The filters are in the address, so a link shows the same view. */
export default function ReportPage() {
  const { id = '' } = useParams<{ id: string }>();
  const reports = useQuery({ queryKey: ['reports'], queryFn: api.reports, staleTime: Number.POSITIVE_INFINITY });
  if (reports.error && !reports.data) return <ErrorState error={reports.error} retry={() => void reports.refetch()} />;
  if (!reports.data) return <Loading what={t('report')} />;
  const report = reports.data.find((each) => each.id === id);
  if (!report)
    return (
      <EmptyState
        wholePage
        title={t('No such report')}
        actions={<Button onClick={() => navigate('/reports')}>{t('Show all reports')}</Button>}
      >
        {t('The link may be outdated or mistyped.')}
      </EmptyState>
    );
  return <OneReport key={report.id} report={report} />;
}

function OneReport({ report }: { report: Report }) {
  const { maySchedule } = useSession();
  const search = useSearch();
  const params = readParams(search);
  const set = (changes: Record<string, string | number | null>) => {
    const next = new URLSearchParams(search);
    for (const [name, value] of Object.entries(changes)) {
      if (value === null || value === '') next.delete(name);
      else next.set(name, String(value));
    }
    navigate(`/reports/${report.id}${next.size > 0 ? `?${next}` : ''}`, { replace: true });
  };
  const run = useInfiniteQuery({
    queryKey: ['report', report.id, params],
    queryFn: ({ pageParam, signal }) =>
      api.runReport(report.id, { ...params, ...pageSize(report), ...(pageParam ? { cursor: pageParam } : {}) }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  });
  const view = new URLSearchParams(search).get('view') === 'table' ? 'table' : 'chart';
  useKeys({
    x: () => document.querySelector<HTMLElement>('[data-export]')?.click(),
    f: () => document.querySelector<HTMLElement>('[data-report-filters] input')?.focus(),
  });
  const library = params.library_id;
  const forecast = useQuery({
    queryKey: ['report', 'storage_forecast', library],
    queryFn: ({ signal }) => api.runReport('storage_forecast', library ? { library_id: library } : {}, signal),
    enabled: report.id === 'growth',
  });
  const first = run.data?.pages[0];
  const rows = run.data?.pages.flatMap((page) => page.rows) ?? [];
  const { sort, ...filters } = params;
  const filtered = Object.keys(filters).length > 0;
  const fileUrl = (format: ExportFormat | 'json'): string => {
    const query = new URLSearchParams({
      format,
      ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    });
    return `/api/v1/reports/${report.id}?${query}`;
  };
  const scheduleHref = `#/reports/schedules?${new URLSearchParams([['report', report.id], ...new URLSearchParams(writeParams(params))])}`;
  const hasChart = report.id === 'growth' || (first !== undefined && figuresOf(first, 1).length > 0);
  const viewSwitch = (
    <Segmented
      label={t('View')}
      value={view}
      onChange={(next) => set({ view: next === 'table' ? 'table' : null })}
      options={[
        { value: 'chart', label: t('Chart') },
        { value: 'table', label: t('Table') },
      ]}
    />
  );
  return (
    <Page
      back={{ href: '#/reports', label: t('Reports') }}
      title={report.title}
      lead={forecast.data ? findingOf(forecast.data) : first ? findingOf(first) : report.description}
      actions={
        <>
          <PinButton id={report.id} />
          {maySchedule && (
            <ButtonLink href={scheduleHref}>
              <CalendarClock size={16} aria-hidden />
              {t('Schedule')}
            </ButtonLink>
          )}
          <ExportMenu
            total={first?.total ?? null}
            directUrl={fileUrl}
            jsonUrl={fileUrl('json')}
            inBackground={(format) => api.exportReport(report.id, { ...params, format })}
            variant="primary"
            link
            scheduleHref={scheduleHref}
          />
        </>
      }
    >
      <ReportFilters
        report={report}
        search={search}
        onChange={set}
        onClear={filtered ? () => navigate(`/reports/${report.id}`, { replace: true }) : null}
      />
      {run.error && !first ? (
        <ErrorState error={run.error} retry={() => void run.refetch()} />
      ) : !first ? (
        <Loading what={inSentence(report.title)} />
      ) : rows.length === 0 ? (
        <EmptyState
          title={filtered ? t('No data for these filters') : t('Nothing to report')}
          actions={filtered && <Button onClick={() => navigate(`/reports/${report.id}`)}>{t('Clear filters')}</Button>}
        >
          {report.description}
        </EmptyState>
      ) : (
        <div className={s.stack}>
          {report.id === 'growth' && view === 'chart' ? (
            <GrowthView run={{ ...first, rows }} forecast={forecast} aside={viewSwitch} />
          ) : (
            hasChart &&
            view === 'chart' && (
              <Card title={t('Top {n}', { n: Math.min(10, rows.length) })} aside={viewSwitch}>
                <FigureRows run={first} most={10} />
              </Card>
            )
          )}
          {(report.id !== 'growth' || view === 'table') && (
            <Card
              title={first.total === null ? t('Rows') : t('{n|# row|# rows}', { n: first.total })}
              aside={hasChart && view === 'table' ? viewSwitch : <span className="meta muted">{report.description}</span>}
            >
              <ReportTable
                fields={first.fields}
                rows={rows}
                rowLink={report.row_link}
                sort={sort ?? report.default_sort}
                onSort={(next) => set({ sort: next })}
                sums={first.sums}
              />
              {run.hasNextPage && (
                <p>
                  <Button onClick={() => void run.fetchNextPage()} disabled={run.isFetchingNextPage}>
                    {t('Show more')}
                  </Button>
                </p>
              )}
              {run.isFetchNextPageError && <ErrorNote error={run.error} />}
            </Card>
          )}
        </div>
      )}
    </Page>
  );
}

const pageSize = (report: Report): { limit?: number } => (report.is_capped ? {} : { limit: report.supports_dates ? 1000 : 100 });
