import { fireEvent, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import type { Item } from '../../api/types.ts';
import { ToastRegion } from '../../components/toast.tsx';
import { renderWithProviders } from '../../test-render.tsx';
import { MoreMenu } from './more-menu.tsx';

afterEach(() => vi.unstubAllGlobals());

test('a file that Undo could not take out of the recycle bin can be tried again', async () => {
  let fails = true;
  const restored = vi.fn();
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!request.url.endsWith('/restore')) return Response.json({});
    if (fails) return Response.json({ status: 503, detail: 'The database is busy.' }, { status: 503 });
    restored();
    return Response.json({});
  });
  const item = { id: 'a', filename: 'pier.jpg', rel_path: 'pier.jpg', library_id: 'l', status: 'active', sources: [] } as unknown as Item;
  renderWithProviders(
    <>
      <MoreMenu item={item} mayEdit onCopyPath={() => {}} />
      <ToastRegion />
    </>,
  );
  fireEvent.click(screen.getByRole('button', { name: 'More actions' }));
  fireEvent.click(await screen.findByRole('menuitem', { name: 'Move to recycle bin' }));
  fireEvent.click(await screen.findByRole('button', { name: /Undo/ }));
  await screen.findByText('Could not undo. The database is busy.');
  fails = false;
  fireEvent.click(screen.getByRole('button', { name: /Undo/ }));
  await vi.waitFor(() => expect(restored).toHaveBeenCalledTimes(1));
});
