import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Principal } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { PersonDialog } from './person-dialogs.tsx';

afterEach(() => vi.unstubAllGlobals());

test('only what was changed of a person is saved', async () => {
  const saved = vi.fn();
  vi.stubGlobal('fetch', async (request: Request) => {
    // The lists below the form are not needed here.
    if (request.method !== 'PATCH') return Response.json({}, { status: 503 });
    saved(await request.json());
    return Response.json({});
  });
  const user = { id: 'u', username: 'ann', display_name: null, email: 'ann@example.org', auth_provider: 'local' } as unknown as Principal;
  renderWithProviders(<PersonDialog user={user} onClose={() => {}} onDone={() => {}} />);
  await userEvent.type(await screen.findByLabelText('Name'), 'Ann');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith({ display_name: 'Ann' }));
});
