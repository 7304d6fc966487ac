import { createHash } from 'node:crypto';
import type { Query, Schema, SortKey } from '@catalog/engine';
import { readCursor } from './cursor.ts';
import { type Clause, filterClause } from './filter.ts';
import { locatedField } from './mapping.ts';
import { escaped, type WordsQuery, wordsQuery } from './words.ts';

/** Private-use characters that mark matched words in responses; no token contains them. */
export const marks = { open: '\u{e000}', close: '\u{e001}' };

export interface SearchRequest {
  body: Record<string, unknown>;
  words: WordsQuery;
  limit: number;
  /** Identifies the order of the hits, which a cursor must have been made for. */
  order: string;
  /** True for a page that continues another one, and the snapshot that one was read from. */
  continues: boolean;
  snapshot: string | null;
  /** Position of the distance in the sort values of a hit, or -1. */
  distanceAt: number;
}

interface FacetRequest {
  field: string;
  limit: number;
  prefix?: string;
}

/** The facets of a query with their defaults. */
export function facetsOf({ facets = [] }: Query): FacetRequest[] {
  return facets.map((facet) => (typeof facet === 'string' ? { field: facet, limit: 100 } : { limit: 100, ...facet }));
}

/** A query as the body of a search request. Throws for a cursor that was not made for this order. */
export function searchRequest(query: Query, schema: Schema): SearchRequest {
  const words = wordsQuery(query, schema);
  const limit = query.limit ?? 20;
  const sort = sortClauses(query, schema, words.parts > 0);
  const order = createHash('sha256').update(JSON.stringify(sort)).digest('base64url').slice(0, 8);
  const position = query.after === undefined ? null : readCursor(query.after, order, sort.length);
  const matches = query.matches ?? [];
  const shown = schema.text.filter(({ name, infix }) => infix && matches.includes(name)).map(({ name }) => name);
  return {
    body: {
      query: { bool: { must: [words.clause], filter: query.filter ? [filterClause(query.filter, schema)] : [] } },
      // One more hit tells whether another page follows.
      size: limit === 0 ? 0 : limit + 1,
      ...(position ? { search_after: position.values } : { from: query.offset ?? 0 }),
      sort,
      track_scores: words.parts > 0,
      track_total_hits: true,
      _source: shown.length > 0 ? shown : false,
      ...(query.deadlineMs === undefined ? {} : { timeout: `${Math.max(1, Math.round(query.deadlineMs))}ms` }),
      ...(matches.length === 0 || words.parts === 0 ? {} : { highlight: highlightOf(matches) }),
      aggs: aggregationsOf(query),
    },
    words,
    limit,
    order,
    continues: position !== null,
    snapshot: position?.snapshot ?? null,
    distanceAt: (query.sort ?? []).findIndex((key) => 'geo' in key) + (query.sort?.some(isFarthest) ? 1 : 0),
  };
}

const isFarthest = (key: SortKey): boolean => 'geo' in key && key.order === 'desc';

/** The requested keys, then rank, tie-break and id. The id makes the order total, so that a page continues exactly where another ended. */
function sortClauses({ sort = [], tieBreak }: Query, schema: Schema, ranked: boolean): Clause[] {
  const byField = ({ field, order }: { field: string; order: 'asc' | 'desc' }): Clause => ({ [field]: { order, missing: '_last' } });
  return [
    ...sort.flatMap((key): Clause[] => {
      if (!('geo' in key)) return [byField(key)];
      const point = { lat: key.geo.lat, lon: key.geo.lng };
      const distance = { _geo_distance: { [schema.geo ?? '_geo']: point, order: key.order, unit: 'm' } };
      // The server treats a missing place as infinitely far away, which would come first in descending order.
      return key.order === 'desc' ? [{ [locatedField]: { order: 'desc', missing: '_last' } }, distance] : [distance];
    }),
    ...(ranked ? [{ _score: { order: 'desc' } }] : []),
    ...(tieBreak ? [byField(tieBreak)] : []),
    { id: { order: 'asc' } },
  ];
}

function highlightOf(fields: readonly string[]): Clause {
  return {
    fields: Object.fromEntries(fields.map((field) => [field, {}])),
    pre_tags: [marks.open],
    post_tags: [marks.close],
    number_of_fragments: 8,
    fragment_size: 80,
    max_analyzer_offset: 200_000,
  };
}

function aggregationsOf(query: Query): Record<string, Clause> {
  const aggs: Record<string, Clause> = {};
  for (const { field, limit, prefix } of facetsOf(query))
    aggs[`facet:${field}`] = {
      terms: {
        field,
        size: Math.max(1, limit),
        // Counts of an index with several shards are exact as long as no shard has more values than this.
        shard_size: Math.max(10_000, limit),
        order: [{ _count: 'desc' }, { _key: 'asc' }],
        ...(prefix ? { include: `${escaped(prefix)}.*` } : {}),
      },
    };
  for (const field of query.stats ?? []) aggs[`stats:${field}`] = { stats: { field } };
  for (const { field, bounds } of query.histograms ?? [])
    aggs[`histogram:${field}`] = {
      range: { field, keyed: false, ranges: bounds.slice(0, -1).map((from, at) => ({ key: String(at), from, to: bounds[at + 1] })) },
    };
  return aggs;
}
