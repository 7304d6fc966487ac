import { useQueries } from '@tanstack/react-query';
import { useEffect, useMemo, useState } from 'react';
import * as catalog from '../../api/catalog.ts';
import type { TreeFolder, TreeResponse } from '../../api/types.ts';
import { nameOf } from '../../format/paths.ts';
import { ancestors, parentOf } from './folder-tree.ts';

/** One folder of the tree: the folders that were read so far, of all there are, and what else was told with the first of them. */
export interface Level {
  folders: TreeFolder[];
  total: number;
  first: TreeResponse;
}

const PAGE = 200;

/** The levels a tree shows: every open folder, the chosen one and the one around it, a page of folders at a time. */
export function useLevels({ id, path, open }: { id: string; path: string; open: ReadonlySet<string> }) {
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
  const known = new Map<string, Level>();
  wanted.forEach(({ folder, page }, i) => {
    const data = answers[i]?.data;
    if (!data) return;
    const level = known.get(folder);
    if (page === 0) known.set(folder, { folders: data.folders, total: data.folders_total, first: data });
    else if (level) known.set(folder, { ...level, folders: [...level.folders, ...newOnes(level, data)] });
  });

  const pagesOf = (folder: string) => answers.filter((_, i) => wanted[i]!.folder === folder);
  const reading = (folder: string): boolean => pagesOf(folder).some(({ isPending }) => isPending);
  const more = (folder: string) => {
    const failed = pagesOf(folder).find(({ isError }) => isError);
    if (failed) void failed.refetch();
    else if (!reading(folder)) setPages((now) => ({ ...now, [folder]: (now[folder] ?? 1) + 1 }));
  };

  // The chosen folder is in sight wherever its name stands.
  const hidden = ancestors(path)
    .slice(1)
    .find((folder) => isFurtherOn(known.get(parentOf(folder)), nameOf(folder)) && !reading(parentOf(folder)));
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
function newOnes({ folders }: Level, page: TreeResponse): TreeFolder[] {
  const names = new Set(folders.map(({ name }) => name));
  return page.folders.filter(({ name }) => !names.has(name));
}

const small = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());

/** Folders come by name, small and capital letters alike: is this one among those that were not read yet? */
function isFurtherOn(level: Level | undefined, name: string): boolean {
  const last = level?.folders.at(-1)?.name;
  if (!level || last === undefined || level.folders.length >= level.total) return false;
  return small(last) === small(name) ? last < name : small(last) < small(name);
}
