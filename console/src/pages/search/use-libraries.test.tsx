import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { useLibraries } from './use-libraries.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('a running scan is reported and polled, and its counters do not render the caller again', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let seen = 0;
  let status = 'running';
  vi.stubGlobal('fetch', async () => {
    seen += 500;
    return new Response(JSON.stringify([{ id: 'a', name: 'Photos', enabled: true, last_scan: { status, seen, stages: {} } }]));
  });
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  let renders = 0;
  const { result } = renderHook(
    () => {
      renders += 1;
      return useLibraries();
    },
    { wrapper },
  );
  await waitFor(() => expect(result.current.scanning).toBe('Scanning Photos'));
  const before = renders;
  await act(() => vi.advanceTimersByTimeAsync(9500));
  expect(seen).toBeGreaterThanOrEqual(2000);
  expect(renders).toBe(before);
  status = 'finished';
  await act(() => vi.advanceTimersByTimeAsync(3500));
  expect(result.current).toEqual({ libraries: [{ id: 'a', name: 'Photos' }], awaited: false, scanning: '', unread: 0 });
});
