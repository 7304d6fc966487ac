import type { Document, Query, Schema, SortKey } from '../../src/types.ts';
import { metresBetween, numberOf, plainFilter, pointOf, valuesOf } from './plain-filter.ts';
import { type PlainFields, type PlainRank, plainFields, plainMatches, plainRank } from './plain-ranking.ts';
import { plainCaseFold, plainQuery } from './plain-text.ts';

export interface OracleResult {
  total: number;
  hits: { id: string; score: number; matchedTerms?: Record<string, string[]> }[];
  facets: Record<string, { value: string; count: number }[]>;
  stats: Record<string, { min: number; max: number; sum: number; count: number }>;
  histograms: Record<string, number[]>;
}

export interface Oracle {
  upsert(document: Document): void;
  delete(id: string): void;
  size(): number;
  ids(): string[];
  search(query: Query): OracleResult;
}

const units = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** Applies every rule to every document by brute force. */
export function createOracle(schema: Schema): Oracle {
  const documents = new Map<string, { document: Document; fields: PlainFields }>();

  return {
    upsert: (document) => void documents.set(document.id, { document, fields: plainFields(document, schema) }),
    delete: (id) => void documents.delete(id),
    size: () => documents.size,
    ids: () => [...documents.keys()].sort(units),
    search: (query) => {
      const parsed = plainQuery(query.text ?? '', query.prefix !== false);
      const found: { document: Document; fields: PlainFields; rank: PlainRank }[] = [];
      for (const { document, fields } of documents.values()) {
        if (query.filter !== undefined && !plainFilter(document, query.filter)) continue;
        const rank = plainRank(fields, schema, parsed, query);
        if (rank !== null) found.push({ document, fields, rank });
      }
      found.sort((a, b) => compare(a, b, query));
      const matches = found.map(({ document }) => document);
      const offset = query.offset ?? 0;
      return {
        total: found.length,
        hits: found.slice(offset, offset + (query.limit ?? 20)).map(({ document, fields, rank }) => ({
          id: document.id,
          score: rank.score,
          ...(query.matches === undefined ? {} : { matchedTerms: plainMatches(fields, schema, parsed, query) }),
        })),
        facets: Object.fromEntries((query.facets ?? []).map((facet) => facetOf(matches, facet))),
        stats: Object.fromEntries(
          (query.stats ?? []).map((field) => [field, statsOf(matches, field, query.sums?.includes(field) ?? true)]),
        ),
        histograms: Object.fromEntries((query.histograms ?? []).map(({ field, bounds }) => [field, histogramOf(matches, field, bounds)])),
      };
    },
  };
}

type Found = { document: Document; rank: PlainRank };

function compare(a: Found, b: Found, query: Query): number {
  for (const key of query.sort ?? []) {
    const order = compareKey(a.document, b.document, key);
    if (order !== 0) return order;
  }
  for (const [index, value] of a.rank.values.entries()) {
    const order = value - b.rank.values[index]!;
    if (order !== 0) return order;
  }
  if (query.tieBreak !== undefined) {
    const order = compareKey(a.document, b.document, query.tieBreak);
    if (order !== 0) return order;
  }
  return units(a.document.id, b.document.id);
}

/** Missing values come last in both directions. */
function compareKey(a: Document, b: Document, key: SortKey): number {
  const read = (document: Document): string | number | null => {
    if ('geo' in key) {
      const point = pointOf(document);
      return point === null ? null : metresBetween(point, key.geo);
    }
    return (valuesOf(document, key.field)[0] as string | number | undefined) ?? null;
  };
  const left = read(a);
  const right = read(b);
  if (left === null || right === null) return (left === null ? 1 : 0) - (right === null ? 1 : 0);
  const order =
    typeof left === 'string' && typeof right === 'string'
      ? units(plainCaseFold(left), plainCaseFold(right)) || units(left, right)
      : (left as number) - (right as number);
  return key.order === 'asc' ? order : -order;
}

function facetOf(matches: Document[], facet: NonNullable<Query['facets']>[number]): [string, { value: string; count: number }[]] {
  const { field, limit = 100, prefix = '' } = typeof facet === 'string' ? { field: facet } : facet;
  const counts = new Map<string, number>();
  for (const document of matches) {
    for (const value of valuesOf(document, field) as string[])
      if (value.startsWith(prefix)) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  const listed = [...counts].map(([value, count]) => ({ value, count }));
  return [field, listed.sort((a, b) => b.count - a.count || units(a.value, b.value)).slice(0, limit)];
}

function statsOf(matches: Document[], field: string, withSum: boolean) {
  const values = matches.map((document) => numberOf(document, field)).filter((value) => value !== null);
  const sum = withSum ? values.reduce((total, value) => total + value, 0) : 0;
  return { min: Math.min(...values), max: Math.max(...values), sum, count: values.length };
}

function histogramOf(matches: Document[], field: string, bounds: readonly number[]): number[] {
  return bounds.slice(0, -1).map((low, index) => {
    const inside = (value: number | null) => value !== null && value >= low && value < bounds[index + 1]!;
    return matches.filter((document) => inside(numberOf(document, field))).length;
  });
}
