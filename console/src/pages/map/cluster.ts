/** A file with a place, already put onto the map's pixels. */
export interface PlacedPoint {
  id: string;
  x: number;
  y: number;
}

export interface Cluster {
  x: number;
  y: number;
  ids: string[];
}

/** Points that would overlap are shown as one with a count. A plain grid of cells, then the mean of each cell. */
export function clusterPoints(points: PlacedPoint[], cell = 56): Cluster[] {
  const cells = new Map<string, Cluster>();
  for (const point of points) {
    const key = `${Math.floor(point.x / cell)}:${Math.floor(point.y / cell)}`;
    const found = cells.get(key);
    if (found) {
      const n = found.ids.length;
      found.x = (found.x * n + point.x) / (n + 1);
      found.y = (found.y * n + point.y) / (n + 1);
      found.ids.push(point.id);
    } else cells.set(key, { x: point.x, y: point.y, ids: [point.id] });
  }
  return merge([...cells.values()], cell * 0.7);
}

/** Neighbouring cells may still touch; they are joined until none do. */
function merge(clusters: Cluster[], near: number): Cluster[] {
  const out: Cluster[] = [];
  for (const one of clusters.sort((a, b) => b.ids.length - a.ids.length)) {
    const close = out.find((other) => Math.hypot(other.x - one.x, other.y - one.y) < near);
    if (!close) {
      out.push(one);
      continue;
    }
    const total = close.ids.length + one.ids.length;
    close.x = (close.x * close.ids.length + one.x * one.ids.length) / total;
    close.y = (close.y * close.ids.length + one.y * one.ids.length) / total;
    close.ids.push(...one.ids);
  }
  return out;
}

/** 24 to 44 pixels, by how many files it stands for. */
export function clusterSize(n: number): number {
  return Math.min(44, 24 + Math.round(Math.log2(Math.max(1, n)) * 2.6));
}
