import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { ProvidersTab } from './providers-tab.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a secret that is stored stays when something was typed over it and deleted again', async () => {
  const saved: unknown[] = [];
  const partner = { name: 'partner', issuer: 'https://id.example.org', client_id: 'catalog', client_secret: '__unchanged__' };
  const config = { enabled: true, has_client_secret: true, providers: [partner], _source: { client_secret: 'gui' } };
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.includes('/auth-config/oidc')) return Response.json({}, { status: 503 });
    if (request.method === 'PUT') saved.push(await request.json());
    return Response.json(config);
  });
  renderWithProviders(<ProvidersTab />);
  for (const field of await screen.findAllByLabelText('Client secret')) {
    expect((field as HTMLInputElement).placeholder).toBe('Stored. Type to replace it.');
    await userEvent.type(field, 'x{Backspace}');
    expect((field as HTMLInputElement).placeholder).toBe('Stored. Type to replace it.');
  }
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await vi.waitFor(() => expect(saved).toEqual([{ client_secret: '__unchanged__', providers: [partner] }]));
});
