import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import { ChevronDown, ChevronRight, Folder, TriangleAlert } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import * as api from '../../api/reports.ts';
import type { ReportRun } from '../../api/types.ts';
import { TextLink } from '../../components/button.tsx';
import { Card } from '../../components/page.tsx';
import { ErrorNote } from '../../components/states.tsx';
import { formatDate } from '../../format/dates.ts';
import { formatBytes, formatCount } from '../../format/numbers.ts';
import { t } from '../../language/text.ts';
import { searchHref } from '../search/search-state.ts';
import { formatCell, type Row } from './cells.tsx';
import { growthSeries } from './findings.tsx';
import { COLORS, GrowthChart, GrowthLegend } from './growth-chart.tsx';
import s from './reports.module.css';

const text = (row: Row, key: string): string => String(row[key] ?? '');
const number = (row: Row, key: string): number => Number(row[key] ?? 0);
const change = (row: Row, key: string): string => formatCell(row[key], { key: 'change_', type: 'bytes' });

/** Growth as a picture: lines with a forecast, and one row per library that opens to its folders. */
export function GrowthView({ run, forecast, aside }: { run: ReportRun; forecast: UseQueryResult<ReportRun>; aside: ReactNode }) {
  const rows = forecast.data?.rows ?? [];
  const fullOn = new Map(rows.filter((row) => row['full_on']).map((row) => [text(row, 'library'), text(row, 'full_on')]));
  return (
    <>
      <Card
        title={t('Size by library')}
        aside={
          <>
            <GrowthLegend run={run} />
            {aside}
          </>
        }
      >
        <GrowthChart run={run} height={220} detailed fullOn={fullOn} />
      </Card>
      <Card>
        <ErrorNote error={forecast.error} />
        <div className={s.scrollBox}>
          <table className={s.libraries}>
            <thead>
              <tr>
                <th>{t('Library and folder')}</th>
                <th>{t('Size')}</th>
                <th>{t('Files')}</th>
                <th>{t('30 days')}</th>
                <th>{t('12 months')}</th>
                <th>{t('Trend')}</th>
                <th>{t('Full on')}</th>
              </tr>
            </thead>
            {rows.map((row) => (
              <LibraryRows key={text(row, 'library_id')} row={row} run={run} />
            ))}
            {forecast.data && (
              <tfoot>
                <tr>
                  <td>{t('Total')}</td>
                  <td>{formatBytes(forecast.data.sums['total_bytes'] ?? 0)}</td>
                  <td>{formatCount(forecast.data.sums['file_count'] ?? 0)}</td>
                  <td>{change(forecast.data.sums, 'change_30_days')}</td>
                  <td>{change(forecast.data.sums, 'change_365_days')}</td>
                  <td />
                  <td />
                </tr>
              </tfoot>
            )}
          </table>
        </div>
      </Card>
    </>
  );
}

const FOLDERS = 20;

function LibraryRows({ row, run }: { row: Row; run: ReportRun }) {
  const [open, setOpen] = useState(false);
  const id = text(row, 'library_id');
  const name = text(row, 'library');
  const series = growthSeries(run);
  const at = series.findIndex(({ label }) => label === name);
  const folders = useQuery({ queryKey: ['folder-tree', id], queryFn: () => api.folderTree(id, FOLDERS), enabled: open });
  const Chevron = open ? ChevronDown : ChevronRight;
  return (
    <tbody>
      <tr>
        <td>
          <button type="button" aria-expanded={open} onClick={() => setOpen(!open)} className={s.opener}>
            <Chevron size={16} aria-hidden />
            <i style={{ background: COLORS[at] ?? 'var(--idle-fill)' }} />
            {name}
          </button>
        </td>
        <td>{formatBytes(number(row, 'total_bytes'))}</td>
        <td>
          <TextLink href={`#${searchHref({ libraries: [id], sidecars: 'true' })}`}>{formatCount(number(row, 'file_count'))}</TextLink>
        </td>
        <td>{change(row, 'change_30_days')}</td>
        <td>{change(row, 'change_365_days')}</td>
        <td>
          <Trend values={series[at]?.points.map(({ bytes }) => bytes) ?? []} />
        </td>
        <td>
          <FullOn row={row} />
        </td>
      </tr>
      {open && folders.error && (
        <tr>
          <td colSpan={7}>
            <ErrorNote error={folders.error} />
          </td>
        </tr>
      )}
      {open &&
        folders.data?.children.map((child) => (
          <tr key={child.folder + child.name} className={s.folder}>
            <td>
              <span className={s.folderName}>
                <Folder size={16} aria-hidden />
                <TextLink href={`#/browse/${id}?path=${encodeURIComponent(child.folder)}`}>
                  {child.name === '.' ? t('Files in the root folder') : child.name}
                </TextLink>
              </span>
            </td>
            <td>{formatBytes(child.total_bytes)}</td>
            <td>{formatCount(child.file_count)}</td>
            <td colSpan={4} />
          </tr>
        ))}
      {open && folders.data?.truncated && (
        <tr className={s.folder}>
          <td colSpan={7}>
            <TextLink href={`#/reports/largest_folders?library=${id}`}>{t('Show all folders')}</TextLink>
          </td>
        </tr>
      )}
    </tbody>
  );
}

function FullOn({ row }: { row: Row }) {
  const date = text(row, 'full_on');
  if (!date) return <span className="muted">{row['free_bytes'] === null ? t('Disk not reachable') : t('Not in sight')}</span>;
  return (
    <span className={s.fullOn}>
      <TriangleAlert size={14} aria-hidden />
      {formatDate(`${date}T12:00:00`)}
    </span>
  );
}

function Trend({ values }: { values: readonly number[] }) {
  if (values.length < 2) return null;
  const largest = Math.max(1, ...values);
  const points = values.map((value, at) => `${(140 * at) / (values.length - 1)},${20 - (18 * value) / largest}`).join(' ');
  return (
    <svg width={140} height={20} aria-hidden className={s.trend}>
      <polygon points={`0,20 ${points} 140,20`} />
      <polyline points={points} />
    </svg>
  );
}
