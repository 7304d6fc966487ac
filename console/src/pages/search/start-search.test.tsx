import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { StartSearch } from './start-search.tsx';

afterEach(() => {
  vi.restoreAllMocks();
  location.hash = '';
});

test('what is typed while the search page loads makes one entry in the history', async () => {
  const loaded = Promise.withResolvers<void>();
  const pushed = vi.spyOn(history, 'pushState');
  renderWithProviders(<StartSearch load={() => loaded.promise} />);
  const box = screen.getByRole('searchbox');
  await userEvent.type(box, 'p{Enter}i{Enter}er{Enter}');
  expect(location.hash).toBe('');
  loaded.resolve();
  await vi.waitFor(() => expect(location.hash).toBe('#/?q=pier'));
  expect(pushed).toHaveBeenCalledTimes(1);
});
