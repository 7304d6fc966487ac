import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { currentPath, currentSearch, navigate } from '../../shell/hash-location.ts';
import { renderWithProviders } from '../../test-render.tsx';
import HomePage from './home-page.tsx';

const searchPage = vi.hoisted(() => Promise.withResolvers<void>());
vi.mock('../search/search-page.tsx', async () => {
  await searchPage.promise;
  return { default: () => null };
});

afterEach(() => {
  vi.unstubAllGlobals();
  navigate('/');
});

test('what is typed while the search page is loading is part of the search', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 503, title: 'Busy' }, { status: 503 }));
  navigate('/home');
  renderWithProviders(<HomePage />);
  await userEvent.type(screen.getByRole('searchbox'), 'h');
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(currentPath()).toBe('/home');
  await userEvent.keyboard('arbour');
  searchPage.resolve();
  await vi.waitFor(() => expect(currentSearch()).toBe('q=harbour'));
});

test('a number that could not be loaded is an error, not an endless wait', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ status: 500, detail: 'The database is busy.' }, { status: 500 }));
  renderWithProviders(<HomePage />);
  await vi.waitFor(() => expect(screen.getAllByText('The database is busy.').length).toBeGreaterThan(2));
  expect(screen.queryAllByRole('status', { name: 'Loading' })).toEqual([]);
});
