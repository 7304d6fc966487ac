import { useQuery, useQueries, keepPreviousData } from '@tanstack/react-query';
import { useState, useEffect, useMemo } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TreeFolder, TreeResponse } from '../../api/types.ts';
import { baseName } from '../../format/paths.ts';
import { search } from '../../api/search.ts';
import { parentOf, ancestors, joinPath } from './tree-lines.ts';
import { type TreemapNode, withRemainder } from './treemap-layout.ts';

/** So many of the largest folders show what is inside them, and so many folders inside each; smaller ones nobody could tell apart. */
const DRAWN = 24;
const INSIDE = 31;
const SHOWN = 200;

/** Two levels of folders as the treemap draws them, the largest first, with the kind most of their files have and the newest of them. */
export function useTreemap({ id, name, path, by }: { id: string; name: string; path: string | null; by: 'size' | 'count' }) {
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
  const root = useMemo((): TreemapNode => {
    const nodeOf = (parent: string, { name: own, item_count: files, total_bytes: bytes }: TreeFolder): TreemapNode => {
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
    const nodes = folders.map((folder): TreemapNode => {
      const node = nodeOf(at, folder);
      const level = levels.get(node.path);
      if (!level || level.folders.length < 2) return node;
      const within = level.folders.map((kid) => nodeOf(node.path, kid));
      return { ...node, children: withRemainder(node, within, level.folders_total) };
    });
    return { ...whole, children: nodes.length > 0 ? withRemainder(whole, nodes, folders_total) : [] };
  }, [top.data, name, by, insideKey, contentKey]);

  return { root, tree: top.data, error: top.error, retry: () => void top.refetch() };
}

/** One folder of the tree: the folders that were read so far, of all there are, and what else was told with the first of them. */
export interface FolderLevel {
  folders: TreeFolder[];
  total: number;
  first: TreeResponse;
}

const PAGE = 200;

/** The levels a tree shows: every open folder, the chosen one and the one around it, a page of folders at a time. */
export function useTreeLevels({ id, path, open }: { id: string; path: string; open: ReadonlySet<string> }) {
  const [pages, setPages] = useState<Record<string, number>>({});
  const wanted = useMemo(
    () =>
      [...new Set([...open, path, parentOf(path)])].flatMap((folder) =>
        Array.from({ length: pages[folder] ?? 1 }, (_, page) => ({ folder, page })),
      ),
    [open, path, pages],
  );
  const answers = useQueries({
    queries: wanted.map(({ folder, page }) => ({
      queryKey: ['tree', id, folder, page],
      queryFn: ({ signal }) => catalog.tree(id, folder, { limit: PAGE, folders_offset: page * PAGE }, signal),
      staleTime: 60_000,
    })),
  });
  const known = new Map<string, FolderLevel>();
  wanted.forEach(({ folder, page }, i) => {
    const data = answers[i]?.data;
    if (!data) return;
    const level = known.get(folder);
    if (page === 0) known.set(folder, { folders: data.folders, total: data.folders_total, first: data });
    else if (level) known.set(folder, { ...level, folders: [...level.folders, ...onlyNewFolders(level, data)] });
  });

  const pagesOf = (folder: string) => answers.filter((_, i) => wanted[i]!.folder === folder);
  const textMatches = (folder: string): boolean => pagesOf(folder).some(({ isPending }) => isPending);
  const more = (folder: string) => {
    const failed = pagesOf(folder).find(({ isError }) => isError);
    if (failed) void failed.refetch();
    else if (!textMatches(folder)) setPages((now) => ({ ...now, [folder]: (now[folder] ?? 1) + 1 }));
  };

  // The chosen folder is in sight wherever its name stands.
  const hidden = ancestors(path)
    .slice(1)
    .find((folder) => isOnLaterPage(known.get(parentOf(folder)), baseName(folder)) && !textMatches(parentOf(folder)));
  const around = hidden === undefined ? null : parentOf(hidden);
  // biome-ignore lint/correctness/useExhaustiveDependencies: one page more for each answer that did not have it
  useEffect(() => {
    if (around !== null) more(around);
  }, [around, known.get(around ?? '')?.folders.length]);

  return {
    known,
    more,
    error: answers.find(({ error }) => error)?.error ?? null,
    retry: () => {
      for (const one of answers) void one.refetch();
    },
  };
}

/** While a scan runs, folders may move from one page to the next. */
function onlyNewFolders({ folders }: FolderLevel, page: TreeResponse): TreeFolder[] {
  const names = new Set(folders.map(({ name }) => name));
  return page.folders.filter(({ name }) => !names.has(name));
}

const small = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Folders come by name, small and capital letters alike: is this one among those that were not read yet? */
function isOnLaterPage(level: FolderLevel | undefined, name: string): boolean {
  const last = level?.folders.at(-1)?.name;
  if (!level || last === undefined || level.folders.length >= level.total) return false;
  return small(last) === small(name) ? last < name : small(last) < small(name);
}

interface Asked {
  id: string;
  name: string;
  path: string;
  open: ReadonlySet<string>;
  by: 'size' | 'count';
}

/** Everything the tree and the treemap of one library show: the folders that are open, and what lies inside the chosen one. */
export function useFolders({ id, name, path, open, by }: Asked) {
  const { known, more, error: unread, retry } = useTreeLevels({ id, path, open });
  const stats = useQuery({ queryKey: ['library-stats'], queryFn: catalog.libraryStats, staleTime: 30_000 });
  const row = stats.data?.libraries.find((one) => one.library_id === id);
  const top = known.get('')?.first;
  // While the next folder is read, the last one stays: whoever walks down the tree sees no flicker.
  const arrived = known.get(path)?.first ?? null;
  const [last, setLast] = useState(arrived);
  if (arrived && arrived !== last) setLast(arrived);
  const here = arrived ?? (unread ? null : last);
  // The map shows the chosen folder when it has folders of its own, otherwise the one around it.
  const map = useTreemap({ id, name, path: here && (here.folders.length > 0 ? here.path : parentOf(here.path)), by });
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
