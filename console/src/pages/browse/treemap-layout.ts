import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';

export interface Node {
  name: string;
  path: string;
  value: number;
  files: number;
  bytes: number | null;
  category: string | null;
  children?: Node[];
}

export interface Tile {
  path: string;
  name: string;
  value: number;
  files: number;
  bytes: number | null;
  category: string | null;
  depth: 1 | 2;
  x: number;
  y: number;
  w: number;
  h: number;
}

export const HEADER = 24;

const MOST_CHILDREN = 32;

/** Many small folders become one tile; below a few pixels nobody can tell them apart. */
export function foldSmall(nodes: Node[], parent: string): Node[] {
  if (nodes.length <= MOST_CHILDREN) return nodes;
  const sorted = [...nodes].sort((a, b) => b.value - a.value);
  const rest = sorted.slice(MOST_CHILDREN - 1);
  return [
    ...sorted.slice(0, MOST_CHILDREN - 1),
    {
      name: `${rest.length} more`,
      path: `${parent}/`,
      value: rest.reduce((sum, node) => sum + node.value, 0),
      files: rest.reduce((sum, node) => sum + node.files, 0),
      bytes: rest.reduce((sum, node) => sum + (node.bytes ?? 0), 0),
      category: null,
    },
  ];
}

/** Two levels of folders as rectangles, parents first so that children lie above them. */
export function treemapTiles(root: Node, width: number, height: number): Tile[] {
  if (width < 40 || height < 40) return [];
  const tree = hierarchy(root, (node) => node.children)
    .sum((node) => (node.children?.length ? 0 : Math.max(0, node.value)))
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  if (!tree.value) return [];
  const laid = treemap<Node>()
    .tile(treemapSquarify)
    .size([width, height])
    .paddingInner((n) => (n.depth === 0 ? 4 : 2))
    .paddingTop((n) => (n.depth === 1 && n.children ? HEADER : 0))
    .paddingLeft((n) => (n.depth === 1 && n.children ? 4 : 0))
    .paddingRight((n) => (n.depth === 1 && n.children ? 4 : 0))
    .paddingBottom((n) => (n.depth === 1 && n.children ? 4 : 0))
    .round(true)(tree);
  return laid
    .descendants()
    .filter((node) => node.depth === 1 || node.depth === 2)
    .map((node) => ({
      path: node.data.path,
      name: node.data.name,
      value: node.value ?? 0,
      files: node.data.files,
      bytes: node.data.bytes,
      category: node.data.category,
      depth: node.depth as 1 | 2,
      x: node.x0,
      y: node.y0,
      w: node.x1 - node.x0,
      h: node.y1 - node.y0,
    }))
    .filter((tile) => tile.w >= 2 && tile.h >= 2);
}
