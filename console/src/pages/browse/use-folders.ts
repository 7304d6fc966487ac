import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import { search } from '../../api/search.ts';
import type { TreeFolder, TreeResponse } from '../../api/types.ts';
import { baseName } from '../../format/paths.ts';
import { ancestors, joinPath, parentOf } from './tree-lines.ts';
import { type TreemapNode, withRemainder } from './treemap-layout.ts';

const MAX_FOLDERS = 200;
/** Only the largest folders show their subfolders; smaller tiles would not be legible. */
const EXPANDED_FOLDERS = 24;
const MAX_SUBFOLDERS = 31;

/** Two levels of folders for the treemap, the largest first, with the most frequent category and the newest file of each. */
function useTreemap({ id, name, path, by }: { id: string; name: string; path: string | null; by: 'size' | 'count' }) {
  const largest = (folder: string, limit: number) => ({
    queryKey: ['largest', id, folder, by, limit],
    queryFn: ({ signal }: { signal: AbortSignal }) => catalog.tree(id, folder, { limit, folders_sort: by }, signal),
    staleTime: 60_000,
  });
  // The previous folder stays visible until the next one is loaded.
  const top = useQuery({ ...largest(path ?? '', MAX_FOLDERS), enabled: path !== null, placeholderData: keepPreviousData });
  const at = top.data?.path ?? '';
  const expanded = (top.data?.folders ?? []).slice(0, EXPANDED_FOLDERS).map((folder) => joinPath(at, folder.name));
  const inside = useQueries({ queries: expanded.map((folder) => largest(folder, MAX_SUBFOLDERS)) });
  const levels = new Map(expanded.flatMap((folder, i) => (inside[i]?.data ? [[folder, inside[i].data] as const] : [])));

  // The tree API has no categories, so the largest folders are searched. Smaller ones get the color of their parent.
  const kids = [...levels].flatMap(([folder, { folders }]) => folders.map((kid) => ({ ...kid, path: joinPath(folder, kid.name) })));
  const measure = (folder: TreeFolder): number => (by === 'count' ? folder.item_count : folder.total_bytes);
  const searched = [
    ...expanded,
    ...kids
      .sort((a, b) => measure(b) - measure(a))
      .slice(0, EXPANDED_FOLDERS)
      .map((kid) => kid.path),
  ];
  const contents = useQueries({
    queries: searched.map((folder) => ({
      queryKey: ['folder-content', id, folder],
      queryFn: ({ signal }: { signal: AbortSignal }) => search({ library: [id], path: folder, sort: 'newest', limit: 1 }, signal),
      staleTime: 300_000,
      retry: false,
    })),
  });
  const content = new Map<string, { category: string | null; newest: number | null }>();
  for (const [i, folder] of searched.entries()) {
    const data = contents[i]?.data;
    if (!data) continue;
    const [most] = Object.entries(data.facets?.['file_category'] ?? {}).sort((a, b) => b[1] - a[1]);
    content.set(folder, { category: most?.[0] ?? null, newest: data.hits[0]?.mtime ?? null });
  }

  const contentKey = JSON.stringify([...content]);
  const insideKey = inside.map(({ dataUpdatedAt }) => dataUpdatedAt).join();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys change with the responses
  const root = useMemo((): TreemapNode => {
    const nodeOf = (parent: string, { name: own, item_count: files, total_bytes: bytes }: TreeFolder): TreemapNode => {
      const ownPath = joinPath(parent, own);
      const category = content.get(ownPath)?.category ?? content.get(parent)?.category ?? null;
      return {
        name: own,
        path: ownPath,
        value: by === 'count' ? files : bytes,
        files,
        bytes,
        category,
        newest: content.get(ownPath)?.newest ?? null,
      };
    };
    const { total_files = 0, total_bytes = 0, folders = [], folders_total = 0 } = top.data ?? {};
    const current = { ...nodeOf('', { name: at || name, item_count: total_files, total_bytes }), path: at };
    const nodes = folders.map((folder): TreemapNode => {
      const node = nodeOf(at, folder);
      const level = levels.get(node.path);
      if (!level || level.folders.length < 2) return node;
      const within = level.folders.map((kid) => nodeOf(node.path, kid));
      return { ...node, children: withRemainder(node, within, level.folders_total) };
    });
    return { ...current, children: nodes.length > 0 ? withRemainder(current, nodes, folders_total) : [] };
  }, [top.data, name, by, insideKey, contentKey]);

  return { root, tree: top.data, error: top.error, retry: () => void top.refetch() };
}

/** The loaded subfolders of one folder, their total number, and the response for their first page. */
interface FolderLevel {
  folders: TreeFolder[];
  total: number;
  first: TreeResponse;
}

const PAGE = 200;

/** The subfolders of every open folder, of the selected folder and of its parent, loaded page by page. */
function useTreeLevels({ id, path, open }: { id: string; path: string; open: ReadonlySet<string> }) {
  const [pages, setPages] = useState<Record<string, number>>({});
  const requests = useMemo(
    () =>
      [...new Set([...open, path, parentOf(path)])].flatMap((folder) =>
        Array.from({ length: pages[folder] ?? 1 }, (_, page) => ({ folder, page })),
      ),
    [open, path, pages],
  );
  const responses = useQueries({
    queries: requests.map(({ folder, page }) => ({
      queryKey: ['tree', id, folder, page],
      queryFn: ({ signal }) => catalog.tree(id, folder, { limit: PAGE, folders_offset: page * PAGE }, signal),
      staleTime: 60_000,
    })),
  });
  const levels = new Map<string, FolderLevel>();
  for (const [i, { folder, page }] of requests.entries()) {
    const data = responses[i]?.data;
    if (!data) continue;
    const level = levels.get(folder);
    if (page === 0) levels.set(folder, { folders: data.folders, total: data.folders_total, first: data });
    else if (level) levels.set(folder, { ...level, folders: [...level.folders, ...onlyNewFolders(level, data)] });
  }

  const pagesOf = (folder: string) => responses.filter((_, i) => requests[i]?.folder === folder);
  const isLoading = (folder: string): boolean => pagesOf(folder).some(({ isPending }) => isPending);
  const loadMore = (folder: string) => {
    const failed = pagesOf(folder).find(({ isError }) => isError);
    if (failed) void failed.refetch();
    else if (!isLoading(folder)) setPages((now) => ({ ...now, [folder]: (now[folder] ?? 1) + 1 }));
  };

  // Loads further pages until the selected folder and its ancestors are listed.
  const hidden = ancestors(path)
    .slice(1)
    .find((folder) => isOnLaterPage(levels.get(parentOf(folder)), baseName(folder)) && !isLoading(parentOf(folder)));
  const incomplete = hidden === undefined ? null : parentOf(hidden);
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs again after each page that did not contain the folder
  useEffect(() => {
    if (incomplete !== null) loadMore(incomplete);
  }, [incomplete, levels.get(incomplete ?? '')?.folders.length]);

  return {
    levels,
    loadMore,
    error: responses.find(({ error }) => error)?.error ?? null,
    retry: () => {
      for (const one of responses) void one.refetch();
    },
  };
}

/** During a scan, a folder may appear again on the next page. */
function onlyNewFolders({ folders }: FolderLevel, page: TreeResponse): TreeFolder[] {
  const names = new Set(folders.map(({ name }) => name));
  return page.folders.filter(({ name }) => !names.has(name));
}

const asciiLowerCase = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Whether a folder is sorted after the loaded ones. The server sorts by name, ignoring the case of ASCII letters. */
function isOnLaterPage(level: FolderLevel | undefined, name: string): boolean {
  const last = level?.folders.at(-1)?.name;
  if (!level || last === undefined || level.folders.length >= level.total) return false;
  const [a, b] = [asciiLowerCase(last), asciiLowerCase(name)];
  return a === b ? last < name : a < b;
}

interface FoldersOptions {
  id: string;
  name: string;
  path: string;
  open: ReadonlySet<string>;
  by: 'size' | 'count';
}

/** The data of the folder tree and the treemap of one library. */
export function useFolders({ id, name, path, open, by }: FoldersOptions) {
  const { levels, loadMore, error: treeError, retry } = useTreeLevels({ id, path, open });
  const stats = useQuery({ queryKey: ['library-stats'], queryFn: catalog.libraryStats, staleTime: 30_000 });
  const row = stats.data?.libraries.find((one) => one.library_id === id);
  const top = levels.get('')?.first;
  // The previous folder stays visible while the next one loads, so that moving through the tree does not flicker.
  const loaded = levels.get(path)?.first ?? null;
  const [last, setLast] = useState(loaded);
  if (loaded && loaded !== last) setLast(loaded);
  const here = loaded ?? (treeError ? null : last);
  // A folder without subfolders shows the treemap of its parent.
  const map = useTreemap({ id, name, path: here && (here.folders.length > 0 ? here.path : parentOf(here.path)), by });
  return {
    levels,
    here,
    mapTree: map.tree,
    root: map.root,
    totalFiles: top?.total_files ?? row?.file_count ?? 0,
    totalBytes: top?.total_bytes ?? row?.total_bytes ?? null,
    loadMore,
    error: treeError ?? map.error,
    retry: () => {
      retry();
      map.retry();
    },
  };
}
