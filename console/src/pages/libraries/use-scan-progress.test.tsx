import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Library } from '../../api/types.ts';
import { useScanProgress } from './use-scan-progress.ts';

/** An EventSource whose events the test sends. */
class Stream extends EventTarget {
  static last: Stream;
  static count = 0;
  closed = false;
  readyState = 0;
  url: string;
  constructor(url: string) {
    super();
    this.url = url;
    Stream.last = this;
    Stream.count += 1;
  }
  close(): void {
    this.closed = true;
  }
  send(event: string, data: unknown): void {
    act(() => void this.dispatchEvent(new MessageEvent(event, { data: JSON.stringify(data) })));
  }
  end(): void {
    act(() => void this.dispatchEvent(new Event('error')));
  }
}

beforeEach(() => void vi.stubGlobal('EventSource', Stream));
afterEach(() => vi.unstubAllGlobals());

function follow() {
  const client = new QueryClient();
  client.setQueryData(['libraries'], [{ id: 'l1', last_scan: { id: 's1', stages: 'old', backpressure: null } }]);
  const refetched = vi.spyOn(client, 'invalidateQueries');
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const shown = renderHook(() => useScanProgress('s1', true), { wrapper });
  return { ...shown, client, refetched };
}

test('progress is returned immediately, and an invalid event is skipped', () => {
  const { result } = follow();
  expect(Stream.last.url).toBe('/api/v1/scans/s1/events');
  Stream.last.send('progress', { seen: 12 });
  act(() => void Stream.last.dispatchEvent(new MessageEvent('progress', { data: '{' })));
  expect(result.current).toEqual({ seen: 12 });
});

test('after the walk, stage events update the cached library without refetching', () => {
  const { client, refetched } = follow();
  Stream.last.send('done', {});
  const before = refetched.mock.calls.length;
  expect(Stream.last.closed).toBe(false);
  Stream.last.send('stages', { library_id: 'l1', stages: { extract: 1 }, backpressure: null });
  expect(client.getQueryData<Library[]>(['libraries'])![0]!.last_scan!.stages).toEqual({ extract: 1 });
  expect(refetched.mock.calls.length).toBe(before);
  Stream.last.end();
  expect(Stream.last.closed).toBe(true);
  expect(refetched.mock.calls.length).toBeGreaterThan(before);
});

test('a connection that breaks during the scan is left to the browser to reopen', () => {
  const { refetched } = follow();
  Stream.last.end();
  expect(Stream.last.closed).toBe(false);
  expect(refetched).not.toHaveBeenCalled();
});

test('a stream that the browser gave up, as after an error response, is opened again', () => {
  vi.useFakeTimers();
  const { result } = follow();
  const before = Stream.count;
  Stream.last.readyState = 2;
  Stream.last.end();
  act(() => void vi.advanceTimersByTime(5_000));
  vi.useRealTimers();
  expect(Stream.count).toBe(before + 1);
  Stream.last.send('progress', { seen: 13 });
  expect(result.current).toEqual({ seen: 13 });
});

test('a failed scan closes the stream and is refetched', () => {
  const { refetched } = follow();
  Stream.last.send('error', { detail: 'The folder is gone.' });
  expect(Stream.last.closed).toBe(true);
  expect(refetched).toHaveBeenCalled();
});
