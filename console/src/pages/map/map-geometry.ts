import { geoEquirectangular, geoGraticule10, geoMercator, geoPath } from 'd3-geo';
import { feature } from 'topojson-client';
import type { GeometryCollection, Topology } from 'topojson-specification';
import land110 from 'world-atlas/land-110m.json';

const topology = land110 as unknown as Topology<{ land: GeometryCollection }>;
const LAND = feature(topology, topology.objects.land);
const GRATICULE = geoGraticule10();

/** The visible part of the map. */
export interface MapView {
  lat: number;
  lng: number;
  /** At 1 the whole width of the world is visible. */
  zoom: number;
}

export const WORLD_VIEW: MapView = { lat: 25, lng: 10, zoom: 1 };

/** Equirectangular for the whole world, Mercator when zoomed in. */
export function projectionFor(view: MapView, width: number, height: number) {
  const projection = view.zoom < 1.5 ? geoEquirectangular() : geoMercator();
  return projection
    .scale((Math.max(width, 200) / (2 * Math.PI)) * view.zoom)
    .center([0, view.lat])
    .rotate([-view.lng, 0])
    .translate([width / 2, height / 2])
    .clipExtent([
      [-20, -20],
      [width + 20, height + 20],
    ]);
}

export function worldPaths(view: MapView, width: number, height: number): { land: string; lines: string } {
  const path = geoPath(projectionFor(view, width, height));
  return { land: path(LAND) ?? '', lines: path(GRATICULE) ?? '' };
}

/** A view that shows nearly all points with a margin. */
export function fitView(points: { lat: number; lng: number }[], width: number, height: number): MapView {
  if (points.length === 0) return WORLD_VIEW;
  // The outer 2% on each side are ignored, so that a few distant points do not zoom the map out.
  const trim = (values: number[]) => {
    const sorted = [...values].sort((a, b) => a - b);
    const cut = Math.floor(sorted.length * 0.02);
    return [sorted[cut] ?? 0, sorted[sorted.length - 1 - cut] ?? 0] as const;
  };
  const [south, north] = trim(points.map((p) => p.lat));
  const [west, east] = trim(points.map((p) => p.lng));
  // Zooming in further than a country is useless, because the outline has no more detail.
  const zoomX = 360 / Math.max(24, (east - west) * 1.3);
  // Mercator stretches high latitudes, so the height is measured in projected units.
  const [low, high] = [mercator(south), mercator(north)];
  const zoomY = (2 * Math.PI * height) / (width * Math.max(mercator(12), (high - low) * 1.5));
  const middle = (Math.atan(Math.sinh((low + high) / 2)) * 180) / Math.PI;
  return { lat: middle, lng: (west + east) / 2, zoom: Math.min(60, Math.max(1, Math.min(zoomX, zoomY))) };
}

/** The vertical Mercator coordinate of a latitude; 0 at the equator. */
function mercator(lat: number): number {
  return Math.asinh(Math.tan((Math.min(85, Math.max(-85, lat)) * Math.PI) / 180));
}

/** A file at its position on the map in pixels. */
interface ScreenPoint {
  id: string;
  x: number;
  y: number;
}

interface Cluster {
  x: number;
  y: number;
  ids: string[];
}

/** Groups points that would overlap: by grid cell, at the mean position of each cell. */
export function clusterPoints(points: ScreenPoint[], cell = 56): Cluster[] {
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
  return mergeOverlapping([...cells.values()], cell * 0.7);
}

/** Merges clusters of neighboring cells that still overlap. */
function mergeOverlapping(clusters: Cluster[], near: number): Cluster[] {
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

/** Diameter in pixels, from 24 to 44 by the number of files. */
export function clusterSize(n: number): number {
  return Math.min(44, 24 + Math.round(Math.log2(Math.max(1, n)) * 2.6));
}
