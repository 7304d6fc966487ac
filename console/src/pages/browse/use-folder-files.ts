import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TreeResponse } from '../../api/types.ts';

export type FileSort = 'name' | 'size' | 'mtime';
export type FolderFile = TreeResponse['items'][number];

const PAGE = 200;

/** The files of one folder, page by page, without those of its subfolders. */
export function useFolderFiles(id: string, path: string, sort: FileSort) {
  const pages = useInfiniteQuery({
    queryKey: ['folder-files', id, path, sort],
    queryFn: ({ pageParam, signal }) => catalog.tree(id, path, { limit: PAGE, offset: pageParam, items_sort: sort }, signal),
    initialPageParam: 0,
    getNextPageParam: (last, all) => {
      const loaded = all.reduce((sum, page) => sum + page.items.length, 0);
      return last.items.length > 0 && loaded < last.total_items ? loaded : undefined;
    },
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  });
  const files = useMemo(() => pages.data?.pages.flatMap((page) => page.items) ?? [], [pages.data]);
  const first = pages.data?.pages[0];
  return {
    files,
    total: first?.total_items ?? null,
    error: pages.error,
    retry: () => void pages.refetch(),
    // The files of the folder before are shown meanwhile, but that it had none says nothing about this one.
    loading: pages.isPending || pages.isPlaceholderData,
    loadMore: () => {
      if (pages.hasNextPage && !pages.isFetchingNextPage) void pages.fetchNextPage();
    },
  };
}
