import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { search } from '../../api/search.ts';
import type { SearchHit, SearchParams } from '../../api/types.ts';

const PAGE = 200;
const MOST = 1_000;
const WHOLE_WORLD = { geo_top_lat: 90, geo_right_lng: 180, geo_bottom_lat: -90, geo_left_lng: -180 };

export interface Places {
  hits: SearchHit[];
  total: number;
}

/** The files of a search that have a place: at most 1,000 points, in pages of 200. */
export function usePlaces(params: SearchParams) {
  const question = { ...WHOLE_WORLD, ...params };
  return useQuery({
    queryKey: ['places', JSON.stringify(question)],
    queryFn: async ({ signal }): Promise<Places> => {
      const hits: SearchHit[] = [];
      let cursor: string | undefined;
      let total = 0;
      do {
        const page = await search({ ...question, limit: PAGE, facets: false, ...(cursor ? { cursor } : {}) }, signal);
        total = page.total;
        hits.push(...page.hits.filter((hit) => hit._geo));
        cursor = page.next_cursor ?? undefined;
      } while (cursor && hits.length < MOST);
      return { hits: hits.slice(0, MOST), total };
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
}
