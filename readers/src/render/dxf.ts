import type { Thumbnailer } from '../contract.ts';
import { dxfGroups } from '../formats/cad.ts';
import { withFileBytes } from '../input/file-bytes.ts';
import { drawSvg } from './svg.ts';

const maxEntities = 50_000;
const maxInserts = 2_000;
const maxDepth = 4;

/** Drawings in DXF: lines, arcs, polylines, solids and blocks as outlines. Text and hatches are left out. */
export const dxfThumbnails: Thumbnailer = {
  name: 'dxf',
  version: 1,
  extensions: ['dxf'],
  tools: [],
  render: (source, longestEdge) =>
    withFileBytes(source, (file) => {
      if (file.read(0, 18).toString('latin1') === 'AutoCAD Binary DXF') return null;
      const svg = toSvg(readEntities(dxfGroups(file)), longestEdge);
      return svg === null ? null : drawSvg(Buffer.from(svg), longestEdge);
    }),
};

interface Entity {
  kind: string;
  /** The values of each group code in order; vertices of polylines repeat theirs. */
  values: Map<number, string[]>;
}
interface Drawing {
  entities: Entity[];
  blocks: Map<string, Entity[]>;
}

function readEntities(groups: Iterable<[number, string]>): Drawing {
  const drawing: Drawing = { entities: [], blocks: new Map() };
  let section = '';
  let target: Entity[] | null = null;
  let current: Entity | null = null;
  let count = 0;
  let expectsName: 'section' | 'block' | null = null;
  for (const [code, value] of groups) {
    if (code === 0) {
      current = null;
      expectsName = value === 'SECTION' ? 'section' : value === 'BLOCK' && section === 'BLOCKS' ? 'block' : null;
      if (value === 'ENDSEC') section = '';
      if (value === 'ENDSEC' || value === 'ENDBLK') target = null;
      if (target === null || expectsName !== null || count >= maxEntities) continue;
      const last = target.at(-1);
      // Vertices of an old polyline are entities of their own.
      if (value === 'VERTEX' && last?.kind === 'POLYLINE') current = last;
      else if (value !== 'SEQEND') {
        current = { kind: value, values: new Map() };
        target.push(current);
        count += 1;
      }
    } else if (expectsName !== null && code === 2) {
      if (expectsName === 'section') {
        section = value;
        target = value === 'ENTITIES' ? drawing.entities : null;
      } else {
        target = [];
        drawing.blocks.set(value, target);
      }
      expectsName = null;
    } else if (current !== null) {
      const list = current.values.get(code);
      if (list) list.push(value);
      else current.values.set(code, [value]);
    }
  }
  return drawing;
}

type Point = readonly [number, number];
type Transform = (point: Point) => Point;

function toSvg(drawing: Drawing, longestEdge: number): string | null {
  const lines: Point[][] = [];
  const budget = { inserts: maxInserts };
  trace(drawing, drawing.entities, (point) => point, 0, lines, budget);
  const points = lines.flat().filter(([x, y]) => Number.isFinite(x) && Number.isFinite(y) && Math.abs(x) < 1e12 && Math.abs(y) < 1e12);
  if (points.length < 2) return null;
  const [xs, ys] = [points.map(([x]) => x).sort((a, b) => a - b), points.map(([, y]) => y).sort((a, b) => a - b)];
  const [left, right, bottom, top] = [xs[0] ?? 0, xs.at(-1) ?? 0, ys[0] ?? 0, ys.at(-1) ?? 0];
  const scale = (longestEdge * 0.96) / Math.max(right - left, top - bottom, 1e-9);
  const margin = longestEdge * 0.02;
  const width = Math.max(1, Math.ceil((right - left) * scale + 2 * margin));
  const height = Math.max(1, Math.ceil((top - bottom) * scale + 2 * margin));
  const place = ([x, y]: Point): string => `${((x - left) * scale + margin).toFixed(1)},${((top - y) * scale + margin).toFixed(1)}`;
  const known = new Set(points);
  const paths = lines.map(
    (line) =>
      `<polyline points="${line
        .filter((point) => known.has(point))
        .map(place)
        .join(' ')}"/>`,
  );
  const style = `fill="none" stroke="#333" stroke-width="${Math.max(1, longestEdge / 500)}" stroke-linecap="round"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#fff"/><g ${style}>${paths.join('')}</g></svg>`;
}

function trace(
  drawing: Drawing,
  entities: readonly Entity[],
  to: Transform,
  depth: number,
  lines: Point[][],
  budget: { inserts: number },
): void {
  for (const { kind, values } of entities) {
    if (lines.length >= maxEntities) return;
    const number = (code: number, at = 0, otherwise = 0): number => {
      const value = Number(values.get(code)?.[at]);
      return Number.isFinite(value) ? value : otherwise;
    };
    const point = (code: number, at = 0): Point => [number(code, at), number(code + 10, at)];
    const add = (line: Point[], closed = false): void => {
      if (line.length > 1) lines.push((closed ? [...line, line[0] as Point] : line).map(to));
    };
    const closed = (number(70) & 1) === 1;
    if (kind === 'LINE') add([point(10), point(11)]);
    else if (kind === 'CIRCLE') add(arc(point(10), number(40), 0, 360));
    else if (kind === 'ARC') add(arc(point(10), number(40), number(50), number(51)));
    else if (kind === 'ELLIPSE') add(ellipse(point(10), point(11), number(40), number(41), number(42, 0, 2 * Math.PI)));
    else if (kind === 'SOLID' || kind === 'TRACE' || kind === '3DFACE') add([point(10), point(11), point(13), point(12)], true);
    else if (kind === 'LWPOLYLINE' || kind === 'SPLINE' || kind === 'LEADER')
      add(
        (values.get(10) ?? []).map((_, i) => point(10, i)),
        closed && kind === 'LWPOLYLINE',
      );
    // The first pair of an old polyline is a dummy point.
    else if (kind === 'POLYLINE')
      add(
        (values.get(10) ?? []).slice(1).map((_, i) => point(10, i + 1)),
        closed,
      );
    else if (kind === 'INSERT') {
      const block = drawing.blocks.get(values.get(2)?.[0] ?? '');
      if (!block || depth >= maxDepth || budget.inserts-- <= 0) continue;
      const [x, y] = point(10);
      const [cos, sin] = [Math.cos((number(50) * Math.PI) / 180), Math.sin((number(50) * Math.PI) / 180)];
      const [sx, sy] = [number(41, 0, 1), number(42, 0, 1)];
      const placed: Transform = ([px, py]) => to([x + px * sx * cos - py * sy * sin, y + px * sx * sin + py * sy * cos]);
      trace(drawing, block, placed, depth + 1, lines, budget);
    }
  }
}

function arc([x, y]: Point, radius: number, from: number, to: number): Point[] {
  const sweep = to <= from ? to + 360 - from : to - from;
  const steps = Math.max(4, Math.ceil(sweep / 6));
  return Array.from({ length: steps + 1 }, (_, i): Point => {
    const angle = ((from + (sweep * i) / steps) * Math.PI) / 180;
    return [x + radius * Math.cos(angle), y + radius * Math.sin(angle)];
  });
}

function ellipse([x, y]: Point, [mx, my]: Point, ratio: number, from: number, to: number): Point[] {
  const sweep = to <= from ? to + 2 * Math.PI - from : to - from;
  return Array.from({ length: 61 }, (_, i): Point => {
    const [cos, sin] = [Math.cos(from + (sweep * i) / 60), Math.sin(from + (sweep * i) / 60)];
    return [x + mx * cos - my * ratio * sin, y + my * cos + mx * ratio * sin];
  });
}
