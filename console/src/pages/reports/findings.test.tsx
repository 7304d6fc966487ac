import { expect, test } from 'vitest';
import type { Report, ReportRun } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { formatCell, numberHref, rowHref } from './cells.tsx';
import { figuresOf, findingOf, growthSeries } from './findings.tsx';
import { weeklyPace } from './growth-chart.tsx';

const run = (id: string, rows: Record<string, unknown>[], more: Partial<ReportRun> = {}): ReportRun =>
  ({
    report: { id } as Report,
    columns: [],
    fields: [],
    rows,
    limit: 20,
    offset: 0,
    count: rows.length,
    has_more: false,
    next_cursor: null,
    total: rows.length,
    sums: {},
    ...more,
  }) as ReportRun;

const textOf = (page: ReportRun): string => renderWithProviders(<p>{findingOf(page)}</p>).container.querySelector('p')?.textContent ?? '';

test('a finding is one sentence with its number', () => {
  expect(textOf(run('duplicate_files', [{}], { total: 3, sums: { wasted_bytes: 2_000_000 } }))).toBe('2 MB wasted in 3 groups.');
  expect(textOf(run('changes', [{ change: 'came' }, { change: 'left' }, { change: 'came' }]))).toBe('2 came, 0 changed, 1 left.');
  expect(textOf(run('only_copies', [{}], { total: 408, sums: { size: 1.9e12 } }))).toBe('408 files with 1.9 TB.');
  expect(textOf(run('largest_files', []))).toBe('Nothing to report.');
});

test('a finding counts files only where the rows are files', () => {
  const years = [
    { year: '2026', file_count: 1 },
    { year: '2023', file_count: 34 },
  ];
  expect(textOf(run('ages', years, { sums: { file_count: 35 } }))).toBe('34 of 35 files date from 2023.');
  expect(textOf(run('permissions_mixed_folders', [{}]))).toBe('1 folder with files that have other permissions.');
  expect(textOf(run('permission_changes', [{}, {}]))).toBe('Permissions changed 2 times.');
});

test('the first week of a catalog is not growth', () => {
  const week = { week: '2024-01-01', library: 'A', total_bytes: 2, change_bytes: 2 };
  expect(textOf(run('growth', [week], { sums: { change_bytes: 2 } }))).toBe('Counting began this week. Growth is shown from next week on.');
  const next = { week: '2024-01-08', library: 'A', total_bytes: 3, change_bytes: 1 };
  expect(textOf(run('growth', [next, week], { sums: { change_bytes: 3 } }))).toMatch(/^Grew by/);
});

test('a row opens the file, folder or search behind it', () => {
  expect(rowHref('item', { item_id: 'x' })).toBe('#/item/x');
  expect(rowHref('browse', { library_id: 'l', folder: 'a b/c' })).toBe('#/browse/l?path=a%20b%2Fc');
  expect(rowHref('search_hash', { content_hash: 'abcdef12' })).toBe('#/?q=hash%3Aabcdef12&sidecars=true');
  expect(rowHref('search_ext', { extension: '' })).toBeNull();
  expect(rowHref('none', {})).toBeNull();
});

test('cells show units, signs and words', () => {
  expect(formatCell(1500, { key: 'size', type: 'bytes' })).toBe('1.5 kB');
  expect(formatCell(-1500, { key: 'change_bytes', type: 'bytes' })).toBe('−1.5 kB');
  expect(formatCell(3, { key: 'change_files', type: 'integer' })).toBe('+3');
  expect(formatCell('quick_hash', { key: 'hash_tier', type: 'text' })).toBe('Sampled');
  expect(formatCell(null, { key: 'title', type: 'text' })).toBe('');
});

test('charts compare the rows of a report and the weeks of each library', () => {
  expect(figuresOf(run('largest_files', [{ rel_path: 'a/b.mkv', size: 10 }]), 3)).toEqual([{ label: 'b.mkv', value: 10, shown: '10 B' }]);
  expect(figuresOf(run('corrupt_media', [{ rel_path: 'a' }]), 3)).toEqual([]);
  const weeks = [
    { week: '2024-01-08', library: 'A', total_bytes: 2 },
    { week: '2024-01-01', library: 'A', total_bytes: 1 },
    { week: '2024-01-08', library: 'B', total_bytes: 5 },
  ];
  expect(growthSeries(run('growth', weeks)).map(({ label, points }) => [label, points.map(({ bytes }) => bytes)])).toEqual([
    ['B', [5]],
    ['A', [1, 2]],
  ]);
});

test('a number of files opens the search behind it, but not a number of the past', () => {
  expect(numberHref('library', { library_id: 'l', file_count: 3 }, 'file_count')).toBe('#/?library=l&sidecars=true');
  expect(numberHref('library', { library_id: 'l', missing_items: 3 }, 'missing_items')).toBe('#/?library=l&status=missing&sidecars=true');
  expect(numberHref('search_category', { file_category: 'video', file_count: 3 }, 'file_count')).toBe('#/?kind=video&sidecars=true');
  for (const row of [
    { library_id: 'l', file_count: 0 },
    { library_id: 'l', file_count: 3, week: '2024-01-08' },
  ])
    expect(numberHref('library', row, 'file_count')).toBeNull();
  expect(numberHref('library', { library_id: 'l', total_bytes: 3 }, 'total_bytes')).toBeNull();
});

test('the forecast names the library that grew most and the disk that is full first', () => {
  const rows = [
    { library: 'Studio', change_30_days: 1e9, change_previous_30_days: 0, full_on: '2024-12-22' },
    { library: 'Photos', change_30_days: 4e9, change_previous_30_days: 2e9, full_on: null },
  ];
  expect(textOf(run('storage_forecast', rows))).toMatch(
    /^Photos grew by 4 GB in 30 days, up from 2 GB\. At this rate, the disk of Studio is full on .*2024\.$/,
  );
  expect(textOf(run('storage_forecast', [{ library: 'Studio', change_30_days: 0 }]))).toBe('No library grew in the last 30 days.');
});

test('the pace of a library leaves out its first week', () => {
  const series = (...bytes: number[]) => ({ label: 'A', points: bytes.map((each, at) => ({ week: `2024-01-0${at + 1}`, bytes: each })) });
  expect(weeklyPace(series(100, 110, 120, 130))).toBe(10);
  expect(weeklyPace(series(100, 110))).toBeNull();
});
