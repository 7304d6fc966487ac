import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { healthOf } from '../libraries/health.ts';

const SCANNING_REFETCH_MS = 3000;
const IDLE_REFETCH_MS = 60_000;

export type LibraryName = Pick<Library, 'id' | 'name'>;

const runningScans = (libraries: readonly Library[] | undefined): Library[] =>
  (libraries ?? []).filter((library) => healthOf(library) === 'scanning');

/** Only what the search page shows, so that the counters of a running scan do not render it again. */
function summarize(libraries: Library[]): { libraries: LibraryName[]; scanning: string } {
  const running = runningScans(libraries);
  const [first, second] = running;
  const scanning = !first ? '' : second ? `Scanning ${running.length} libraries` : `Scanning ${first.name}`;
  return { libraries: libraries.map(({ id, name }) => ({ id, name })), scanning };
}

/** The libraries, and a message about running scans ('' when none runs). */
export function useLibraries(): { libraries: LibraryName[] | undefined; scanning: string } {
  const { data } = useQuery({
    queryKey: ['libraries'],
    queryFn: catalog.libraries,
    select: summarize,
    staleTime: 30_000,
    refetchInterval: (query) => (runningScans(query.state.data).length > 0 ? SCANNING_REFETCH_MS : IDLE_REFETCH_MS),
  });
  return { libraries: data?.libraries, scanning: data?.scanning ?? '' };
}
