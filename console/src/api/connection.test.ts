import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { onServerReturn, reportReachable, reportUnreachable } from './connection.ts';

const health = vi.fn<() => Promise<Response>>();
const returned = vi.fn();
let unsubscribe = () => {};
beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', health);
  health.mockReset();
  health.mockImplementation(async () => Response.json({}));
  returned.mockReset();
  unsubscribe = onServerReturn(returned);
});
afterEach(async () => {
  await vi.advanceTimersByTimeAsync(10_000);
  unsubscribe();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('pages refetch what failed, also when another request reaches the server before the health check', async () => {
  reportUnreachable();
  reportReachable();
  expect(returned).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(returned).toHaveBeenCalledOnce();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(health).toHaveBeenCalledOnce();
});

test('requests that fail again and again do not put off the health check', async () => {
  for (let second = 0; second < 5; second += 1) {
    reportUnreachable();
    reportReachable();
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(returned).toHaveBeenCalledOnce();
});

test('the health check is repeated until it succeeds', async () => {
  health.mockRejectedValueOnce(new TypeError('Failed to fetch'));
  reportUnreachable();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(returned).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(5_000);
  expect(returned).toHaveBeenCalledOnce();
});
