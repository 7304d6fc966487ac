import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Scan } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { RunningStages } from './stage-table.tsx';
import { hasUnfinishedStages, type ScanStages, secondsRemaining, stageRows, timeLeft } from './stages.ts';

const stage = (patch: Partial<ScanStages['walk']> = {}) => ({
  done: 0,
  total: null,
  failed: 0,
  rate: null,
  state: 'waiting' as const,
  ...patch,
});
const stages = (patch: Partial<ScanStages> = {}): ScanStages => ({
  walk: stage({ done: 188_412, total: 188_412, state: 'done' }),
  hash: stage({ done: 139_604, total: 188_412, rate: 900, state: 'running' }),
  extract: stage({ done: 77_190, total: 188_412, rate: 318, failed: 6, state: 'running' }),
  thumbnail: stage(),
  index: stage({ done: 74_002, total: 188_412, rate: 2140, state: 'paused' }),
  ...patch,
});
const scan = (patch: Partial<Scan>) =>
  ({
    phase: 'hashing',
    status: 'running',
    stalled: false,
    seen: 500,
    started_at: new Date().toISOString(),
    bytes_per_s: 412e6,
    current_folder: null,
    estimate: null,
    backpressure: null,
    stages: stages(),
    ...patch,
  }) as unknown as Scan;

test('each stage shows its amount, speed and state', () => {
  const rows = stageRows(stages(), scan({})).map((l) => [l.name, l.amount, l.detail]);
  expect(rows).toEqual([
    ['Walk', '188,412 files', 'done'],
    ['Hash', '139,604 of 188,412', '412 MB/s'],
    ['Contents', '77,190 of 188,412', '318 files/s'],
    ['Thumbnails', '', 'not started'],
    ['Index', '74,002 of 188,412', 'paused'],
  ]);
});

test('a stalled scan is shown as stalled, also in its stage', () => {
  renderWithProviders(<RunningStages scan={scan({ stalled: true })} last={null} />);
  expect(screen.getByText(/Stalled at Hash/)).toBeTruthy();
  expect(stageRows(stages(), { stalled: true })[1]!.detail).toBe('stalled');
});

test('a stalled scan shows since when', () => {
  renderWithProviders(<RunningStages scan={scan({ stalled: true, stalled_since: '2026-11-15T09:12:00' })} last={null} />);
  expect(screen.getByText(/^Stalled since .*12.* at Hash/)).toBeTruthy();
});

test('the reason for backpressure is shown', () => {
  renderWithProviders(
    <RunningStages scan={scan({ backpressure: { state: 'paused', reason: 'The disk of the thumbnails is full.' } })} last={null} />,
  );
  expect(screen.getByText('Reading contents is paused.').parentElement!.textContent).toContain('The disk of the thumbnails is full.');
});

test('the estimate follows the slowest stage, and there is none without a speed', () => {
  expect(secondsRemaining(stages())).toBeCloseTo((188_412 - 77_190) / 318);
  expect(secondsRemaining(stages({ walk: stage({ done: 5, state: 'running' }) }))).toBeNull();
  renderWithProviders(<RunningStages scan={scan({ stages: stages({ walk: stage({ done: 5, state: 'running' }) }) })} last={null} />);
  expect(screen.queryByText(/left/)).toBeNull();
  expect(screen.getByText('500 files so far')).toBeTruthy();
});

test('stages are unfinished after the walk until all of them are done', () => {
  expect(hasUnfinishedStages(stages())).toBe(true);
  const done = stage({ done: 4, total: 4, state: 'done' });
  expect(hasUnfinishedStages({ walk: done, hash: done, extract: done, thumbnail: stage({ total: 0 }), index: done })).toBe(false);
  expect(hasUnfinishedStages(undefined)).toBe(false);
});

test('the time left is rounded', () => {
  expect([timeLeft(20), timeLeft(370), timeLeft(7300), timeLeft(null)]).toEqual([
    'Less than a minute left',
    'About 6 minutes left',
    'About 2 hours left',
    null,
  ]);
});
