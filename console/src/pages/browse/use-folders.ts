import { useQuery } from '@tanstack/react-query';
import * as catalog from '../../api/catalog.ts';
import { parentOf } from './folder-tree.ts';
import { useFolderMap } from './use-folder-map.ts';
import { useLevels } from './use-levels.ts';

interface Asked {
  id: string;
  name: string;
  path: string;
  open: ReadonlySet<string>;
  by: 'size' | 'count';
}

/** Everything the tree and the treemap of one library show: the folders that are open, and what lies inside the chosen one. */
export function useFolders({ id, name, path, open, by }: Asked) {
  const { known, more, error, retry } = useLevels({ id, path, open });
  const stats = useQuery({ queryKey: ['library-stats'], queryFn: catalog.libraryStats, staleTime: 30_000 });
  const row = stats.data?.libraries.find((one) => one.library_id === id);
  const top = known.get('')?.first;
  // The map shows the chosen folder when it has folders of its own, otherwise the one around it.
  const here = known.get(path)?.first ?? null;
  const mapPath = here && here.folders.length === 0 && path ? parentOf(path) : path;
  const map = useFolderMap({ id, name, path: here ? mapPath : null, by });
  return {
    known,
    here,
    mapPath,
    mapTree: map.tree,
    root: map.root,
    totalFiles: top?.total_files ?? row?.file_count ?? 0,
    totalBytes: top?.total_bytes ?? row?.total_bytes ?? 0,
    more,
    error: error ?? map.error,
    retry: () => {
      retry();
      map.retry();
    },
  };
}
