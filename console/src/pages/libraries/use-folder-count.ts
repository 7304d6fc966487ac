import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';

/** How many files lie below a folder, as far as a few seconds tell. Nobody has to wait for it, and without it everything still works. */
export function useFolderCount(path: string) {
  return useQuery({
    queryKey: ['fs-count', path],
    queryFn: ({ signal }) => catalog.countFiles(path, signal),
    enabled: path !== '',
    staleTime: 300_000,
    retry: false,
  });
}
