import type { TreeFolder } from '../../api/types.ts';
import type { FileSort } from './use-folder-files.ts';

/** One visible line of the folder tree. */
export interface TreeLine {
  path: string;
  name: string;
  depth: number;
  open: boolean;
  expandable: boolean;
  files: number;
  /** Null until it is known. */
  bytes: number | null;
  /** On a "Show more" line: how many subfolders of `path` are not loaded. */
  more?: number;
}

export const joinPath = (parent: string, name: string): string => (parent ? `${parent}/${name}` : name);
export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');

const VIEWS = ['list', 'grid', 'columns', 'map'] as const;
const SORTS: readonly FileSort[] = ['name', 'size', 'mtime'];
export type BrowseView = (typeof VIEWS)[number];

/** How a folder is shown, in the address by the same names as that of a search. */
interface Display {
  view: BrowseView;
  sort: FileSort;
}

export function readDisplay(params: URLSearchParams): Display {
  return {
    view: VIEWS.find((each) => each === params.get('lens')) ?? 'list',
    sort: SORTS.find((each) => each === params.get('sort')) ?? 'name',
  };
}

/** The address of a folder, with one of its files selected. */
export function browseHref(library: string, path: string, file = '', { view = 'list', sort = 'name' }: Partial<Display> = {}): string {
  const query = new URLSearchParams({
    ...(path && { path }),
    ...(file && { file }),
    ...(view !== 'list' && { lens: view }),
    ...(sort !== 'name' && { sort }),
  }).toString();
  return `/browse/${library}${query ? `?${query}` : ''}`;
}

/** The path and its parent folders, starting with the root. */
export function ancestors(path: string): string[] {
  const parts = path ? path.split('/') : [];
  return ['', ...parts.map((_, i) => parts.slice(0, i + 1).join('/'))];
}

/** The visible lines of the tree. Folders whose children are not loaded have no lines below them. */
export function treeLines(
  root: { name: string; files: number; bytes: number | null },
  level: (path: string) => { folders: TreeFolder[]; total: number } | undefined,
  open: ReadonlySet<string>,
): TreeLine[] {
  const lines: TreeLine[] = [
    { path: '', name: root.name, depth: 0, open: open.has(''), expandable: true, files: root.files, bytes: root.bytes },
  ];
  const walk = (path: string, depth: number) => {
    const { folders = [], total = 0 } = level(path) ?? {};
    for (const folder of folders) {
      const here = joinPath(path, folder.name);
      lines.push({
        path: here,
        name: folder.name,
        depth,
        open: open.has(here),
        expandable: (level(here)?.total ?? 1) > 0,
        files: folder.item_count,
        bytes: folder.total_bytes ?? null,
      });
      if (open.has(here)) walk(here, depth + 1);
    }
    const more = total - folders.length;
    if (more > 0) lines.push({ path, name: '', depth, open: false, expandable: false, files: 0, bytes: null, more });
  };
  if (open.has('')) walk('', 1);
  return lines;
}
