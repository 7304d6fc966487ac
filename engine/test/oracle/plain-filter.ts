import type { Document, Filter } from '../../src/types.ts';

/** RULES.md §6 for one document. */
export function plainFilter(document: Document, filter: Filter): boolean {
  if ('and' in filter) return filter.and.every((part) => plainFilter(document, part));
  if ('or' in filter) return filter.or.some((part) => plainFilter(document, part));
  if ('not' in filter) return !plainFilter(document, filter.not);
  if ('eq' in filter) return valuesOf(document, filter.eq[0]).includes(filter.eq[1]);
  if ('in' in filter) return valuesOf(document, filter.in[0]).some((value) => filter.in[1].includes(value));
  if ('exists' in filter) return filter.exists === 'place' ? pointOf(document) !== null : valuesOf(document, filter.exists).length > 0;
  if ('range' in filter) {
    const value = numberOf(document, filter.range[0]);
    const { gte, gt, lte, lt } = filter.range[1];
    if (value === null) return false;
    return (
      (gte === undefined || value >= gte) &&
      (gt === undefined || value > gt) &&
      (lte === undefined || value <= lte) &&
      (lt === undefined || value < lt)
    );
  }
  if ('scope' in filter) {
    const path = document['where'];
    if (typeof path !== 'string') return filter.scope.includes('');
    return filter.scope.some((prefix) => prefix === '' || path === prefix || path.startsWith(`${prefix}/`));
  }
  const point = pointOf(document);
  if (point === null) return false;
  if ('geoRadius' in filter) return metresBetween(point, filter.geoRadius) <= filter.geoRadius.metres;
  const { top, right, bottom, left } = filter.geoBox;
  const between = left <= right ? point.lng >= left && point.lng <= right : point.lng >= left || point.lng <= right;
  return point.lat <= top && point.lat >= bottom && between;
}

export function valuesOf(document: Document, field: string): (string | number)[] {
  const value = document[field];
  if (value === null || value === undefined) return [];
  return Array.isArray(value) ? [...new Set<string>(value)] : [value as string | number];
}

export function numberOf(document: Document, field: string): number | null {
  const value = document[field];
  return typeof value === 'number' ? value : null;
}

export function pointOf(document: Document): { lat: number; lng: number } | null {
  const value = document['place'];
  return value !== null && typeof value === 'object' && 'lat' in value ? value : null;
}

export function metresBetween(a: { lat: number; lng: number }, b: { lat: number; lng: number }): number {
  const rad = Math.PI / 180;
  const across = Math.sin(((b.lat - a.lat) * rad) / 2) ** 2;
  const along = Math.sin(((b.lng - a.lng) * rad) / 2) ** 2 * Math.cos(a.lat * rad) * Math.cos(b.lat * rad);
  return 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(across + along)));
}
