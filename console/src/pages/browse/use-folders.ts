import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as catalog from '../../api/catalog.ts';
import { search } from '../../api/search.ts';
import type { TreeResponse } from '../../api/types.ts';
import { joinPath, parentOf } from './folder-tree.ts';
import { foldSmall, type Node } from './treemap-layout.ts';

/** Everything the tree and the treemap of one library show: the folders that are open, and what lies inside the chosen one. */
export function useFolders({
  id,
  name,
  path,
  open,
  by,
}: {
  id: string;
  name: string;
  path: string;
  open: ReadonlySet<string>;
  by: 'size' | 'count';
}) {
  // Every open folder, the chosen one, and the folders the treemap draws inside it are read on their own.
  const wanted = useMemo(() => [...new Set([...open, path, parentOf(path)])], [open, path]);
  const trees = useQueries({
    queries: wanted.map((p) => ({ queryKey: ['tree', id, p], queryFn: () => catalog.tree(id, p), staleTime: 60_000 })),
  });
  const known = new Map<string, TreeResponse>();
  wanted.forEach((p, i) => {
    const data = trees[i]?.data;
    if (data) known.set(p, data);
  });
  // The map shows the chosen folder when it has folders of its own, otherwise the one around it.
  const here = known.get(path);
  const mapPath = here && here.folders.length === 0 && path ? parentOf(path) : path;
  const mapTree = known.get(mapPath);
  const inside = useQueries({
    queries: (mapTree?.folders ?? []).slice(0, 24).map((folder) => {
      const p = joinPath(mapPath, folder.name);
      return { queryKey: ['tree', id, p], queryFn: () => catalog.tree(id, p), staleTime: 60_000 };
    }),
  });
  const stats = useQuery({ queryKey: ['library-stats'], queryFn: catalog.libraryStats, staleTime: 30_000 });
  const row = stats.data?.libraries.find((one) => one.library_id === id);
  const top = known.get('');
  const totalFiles = top ? top.folders.reduce((n, f) => n + f.item_count, 0) + top.total_items : (row?.file_count ?? 0);
  const totalBytes = top?.folders.some((f) => f.total_bytes !== undefined)
    ? top.folders.reduce((n, f) => n + (f.total_bytes ?? 0), 0) + top.items.reduce((n, i) => n + i.size, 0)
    : (row?.total_bytes ?? 0);

  // The tint of a folder is the kind most of its files have; the tree does not say it, the search does. Small folders take that of the one around them.
  const drawn = (mapTree?.folders ?? []).slice(0, 24).map((folder) => ({ ...folder, path: joinPath(mapPath, folder.name) }));
  const largest = drawn
    .flatMap((folder, i) => (inside[i]?.data?.folders ?? []).map((kid) => ({ ...kid, path: joinPath(folder.path, kid.name) })))
    .sort((a, b) => (b.total_bytes ?? b.item_count) - (a.total_bytes ?? a.item_count))
    .slice(0, 24);
  const tinted = [...drawn, ...largest].map((folder) => folder.path);
  const kinds = useQueries({
    queries: tinted.map((p) => ({
      queryKey: ['folder-kind', id, p],
      queryFn: () => search({ library: [id], path: p, limit: 1 }),
      staleTime: 300_000,
      retry: false,
    })),
  });
  const mainKinds: Record<string, string> = {};
  kinds.forEach((kind, i) => {
    const most = Object.entries(kind.data?.facets?.['file_category'] ?? {}).sort((a, b) => b[1] - a[1])[0];
    if (most) mainKinds[tinted[i]!] = most[0];
  });
  const kindsKey = JSON.stringify(mainKinds);
  const insideKey = inside.map((q) => q.dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the answers inside
  const root = useMemo((): Node => {
    const measures = ({ item_count: files, total_bytes: bytes = null }: { item_count: number; total_bytes?: number | null }) => ({
      value: by === 'count' ? files : (bytes ?? files),
      files,
      bytes,
    });
    return {
      name: mapPath || name,
      path: mapPath,
      value: 0,
      files: 0,
      bytes: null,
      category: null,
      children: (mapTree?.folders ?? []).map((folder, i) => {
        const p = joinPath(mapPath, folder.name);
        const kids = inside[i]?.data?.folders ?? [];
        return {
          name: folder.name,
          path: p,
          ...measures(folder),
          category: mainKinds[p] ?? null,
          ...(kids.length > 1
            ? {
                children: foldSmall(
                  kids.map((kid) => ({
                    name: kid.name,
                    path: joinPath(p, kid.name),
                    ...measures(kid),
                    category: mainKinds[joinPath(p, kid.name)] ?? mainKinds[p] ?? null,
                  })),
                  p,
                ),
              }
            : {}),
        };
      }),
    };
  }, [mapTree, mapPath, name, by, insideKey, kindsKey]);

  const hidden = [...known.values()].reduce((n, tree) => n + Math.max(0, tree.folders_total - tree.folders.length), 0);
  return {
    known,
    here,
    mapPath,
    mapTree,
    root,
    totalFiles,
    totalBytes,
    /** Folders the answers left out because there are too many. */
    hidden,
    error: trees.find((t) => t.error)?.error ?? null,
    retry: () => {
      for (const one of trees) void one.refetch();
    },
  };
}
