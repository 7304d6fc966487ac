import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, test, vi } from 'vitest';
import type { SearchResponse } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { chipsOf } from './chips.ts';
import { culprit, NoResults } from './no-results.tsx';
import { EMPTY } from './search-state.ts';

const answer = { did_you_mean: ['harbor crane'] } as unknown as SearchResponse;
const state = { ...EMPTY, q: 'harbour crane', libraries: ['a'], categories: ['three-d-cad'] };
const lifts = chipsOf(state, () => 'Photos').map((chip) => ({
  chip,
  total: chip.field === 'library' ? 312 : chip.field === 'kind' ? 4 : 0,
}));

test('empty results name the filter that emptied them and what its removal brings', async () => {
  const onChange = vi.fn();
  renderWithProviders(<NoResults lifts={lifts} answer={answer} state={state} emptyCatalog={false} scanning="" onChange={onChange} />);
  expect(screen.getByRole('heading', { name: 'Nothing matches all three filters' })).toBeTruthy();
  expect(screen.getByText(/0 files with it, 312 without/)).toBeTruthy();
  await userEvent.click(screen.getByRole('button', { name: 'Remove library Photos' }));
  expect(onChange).toHaveBeenCalledWith({ ...state, libraries: [] });
});

test('what may have been meant is one click away', async () => {
  const onChange = vi.fn();
  renderWithProviders(<NoResults lifts={lifts} answer={answer} state={state} emptyCatalog={false} scanning="" onChange={onChange} />);
  await userEvent.click(screen.getByRole('button', { name: 'harbor crane' }));
  expect(onChange).toHaveBeenCalledWith({ ...state, q: 'harbor crane' });
});

test('no filter is blamed when none alone is at fault', () => {
  expect(culprit(lifts.map((lift) => ({ ...lift, total: 0 })))).toBeNull();
});

test('while the first scan runs the catalog is not called empty', () => {
  renderWithProviders(<NoResults lifts={[]} answer={answer} state={state} emptyCatalog scanning="Scanning photos" onChange={() => {}} />);
  expect(screen.getByText('Scanning photos…')).toBeTruthy();
  expect(screen.queryByText('The catalog is empty')).toBeNull();
});
