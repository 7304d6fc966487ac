import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SearchResponse } from '../../api/types.ts';
import { EMPTY_SEARCH } from './search-state.ts';
import { useFacets } from './use-facets.ts';

const response = (total: number) =>
  ({
    total,
    hits: [],
    facets: {},
    facet_stats: total ? { size: { min: 10, max: 900 }, mtime: { min: 1, max: 2 } } : {},
    histograms: total ? { size: [{ from: 0, to: 900, count: total }] } : {},
  }) as unknown as SearchResponse;
const requests: string[] = [];
beforeEach(() => {
  requests.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    requests.push(new URL(request.url).search);
    return new Response(JSON.stringify(response(50)));
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(main: SearchResponse) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return renderHook(() => useFacets({ ...EMPTY_SEARCH, q: 'harbour' }, main), { wrapper }).result;
}

test('without hits, the sliders show the range of all files', async () => {
  const facets = open(response(0));
  await waitFor(() => expect(facets.current.size).toMatchObject({ min: 10, max: 900 }));
  expect(requests).toEqual(['?limit=1&histograms=true']);
});

test('with hits, no further request is made', () => {
  expect(open(response(3)).current.size).toMatchObject({ min: 10, bars: [{ count: 3 }] });
  expect(requests).toEqual([]);
});
