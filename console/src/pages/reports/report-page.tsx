import { NumberInput, Select, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { X } from 'lucide-react';
import { useParams, useSearch } from 'wouter';
import * as catalog from '../../api/catalog.ts';
import * as api from '../../api/reports.ts';
import type { ExportFormat, Report } from '../../api/types.ts';
import { Button } from '../../components/button.tsx';
import { Card, Page } from '../../components/page.tsx';
import { EmptyState, ErrorState, Loading } from '../../components/states.tsx';
import { pluralize } from '../../format/numbers.ts';
import { navigate } from '../../shell/hash-location.ts';
import { ExportMenu } from './export-menu.tsx';
import { figuresOf, findingOf } from './findings.tsx';
import { PrincipalInput } from './principal-input.tsx';
import { FigureRows, GrowthChart } from './report-chart.tsx';
import { ReportTable } from './report-table.tsx';
import s from './reports.module.css';

/** One report: its finding, filters, chart and table. The filters are in the address, so a link shows the same view. */
export default function ReportPage() {
  const { id = '' } = useParams<{ id: string }>();
  const reports = useQuery({ queryKey: ['reports'], queryFn: api.reports, staleTime: Number.POSITIVE_INFINITY });
  if (reports.error) return <ErrorState error={reports.error} retry={() => void reports.refetch()} />;
  if (!reports.data) return <Loading what="report" />;
  const report = reports.data.find((each) => each.id === id);
  if (!report)
    return (
      <EmptyState wholePage title="No such report" actions={<Button onClick={() => navigate('/reports')}>Show all reports</Button>}>
        The link may be outdated or mistyped.
      </EmptyState>
    );
  return <OneReport key={report.id} report={report} />;
}

/** The filters of the address as parameters of the API. */
function readParams(search: string): api.RunParams {
  const given = new URLSearchParams(search);
  const params: Record<string, string | number> = {};
  const text = (name: string, as = name) => {
    const value = given.get(name);
    if (value) params[as] = value;
  };
  const whole = (name: string) => {
    const value = Number(given.get(name));
    if (Number.isSafeInteger(value) && value > 0) params[name] = value;
  };
  const day = (name: string) => {
    const value = given.get(name);
    if (value && /^\d{4}-\d{2}-\d{2}$/.test(value)) params[name] = `${value}T00:00:00Z`;
  };
  text('library', 'library_id');
  text('folder');
  text('sort');
  whole('threshold_days');
  whole('min_bytes');
  day('since');
  day('until');
  text('principal');
  text('other_principal');
  text('words');
  day('on');
  return params as api.RunParams;
}

function OneReport({ report }: { report: Report }) {
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
  const first = run.data?.pages[0];
  const rows = run.data?.pages.flatMap((page) => page.rows) ?? [];
  const { sort, ...filters } = params;
  const filtered = Object.keys(filters).length > 0;
  const fileUrl = (format: ExportFormat): string => {
    const query = new URLSearchParams({
      format,
      ...Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)])),
    });
    return `/api/v1/reports/${report.id}?${query}`;
  };
  return (
    <Page
      back={{ href: '#/reports', label: 'Reports' }}
      title={report.title}
      lead={first ? findingOf(first) : report.description}
      actions={
        <ExportMenu
          total={first?.total ?? null}
          directUrl={fileUrl}
          inBackground={(format) => api.exportReport(report.id, { ...params, format })}
          variant="primary"
          link
          scheduleHref={`#/reports/schedules?report=${report.id}`}
        />
      }
    >
      <ReportFilters report={report} search={search} onChange={set} filtered={filtered} />
      {run.error && !first ? (
        <ErrorState error={run.error} retry={() => void run.refetch()} />
      ) : !first ? (
        <Loading what={report.title.toLowerCase()} />
      ) : rows.length === 0 ? (
        <EmptyState
          title={filtered ? 'No data for these filters' : 'Nothing to report'}
          actions={filtered && <Button onClick={() => navigate(`/reports/${report.id}`)}>Clear filters</Button>}
        >
          {report.description}
        </EmptyState>
      ) : (
        <div className={s.stack}>
          {report.id === 'growth' ? (
            <Card title="Size by library">
              <GrowthChart run={{ ...first, rows }} height={220} legend />
            </Card>
          ) : (
            figuresOf(first, 1).length > 0 && (
              <Card title={`Top ${Math.min(10, rows.length)}`}>
                <FigureRows run={first} most={10} />
              </Card>
            )
          )}
          <Card
            title={first.total === null ? 'Rows' : pluralize(first.total, 'row')}
            aside={<span className="meta muted">{report.description}</span>}
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
                  Show more
                </Button>
              </p>
            )}
          </Card>
        </div>
      )}
    </Page>
  );
}

const pageSize = (report: Report): { limit?: number } => (report.is_capped ? {} : { limit: report.supports_dates ? 1000 : 100 });

interface FilterProps {
  report: Report;
  search: string;
  filtered: boolean;
  onChange: (changes: Record<string, string | number | null>) => void;
}

function ReportFilters({ report, search, filtered, onChange }: FilterProps) {
  const libraries = useQuery({ queryKey: ['libraries'], queryFn: catalog.libraries, staleTime: 30_000 });
  const given = new URLSearchParams(search);
  const library = given.get('library');
  const unit = report.threshold_unit;
  const gigabyte = 1_000_000_000;
  const threshold =
    unit === 'bytes'
      ? Number(given.get('min_bytes') ?? report.default_min_bytes) / gigabyte
      : Number(given.get('threshold_days') ?? report.default_threshold_days);
  return (
    <div className={s.filters}>
      {report.supports_library && (
        <Select
          label="Library"
          w={200}
          placeholder="All libraries"
          clearable
          value={library}
          onChange={(value) => onChange({ library: value, folder: null })}
          data={(libraries.data ?? []).map(({ id, name }) => ({ value: id, label: name }))}
        />
      )}
      {report.supports_folder && library && (
        <TextInput
          key={given.get('folder')}
          label="Folder"
          w={240}
          placeholder="Whole library"
          defaultValue={given.get('folder') ?? ''}
          onBlur={(event) => onChange({ folder: event.currentTarget.value.replace(/^\/+|\/+$/g, '') })}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
      {unit && (
        <NumberInput
          key={threshold}
          label={unit === 'bytes' ? `${report.threshold_label} (GB)` : (report.threshold_label ?? '')}
          w={200}
          min={unit === 'bytes' ? 0.001 : 1}
          defaultValue={threshold}
          onBlur={(event) => {
            const value = Number(event.currentTarget.value.replaceAll(',', ''));
            if (value > 0 && value !== threshold)
              onChange(unit === 'bytes' ? { min_bytes: Math.round(value * gigabyte) } : { threshold_days: Math.round(value) });
          }}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
      {report.supports_dates && (
        <>
          <TextInput
            label="From"
            type="date"
            value={given.get('since') ?? ''}
            onChange={(event) => onChange({ since: event.currentTarget.value })}
          />
          <TextInput
            label="Until"
            type="date"
            value={given.get('until') ?? ''}
            onChange={(event) => onChange({ until: event.currentTarget.value })}
          />
        </>
      )}
      {report.supports_principal && (
        <PrincipalInput
          key={`principal ${given.get('principal')}`}
          label="Person or group"
          placeholder={report.default_principal ?? 'All'}
          value={given.get('principal') ?? ''}
          onChange={(principal) => onChange({ principal })}
        />
      )}
      {report.supports_other_principal && (
        <PrincipalInput
          key={`other ${given.get('other_principal')}`}
          label="Compared with"
          placeholder={report.default_other_principal ?? ''}
          value={given.get('other_principal') ?? ''}
          onChange={(other_principal) => onChange({ other_principal })}
        />
      )}
      {report.supports_words && (
        <TextInput
          key={given.get('words')}
          label="Words, separated by commas"
          w={320}
          placeholder={report.default_words ?? ''}
          defaultValue={given.get('words') ?? ''}
          onBlur={(event) => onChange({ words: event.currentTarget.value.trim() })}
          onKeyDown={(event) => event.key === 'Enter' && event.currentTarget.blur()}
        />
      )}
      {report.supports_on && (
        <TextInput
          label={`On (${report.default_on_days} days ago unless chosen)`}
          type="date"
          value={given.get('on') ?? ''}
          onChange={(event) => onChange({ on: event.currentTarget.value })}
        />
      )}
      {filtered && (
        <Button variant="ghost" onClick={() => navigate(`/reports/${report.id}`, { replace: true })}>
          <X size={14} aria-hidden />
          Clear filters
        </Button>
      )}
    </div>
  );
}
