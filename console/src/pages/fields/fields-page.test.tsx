import { act, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import FieldsPage from './fields-page.tsx';

afterEach(() => vi.unstubAllGlobals());

test('what is typed in a dialog stays when the page behind it cannot be refreshed', async () => {
  let broken = false;
  vi.stubGlobal('fetch', async () => (broken ? Response.json({ status: 503, title: 'Busy' }, { status: 503 }) : Response.json([])));
  const { client } = renderWithProviders(<FieldsPage />);
  await userEvent.click(await screen.findByRole('button', { name: 'New field' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'Project');
  broken = true;
  await act(async () => {
    await client.invalidateQueries();
    // Components are told a moment later.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Project');
});

test('only what a person changed in a field is saved', async () => {
  const field = {
    id: 'f1',
    name: 'project',
    label: 'Project',
    data_type: 'string',
    applies_to: ['image'],
    library_ids: [],
    required: false,
    select_options: null,
  };
  const saved = vi.fn();
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PATCH') saved(await request.json());
    return Response.json(request.method === 'PATCH' ? field : new URL(request.url).pathname.endsWith('/custom-fields') ? [field] : []);
  });
  renderWithProviders(<FieldsPage />);
  await userEvent.click(await screen.findByRole('button', { name: /Edit field Project/ }));
  await userEvent.type(await screen.findByLabelText('Name'), 's');
  await userEvent.click(screen.getByRole('button', { name: 'Save field' }));
  await vi.waitFor(() => expect(saved).toHaveBeenCalledWith({ label: 'Projects' }));
});
