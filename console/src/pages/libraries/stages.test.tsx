import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Scan } from '../../api/types.ts';
import { show } from '../../test-render.tsx';
import { leftWords, Stages, stagesOf } from './stages.tsx';

const scan = (patch: Partial<Scan>) =>
  ({
    phase: 'walking',
    status: 'running',
    stalled: false,
    seen: 500,
    started_at: new Date().toISOString(),
    files_per_s: 100,
    bytes_per_s: 0,
    current_folder: null,
    estimate: null,
    stats: {},
    ...patch,
  }) as Scan;

test('a stage is to come, running or done by the phase of the scan', () => {
  expect(stagesOf(scan({ phase: 'queued' }), null).map((s) => s.state)).toEqual(['waiting', 'waiting']);
  expect(stagesOf(scan({}), null).map((s) => s.state)).toEqual(['running', 'waiting']);
  expect(stagesOf(scan({ phase: 'hashing' }), null).map((s) => s.state)).toEqual(['done', 'running']);
  expect(stagesOf(scan({ phase: 'queueing' }), null).map((s) => s.state)).toEqual(['done', 'done']);
});

test('a stalled scan is named as such', () => {
  show(<Stages scan={scan({ stalled: true, phase: 'hashing' })} waiting={null} startedAt="2026-01-01T00:00:00Z" />);
  expect(screen.getByText(/Stalled at hashing/)).toBeTruthy();
});

test('no estimate without a last run', () => {
  show(<Stages scan={scan({})} waiting={null} startedAt="2026-01-01T00:00:00Z" />);
  expect(screen.queryByText(/left/)).toBeNull();
  expect(screen.getByText('500 files so far')).toBeTruthy();
});

test('the time left is told in round words', () => {
  expect([leftWords(20), leftWords(370), leftWords(7300), leftWords(null)]).toEqual([
    'Less than a minute left',
    'About 6 minutes left',
    'About 2 hours left',
    null,
  ]);
});
