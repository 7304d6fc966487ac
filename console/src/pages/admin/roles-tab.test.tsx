import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { Role } from '../../api/types.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { RolesTab } from './roles-tab.tsx';

afterEach(() => vi.unstubAllGlobals());

const role = {
  name: 'editors',
  display_name: 'Editors',
  description: '',
  builtin: false,
  scopes: ['read', 'write'],
  ceiling_actions: ['search_metadata', 'download'],
  bypass: false,
  require_second_factor: false,
  session_inactivity_hours: null,
  session_ttl_hours: null,
  users: 0,
} as unknown as Role;

test('only what was changed of a role is saved: another administrator may have changed the rest', async () => {
  const saved = vi.fn();
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method !== 'PATCH') return Response.json([role]);
    saved(await request.json());
    return Response.json(role);
  });
  renderWithProviders(<RolesTab />);
  await userEvent.click(await screen.findByRole('button', { name: 'Edit role Editors' }));
  const name = await screen.findByLabelText('Name');
  await userEvent.clear(name);
  await userEvent.type(name, 'Writers');
  await userEvent.click(screen.getByRole('button', { name: 'Save role' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith({ display_name: 'Writers' }));
});
