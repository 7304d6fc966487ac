import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useCallback } from 'react';
import { search } from '../../api/search.ts';
import type { HistogramBar, SearchResponse } from '../../api/types.ts';
import { type SearchState, toParams } from './search-state.ts';

/*
 * Counts beside the filters. Inside one filter the choices add up (OR), so its own counts must not be narrowed by it:
 * for every filter in use the same question is asked once more without it.
 */
export interface Facets {
  categories: Record<string, number>;
  groups: Record<string, number>;
  libraries: Record<string, number>;
  extensions: Record<string, number>;
  tags: Record<string, number>;
  modified: Range;
  size: Range;
}

export interface Range {
  bars: HistogramBar[];
  min: number | null;
  max: number | null;
}

type Dimension = 'categories' | 'libraries' | 'groups' | 'extensions' | 'tags' | 'modified' | 'size';

const CLEARED: Record<Dimension, Partial<SearchState>> = {
  categories: { categories: [] },
  libraries: { libraries: [] },
  groups: { groups: [] },
  extensions: { extensions: [] },
  tags: { tags: [] },
  modified: { modifiedFrom: null, modifiedTo: null },
  size: { sizeFrom: null, sizeTo: null },
};

function inUse(state: SearchState): Dimension[] {
  const used: Dimension[] = [];
  if (state.categories.length) used.push('categories');
  if (state.libraries.length) used.push('libraries');
  if (state.groups.length) used.push('groups');
  if (state.extensions.length) used.push('extensions');
  if (state.tags.length) used.push('tags');
  if (state.modifiedFrom !== null || state.modifiedTo !== null) used.push('modified');
  if (state.sizeFrom !== null || state.sizeTo !== null) used.push('size');
  return used;
}

function range(answer: SearchResponse | undefined, whole: SearchResponse | undefined, field: 'mtime' | 'size'): Range {
  if (whole && !answer?.facet_stats?.[field]) return range(whole, undefined, field);
  const stats = answer?.facet_stats?.[field];
  return { bars: answer?.histograms?.[field] ?? [], min: stats?.min ?? null, max: stats?.max ?? null };
}

export function useFacets(state: SearchState, main: SearchResponse | undefined): Facets {
  const used = inUse(state).join();
  const asked = used ? (used.split(',') as Dimension[]) : [];
  // Where nothing is found the sliders stand over all there is: no filter goes away because it has nothing to count.
  const { data: whole } = useQuery({
    queryKey: ['facets', 'whole'],
    queryFn: ({ signal }) => search({ limit: 1, histograms: true }, signal),
    staleTime: 300_000,
    enabled: main?.total === 0,
  });
  // The same object as long as the counts are the same, so that the filters are not drawn again while one moves in the list.
  const combine = useCallback(
    (others: { data?: SearchResponse | undefined }[]): Facets => {
      const answerFor = (dimension: Dimension): SearchResponse | undefined => {
        const at = used.split(',').indexOf(dimension);
        return at < 0 ? main : (others[at]?.data ?? main);
      };
      const counts = (dimension: Dimension, field: string) => answerFor(dimension)?.facets?.[field] ?? {};
      return {
        categories: counts('categories', 'file_category'),
        groups: counts('groups', 'file_group'),
        libraries: counts('libraries', 'library_id'),
        extensions: counts('extensions', 'extension'),
        tags: counts('tags', 'tags'),
        modified: range(answerFor('modified'), whole, 'mtime'),
        size: range(answerFor('size'), whole, 'size'),
      };
    },
    [main, used, whole],
  );
  return useQueries({
    queries: asked.map((dimension) => {
      const params = { ...toParams({ ...state, ...CLEARED[dimension], sort: '' }), limit: 1, histograms: true };
      return {
        queryKey: ['facets', JSON.stringify(params)],
        queryFn: ({ signal }: { signal: AbortSignal }) => search(params, signal),
        placeholderData: keepPreviousData,
        staleTime: 30_000,
      };
    }),
    combine,
  });
}
