import type { ReactNode } from 'react';
import type { ReportRun } from '../../api/types.ts';
import { formatBytes, formatCount, pluralize } from '../../format/numbers.ts';
import { formatCell, type Row } from './cells.tsx';

interface Figure {
  label: string;
  value: number;
  shown: string;
}

const number = (row: Row | undefined, key: string): number => Number(row?.[key] ?? 0);
const name = (row: Row | undefined, key: string): string => String(row?.[key] ?? '');
const Bold = ({ children }: { children: ReactNode }) => <b className="b">{children}</b>;
const files = (n: number): string => pluralize(n, 'file');

/** The main finding of a report in one sentence, its number in bold. */
export function findingOf(run: ReportRun): ReactNode {
  const { rows, report, sums } = run;
  const [first] = rows;
  const total = run.total ?? rows.length;
  if (!first) return 'Nothing to report.';
  const size = sums['size'] ?? sums['total_bytes'] ?? 0;
  const count = <Bold>{files(total)}</Bold>;
  switch (report.id) {
    case 'library_totals':
    case 'kinds':
      return (
        <>
          <Bold>{formatBytes(size)}</Bold> in {files(sums['file_count'] ?? 0)}.
        </>
      );
    case 'largest_folders':
      return (
        <>
          The largest folder holds <Bold>{formatBytes(number(first, 'total_bytes'))}</Bold>.
        </>
      );
    case 'largest_files':
      return (
        <>
          The largest file has <Bold>{formatBytes(number(first, 'size'))}</Bold>.
        </>
      );
    case 'duplicate_files':
    case 'largest_duplicates':
      return (
        <>
          <Bold>{formatBytes(sums['wasted_bytes'] ?? 0)}</Bold> could be freed in {pluralize(total, 'group')}.
        </>
      );
    case 'growth':
      return (
        <>
          {(sums['change_bytes'] ?? 0) < 0 ? 'Shrank' : 'Grew'} by <Bold>{formatBytes(Math.abs(sums['change_bytes'] ?? 0))}</Bold>,{' '}
          {formatCell(sums['change_files'] ?? 0, { key: 'change_files', type: 'integer' })} files.
        </>
      );
    case 'storage_forecast': {
      const grown = rows.toSorted((a, b) => number(b, 'change_30_days') - number(a, 'change_30_days'))[0];
      const [now, before] = [number(grown, 'change_30_days'), number(grown, 'change_previous_30_days')];
      const full = rows.find((row) => row['full_on']);
      return (
        <>
          {now > 0 ? (
            <>
              {name(grown, 'library')} grew by <Bold>{formatBytes(now)}</Bold> in 30 days
              {before > 0 && `, ${now < before ? 'down' : 'up'} from ${formatBytes(before)}`}.
            </>
          ) : (
            'No library grew in the last 30 days.'
          )}
          {full &&
            ` At this rate, the disk of ${name(full, 'library')} is full on ${formatCell(full['full_on'], { key: '', type: 'date' })}.`}
        </>
      );
    }
    case 'changes': {
      const kinds = Map.groupBy(rows, (row) => name(row, 'change'));
      const part = (kind: string, word: string): string => `${formatCount(kinds.get(kind)?.length ?? 0)} ${word}`;
      return run.has_more ? (
        <>
          <Bold>{pluralize(total, 'change')}</Bold> found by scans.
        </>
      ) : (
        <>
          <Bold>{part('came', 'came')}</Bold>, {part('changed', 'changed')}, {part('left', 'left')}.
        </>
      );
    }
    case 'library_health': {
      const bad = rows.filter((row) => row['status'] !== 'OK').length;
      return bad === 0 ? (
        'Every library is healthy.'
      ) : (
        <>
          <Bold>{pluralize(bad, 'library', 'libraries')}</Bold> {bad === 1 ? 'needs' : 'need'} attention.
        </>
      );
    }
    case 'library_pairs':
      return (
        <>
          {name(first, 'library')} and {name(first, 'other_library')} have <Bold>{formatBytes(number(first, 'shared_bytes'))}</Bold> in
          common.
        </>
      );
    case 'hard_links':
      return (
        <>
          <Bold>{formatBytes(sums['saved_bytes'] ?? 0)}</Bold> saved by sharing storage.
        </>
      );
    case 'unmapped_extensions':
      return (
        <>
          <Bold>{pluralize(total, 'extension')}</Bold> in {files(sums['file_count'] ?? 0)} {total === 1 ? 'has' : 'have'} no file type.
          {run.rows.some((row) => !row['extension']) &&
            ' To read files without an extension, detect their types: edit the library, tab File types.'}
        </>
      );
    case 'tags':
      return (
        <>
          <Bold>{pluralize(total, 'tag')}</Bold>, most used: {name(first, 'tag')}.
        </>
      );
    case 'unreadable_folders':
      return (
        <>
          <Bold>{pluralize(total, 'place')}</Bold> could not be read.
        </>
      );
    default:
      return (
        <>
          {count}
          {size > 0 && ` with ${formatBytes(size)}`}.
        </>
      );
  }
}

/** The columns that the small chart of a report compares. */
const COMPARED: Record<string, readonly [label: string, value: string, type: 'bytes' | 'integer']> = {
  library_totals: ['library', 'total_bytes', 'bytes'],
  storage_forecast: ['library', 'change_30_days', 'bytes'],
  kinds: ['file_category', 'total_bytes', 'bytes'],
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
      label: shown.split('/').at(-1) || 'No extension',
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
