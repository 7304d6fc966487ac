import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';

const loaded = vi.hoisted(() => Promise.withResolvers<object>());
vi.mock('./search-page.tsx', () => loaded.promise);
// Another file may have loaded it without the mock.
vi.resetModules();
const { renderWithProviders } = await import('../../test-render.tsx');
const { StartSearch } = await import('./start-search.tsx');

afterEach(() => {
  vi.restoreAllMocks();
  location.hash = '';
});

test('what is typed while the search page loads makes one entry in the history', async () => {
  const pushed = vi.spyOn(history, 'pushState');
  renderWithProviders(<StartSearch />);
  const box = screen.getByRole('searchbox');
  await userEvent.type(box, 'p{Enter}i{Enter}er{Enter}');
  loaded.resolve({ default: () => null });
  await vi.waitFor(() => expect(location.hash).toBe('#/?q=pier'));
  await vi.dynamicImportSettled();
  expect(pushed).toHaveBeenCalledTimes(1);
});
