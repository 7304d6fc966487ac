import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { ToastRegion } from '../../components/toast.tsx';
import { navigate } from '../../shell/hash-location.ts';
import { renderWithProviders } from '../../test-render.tsx';
import { NewRule } from './new-rule.tsx';

afterEach(() => {
  vi.unstubAllGlobals();
  navigate('/');
});

test('rules that exist already do not keep the others from being added', async () => {
  const stored = new Set(['search_metadata']);
  const asked: string[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (request.method === 'GET') return Response.json(pathname.endsWith('/users') ? [{ id: 'p1', username: 'ada' }] : []);
    const { action } = (await request.json()) as { action: string };
    asked.push(action);
    if (stored.has(action))
      return Response.json({ status: 409, code: 'conflict', detail: 'The same grant already exists.' }, { status: 409 });
    stored.add(action);
    return Response.json({});
  });
  navigate('/admin/rules?who=p1');
  const { client } = renderWithProviders(
    <>
      <NewRule libraries={[{ id: 'l1', name: 'Photos' } as never]} />
      <ToastRegion />
    </>,
  );
  const refreshed = vi.spyOn(client, 'invalidateQueries');
  await userEvent.click(screen.getByRole('combobox', { name: 'Library' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Photos' }));
  await userEvent.click(screen.getByRole('combobox', { name: 'Permissions' }));
  await userEvent.click(await screen.findByRole('option', { name: 'Open and download' }));
  const add = screen.getByRole('button', { name: 'Add rule' });
  await userEvent.click(add);
  expect(await screen.findByText('Rule added')).toBeTruthy();
  expect(asked).toEqual(['search_metadata', 'download']);
  expect(refreshed).toHaveBeenCalledWith({ queryKey: ['grants'] });
  await userEvent.click(add);
  await waitFor(() => expect(screen.getByText('The same grant already exists.')).toBeTruthy());
});
