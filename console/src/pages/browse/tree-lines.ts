import type { TreeFolder } from '../../api/types.ts';

/** One visible line of the tree. */
export interface TreeLine {
  path: string;
  name: string;
  depth: number;
  open: boolean;
  expandable: boolean;
  files: number;
  bytes: number;
  /** The line stands for so many more folders of the folder `path`, which were not read yet. */
  more?: number;
}

export const joinPath = (parent: string, name: string): string => (parent ? `${parent}/${name}` : name);
export const parentOf = (path: string): string => path.split('/').slice(0, -1).join('/');

/** The folders on the way to a path, the top one first, the path itself last. */
export function ancestors(path: string): string[] {
  const parts = path ? path.split('/') : [];
  return ['', ...parts.map((_, i) => parts.slice(0, i + 1).join('/'))];
}

/** Flattens what is open into lines. Folders whose children are not known yet stay closed. */
export function treeLines(
  root: { name: string; files: number; bytes: number },
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
        bytes: folder.total_bytes ?? 0,
      });
      if (open.has(here)) walk(here, depth + 1);
    }
    const more = total - folders.length;
    if (more > 0) lines.push({ path, name: '', depth, open: false, expandable: false, files: 0, bytes: 0, more });
  };
  if (open.has('')) walk('', 1);
  return lines;
}
