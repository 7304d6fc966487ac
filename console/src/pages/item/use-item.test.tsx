import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { ToastRegion } from '../../components/toast.tsx';
import { renderWithProviders } from '../../test-render.tsx';
import { useItemEdit } from './use-item.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('edits are retried in order when the server is reachable again, even after the page was left', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let away = true;
  const saved: unknown[] = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    if (away) throw new TypeError('Failed to fetch');
    if (request.method === 'PATCH') saved.push(await request.json());
    return new Response(JSON.stringify({ id: 'a', tags: [], user_metadata: {} }));
  });
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const { result, unmount } = renderHook(() => useItemEdit('a'), { wrapper });
  await act(async () => {
    result.current.edit.mutate({ user_metadata: { note: 'first' } });
    result.current.edit.mutate({ user_metadata: { note: 'second' } });
    await vi.advanceTimersByTimeAsync(3_000);
  });
  expect(saved).toEqual([]);
  unmount();
  away = false;
  await vi.advanceTimersByTimeAsync(10_000);
  await waitFor(() => expect(saved).toEqual([{ user_metadata: { note: 'first' } }, { user_metadata: { note: 'second' } }]));
});

function edits(respond: (patch: { add_tags?: string[] }) => Response) {
  vi.stubGlobal('fetch', async (request: Request) =>
    request.method === 'PATCH' ? respond((await request.json()) as { add_tags?: string[] }) : Response.json({ id: 'a', tags: [] }),
  );
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } });
  client.setQueryData(['item', 'a'], { id: 'a', filename: 'boat.jpg', tags: [], user_metadata: {} });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return renderHook(() => useItemEdit('a'), { wrapper });
}
const refused = () => Response.json({ status: 403, detail: 'You may not edit this file.' }, { status: 403 });

test('an edit that fails after another file was opened is reported', async () => {
  renderWithProviders(<ToastRegion />);
  const { result, unmount } = edits(refused);
  act(() => result.current.edit.mutate({ add_tags: ['x'] }));
  unmount();
  expect(await screen.findByText('Your changes of boat.jpg could not be saved. You may not edit this file.')).toBeTruthy();
});

test('the error of an edit stays when the next one is saved', async () => {
  const { result } = edits(({ add_tags }) => (add_tags?.includes('x') ? refused() : Response.json({ id: 'a', tags: ['y'] })));
  await act(async () => {
    result.current.edit.mutate({ add_tags: ['x'] });
    result.current.edit.mutate({ add_tags: ['y'] });
  });
  await waitFor(() => expect(result.current.savedAt).not.toBeNull());
  expect(result.current.error).toMatchObject({ message: 'You may not edit this file.' });
});

test('a note that somebody else changed is not replaced, but one that is typed while the one before is saved is', async () => {
  let stored: unknown = 'Ann';
  let hold: Promise<void> = Promise.resolve();
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.method === 'PATCH') {
      const { user_metadata, expected_user_metadata } = await request.json();
      await hold;
      if (stored !== expected_user_metadata.note) return Response.json({ status: 409, code: 'edited_meanwhile' }, { status: 409 });
      stored = user_metadata.note;
    }
    return Response.json({ id: 'a', filename: 'a.jpg', tags: [], user_metadata: { note: stored } });
  });
  const client = new QueryClient({ defaultOptions: { mutations: { networkMode: 'always' } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const { result } = renderHook(() => useItemEdit('a'), { wrapper });
  const save = (note: string, seen: string) =>
    result.current.edit.mutate({ user_metadata: { note }, expected_user_metadata: { note: seen } });
  let release = () => {};
  hold = new Promise((resolve) => {
    release = resolve;
  });
  act(() => {
    save('Ann. Crop', 'Ann');
    save('Ann. Crop 3:2', 'Ann');
  });
  release();
  await waitFor(() => expect(stored).toBe('Ann. Crop 3:2'));
  await waitFor(() => expect(client.isMutating()).toBe(0));
  stored = 'Keep until 2031.';
  act(() => save('Ann. Crop 4:3', 'Ann. Crop 3:2'));
  await waitFor(() => expect(result.current.error).toMatchObject({ code: 'edited_meanwhile' }));
  expect(stored).toBe('Keep until 2031.');
});
