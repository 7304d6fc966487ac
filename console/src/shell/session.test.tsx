import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { finishSignIn, setSessionActive } from '../api/session-ended.ts';
import { useEntry } from './session.tsx';

afterEach(() => {
  finishSignIn(false);
  setSessionActive(false);
  vi.unstubAllGlobals();
});

test('the console stays open with its input when the account is read again after the session has ended', async () => {
  let signedIn = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (request.url.endsWith('/auth/status')) return Response.json({ mode: 'enabled' });
    return signedIn ? Response.json({ id: 'p1', username: 'ada', global_role: 'user' }) : Response.json({}, { status: 401 });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const { result } = renderHook(useEntry, { wrapper });
  await waitFor(() => expect(result.current.kind).toBe('in'));
  setSessionActive(true);
  signedIn = false;
  await act(async () => {
    // As after a laptop has slept: the server is reachable again, and everything is read again.
    void client.invalidateQueries();
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect(result.current.kind).toBe('in');
  signedIn = true;
  await act(async () => finishSignIn(true));
  await waitFor(() => expect(client.isFetching()).toBe(0));
  expect(result.current.kind).toBe('in');
});

test('the console stays open with its input when what the server offers cannot be read again', async () => {
  let reachable = true;
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!reachable) return Response.json({}, { status: 503 });
    return Response.json(request.url.endsWith('/auth/status') ? { mode: 'enabled' } : { id: 'p1', username: 'ada', global_role: 'user' });
  });
  const client = new QueryClient({ defaultOptions: { queries: { retry: false, networkMode: 'always' } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const both = () => ({ entry: useEntry(), status: useQuery({ queryKey: ['auth', 'status'], enabled: false }) });
  const { result } = renderHook(both, { wrapper });
  await waitFor(() => expect(result.current.entry.kind).toBe('in'));
  reachable = false;
  await act(() => client.invalidateQueries());
  await waitFor(() => expect(result.current.status.error).not.toBeNull());
  expect(result.current.entry.kind).toBe('in');
});
