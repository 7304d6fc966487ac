import { hash } from 'node:crypto';
import type { Filter } from '@catalog/engine';
import { foldersField } from './settings.ts';

/** Conditions that must all hold. A list is an alternative: one of its texts must hold. */
export type ServerFilter = (string | string[])[];

/** The server parses a list of values in quadratic time: 4,000 values take over a second. Each text is parsed on its own. */
const valuesPerText = 50;

/** A filter in the server's syntax. Values are quoted and escaped, so that no value can change the filter. */
export function serverFilter(filter: Filter | undefined): ServerFilter {
  if (filter === undefined) return [];
  if ('and' in filter) return filter.and.flatMap(serverFilter);
  if ('not' in filter) return alternatives(filter.not).map((text) => `NOT ${text}`);
  const texts = alternatives(filter);
  return texts.length === 1 ? texts : [texts];
}

/** Texts of which one must hold. */
function alternatives(filter: Filter): string[] {
  if ('or' in filter && filter.or.length > 0) return filter.or.flatMap(alternatives);
  if (!('in' in filter) || filter.in[1].length <= valuesPerText) return [filterText(filter)];
  const [field, values] = filter.in;
  return Array.from({ length: Math.ceil(values.length / valuesPerText) }, (_, at) =>
    filterText({ in: [field, values.slice(at * valuesPerText, (at + 1) * valuesPerText)] }),
  );
}

function filterText(filter: Filter): string {
  if ('and' in filter) return filter.and.length === 0 ? everything : `(${filter.and.map(filterText).join(' AND ')})`;
  if ('or' in filter) return filter.or.length === 0 ? nothing : `(${filter.or.map(filterText).join(' OR ')})`;
  if ('not' in filter) return `(NOT ${filterText(filter.not)})`;
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
  return `${foldersField} IN [${filter.scope.map((path) => value(scopeKey(path))).join(', ')}]`;
}

/** The server ignores case and accents in filters and leaves out long values. Rights need exact comparison, so it compares digests of folders. */
export function scopeKey(path: string): string {
  return hash('sha256', path.toWellFormed()).slice(0, 32);
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
