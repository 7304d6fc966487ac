import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { t } from '../../language/text.ts';

export interface TreemapNode {
  name: string;
  path: string;
  value: number;
  files: number;
  bytes: number | null;
  category: string | null;
  /** Modification time of the newest file in seconds; null if unknown. */
  newest: number | null;
  children?: TreemapNode[];
}

export interface TreemapTile {
  path: string;
  name: string;
  value: number;
  files: number;
  bytes: number | null;
  category: string | null;
  newest: number | null;
  depth: 1 | 2;
  x: number;
  y: number;
  w: number;
  h: number;
}

const HEADER = 24;

/** Suffix of the path of a tile for the remainder of its folder. */
const REMAINDER_SUFFIX = '/';
export const isRemainder = ({ path }: { path: string }): boolean => path.endsWith(REMAINDER_SUFFIX);

/** Adds a tile for the remainder of a folder (folders that are not shown, and its own files), so that the areas add up. */
export function withRemainder(parent: TreemapNode, shown: readonly TreemapNode[], foldersTotal: number): TreemapNode[] {
  const rest = (measure: (node: TreemapNode) => number): number =>
    Math.max(0, measure(parent) - shown.reduce((sum, node) => sum + measure(node), 0));
  const value = rest((node) => node.value);
  if (value === 0) return [...shown];
  const others = foldersTotal - shown.length;
  return [
    ...shown,
    {
      name: others > 0 ? t('{n} more', { n: others }) : t('Files in this folder'),
      path: `${parent.path}${REMAINDER_SUFFIX}`,
      value,
      files: rest((node) => node.files),
      bytes: parent.bytes === null ? null : rest((node) => node.bytes ?? 0),
      category: parent.category,
      newest: null,
    },
  ];
}

/** The categories in the treemap, the one with the largest area first. */
export function categoriesByArea(node: TreemapNode, areas = new Map<string, number>()): string[] {
  if (node.children?.length) for (const child of node.children) categoriesByArea(child, areas);
  else if (node.category) areas.set(node.category, (areas.get(node.category) ?? 0) + node.value);
  return [...areas].sort((a, b) => b[1] - a[1]).map(([category]) => category);
}

/** Two levels of folders as rectangles: parents before their children, larger folders first, the remainder last. */
export function treemapTiles(root: TreemapNode, width: number, height: number): TreemapTile[] {
  if (width < 40 || height < 40) return [];
  const tree = hierarchy(root, (node) => node.children)
    .sum((node) => (node.children?.length ? 0 : Math.max(0, node.value)))
    .sort((a, b) => Number(isRemainder(a.data)) - Number(isRemainder(b.data)) || (b.value ?? 0) - (a.value ?? 0));
  if (!tree.value) return [];
  const layout = treemap<TreemapNode>()
    .tile(treemapSquarify)
    .size([width, height])
    .paddingInner((n) => (n.depth === 0 ? 4 : 2))
    .paddingTop((n) => (n.depth === 1 && n.children ? HEADER : 0))
    .paddingLeft((n) => (n.depth === 1 && n.children ? 4 : 0))
    .paddingRight((n) => (n.depth === 1 && n.children ? 4 : 0))
    .paddingBottom((n) => (n.depth === 1 && n.children ? 4 : 0))
    .round(true)(tree);
  return layout
    .descendants()
    .filter((node) => node.depth === 1 || node.depth === 2)
    .map((node) => ({
      path: node.data.path,
      name: node.data.name,
      value: node.value ?? 0,
      files: node.data.files,
      bytes: node.data.bytes,
      category: node.data.category,
      newest: node.data.newest,
      depth: node.depth as 1 | 2,
      x: node.x0,
      y: node.y0,
      w: node.x1 - node.x0,
      h: node.y1 - node.y0,
    }))
    .filter((tile) => tile.w >= 2 && tile.h >= 2);
}
