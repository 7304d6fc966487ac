import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { ToastRegion } from '../../components/toast.tsx';
import { renderWithProviders } from '../../test-render.tsx';
import { SavedSearchControl } from './saved-search.tsx';
import { EMPTY_SEARCH } from './search-state.ts';

afterEach(() => vi.unstubAllGlobals());

test('a search that is still in use is not deleted, and the reason is shown', async () => {
  const detail = 'This search is still in use by alert rules (1). Ask an administrator to change or delete them first.';
  vi.stubGlobal('fetch', async (request: Request) =>
    request.method === 'DELETE'
      ? Response.json({ code: 'search_in_use', title: 'Search in use', detail }, { status: 409 })
      : Response.json([{ id: 's1', name: 'Boats', params: {}, shared: true, may_edit: true, owner_name: 'ann' }]),
  );
  renderWithProviders(
    <>
      <SavedSearchControl state={{ ...EMPTY_SEARCH, saved: 's1' }} onChange={() => {}} />
      <ToastRegion />
    </>,
  );
  fireEvent.click(await screen.findByRole('button', { name: /Boats/ }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Delete saved search' }));
  expect((await screen.findByText(/Could not delete/)).textContent).toBe(`Could not delete “Boats”. ${detail}`);
});
