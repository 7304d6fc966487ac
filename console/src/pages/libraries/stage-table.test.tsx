import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Scan } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { RunningStages } from './stage-table.tsx';
import { timeLeft, type ScanStages, secondsRemaining, stageRows, hasUnfinishedStages } from './stages.ts';

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

test('each stage tells its amount, its speed and how it is', () => {
  const told = stageRows(stages(), scan({})).map((l) => [l.name, l.amount, l.word]);
  expect(told).toEqual([
    ['Walk', '188,412 files', 'done'],
    ['Hash', '139,604 of 188,412', '412 MB/s'],
    ['Extract', '77,190 of 188,412', '318 files/s'],
    ['Thumbnails', '', 'to come'],
    ['Index', '74,002 of 188,412', 'paused'],
  ]);
});

test('a stalled scan is named as such, in its line too', () => {
  renderWithProviders(<RunningStages scan={scan({ stalled: true })} last={null} />);
  expect(screen.getByText(/Stalled at Hash/)).toBeTruthy();
  expect(stageRows(stages(), { stalled: true })[1]!.word).toBe('stalled');
});

test('a stalled scan says since when', () => {
  renderWithProviders(<RunningStages scan={scan({ stalled: true, stalled_since: '2026-11-15T09:12:00' })} last={null} />);
  expect(screen.getByText(/^Stalled since .*12.* at Hash/)).toBeTruthy();
});

test('what holds the work back is told in words', () => {
  renderWithProviders(
    <RunningStages scan={scan({ backpressure: { state: 'paused', reason: 'The disk of the thumbnails is full.' } })} last={null} />,
  );
  expect(screen.getByText('Reading contents is paused.').parentElement!.textContent).toContain('The disk of the thumbnails is full.');
});

test('the estimate is that of the slowest stage, and none is given without a speed', () => {
  expect(secondsRemaining(stages())).toBeCloseTo((188_412 - 77_190) / 318);
  expect(secondsRemaining(stages({ walk: stage({ done: 5, state: 'running' }) }))).toBeNull();
  renderWithProviders(<RunningStages scan={scan({ stages: stages({ walk: stage({ done: 5, state: 'running' }) }) })} last={null} />);
  expect(screen.queryByText(/left/)).toBeNull();
  expect(screen.getByText('500 files so far')).toBeTruthy();
});

test('work goes on after the walk until every stage is through', () => {
  expect(hasUnfinishedStages(stages())).toBe(true);
  const done = stage({ done: 4, total: 4, state: 'done' });
  expect(hasUnfinishedStages({ walk: done, hash: done, extract: done, thumbnail: stage({ total: 0 }), index: done })).toBe(false);
  expect(hasUnfinishedStages(undefined)).toBe(false);
});

test('the time left is told in round words', () => {
  expect([timeLeft(20), timeLeft(370), timeLeft(7300), timeLeft(null)]).toEqual([
    'Less than a minute left',
    'About 6 minutes left',
    'About 2 hours left',
    null,
  ]);
});
