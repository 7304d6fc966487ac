import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { SearchResponse } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { filterChips } from './chips.ts';
import { mostRestrictive, NoResults } from './no-results.tsx';
import { EMPTY_SEARCH } from './search-state.ts';

const response = { did_you_mean: ['harbor crane'], emptied_by: [] } as unknown as SearchResponse;
const state = { ...EMPTY_SEARCH, q: 'harbour crane', libraries: ['a'], categories: ['three-d-cad'] };
const removals = filterChips(state, () => 'Photos').map((chip) => ({
  chip,
  total: chip.field === 'library' ? 312 : chip.field === 'file type' ? 4 : 0,
}));

test('the empty state says which filter to remove and how many files that brings back', async () => {
  const onChange = vi.fn();
  renderWithProviders(
    <NoResults
      removals={removals}
      response={response}
      state={state}
      mayAddLibraries
      noLibraries={false}
      scanning=""
      unread={0}
      onChange={onChange}
    />,
  );
  expect(screen.getByRole('heading', { name: 'No files match all 3 filters' })).toBeTruthy();
  expect(screen.getByText(/match without library Photos/).textContent).toBe('312 files match without library Photos.');
  await userEvent.click(screen.getByRole('button', { name: 'Remove library Photos' }));
  expect(onChange).toHaveBeenCalledWith({ ...state, libraries: [] });
});

test('a spelling suggestion replaces the query', async () => {
  const onChange = vi.fn();
  renderWithProviders(
    <NoResults
      removals={removals}
      response={response}
      state={state}
      mayAddLibraries
      noLibraries={false}
      scanning=""
      unread={0}
      onChange={onChange}
    />,
  );
  await userEvent.click(screen.getByRole('button', { name: 'harbor crane' }));
  expect(onChange).toHaveBeenCalledWith({ ...state, q: 'harbor crane' });
});

test('words without letters or digits are named as the cause', () => {
  const symbol = { ...EMPTY_SEARCH, q: '🐙' };
  const [chip] = filterChips(symbol, () => '');
  renderWithProviders(
    <NoResults
      removals={[{ chip: chip!, total: 346 }]}
      response={{ did_you_mean: [], emptied_by: [{ filter: 'words', value: '🐙', without: 346 }] } as unknown as SearchResponse}
      state={symbol}
      mayAddLibraries
      noLibraries={false}
      scanning=""
      unread={5}
      onChange={() => {}}
    />,
  );
  expect(screen.getByRole('heading', { name: '“🐙” cannot be searched for' })).toBeTruthy();
  expect(screen.getByText('Only letters and digits are searched. Enter a word or a number.')).toBeTruthy();
  expect(screen.queryByText(/have not been read yet/)).toBeNull();
});

test.each([
  [{ mayAddLibraries: true, noLibraries: true }, 'No files yet'],
  [{ mayAddLibraries: false, noLibraries: true }, 'You do not have access to any files'],
  [{ mayAddLibraries: false, noLibraries: false }, 'No files yet'],
])('an empty catalog asks only people who can add libraries to add one: %o', (rights, title) => {
  renderWithProviders(
    <NoResults removals={[]} response={response} state={EMPTY_SEARCH} scanning="" unread={0} onChange={() => {}} {...rights} />,
  );
  expect(screen.getByRole('heading', { name: title })).toBeTruthy();
  expect(screen.queryByText(/Add a library/) !== null).toBe(rights.mayAddLibraries);
});

test('no filter is suggested when removing a single one brings back nothing', () => {
  expect(mostRestrictive(removals.map((removal) => ({ ...removal, total: 0 })))).toBeNull();
});

test('during the first scan the empty state reports the scan', () => {
  renderWithProviders(
    <NoResults
      removals={[]}
      response={response}
      state={state}
      mayAddLibraries
      noLibraries
      scanning="Scanning photos"
      unread={0}
      onChange={() => {}}
    />,
  );
  expect(screen.getByText('Scanning photos…')).toBeTruthy();
  expect(screen.queryByText('No files yet')).toBeNull();
});

test('while filters are counted, no cause is named', () => {
  const counting = removals.map((removal) => ({ ...removal, total: null }));
  renderWithProviders(
    <NoResults
      removals={counting}
      response={response}
      state={state}
      mayAddLibraries
      noLibraries={false}
      scanning=""
      unread={0}
      onChange={() => {}}
    />,
  );
  expect(screen.queryByText(/No single filter/)).toBeNull();
  expect(screen.getByText('Counting what each filter excludes…')).toBeTruthy();
});

test('the empty state says that some files have not been read yet', () => {
  renderWithProviders(
    <NoResults
      removals={removals}
      response={response}
      state={state}
      mayAddLibraries
      noLibraries={false}
      scanning=""
      unread={346}
      onChange={() => {}}
    />,
  );
  expect(screen.getByText(/The contents of 346 files have not been read yet/)).toBeTruthy();
});
