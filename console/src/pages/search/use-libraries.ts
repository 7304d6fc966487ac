import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { t } from '../../language/text.ts';
import { healthOf } from '../libraries/health.ts';

const SCANNING_REFETCH_MS = 3000;
const IDLE_REFETCH_MS = 60_000;

export type LibraryName = Pick<Library, 'id' | 'name'>;

const runningScans = (libraries: readonly Library[] | undefined): Library[] =>
  (libraries ?? []).filter((library) => healthOf(library) === 'scanning');

/** Files whose contents wait to be read. */
function unreadOf({ last_scan }: Library): number {
  const extract = last_scan?.stages.extract;
  return extract && extract.state !== 'done' ? Math.max(0, (extract.total ?? 0) - extract.done) : 0;
}

/** Only what the search page shows, so that the counters of a running scan do not render it again. */
function summarize(libraries: Library[]): { libraries: LibraryName[]; scanning: string; unread: number } {
  const running = runningScans(libraries);
  const [first, second] = running;
  const scanning = !first
    ? ''
    : second
      ? t('Scanning {running} libraries', { running: running.length })
      : t('Scanning {name}', { name: first.name });
  return {
    libraries: libraries.map(({ id, name }) => ({ id, name })),
    scanning,
    unread: libraries.reduce((sum, one) => sum + unreadOf(one), 0),
  };
}

/** The libraries, whether they are still awaited, a message about running scans ('' when none runs), and how many files wait to be read. */
export function useLibraries(): { libraries: LibraryName[] | undefined; awaited: boolean; scanning: string; unread: number } {
  const { data, isPending } = useQuery({
    queryKey: ['libraries'],
    queryFn: catalog.libraries,
    select: summarize,
    staleTime: 30_000,
    refetchInterval: (query) => (runningScans(query.state.data).length > 0 ? SCANNING_REFETCH_MS : IDLE_REFETCH_MS),
  });
  return { libraries: data?.libraries, awaited: isPending, scanning: data?.scanning ?? '', unread: data?.unread ?? 0 };
}
