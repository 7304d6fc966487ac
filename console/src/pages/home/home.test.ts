import { expect, test } from 'vitest';
import type { Library, Stats } from '../../api/types.ts';
import { attentionRows } from './attention.ts';
import { firstSteps } from './first-steps.ts';
import { greeting } from './home-page.tsx';
import { progressRows } from './progress.ts';

const stage = (patch = {}) => ({ done: 0, total: 0, failed: 0, rate: null, state: 'done', ...patch });
const library = (name: string, last_scan: Record<string, unknown> | null) =>
  ({ id: name, name, enabled: true, last_scan }) as unknown as Library;
const stats = (patch: Partial<Stats> = {}) => ({ degraded: {}, ...patch }) as Stats;
const finished = { status: 'finished', stages: { walk: stage(), hash: stage(), extract: stage(), thumbnail: stage(), index: stage() } };

test('a stopped scan comes first, then failures, disks, unreadable and missing files', () => {
  const rows = attentionRows(
    [
      library('Photos', { ...finished, status: 'failed', error: 'The folder cannot be read.' }),
      library('Archive', { ...finished, status: 'failed', error_code: 'vanish_guard', error: 'Nothing was marked missing.' }),
    ],
    stats({
      extract_errors: { corrupt: 6, timeout: 1 },
      disk: { status: 'low', paths: [{ label: 'data', free: 2e9, pct_free: 4, status: 'low' }] },
    }),
    3,
  );
  expect(rows.map(({ icon, action }) => [icon, action])).toEqual([
    ['failed', 'Open library'],
    ['guard', 'Review'],
    ['disk', 'Open jobs'],
    ['unreadable', 'Show files'],
    ['missing', 'Show files'],
  ]);
  expect(rows.map(({ title }) => title)).toContain('7 files could not be read');
});

test('firing alerts are listed with the first two, and lead to the page of alerts', () => {
  const alerts = ['The agent nas has not been seen.', 'A scan failed.', 'A third.'].map((title) => ({ title }));
  expect(attentionRows([], stats(), 0, alerts)).toMatchObject([
    { title: '3 alerts are firing', detail: 'The agent nas has not been seen. A scan failed.', href: '#/alerts' },
  ]);
});

test('a number that could not be determined is shown as unknown, not as nothing', () => {
  expect(attentionRows([], stats({ degraded: { disk: 'timed out' } }), 0)).toMatchObject([
    { icon: 'unknown', title: 'Disk space: not available at the moment', detail: 'timed out' },
  ]);
  expect(attentionRows([library('Photos', finished)], stats(), 0)).toEqual([]);
});

test('the first unfinished stage of a library is in progress', () => {
  const reading = { ...finished, stages: { ...finished.stages, extract: stage({ done: 30, total: 90, rate: 1, state: 'running' }) } };
  expect(progressRows([library('Photos', reading), library('Done', finished)])).toEqual([
    { id: 'Photos', title: 'Reading contents of Photos', left: 'About 1 minute left', done: 30, total: 90 },
  ]);
});

test('the greeting follows the time of day', () => {
  expect([3, 9, 15, 20].map((hour) => greeting(new Date(2026, 10, 16, hour)))).toEqual([
    'Good night',
    'Good morning',
    'Good afternoon',
    'Good evening',
  ]);
});

test('after the first scan an administrator has four steps, which are done when the catalog says so; others have one', () => {
  const unknown = { searched: false, people: undefined, backups: undefined, channels: undefined };
  expect(firstSteps({ ...unknown, admin: false }).map(({ key }) => key)).toEqual(['search']);
  const steps = firstSteps({ searched: true, admin: true, people: 2, backups: false, channels: 0 });
  expect(steps.map(({ key, done }) => [key, done])).toEqual([
    ['search', true],
    ['people', true],
    ['backups', false],
    ['alerts', false],
  ]);
  expect(firstSteps({ ...unknown, admin: true })[1]?.done).toBeUndefined();
});
