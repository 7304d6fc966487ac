import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useHits } from './use-hits.ts';

const TOTAL = 1000;
const requests: URLSearchParams[] = [];
/** Whether the model of a search by meaning is available. */
let hasModel = false;
/** Whether the server refuses cursors, because what they continue is gone. */
let expired = false;

beforeEach(() => {
  requests.length = 0;
  expired = false;
  hasModel = false;
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    requests.push(query);
    if (expired && query.has('cursor'))
      return Response.json({ status: 410, code: 'cursor_expired', title: 'Cursor expired' }, { status: 410 });
    const from = Number(query.get('cursor') ?? query.get('offset') ?? 0);
    const limit = Number(query.get('limit'));
    const byMeaning = query.has('semantic') && hasModel;
    const name = byMeaning ? 'meaning' : query.get('q');
    const hits = Array.from({ length: Math.min(limit, TOTAL - from) }, (_, i) => ({ id: `${name}-${from + i}` }));
    return new Response(
      JSON.stringify({
        hits,
        semantic: query.has('semantic') ? { applied: byMeaning, detail: null } : null,
        total: TOTAL,
        next_cursor: from + limit < TOTAL ? String(from + limit) : null,
        facets: {},
        took_ms: requests.length,
      }),
    );
  });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function open(q: string, growing?: () => boolean, semantic?: number) {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  let renders = 0;
  const hook = renderHook(
    ({ params }) => {
      renders += 1;
      return useHits(params, growing ? { growing } : {});
    },
    { wrapper, initialProps: { params: { q, ...(semantic ? { semantic } : {}) } } },
  );
  return { ...hook, client, renders: () => renders };
}

test('the first page loads at once, later pages when they scroll into view', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  expect(requests).toHaveLength(1);
  expect(result.current.hitAt(500)).toBeUndefined();
  act(() => result.current.setVisibleRows(480, 500));
  await waitFor(() => expect(result.current.hitAt(500)?.id).toBe('harbour-500'));
});

test('a jump loads the visible pages at its target and none in between', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.setVisibleRows(900, 930));
  await waitFor(() => expect(result.current.hitAt(930)?.id).toBe('harbour-930'));
  expect(result.current.hitAt(300)).toBeUndefined();
  expect(requests.slice(1).map((q) => Number(q.get('offset')))).toEqual([660, 860]);
});

test('no further page is loaded while the list is at its top', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  vi.useFakeTimers();
  act(() => result.current.setVisibleRows(0, 26));
  act(() => void vi.advanceTimersByTime(1000));
  expect(requests).toHaveLength(1);
});

test('continuous scrolling uses the cursor of the previous page', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.setVisibleRows(1, 30));
  await waitFor(() => expect(result.current.hitAt(100)?.id).toBe('harbour-100'));
  expect(requests[1]!.get('cursor')).toBe('60');
});

test('a page whose cursor has expired is loaded by its position', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  expired = true;
  act(() => result.current.setVisibleRows(1, 30));
  await waitFor(() => expect(result.current.hitAt(100)?.id).toBe('harbour-100'));
  expect(requests.map((query) => query.get('offset'))).toEqual([null, null, '60']);
});

test('a list that began by words goes on by words when the model becomes available, wherever it is scrolled to', async () => {
  const { result } = open('boat', undefined, 0.5);
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  hasModel = true;
  act(() => result.current.setVisibleRows(900, 930, true));
  await waitFor(() => expect(result.current.hitAt(930)?.id).toBe('boat-930'));
  act(() => result.current.setVisibleRows(30, 80, true));
  await waitFor(() => expect(result.current.hitAt(80)?.id).toBe('boat-80'));
});

test('a list that began by meaning is found by words from its first row when the model has failed', async () => {
  hasModel = true;
  const { result } = open('boat', undefined, 0.5);
  await waitFor(() => expect(result.current.hitAt(0)?.id).toBe('meaning-0'));
  act(() => result.current.setVisibleRows(300, 330, true));
  await waitFor(() => expect(result.current.hitAt(330)?.id).toBe('meaning-330'));
  hasModel = false;
  act(() => result.current.setVisibleRows(900, 930, true));
  await waitFor(() => expect(result.current.hitAt(0)?.id).toBe('boat-0'));
  expect([330, 930].map(result.current.hitAt)).toEqual([undefined, undefined]);
  act(() => result.current.setVisibleRows(900, 930, true));
  await waitFor(() => expect(result.current.hitAt(930)?.id).toBe('boat-930'));
});

test('a range is loaded although the list is scrolled, refetched, and the cursor of a page has expired', async () => {
  const answers: (() => void)[] = [];
  const fetched = fetch;
  const { result, client } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  vi.stubGlobal('fetch', async (request: Request) => {
    const { searchParams } = new URL(request.url);
    if (searchParams.get('cursor') === '60')
      await new Promise<void>((resolve, reject) => {
        answers.push(resolve);
        request.signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      });
    return fetched(request);
  });
  let loaded: boolean | undefined;
  const ask = () =>
    void result.current.loadRows(0, 500).then((done) => {
      loaded = done;
    });
  ask();
  await waitFor(() => expect(answers).toHaveLength(1));
  // Scrolling elsewhere takes all requests that may be under way at once.
  for (const row of [900, 300, 700]) {
    act(() => result.current.setVisibleRows(row, row + 100, true));
    await waitFor(() => expect(result.current.hitAt(row)).toBeDefined());
  }
  await act(() => client.invalidateQueries({ queryKey: ['search'] }));
  await waitFor(() => expect(answers).toHaveLength(2));
  expired = true;
  answers[1]?.();
  await waitFor(() => expect(loaded).toBe(true));
  expect(Array.from({ length: 501 }, (_, row) => result.current.hitAt(row)?.id)).toEqual(
    Array.from({ length: 501 }, (_, row) => `harbour-${row}`),
  );
});

test('a range that is still loading when the page is left is no error', async () => {
  const { result, unmount } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  vi.stubGlobal(
    'fetch',
    (request: Request) =>
      new Promise((_, reject) => request.signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')))),
  );
  const loading = result.current.loadRows(0, 500);
  unmount();
  expect(await loading).toBe(false);
});

test('nothing is loaded between jumps that follow each other quickly', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  vi.useFakeTimers();
  for (let row = 100; row <= 900; row += 50) {
    act(() => result.current.setVisibleRows(row, row + 15, true));
    act(() => void vi.advanceTimersByTime(60));
  }
  expect(requests).toHaveLength(1);
  act(() => void vi.advanceTimersByTime(60));
  vi.useRealTimers();
  await waitFor(() => expect(result.current.hitAt(900)?.id).toBe('harbour-900'));
  expect(requests.slice(1).map((q) => Number(q.get('offset')))).toEqual([660, 860]);
});

test('scrolling fast through a long list loads only where it stops', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => {
    for (let row = 100; row <= 900; row += 50) result.current.setVisibleRows(row, row + 15);
  });
  await waitFor(() => expect(result.current.hitAt(910)).toBeDefined());
  expect(requests.length).toBeLessThanOrEqual(3);
});

test('facets are requested once, not with every page', async () => {
  const { result } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.setVisibleRows(900, 999));
  await waitFor(() => expect(result.current.hitAt(999)).toBeDefined());
  expect(requests.map((q) => q.get('facets'))).toEqual([null, ...requests.slice(1).map(() => 'false')]);
});

test('a new query starts a new list', async () => {
  const { result, rerender } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.setVisibleRows(300, 320));
  await waitFor(() => expect(result.current.hitAt(300)).toBeDefined());
  rerender({ params: { q: 'pier' } });
  await waitFor(() => expect(result.current.hitAt(0)?.id).toBe('pier-0'));
  expect(result.current.hitAt(300)).toBeUndefined();
});

test('the last of three million hits can be loaded', async () => {
  vi.stubGlobal('fetch', async (request: Request) => {
    const query = new URL(request.url).searchParams;
    requests.push(query);
    const hits = Array.from({ length: 200 }, (_, i) => ({ id: `${query.get('offset') ?? 0}+${i}` }));
    return new Response(JSON.stringify({ hits, total: 3_000_000, next_cursor: null, facets: {} }));
  });
  const { result } = open('everything');
  await waitFor(() => expect(result.current.total).toBe(3_000_000));
  act(() => result.current.setVisibleRows(2_999_980, 3_000_000));
  await waitFor(() => expect(result.current.hitAt(2_999_999)).toBeDefined());
});

test('a refetch keeps the query id, and the loaded rows until their pages are loaded again', async () => {
  const { result, client } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  act(() => result.current.setVisibleRows(480, 500));
  await waitFor(() => expect(result.current.hitAt(500)).toBeDefined());
  const { first, queryId } = result.current;
  await act(() => client.invalidateQueries({ queryKey: ['search'] }));
  await waitFor(() => expect(result.current.first).not.toBe(first));
  expect(result.current.queryId).toBe(queryId);
  expect(result.current.hitAt(500)).toBeDefined();
  const before = requests.length;
  act(() => result.current.setVisibleRows(480, 500));
  await waitFor(() => expect(requests.length).toBeGreaterThan(before));
});

test('a loaded page notifies subscribers without rendering the caller of useHits', async () => {
  const { result, renders } = open('harbour');
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  const before = renders();
  const listener = vi.fn();
  result.current.pageLoads.subscribe(listener);
  act(() => result.current.setVisibleRows(480, 500));
  await waitFor(() => expect(result.current.hitAt(500)).toBeDefined());
  expect(listener).toHaveBeenCalled();
  expect(renders()).toBe(before);
});

test('during a scan the result is refetched at the top of the list and never in a scrolled list', async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  let growing = true;
  const mayGrow = () => growing;
  const { result, unmount } = open('harbour', mayGrow);
  await waitFor(() => expect(result.current.total).toBe(TOTAL));
  const firstAnswers = () => requests.filter((query) => query.get('histograms') === 'true').length;
  expect(firstAnswers()).toBe(1);
  await act(() => vi.advanceTimersByTimeAsync(3100));
  expect(firstAnswers()).toBe(2);
  act(() => result.current.setVisibleRows(40, 60));
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(firstAnswers()).toBe(2);
  act(() => result.current.setVisibleRows(0, 20));
  await act(() => vi.advanceTimersByTimeAsync(3100));
  expect(firstAnswers()).toBe(3);
  growing = false;
  await act(() => vi.advanceTimersByTimeAsync(9000));
  expect(firstAnswers()).toBe(4);
  unmount();
});
