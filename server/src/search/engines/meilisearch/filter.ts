import type { Filter } from '@catalog/engine';

/** A filter in the server's own words. Values are quoted, so that no value can end its own string. */
export function filterText(filter: Filter, scopeField: string): string {
  const inside = (each: Filter): string => filterText(each, scopeField);
  if ('and' in filter) return filter.and.length === 0 ? everything : `(${filter.and.map(inside).join(' AND ')})`;
  if ('or' in filter) return filter.or.length === 0 ? nothing : `(${filter.or.map(inside).join(' OR ')})`;
  if ('not' in filter) return `(NOT ${inside(filter.not)})`;
  if ('eq' in filter) return `${filter.eq[0]} = ${value(filter.eq[1])}`;
  if ('in' in filter) return `${filter.in[0]} IN [${filter.in[1].map(value).join(', ')}]`;
  if ('exists' in filter) return `${filter.exists} EXISTS`;
  if ('range' in filter) return rangeText(...filter.range);
  if ('geoRadius' in filter) return `_geoRadius(${filter.geoRadius.lat}, ${filter.geoRadius.lng}, ${filter.geoRadius.metres})`;
  if ('geoBox' in filter) {
    const { top, right, bottom, left } = filter.geoBox;
    return `_geoBoundingBox([${top}, ${right}], [${bottom}, ${left}])`;
  }
  if (filter.scope.includes('')) return everything;
  return `${scopeField} IN [${filter.scope.map(value).join(', ')}]`;
}

const everything = 'id EXISTS';
const nothing = 'id IN []';

function value(given: string | number): string {
  return typeof given === 'number' ? String(given) : `"${given.replaceAll('\0', ' ').replace(/[\\"]/g, '\\$&')}"`;
}

function rangeText(field: string, { gte, gt, lte, lt }: { gte?: number; gt?: number; lte?: number; lt?: number }): string {
  const parts: string[] = [];
  if (gte !== undefined) parts.push(`${field} >= ${gte}`);
  if (gt !== undefined) parts.push(`${field} > ${gt}`);
  if (lte !== undefined) parts.push(`${field} <= ${lte}`);
  if (lt !== undefined) parts.push(`${field} < ${lt}`);
  return parts.length === 0 ? `${field} EXISTS` : `(${parts.join(' AND ')})`;
}
