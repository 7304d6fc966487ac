import type { SearchResult } from '@catalog/engine';
import type { NamedFilter } from './filters.ts';

/** Facets of an answer and the fields of the index they are counted over. */
export const facetFields = {
  library_id: 'library_id',
  file_category: 'file_category',
  file_group: 'file_group',
  extension: 'extension',
  year: 'year_text',
  tags: 'tag',
  status: 'status',
  is_sidecar: 'is_sidecar',
  has: 'has',
} as const;
const singleValued = new Set<string>(['library_id', 'file_category', 'file_group', 'extension', 'status', 'is_sidecar']);

/** Fields that a filter holds at one value: every hit has it, so the index need not count. */
export function pinnedFields(named: readonly NamedFilter[]): Map<string, string> {
  const pinned = new Map<string, string>();
  for (const { filter } of named) {
    const only =
      'eq' in filter ? filter.eq : 'in' in filter && filter.in[1].length === 1 ? ([filter.in[0], filter.in[1][0]!] as const) : null;
    if (only && singleValued.has(only[0])) pinned.set(only[0], String(only[1]));
  }
  return pinned;
}

/** `has` is counted only for those who draw the ranges too. */
export function fieldsToCount(pinned: ReadonlyMap<string, string>, { has = false } = {}): string[] {
  return Object.values(facetFields).filter((field) => !pinned.has(field) && (has || field !== 'has'));
}

export function presentFacets(
  { facets, total }: Pick<SearchResult, 'facets' | 'total'>,
  pinned: ReadonlyMap<string, string>,
): Record<string, Record<string, number>> {
  const shown: Record<string, Record<string, number>> = {};
  for (const [name, field] of Object.entries(facetFields)) {
    // A tag may be called __proto__.
    const counts: Record<string, number> = Object.create(null);
    const held = pinned.get(field);
    if (held !== undefined) {
      if (total > 0) counts[held] = total;
    } else for (const { value, count } of facets[field] ?? []) counts[value] = count;
    shown[name] = counts;
  }
  return shown;
}
