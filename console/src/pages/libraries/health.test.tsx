import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Library } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { AccountingLine } from './library-facts.tsx';
import { accountingOf, healthOf, needsAttention } from './health.ts';

const library = (last: object | null, enabled = true) =>
  ({
    enabled,
    last_scan: last && {
      status: 'finished',
      scope: '',
      error_code: null,
      seen: 10,
      excluded_gate: 1,
      excluded_filtered: 2,
      pruned_files: 3,
      ...last,
    },
  }) as unknown as Library;

test('a library that a guard held back waits for a person', () => {
  expect(healthOf(library({ status: 'failed', error_code: 'vanish_guard' }))).toBe('waiting');
  expect(healthOf(library({ status: 'failed', error_code: 'error' }))).toBe('failed');
  expect(needsAttention(library({ status: 'failed', error_code: 'empty_scan' }))).toBe(true);
});

test('a running scan, an offline volume and a new library are told apart', () => {
  expect(healthOf(library({ status: 'stopping' }))).toBe('scanning');
  expect(healthOf(library({}, false))).toBe('offline');
  expect(healthOf(library(null))).toBe('new');
  expect(healthOf(library({}))).toBe('healthy');
});

test('on disk = seen + excluded + pruned, with its tick', () => {
  renderWithProviders(<AccountingLine sums={accountingOf(library({}))} />);
  expect(screen.getByText('Adds up')).toBeTruthy();
  expect(screen.getByText('16').parentElement!.textContent).toBe('16 on disk');
});

test('without counted pruned files there is no tick', () => {
  renderWithProviders(<AccountingLine sums={accountingOf(library({ pruned_files: null }))} />);
  expect(screen.queryByText('Adds up')).toBeNull();
  expect(screen.getByText('Pruned not counted')).toBeTruthy();
});

test('a scan of one folder says nothing about the whole library', () => {
  expect(accountingOf(library({ scope: '2023' }))).toBeNull();
});
