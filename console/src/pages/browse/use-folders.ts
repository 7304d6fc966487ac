import { useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as catalog from '../../api/catalog.ts';
import { search } from '../../api/search.ts';
import type { TreeFolder, TreeResponse } from '../../api/types.ts';
import { joinPath, parentOf } from './folder-tree.ts';
import { insideOf, type Node, withRest } from './treemap-layout.ts';

const DRAWN = 24;

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
  // Only the largest are drawn large enough to show what is inside them.
  const measure = (folder: TreeFolder): number => (by === 'count' ? folder.item_count : folder.total_bytes);
  const largestOf = (folders: (TreeFolder & { path: string })[]) => folders.sort((a, b) => measure(b) - measure(a)).slice(0, DRAWN);
  const drawn = largestOf((mapTree?.folders ?? []).map((folder) => ({ ...folder, path: joinPath(mapPath, folder.name) })));
  const inside = useQueries({
    queries: drawn.map(({ path: p }) => ({ queryKey: ['tree', id, p], queryFn: () => catalog.tree(id, p), staleTime: 60_000 })),
  });
  const levels = new Map(drawn.flatMap(({ path: p }, i) => (inside[i]?.data ? [[p, inside[i].data] as const] : [])));
  const stats = useQuery({ queryKey: ['library-stats'], queryFn: catalog.libraryStats, staleTime: 30_000 });
  const row = stats.data?.libraries.find((one) => one.library_id === id);
  const top = known.get('');

  // The tint of a folder is the kind most of its files have; the tree does not say it, the search does. Small folders take that of the one around them.
  const largest = largestOf([...levels].flatMap(([p, { folders }]) => folders.map((kid) => ({ ...kid, path: joinPath(p, kid.name) }))));
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
    const nodeOf = (parent: string, { name: own, item_count: files, total_bytes: bytes }: TreeFolder): Node => ({
      name: own,
      path: joinPath(parent, own),
      value: by === 'count' ? files : bytes,
      files,
      bytes,
      category: mainKinds[joinPath(parent, own)] ?? mainKinds[parent] ?? null,
    });
    const whole = nodeOf('', { name: mapPath || name, item_count: mapTree?.total_files ?? 0, total_bytes: mapTree?.total_bytes ?? 0 });
    const folders = (mapTree?.folders ?? []).map((folder): Node => {
      const node = nodeOf(mapPath, folder);
      const level = levels.get(node.path);
      if (!level || level.folders.length < 2) return node;
      const kids = level.folders.map((kid) => nodeOf(node.path, kid));
      return { ...node, children: insideOf(node, kids, level.folders_total) };
    });
    const own = { ...whole, path: mapPath };
    return { ...own, children: folders.length > 0 && mapTree ? withRest(own, folders, mapTree.folders_total) : [] };
  }, [mapTree, mapPath, name, by, insideKey, kindsKey]);

  const hidden = [...known.values()].reduce((n, tree) => n + Math.max(0, tree.folders_total - tree.folders.length), 0);
  return {
    known,
    here,
    mapPath,
    mapTree,
    root,
    totalFiles: top?.total_files ?? row?.file_count ?? 0,
    totalBytes: top?.total_bytes ?? row?.total_bytes ?? 0,
    /** Folders the answers left out because there are too many. */
    hidden,
    error: trees.find((t) => t.error)?.error ?? null,
    retry: () => {
      for (const one of trees) void one.refetch();
    },
  };
}
