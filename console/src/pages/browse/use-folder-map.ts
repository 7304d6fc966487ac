import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as catalog from '../../api/catalog.ts';
import { search } from '../../api/search.ts';
import type { TreeFolder } from '../../api/types.ts';
import { joinPath } from './folder-tree.ts';
import { type Node, withRest } from './treemap-layout.ts';

/** So many of the largest folders show what is inside them, and so many folders inside each; smaller ones nobody could tell apart. */
const DRAWN = 24;
const INSIDE = 31;
const SHOWN = 200;

/** Two levels of folders as the treemap draws them, the largest first, with the kind most of their files have and the newest of them. */
export function useFolderMap({ id, name, path, by }: { id: string; name: string; path: string | null; by: 'size' | 'count' }) {
  const largest = (folder: string, limit: number) => ({
    queryKey: ['largest', id, folder, by, limit],
    queryFn: ({ signal }: { signal: AbortSignal }) => catalog.tree(id, folder, { limit, folders_sort: by }, signal),
    staleTime: 60_000,
  });
  // What is drawn stays until what comes next is known.
  const top = useQuery({ ...largest(path ?? '', SHOWN), enabled: path !== null, placeholderData: keepPreviousData });
  const at = top.data?.path ?? '';
  const drawn = (top.data?.folders ?? []).slice(0, DRAWN).map((folder) => joinPath(at, folder.name));
  const inside = useQueries({ queries: drawn.map((folder) => largest(folder, INSIDE)) });
  const levels = new Map(drawn.flatMap((folder, i) => (inside[i]?.data ? [[folder, inside[i].data] as const] : [])));

  // The tree does not say what kind the files are, the search does. Small folders take the tint of the one around them.
  const kids = [...levels].flatMap(([folder, { folders }]) => folders.map((kid) => ({ ...kid, path: joinPath(folder, kid.name) })));
  const measure = (folder: TreeFolder): number => (by === 'count' ? folder.item_count : folder.total_bytes);
  const asked = [
    ...drawn,
    ...kids
      .sort((a, b) => measure(b) - measure(a))
      .slice(0, DRAWN)
      .map((kid) => kid.path),
  ];
  const contents = useQueries({
    queries: asked.map((folder) => ({
      queryKey: ['folder-content', id, folder],
      queryFn: ({ signal }: { signal: AbortSignal }) => search({ library: [id], path: folder, sort: 'newest', limit: 1 }, signal),
      staleTime: 300_000,
      retry: false,
    })),
  });
  const content = new Map<string, { category: string | null; newest: number | null }>();
  contents.forEach(({ data }, i) => {
    if (!data) return;
    const [most] = Object.entries(data.facets?.['file_category'] ?? {}).sort((a, b) => b[1] - a[1]);
    content.set(asked[i]!, { category: most?.[0] ?? null, newest: data.hits[0]?.mtime ?? null });
  });

  const contentKey = JSON.stringify([...content]);
  const insideKey = inside.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys stand for the answers
  const root = useMemo((): Node => {
    const nodeOf = (parent: string, { name: own, item_count: files, total_bytes: bytes }: TreeFolder): Node => {
      const place = joinPath(parent, own);
      const category = content.get(place)?.category ?? content.get(parent)?.category ?? null;
      return {
        name: own,
        path: place,
        value: by === 'count' ? files : bytes,
        files,
        bytes,
        category,
        newest: content.get(place)?.newest ?? null,
      };
    };
    const { total_files = 0, total_bytes = 0, folders = [], folders_total = 0 } = top.data ?? {};
    const whole = { ...nodeOf('', { name: at || name, item_count: total_files, total_bytes }), path: at };
    const nodes = folders.map((folder): Node => {
      const node = nodeOf(at, folder);
      const level = levels.get(node.path);
      if (!level || level.folders.length < 2) return node;
      const within = level.folders.map((kid) => nodeOf(node.path, kid));
      return { ...node, children: withRest(node, within, level.folders_total) };
    });
    return { ...whole, children: nodes.length > 0 ? withRest(whole, nodes, folders_total) : [] };
  }, [top.data, name, by, insideKey, contentKey]);

  return { root, tree: top.data, error: top.error, retry: () => void top.refetch() };
}
