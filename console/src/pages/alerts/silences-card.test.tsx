import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { SilencesCard } from './silences-card.tsx';

afterEach(() => vi.unstubAllGlobals());

test('saving quiet hours sends only what was changed, not what somebody else changed meanwhile', async () => {
  let silence = {
    id: 's1',
    rule_id: null,
    reason: 'Night',
    ends_at: null,
    daily_from: '22:00',
    daily_to: '06:00',
    time_zone: 'UTC',
    created_by: 'anna',
  };
  const saved = vi.fn();
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PATCH') saved(await request.json());
    return Response.json(request.method === 'PATCH' ? silence : [silence]);
  });
  const { client } = renderWithProviders(<SilencesCard rules={[]} />);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit' }));
  await userEvent.type(await screen.findByLabelText('Reason'), 's');
  silence = { ...silence, daily_to: '05:30' };
  await act(() => client.invalidateQueries());
  await screen.findByText(/05:30/);
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith({ reason: 'Nights' }));
});
