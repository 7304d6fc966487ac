import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { healthOf } from '../libraries/health.ts';

const WHILE_SCANNING_MS = 3000;
const OTHERWISE_MS = 60_000;

export type NamedLibrary = Pick<Library, 'id' | 'name'>;

const scanningOf = (libraries: readonly Library[] | undefined): Library[] =>
  (libraries ?? []).filter((library) => healthOf(library) === 'scanning');

/** Only what the search shows of them: figures that change with every file of a scan draw nothing again. */
function shownOf(libraries: Library[]): { libraries: NamedLibrary[]; scanning: string } {
  const running = scanningOf(libraries);
  const what = running.length === 1 ? running[0]!.name : `${running.length} libraries`;
  return { libraries: libraries.map(({ id, name }) => ({ id, name })), scanning: running.length === 0 ? '' : `Scanning ${what}` };
}

/** The libraries, and in words which of them are being scanned ('' for none): what is found now is not all there will be. */
export function useLibraries(): { libraries: NamedLibrary[] | undefined; scanning: string } {
  const { data } = useQuery({
    queryKey: ['libraries'],
    queryFn: catalog.libraries,
    select: shownOf,
    staleTime: 30_000,
    refetchInterval: (query) => (scanningOf(query.state.data).length > 0 ? WHILE_SCANNING_MS : OTHERWISE_MS),
  });
  return { libraries: data?.libraries, scanning: data?.scanning ?? '' };
}
