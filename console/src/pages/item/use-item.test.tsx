import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
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
