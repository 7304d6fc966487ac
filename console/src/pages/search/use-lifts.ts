import { useQueries } from '@tanstack/react-query';
import { search } from '../../api/search.ts';
import type { Chip } from './chips.ts';
import type { Lift } from './no-results.tsx';
import { toParams } from './search-state.ts';

/** When nothing is found: the same search once without each filter, to name the one at fault. */
export function useLifts(chips: Chip[], active: boolean): Lift[] {
  const answers = useQueries({
    queries: chips.map((chip) => {
      const params = { ...toParams({ ...chip.without, sort: '' }), limit: 1, facets: false };
      return {
        queryKey: ['facets', JSON.stringify(params)],
        queryFn: ({ signal }: { signal: AbortSignal }) => search(params, signal),
        enabled: active,
        staleTime: 30_000,
        retry: false,
      };
    }),
  });
  return chips.map((chip, i) => ({ chip, total: answers[i]?.data?.total ?? null }));
}
