import type { Segment } from '../segment/open-segment.ts';
import { byCodeUnits } from '../segment/sort-values.ts';

/** The values that a field has in several segments, each once and in order, and by segment the place of each code among them. */
export interface FacetValues {
  values: string[];
  /** By segment; by code, from 1. */
  places: Uint32Array[];
}

/** Fields with more values than these are not numbered: that would cost more than it saves. */
const mostValues = 4000;
const mostKept = 32;
const kept = new Map<string, FacetValues>();

/**
 * Null for fields of very many values. Segments never change, so neither does this: it is kept by the names of their files, the least
 * recently used is dropped.
 */
export function facetValues(segments: readonly Segment[], field: number): FacetValues | null {
  if (segments.reduce((sum, segment) => sum + segment.keywords[field]!.values, 0) > mostValues) return null;
  const key = segments.reduce((names, { shared }) => `${names}:${shared.path}`, String(field));
  const found = kept.get(key) ?? numbered(segments, field);
  kept.delete(key);
  kept.set(key, found);
  if (kept.size > mostKept) kept.delete(kept.keys().next().value!);
  return found;
}

function numbered(segments: readonly Segment[], field: number): FacetValues {
  const own = segments.map(({ keywords }) => {
    const { strings, values } = keywords[field]!;
    return values === 0 ? [] : strings.slice(0, values);
  });
  const values = [...new Set(own.flat())].sort(byCodeUnits);
  const placeOf = new Map(values.map((value, place) => [value, place]));
  return {
    values,
    places: own.map((strings) => Uint32Array.from(['', ...strings], (value, code) => (code === 0 ? 0 : placeOf.get(value)!))),
  };
}
