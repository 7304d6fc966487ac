import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useHits } from './use-hits.ts';

const TOTAL = 1000;
const asked: URLSearchParams[] = [];

beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    asked.push(query);
    const from = Number(query.get('cursor') ?? query.get('offset') ?? 0);
    const limit = Number(query.get('limit'));
    const hits = Array.from({ length: Math.min(limit, TOTAL - from) }, (_, i) => ({ id: `${query.get('q')}-${from + i}` }));
    return new Response(
      JSON.stringify({
        hits,
        total: TOTAL,
        next_cursor: from + limit < TOTAL ? String(from + limit) : null,
        facets: {},
        took_ms: asked.length,
      }),
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(q: string, growing?: () => boolean) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  let drawn = 0;
  const hook = renderHook(
    ({ params }) => {
      drawn += 1;
      return useHits(params, growing ? { growing } : {});
    },
    { wrapper, initialProps: { params: { q } } },
  );
  return { ...hook, client, drawn: () => drawn };
}

test('the first page comes at once, the others when they come into view', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  expect(asked).toHaveLength(1);
  expect(result.current.hitAt(500)).toBeUndefined();
  act(() => result.current.show(480, 500));
  await waitFor(() => expect(result.current.hitAt(500)?.id).toBe('harbour-500'));
});

test('a far jump asks for what is in view there, not for all that lies between', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.show(900, 930));
  await waitFor(() => expect(result.current.hitAt(930)?.id).toBe('harbour-930'));
  expect(result.current.hitAt(300)).toBeUndefined();
  expect(asked.slice(1).map((q) => Number(q.get('offset')))).toEqual([660, 860]);
});

test('plain scrolling goes on with the cursor of the page before', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.show(0, 20));
  await waitFor(() => expect(result.current.hitAt(100)?.id).toBe('harbour-100'));
  expect(asked[1]!.get('cursor')).toBe('60');
});

test('somebody who leaps on and on is asked for nothing until they land', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  vi.useFakeTimers();
  for (let row = 100; row <= 900; row += 50) {
    act(() => result.current.show(row, row + 15, true));
    act(() => vi.advanceTimersByTime(60));
  }
  expect(asked).toHaveLength(1);
  act(() => vi.advanceTimersByTime(60));
  vi.useRealTimers();
  await waitFor(() => expect(result.current.hitAt(900)?.id).toBe('harbour-900'));
  expect(asked.slice(1).map((q) => Number(q.get('offset')))).toEqual([660, 860]);
});

test('dragging through a long list asks only for where one rests', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => {
    for (let row = 100; row <= 900; row += 50) result.current.show(row, row + 15);
  });
  await waitFor(() => expect(result.current.hitAt(910)).toBeDefined());
  expect(asked.length).toBeLessThanOrEqual(3);
});

test('counts beside the filters are asked for once, not with every page', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.show(900, 999));
  await waitFor(() => expect(result.current.hitAt(999)).toBeDefined());
  expect(asked.map((q) => q.get('facets'))).toEqual([null, ...asked.slice(1).map(() => 'false')]);
});

test('another question starts another list', async () => {
  const { result, rerender } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.show(300, 320));
  await waitFor(() => expect(result.current.hitAt(300)).toBeDefined());
  rerender({ params: { q: 'pier' } });
  await waitFor(() => expect(result.current.hitAt(0)?.id).toBe('pier-0'));
  expect(result.current.hitAt(300)).toBeUndefined();
});

test('the last of three million hits is reached', async () => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    asked.push(query);
    const hits = Array.from({ length: 200 }, (_, i) => ({ id: `${query.get('offset') ?? 0}+${i}` }));
    return new Response(JSON.stringify({ hits, total: 3_000_000, next_cursor: null, facets: {} }));
  });
  const { result } = open('everything');
  await waitFor(() => expect(result.current.total).toBe(3_000_000));
  act(() => result.current.show(2_999_980, 3_000_000));
  await waitFor(() => expect(result.current.hitAt(2_999_999)).toBeDefined());
});

test('an answer that is renewed keeps the place and the rows that are here, until each page comes again', async () => {
  const { result, client } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.show(480, 500));
  await waitFor(() => expect(result.current.hitAt(500)).toBeDefined());
  const { first, question } = result.current;
  await act(() => client.invalidateQueries({ queryKey: ['search'] }));
  await waitFor(() => expect(result.current.first).not.toBe(first));
  expect(result.current.question).toBe(question);
  expect(result.current.hitAt(500)).toBeDefined();
  const before = asked.length;
  act(() => result.current.show(480, 500));
  await waitFor(() => expect(asked.length).toBeGreaterThan(before));
});

test('a page that arrives is told to the list alone', async () => {
  const { result, drawn } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  const before = drawn();
  const heard = vi.fn();
  result.current.arrivals.subscribe(heard);
  act(() => result.current.show(480, 500));
  await waitFor(() => expect(result.current.hitAt(500)).toBeDefined());
  expect(heard).toHaveBeenCalled();
  expect(drawn()).toBe(before);
});

test('while files keep coming the answer is renewed for somebody at its beginning, and never under somebody who has scrolled', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let growing = true;
  const mayGrow = () => growing;
  const { result, unmount } = open('harbour', mayGrow);
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  const firstAnswers = () => asked.filter((query) => query.get('histograms') === 'true').length;
  expect(firstAnswers()).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(3100));
  expect(firstAnswers()).toBe(2);
  act(() => result.current.show(40, 60));
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(firstAnswers()).toBe(2);
  act(() => result.current.show(0, 20));
  await act(() => vi.advanceTimersByTimeAsync(3100));
  expect(firstAnswers()).toBe(3);
  growing = false;
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(firstAnswers()).toBe(4);
  unmount();
});
