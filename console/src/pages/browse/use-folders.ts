import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
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
  const { known, more, error: unread, retry } = useLevels({ id, path, open });
  const stats = useQuery({ queryKey: ['library-stats'], queryFn: catalog.libraryStats, staleTime: 30_000 });
  const row = stats.data?.libraries.find((one) => one.library_id === id);
  const top = known.get('')?.first;
  // While the next folder is read, the last one stays: whoever walks down the tree sees no flicker.
  const arrived = known.get(path)?.first ?? null;
  const [last, setLast] = useState(arrived);
  if (arrived && arrived !== last) setLast(arrived);
  const here = arrived ?? (unread ? null : last);
  // The map shows the chosen folder when it has folders of its own, otherwise the one around it.
  const map = useFolderMap({ id, name, path: here && (here.folders.length > 0 ? here.path : parentOf(here.path)), by });
  return {
    known,
    here,
    mapTree: map.tree,
    root: map.root,
    totalFiles: top?.total_files ?? row?.file_count ?? 0,
    totalBytes: top?.total_bytes ?? row?.total_bytes ?? 0,
    more,
    error: unread ?? map.error,
    retry: () => {
      retry();
      map.retry();
    },
  };
}
