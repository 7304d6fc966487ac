import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { search } from '../../api/search.ts';
import type { HistogramBar, SearchResponse } from '../../api/types.ts';
import { type FactFacet, factFacets, type SearchState, toParams } from './search-state.ts';

/*
 * The counts of the facets. The choices of one facet are joined by OR, so its counts must not be narrowed by its own choices:
 * for every facet in use, the query is repeated without that facet.
 */
export interface Facets {
  categories: Record<string, number>;
  groups: Record<string, number>;
  libraries: Record<string, number>;
  extensions: Record<string, number>;
  tags: Record<string, number>;
  cameras: Record<string, number>;
  facts: Record<FactFacet, Record<string, number>>;
  owners: Record<string, number>;
  modified: Range;
  taken: Range;
  size: Range;
}

export interface Range {
  bars: HistogramBar[];
  min: number | null;
  max: number | null;
}

type Dimension =
  | 'categories'
  | 'libraries'
  | 'groups'
  | 'extensions'
  | 'tags'
  | 'cameras'
  | 'facts'
  | 'owners'
  | 'modified'
  | 'taken'
  | 'size';

const CLEARED: Record<Dimension, Partial<SearchState>> = {
  categories: { categories: [] },
  libraries: { libraries: [] },
  groups: { groups: [] },
  extensions: { extensions: [] },
  tags: { tags: [] },
  cameras: { cameras: [] },
  facts: { facts: {} },
  owners: { owners: [] },
  modified: { modifiedFrom: null, modifiedTo: null },
  taken: { takenFrom: null, takenTo: null },
  size: { sizeFrom: null, sizeTo: null },
};

function dimensionsInUse(state: SearchState): Dimension[] {
  const used: Dimension[] = [];
  if (state.categories.length) used.push('categories');
  if (state.libraries.length) used.push('libraries');
  if (state.groups.length) used.push('groups');
  if (state.extensions.length) used.push('extensions');
  if (state.tags.length) used.push('tags');
  if (state.cameras.length) used.push('cameras');
  if (Object.keys(state.facts).length) used.push('facts');
  if (state.owners.length) used.push('owners');
  if (state.modifiedFrom !== null || state.modifiedTo !== null) used.push('modified');
  if (state.takenFrom !== null || state.takenTo !== null) used.push('taken');
  if (state.sizeFrom !== null || state.sizeTo !== null) used.push('size');
  return used;
}

function range(response: SearchResponse | undefined, allFiles: SearchResponse | undefined, field: 'mtime' | 'taken' | 'size'): Range {
  if (allFiles && !response?.facet_stats?.[field]) return range(allFiles, undefined, field);
  const stats = response?.facet_stats?.[field];
  return { bars: response?.histograms?.[field] ?? [], min: stats?.min ?? null, max: stats?.max ?? null };
}

export function useFacets(state: SearchState, main: SearchResponse | undefined): Facets {
  const used = dimensionsInUse(state).join();
  const dimensions = used ? (used.split(',') as Dimension[]) : [];
  // Without hits, the sliders show the range of all files, so that they do not disappear.
  const { data: allFiles } = useQuery({
    queryKey: ['facets', 'whole'],
    queryFn: ({ signal }) => search({ limit: 1, histograms: true }, signal),
    staleTime: 300_000,
    enabled: main?.total === 0,
  });
  const others = useQueries({
    queries: dimensions.map((dimension) => {
      const params = { ...toParams({ ...state, ...CLEARED[dimension], sort: '' }), limit: 1, histograms: true };
      return {
        queryKey: ['facets', JSON.stringify(params)],
        queryFn: ({ signal }: { signal: AbortSignal }) => search(params, signal),
        placeholderData: keepPreviousData,
        staleTime: 30_000,
      };
    }),
    combine: responsesOf,
  });
  // Stable while the counts do not change, so that moving through the list does not render the facets again. Computed outside `combine`, whose result useQueries compares deeply.
  return useMemo(() => facetsOf(main, allFiles, used, others), [main, allFiles, used, others]);
}

const responsesOf = (queries: { data?: SearchResponse | undefined }[]) => queries.map(({ data }) => data);

function facetsOf(
  main: SearchResponse | undefined,
  allFiles: SearchResponse | undefined,
  used: string,
  others: readonly (SearchResponse | undefined)[],
): Facets {
  const responseFor = (dimension: Dimension): SearchResponse | undefined => {
    const at = used.split(',').indexOf(dimension);
    return at < 0 ? main : (others[at] ?? main);
  };
  const counts = (dimension: Dimension, field: string) => responseFor(dimension)?.facets?.[field] ?? {};
  return {
    categories: counts('categories', 'file_category'),
    groups: counts('groups', 'file_group'),
    libraries: counts('libraries', 'library_id'),
    extensions: counts('extensions', 'extension'),
    tags: counts('tags', 'tags'),
    cameras: counts('cameras', 'camera'),
    facts: Object.fromEntries(factFacets.map((name) => [name, counts('facts', name)])) as Facets['facts'],
    owners: counts('owners', 'owner'),
    modified: range(responseFor('modified'), allFiles, 'mtime'),
    taken: range(responseFor('taken'), undefined, 'taken'),
    size: range(responseFor('size'), allFiles, 'size'),
  };
}
