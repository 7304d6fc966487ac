import { screen } from '@testing-library/react';
import { expect, test } from 'vitest';
import type { Library } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { accountingOf, healthOf, needsAttention, scanErrorOf } from './health.ts';
import { AccountingLine } from './library-facts.tsx';

const library = (last: object | null, enabled = true) =>
  ({
    enabled,
    last_scan: last && {
      status: 'finished',
      scope: '',
      recursive: true,
      error_code: null,
      seen: 10,
      excluded_gate: 1,
      excluded_filtered: 2,
      pruned_files: 3,
      ...last,
    },
  }) as unknown as Library;

test('a library whose scan was stopped by a guard waits for a person', () => {
  expect(healthOf(library({ status: 'failed', error_code: 'vanish_guard' }))).toBe('waiting');
  expect(healthOf(library({ status: 'failed', error_code: 'error' }))).toBe('failed');
  expect(needsAttention(library({ status: 'failed', error_code: 'empty_scan' }))).toBe(true);
});

test('a scan that could not open its folder has failed; there is nothing to decide', () => {
  for (const error_code of ['root_missing', 'root_not_folder', 'root_unreadable'])
    expect(healthOf(library({ status: 'failed', error_code }))).toBe('failed');
});

test('a library of an agent has failed when the agent says so, and is not healthy once its agent is revoked', () => {
  const ofAgent = (fields: Partial<Library>) => ({ ...library({}), agent_status: 'active', agent_error: null, ...fields }) as Library;
  expect(healthOf(ofAgent({}))).toBe('healthy');
  const gone = ofAgent({ agent_error: 'The folder does not exist.' });
  expect([healthOf(gone), needsAttention(gone), scanErrorOf(gone)]).toEqual(['failed', true, 'The folder does not exist.']);
  expect(healthOf(ofAgent({ agent_status: 'revoked' }))).toBe('revoked');
});

test('scanning, offline, new, stopped and healthy libraries are distinguished', () => {
  expect(healthOf(library({ status: 'stopping' }))).toBe('scanning');
  expect(healthOf(library({}, false))).toBe('offline');
  expect(healthOf(library(null))).toBe('new');
  expect(healthOf(library({ status: 'stopped' }))).toBe('stopped');
  expect(healthOf(library({}))).toBe('healthy');
});

test('on disk = seen + excluded + pruned is shown as adding up', () => {
  renderWithProviders(<AccountingLine sums={accountingOf(library({}))} />);
  expect(screen.getByText('Adds up')).toBeTruthy();
  expect(screen.getByText('16').parentElement!.textContent).toBe('16 on disk');
});

test('without a count of pruned files the line does not claim to add up', () => {
  renderWithProviders(<AccountingLine sums={accountingOf(library({ pruned_files: null }))} />);
  expect(screen.queryByText('Adds up')).toBeNull();
  expect(screen.getByText('Files in excluded folders not counted')).toBeTruthy();
});

test('a scan whose counters are hidden is finished, and its zeros are not added up', () => {
  expect(healthOf(library({ counts_hidden: true }))).toBe('healthy');
  expect(accountingOf(library({ counts_hidden: true }))).toBeNull();
});

test('a scan of one folder gives no total for the library', () => {
  expect(accountingOf(library({ scope: '2023' }))).toBeNull();
  expect(accountingOf(library({ recursive: false }))).toBeNull();
});
