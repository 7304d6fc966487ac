import type { Query, SearchResult } from '@catalog/engine';
import type { NamedFilter } from './filters.ts';

/** The facets of a response and the index fields they are counted over. */
const facetFields = {
  library_id: 'library_id',
  file_category: 'file_category',
  file_group: 'file_group',
  extension: 'extension',
  year: 'year_text',
  tags: 'tag',
  status: 'status',
  is_sidecar: 'is_sidecar',
  has: 'has',
  camera: 'camera',
  lens: 'lens',
  artist: 'artist_name',
  album: 'album_name',
  author: 'author_name',
  language: 'language',
  resolution: 'resolution',
} as const;
/** Counted only together with histograms, which the filter panel requests. */
const rangedOnly = new Set<string>(['has', 'camera', 'lens', 'artist_name', 'album_name', 'author_name', 'language', 'resolution']);
const singleValued = new Set<string>(['library_id', 'file_category', 'file_group', 'extension', 'status', 'is_sidecar']);

/** Fields that a filter fixes to one value: every hit has it, so the index need not count them. */
export function pinnedFields(named: readonly NamedFilter[]): Map<string, string> {
  const pinned = new Map<string, string>();
  for (const { filter } of named) {
    const only =
      'eq' in filter ? filter.eq : 'in' in filter && filter.in[1].length === 1 ? ([filter.in[0], filter.in[1][0]] as const) : null;
    if (only && singleValued.has(only[0])) pinned.set(only[0], String(only[1]));
  }
  return pinned;
}

/** The specification asks for a count of every library, so this facet is not cut at the engine's usual number of values. */
const everyLibrary = { field: 'library_id', limit: 100_000 };

/** A catalog has few access classes; people and groups are counted through them. */
export const everyClass = { field: 'perm_class', limit: 100_000 };

export function fieldsToCount(pinned: ReadonlyMap<string, string>, { ranged = false } = {}): NonNullable<Query['facets']>[number][] {
  return Object.values(facetFields)
    .filter((field) => !pinned.has(field) && (ranged || !rangedOnly.has(field)))
    .map((field) => (field === everyLibrary.field ? everyLibrary : field));
}

export function presentFacets(
  { facets, total }: Pick<SearchResult, 'facets' | 'total'>,
  pinned: ReadonlyMap<string, string>,
): Record<string, Record<string, number>> {
  const shown: Record<string, Record<string, number>> = {};
  for (const [name, field] of Object.entries(facetFields)) {
    // No prototype, because a tag may be named __proto__.
    const counts: Record<string, number> = Object.create(null);
    const value = pinned.get(field);
    if (value !== undefined) {
      if (total > 0) counts[value] = total;
    } else for (const bucket of facets[field] ?? []) counts[bucket.value] = bucket.count;
    shown[name] = counts;
  }
  return shown;
}

/*
 * Bars of the console's range sliders. They are narrow, so that even a week of photos shows a distribution; the console combines as many as
 * fit. Sizes grow by the square root of two from 64 bytes; dates are by month for recent years and by year before that.
 * A field has at most 127 bounds, so that the engine finds the bar of a value in seven steps.
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
    { field: 'taken', bounds: [0, ...years.slice(-29), ...months] },
  ];
}

export function presentHistograms(counts: Record<string, number[]>, requested: readonly { field: string; bounds: readonly number[] }[]) {
  return Object.fromEntries(
    requested.map(({ field, bounds }) => {
      const bars = bounds.slice(1).map((to, at) => ({ from: bounds[at] ?? 0, to, count: counts[field]?.[at] ?? 0 }));
      const first = bars.findIndex((bar) => bar.count > 0);
      const last = bars.findLastIndex((bar) => bar.count > 0);
      return [field, first < 0 ? [] : bars.slice(first, last + 1)];
    }),
  );
}
