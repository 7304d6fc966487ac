// biome-ignore-all lint/style/noNonNullAssertion: the filter was validated against the schema, and offsets come from verified segment sections
import type { Segment } from '../../segment/types.ts';

const radians = Math.PI / 180;
const earthMetres = 6_371_000;

/** Great-circle distance in metres. */
export function metresBetween(lat1: number, lng1: number, lat2: number, lng2: number): number {
  const across = Math.sin(((lat2 - lat1) * radians) / 2) ** 2;
  const along = Math.sin(((lng2 - lng1) * radians) / 2) ** 2 * Math.cos(lat1 * radians) * Math.cos(lat2 * radians);
  return 2 * earthMetres * Math.asin(Math.min(1, Math.sqrt(across + along)));
}

export function filterRadius(segment: Segment, circle: { lat: number; lng: number; metres: number }, bitmap: number): void {
  // A degree of latitude has the same length everywhere, so most points are excluded without trigonometry.
  const degrees = circle.metres / (earthMetres * radians) + 1e-9;
  setMatchingPoints(
    segment,
    bitmap,
    (lat, lng) => Math.abs(lat - circle.lat) <= degrees && metresBetween(lat, lng, circle.lat, circle.lng) <= circle.metres,
  );
}

/** A box whose left side is east of its right side crosses the date line. */
export function filterBox(segment: Segment, box: { top: number; right: number; bottom: number; left: number }, bitmap: number): void {
  const { top, right, bottom, left } = box;
  setMatchingPoints(
    segment,
    bitmap,
    (lat, lng) => lat <= top && lat >= bottom && (left <= right ? lng >= left && lng <= right : lng >= left || lng <= right),
  );
}

function setMatchingPoints(segment: Segment, bitmap: number, inside: (lat: number, lng: number) => boolean): void {
  const { u32, f64, geo } = segment;
  const { documents, lat, lng, count } = geo!;
  for (let row = 0; row < count; row++) {
    if (!inside(f64[(lat >>> 3) + row]!, f64[(lng >>> 3) + row]!)) continue;
    const doc = u32[(documents >>> 2) + row]!;
    u32[(bitmap >>> 2) + (doc >>> 5)]! |= 1 << (doc & 31);
  }
}
