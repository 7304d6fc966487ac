import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { SearchResponse } from '../../api/types.ts';
import { EMPTY } from './search-state.ts';
import { useFacets } from './use-facets.ts';

const answer = (total: number) =>
  ({
    total,
    hits: [],
    facets: {},
    facet_stats: total ? { size: { min: 10, max: 900 }, mtime: { min: 1, max: 2 } } : {},
    histograms: total ? { size: [{ from: 0, to: 900, count: total }] } : {},
  }) as unknown as SearchResponse;
const asked: string[] = [];
beforeEach(() => {
  asked.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(new URL(request.url).search);
    return new Response(JSON.stringify(answer(50)));
  });
});
afterEach(() => vi.unstubAllGlobals());

function open(main: SearchResponse) {
  const client = new QueryClient();
  const wrapper = ({ children }: { children: ReactNode }) => <QueryClientProvider client={client}>{children}</QueryClientProvider>;
  return renderHook(() => useFacets({ ...EMPTY, q: 'harbour' }, main), { wrapper }).result;
}

test('where nothing is found the sliders stand over all there is', async () => {
  const facets = open(answer(0));
  await waitFor(() => expect(facets.current.size).toMatchObject({ min: 10, max: 900 }));
  expect(asked).toEqual(['?limit=1&histograms=true']);
});

test('where something is found nothing more is asked', () => {
  expect(open(answer(3)).current.size).toMatchObject({ min: 10, bars: [{ count: 3 }] });
  expect(asked).toEqual([]);
});
