import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Library } from '../../api/types.ts';
import { useScanProgress } from './use-scan-progress.ts';

/** A stream whose events the test sends. */
class Stream extends EventTarget {
  static last: Stream;
  closed = false;
  address: string;
  constructor(address: string) {
    super();
    this.address = address;
    Stream.last = this;
  }
  close(): void {
    this.closed = true;
  }
  tell(event: string, data: unknown): void {
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
  const readAgain = vi.spyOn(client, 'invalidateQueries');
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  const shown = renderHook(() => useScanProgress('s1', true), { wrapper });
  return { ...shown, client, readAgain };
}

test('what a scan tells is shown at once, and a broken line is passed over', () => {
  const { result } = follow();
  expect(Stream.last.address).toBe('/api/v1/scans/s1/events');
  Stream.last.tell('progress', { seen: 12 });
  act(() => void Stream.last.dispatchEvent(new MessageEvent('progress', { data: '{' })));
  expect(result.current).toEqual({ seen: 12 });
});

test('after the walk the stages go on in the library, without asking again and again', () => {
  const { client, readAgain } = follow();
  Stream.last.tell('done', {});
  const asked = readAgain.mock.calls.length;
  expect(Stream.last.closed).toBe(false);
  Stream.last.tell('stages', { library_id: 'l1', stages: { extract: 1 }, backpressure: null });
  expect(client.getQueryData<Library[]>(['libraries'])![0]!.last_scan!.stages).toEqual({ extract: 1 });
  expect(readAgain.mock.calls.length).toBe(asked);
  Stream.last.end();
  expect(Stream.last.closed).toBe(true);
  expect(readAgain.mock.calls.length).toBeGreaterThan(asked);
});

test('a connection that breaks while the scan runs is left to the browser, which opens it again', () => {
  const { readAgain } = follow();
  Stream.last.end();
  expect(Stream.last.closed).toBe(false);
  expect(readAgain).not.toHaveBeenCalled();
});

test('a scan that failed ends the stream and is read again', () => {
  const { readAgain } = follow();
  Stream.last.tell('error', { detail: 'The folder is gone.' });
  expect(Stream.last.closed).toBe(true);
  expect(readAgain).toHaveBeenCalled();
});
