import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { Library } from '../../api/types.ts';
import { healthOf } from '../libraries/health.ts';

const WHILE_SCANNING_MS = 3000;
const OTHERWISE_MS = 60_000;

const scanningOf = (libraries: readonly Library[] | undefined): Library[] =>
  (libraries ?? []).filter((library) => healthOf(library) === 'scanning');

/** The libraries, and in words which of them are being scanned ('' for none): what is found now is not all there will be. */
export function useLibraries(): { libraries: Library[] | undefined; scanning: string } {
  const { data } = useQuery({
    queryKey: ['libraries'],
    queryFn: catalog.libraries,
    staleTime: 30_000,
    refetchInterval: (query) => (scanningOf(query.state.data).length > 0 ? WHILE_SCANNING_MS : OTHERWISE_MS),
  });
  const scanning = useMemo(() => {
    const running = scanningOf(data);
    if (running.length === 0) return '';
    return running.length === 1 ? `Scanning ${running[0]!.name}` : `Scanning ${running.length} libraries`;
  }, [data]);
  return { libraries: data, scanning };
}
