import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { renderWithProviders } from '../../test-render.tsx';
import { RuleDrawer } from './rule-drawer.tsx';

afterEach(() => vi.unstubAllGlobals());

/** Answers of the server; a rule is saved when the returned function is called. */
function serve(): () => void {
  const saved = Promise.withResolvers<void>();
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname } = new URL(request.url);
    if (pathname.endsWith('/preview'))
      return Response.json({ fired: 0, times: [], matches: 0, days: [], alternatives: [], complete: true, note: null });
    if (request.method === 'POST') await saved.promise;
    return Response.json(request.method === 'POST' ? {} : []);
  });
  return saved.resolve;
}

test('Esc closes the editor, and asks only if something changed', async () => {
  serve();
  const onClose = vi.fn();
  renderWithProviders(<RuleDrawer rule={null} onClose={onClose} />);
  const name = await screen.findByLabelText('Name');
  await userEvent.type(name, '{Escape}');
  expect(onClose).toHaveBeenCalledTimes(1);
  await userEvent.type(name, 'Contracts{Escape}');
  await screen.findByRole('dialog', { name: 'Discard the changes?' });
  expect(onClose).toHaveBeenCalledTimes(1);
  await userEvent.click(screen.getByRole('button', { name: 'Discard' }));
  expect(onClose).toHaveBeenCalledTimes(2);
});

test('a rule that is saved after its editor was closed closes no other editor', async () => {
  const save = serve();
  const invalidated = vi.fn();
  function Page() {
    const [edited, setEdited] = useState(true);
    if (edited) return <RuleDrawer rule={null} onClose={() => setEdited(false)} />;
    return (
      <button type="button" onClick={() => setEdited(true)}>
        New rule
      </button>
    );
  }
  const { client } = renderWithProviders(<Page />);
  vi.spyOn(client, 'invalidateQueries').mockImplementation(async () => invalidated());
  await userEvent.type(await screen.findByLabelText('Name'), 'Contracts{Enter}{Escape}');
  await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
  await userEvent.click(await screen.findByRole('button', { name: 'New rule' }));
  await userEvent.type(await screen.findByLabelText('Name'), 'Scans');
  save();
  await waitFor(() => expect(invalidated).toHaveBeenCalled());
  await waitFor(() => expect(client.isMutating()).toBe(0));
  expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Scans');
});
