import type { Filter, Schema } from '@catalog/engine';

/** A part of a request in the server's query language. */
export type Clause = Record<string, unknown>;

const everything: Clause = { match_all: {} };
const nothing: Clause = { match_none: {} };
/** The server accepts this many values in one clause. */
const maxTerms = 60_000;

/** A filter in the server's query language. Values are JSON values, so none can change the filter. */
export function filterClause(filter: Filter, schema: Schema): Clause {
  const inside = (each: Filter): Clause => filterClause(each, schema);
  const geo = schema.geo ?? '_geo';
  if ('and' in filter) return filter.and.length === 0 ? everything : { bool: { filter: filter.and.map(inside) } };
  if ('or' in filter) return anyOf(filter.or.map(inside));
  if ('not' in filter) return { bool: { must_not: [inside(filter.not)] } };
  if ('eq' in filter) return { term: { [filter.eq[0]]: { value: wellFormed(filter.eq[1]) } } };
  if ('in' in filter) return oneOf(filter.in[0], filter.in[1].map(wellFormed));
  if ('exists' in filter) return { exists: { field: filter.exists } };
  if ('range' in filter) {
    const [field, bounds] = filter.range;
    return Object.keys(bounds).length === 0 ? { exists: { field } } : { range: { [field]: bounds } };
  }
  if ('geoRadius' in filter) {
    const { lat, lng, metres } = filter.geoRadius;
    // The server refuses a radius of 0.
    return { geo_distance: { distance: `${Math.max(metres, 0.001)}m`, [geo]: { lat, lon: lng } } };
  }
  if ('geoBox' in filter) {
    const { top, right, bottom, left } = filter.geoBox;
    return { geo_bounding_box: { [geo]: { top_left: { lat: top, lon: left }, bottom_right: { lat: bottom, lon: right } } } };
  }
  return filter.scope.includes('') ? everything : oneOf(schema.scope ?? 'path_scope', filter.scope.map(wellFormed));
}

export function anyOf(clauses: readonly Clause[]): Clause {
  return clauses.length === 0 ? nothing : { bool: { should: clauses, minimum_should_match: 1 } };
}

function oneOf(field: string, values: readonly (string | number)[]): Clause {
  if (values.length <= maxTerms) return values.length === 0 ? nothing : { terms: { [field]: values } };
  return anyOf(
    Array.from({ length: Math.ceil(values.length / maxTerms) }, (_, n) => ({
      terms: { [field]: values.slice(n * maxTerms, (n + 1) * maxTerms) },
    })),
  );
}

const wellFormed = (value: string | number): string | number => (typeof value === 'string' ? value.toWellFormed() : value);
