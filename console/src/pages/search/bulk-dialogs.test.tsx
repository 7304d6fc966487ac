import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import type { SearchHit } from '../../api/types.ts';
import { ToastRegion, undoLast } from '../../components/toast.tsx';
import { renderWithProviders } from '../../test-render.tsx';
import BulkDialog from './bulk-dialogs.tsx';
import { selectIds } from './selection.ts';

afterEach(() => vi.unstubAllGlobals());

test('Undo also covers the files that were edited before an error, after another attempt', async () => {
  const tagged = new Set<string>();
  let fails = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'GET') return Response.json([]);
    const changes = (await request.json()) as Record<string, { add_tags?: string[] }>;
    const ids = Object.keys(changes);
    if (fails && ids.includes('f599')) return Response.json({ status: 422, detail: 'The database is busy.' }, { status: 422 });
    const unchanged = ids.filter((id) => tagged.has(id) === (changes[id]?.add_tags !== undefined));
    for (const id of ids) changes[id]?.add_tags ? tagged.add(id) : tagged.delete(id);
    return Response.json({ results: Object.fromEntries(ids.map((id) => [id, 'ok'])), unchanged });
  });
  const loaded = Array.from({ length: 600 }, (_, n) => ({ id: `f${n}`, tags: [] as string[] }) as SearchHit);
  const target = { selected: selectIds(new Set(loaded.map(({ id }) => id))), loaded, params: {} };
  renderWithProviders(
    <>
      <BulkDialog kind="tag" target={target} onClose={() => {}} onChanged={() => {}} />
      <ToastRegion />
    </>,
  );
  await userEvent.type(await screen.findByRole('combobox', { name: 'Tag' }), 'harbour');
  await userEvent.click(screen.getByRole('button', { name: 'Tag 600 files' }));
  expect(await screen.findByText(/The database is busy/)).toBeTruthy();
  expect(tagged.size).toBe(500);
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Tag 600 files' }));
  await waitFor(() => expect(tagged.size).toBe(600));
  await waitFor(() => expect(screen.queryByRole('progressbar')).toBeNull());
  act(() => void undoLast());
  await waitFor(() => expect(tagged.size).toBe(0));
});
