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

/*
 * Bars of the console's sliders. They are fine, so that a slider over a week of photos still shows a shape; whoever draws them puts as many
 * together as there is room for. Sizes go up by the root of two from 64 bytes on; dates by month over the last years, by year before.
 * At most 127 bounds a field: the engine finds the bar of a value in seven steps.
 */
const sizeBounds = [0, ...Array.from({ length: 77 }, (_, n) => Math.round(64 * 2 ** (n / 2)))];
const FIRST_YEAR = 1990;
const YEARS_BY_MONTH = 7;

export function histogramBounds(now: Date): { field: string; bounds: number[] }[] {
  const monthsFrom = now.getUTCFullYear() - YEARS_BY_MONTH;
  const years = Array.from({ length: monthsFrom - FIRST_YEAR }, (_, n) => Date.UTC(FIRST_YEAR + n, 0, 1) / 1000);
  const months = Array.from({ length: (YEARS_BY_MONTH + 1) * 12 + 1 }, (_, n) => Date.UTC(monthsFrom, n, 1) / 1000);
  return [
    { field: 'size', bounds: sizeBounds },
    { field: 'mtime', bounds: [0, ...years.slice(-29), ...months] },
  ];
}

export function presentHistograms(counts: Record<string, number[]>, asked: readonly { field: string; bounds: readonly number[] }[]) {
  return Object.fromEntries(
    asked.map(({ field, bounds }) => {
      const bars = bounds.slice(0, -1).map((from, at) => ({ from, to: bounds[at + 1]!, count: counts[field]?.[at] ?? 0 }));
      const first = bars.findIndex((bar) => bar.count > 0);
      const last = bars.findLastIndex((bar) => bar.count > 0);
      return [field, first < 0 ? [] : bars.slice(first, last + 1)];
    }),
  );
}
