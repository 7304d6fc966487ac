import type { ReactNode } from 'react';
import type { ReportRun } from '../../api/types.ts';
import { formatBytes } from '../../format/numbers.ts';
import { rich } from '../../language/rich.ts';
import { t } from '../../language/text.ts';
import { formatCell, type Row } from './cells.tsx';

interface Figure {
  label: string;
  value: number;
  shown: string;
}

const number = (row: Row | undefined, key: string): number => Number(row?.[key] ?? 0);
const name = (row: Row | undefined, key: string): string => String(row?.[key] ?? '');
const b = (text: ReactNode) => <b className="b">{text}</b>;

/** The main finding of a report in one sentence, its number in bold. */
export function findingOf(run: ReportRun): ReactNode {
  const { rows, report, sums } = run;
  const [first] = rows;
  const n = run.total ?? rows.length;
  if (!first) return t('Nothing to report.');
  const size = sums['size'] ?? sums['total_bytes'] ?? 0;
  const files = sums['file_count'] ?? 0;
  switch (report.id) {
    case 'library_totals':
    case 'kinds':
      return rich('<b>{size}</b> in {files|# file|# files}.', { size: formatBytes(size), files, b });
    case 'largest_folders':
      return rich('The largest folder holds <b>{size}</b>.', { size: formatBytes(number(first, 'total_bytes')), b });
    case 'largest_files':
      return rich('The largest file has <b>{size}</b>.', { size: formatBytes(number(first, 'size')), b });
    case 'duplicate_files':
    case 'largest_duplicates':
      return rich('<b>{size}</b> wasted in {n|# group|# groups}.', { size: formatBytes(sums['wasted_bytes'] ?? 0), n, b });
    case 'ages': {
      const most = rows.reduce((best, row) => (number(row, 'file_count') > number(best, 'file_count') ? row : best), first);
      return rich('<b>{n} of {files|# file|# files}</b> {n|dates|date} from {year}.', {
        n: number(most, 'file_count'),
        files,
        year: name(most, 'year'),
        b,
      });
    }
    case 'growth': {
      if (growthSeries(run).every(({ points }) => points.length === 1))
        return t('Counting began this week. Growth is shown from next week on.');
      const change = sums['change_bytes'] ?? 0;
      return rich(change < 0 ? 'Shrank by <b>{size}</b>, {files} {n|file|files}.' : 'Grew by <b>{size}</b>, {files} {n|file|files}.', {
        size: formatBytes(Math.abs(change)),
        n: Math.abs(sums['change_files'] ?? 0),
        files: formatCell(sums['change_files'] ?? 0, { key: 'change_files', type: 'integer' }),
        b,
      });
    }
    case 'storage_forecast':
      return forecast(rows);
    case 'changes': {
      const kinds = Map.groupBy(rows, (row) => name(row, 'change'));
      const count = (kind: string): number => kinds.get(kind)?.length ?? 0;
      return run.has_more
        ? rich('<b>{n|# change|# changes}</b> found by scans.', { n, b })
        : rich('<b>{came} came</b>, {changed} changed, {left} left.', {
            came: count('came'),
            changed: count('changed'),
            left: count('left'),
            b,
          });
    }
    case 'library_health': {
      const bad = rows.filter((row) => row['status'] !== 'OK').length;
      if (bad === 0) return t('Every library is healthy.');
      return rich('<b>{n|# library|# libraries}</b> {n|needs|need} attention.', { n: bad, b });
    }
    case 'library_pairs':
      return rich('{one} and {other} have <b>{size}</b> in common.', {
        one: name(first, 'library'),
        other: name(first, 'other_library'),
        size: formatBytes(number(first, 'shared_bytes')),
        b,
      });
    case 'hard_links':
      return rich('<b>{size}</b> saved by sharing storage.', { size: formatBytes(sums['saved_bytes'] ?? 0), b });
    case 'unmapped_extensions':
      return (
        <>
          {rich('<b>{n|# extension|# extensions}</b> in {files|# file|# files} {n|has|have} no file type.', { n, files, b })}
          {rows.some((row) => !row['extension']) &&
            ` ${t('To read files without an extension, detect their types: edit the library, tab File types.')}`}
        </>
      );
    case 'tags':
      return rich('<b>{n|# tag|# tags}</b>, most used: {tag}.', { n, tag: name(first, 'tag'), b });
    case 'permissions_by_principal':
    case 'permissions_orphaned':
      return rich('<b>{n|# person or group|# people and groups}</b> found in permissions.', { n, b });
    case 'permission_changes':
      return rich('Permissions changed <b>{n|# time|# times}</b>.', { n, b });
    case 'permissions_mixed_folders':
      return rich('<b>{n|# folder|# folders}</b> with files that have other permissions.', { n, b });
    case 'unreadable_folders':
      return rich('<b>{n|# place|# places}</b> could not be read.', { n, b });
    default:
      return size > 0
        ? rich('<b>{n|# file|# files}</b> with {size}.', { n, size: formatBytes(size), b })
        : rich('<b>{n|# file|# files}</b>.', { n, b });
  }
}

function forecast(rows: readonly Row[]): ReactNode {
  const grown = rows.toSorted((x, y) => number(y, 'change_30_days') - number(x, 'change_30_days'))[0];
  const [now, before] = [number(grown, 'change_30_days'), number(grown, 'change_previous_30_days')];
  const full = rows.find((row) => row['full_on']);
  const values = { library: name(grown, 'library'), size: formatBytes(now), before: formatBytes(before), b };
  return (
    <>
      {now <= 0
        ? t('No library grew in the last 30 days.')
        : before <= 0
          ? rich('{library} grew by <b>{size}</b> in 30 days.', values)
          : now < before
            ? rich('{library} grew by <b>{size}</b> in 30 days, down from {before}.', values)
            : rich('{library} grew by <b>{size}</b> in 30 days, up from {before}.', values)}
      {full &&
        ` ${t('At this rate, the disk of {library} is full on {date}.', {
          library: name(full, 'library'),
          date: formatCell(full['full_on'], { key: '', type: 'date' }),
        })}`}
    </>
  );
}

/** The columns that the small chart of a report compares. */
const COMPARED: Record<string, readonly [label: string, value: string, type: 'bytes' | 'integer']> = {
  library_totals: ['library', 'total_bytes', 'bytes'],
  storage_forecast: ['library', 'change_30_days', 'bytes'],
  kinds: ['file_category', 'total_bytes', 'bytes'],
  ages: ['year', 'file_count', 'integer'],
  largest_folders: ['folder', 'total_bytes', 'bytes'],
  largest_files: ['rel_path', 'size', 'bytes'],
  duplicate_files: ['paths', 'wasted_bytes', 'bytes'],
  largest_duplicates: ['paths', 'size_bytes', 'bytes'],
  only_copies: ['rel_path', 'size', 'bytes'],
  hard_links: ['paths', 'saved_bytes', 'bytes'],
  library_pairs: ['other_library', 'shared_bytes', 'bytes'],
  unmapped_extensions: ['extension', 'file_count', 'integer'],
  tags: ['tag', 'file_count', 'integer'],
  low_quality_video: ['rel_path', 'score', 'integer'],
  missing_files: ['rel_path', 'missing_days', 'integer'],
  stale_files: ['rel_path', 'age_days', 'integer'],
};

export function figuresOf(run: ReportRun, most: number): Figure[] {
  const compared = COMPARED[run.report.id];
  if (!compared) return [];
  const [label, value, type] = compared;
  return run.rows.slice(0, most).map((row) => {
    const shown = Array.isArray(row[label])
      ? String((row[label] as unknown[])[0] ?? '')
      : formatCell(row[label], { key: label, type: 'text' });
    return {
      label: shown.split('/').at(-1) || t('No extension'),
      value: number(row, value),
      shown: formatCell(row[value], { key: value, type }),
    };
  });
}

export interface Series {
  label: string;
  points: { week: string; bytes: number }[];
}

/** The weeks of the growth report by library, oldest first, largest library first. */
export function growthSeries(run: ReportRun): Series[] {
  const byLibrary = Map.groupBy(run.rows, (row) => name(row, 'library'));
  return [...byLibrary]
    .map(([label, rows]) => ({
      label,
      points: rows
        .map((row) => ({ week: name(row, 'week'), bytes: number(row, 'total_bytes') }))
        .sort((a, b) => (a.week < b.week ? -1 : 1)),
    }))
    .sort((a, b) => (b.points.at(-1)?.bytes ?? 0) - (a.points.at(-1)?.bytes ?? 0));
}
