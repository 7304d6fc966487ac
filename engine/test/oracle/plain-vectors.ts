import type { Query } from '../../src/types.ts';
import type { Oracle, OracleResult } from './oracle.ts';
import { plainQuery } from './plain-text.ts';

/** An independent implementation of RULES.md §7 in double precision over every document. */
interface VectorResult extends Pick<OracleResult, 'total' | 'facets' | 'stats'> {
  /** All documents that take part, best first; the page is a slice of them. */
  ranked: { id: string; score: number }[];
}

const everything = 1_000_000;

export function cosineScore(a: Float32Array, b: Float32Array): number {
  let product = 0;
  let left = 0;
  let right = 0;
  for (let at = 0; at < a.length; at++) {
    product += a[at]! * b[at]!;
    left += a[at]! * a[at]!;
    right += b[at]! * b[at]!;
  }
  return (1 + product / Math.sqrt(left * right)) / 2;
}

const best = (a: { id: string; score: number }, b: { id: string; score: number }) => b.score - a.score || (a.id < b.id ? -1 : 1);

export function plainVectors(oracle: Oracle, vectors: ReadonlyMap<string, Float32Array>, query: Query): VectorResult {
  const near = query.likeId === undefined ? query.vector!.near : vectors.get(query.likeId)!;
  const ratio = query.likeId === undefined ? query.vector!.ratio : 1;
  const wanted = Math.max(100, (query.offset ?? 0) + (query.limit ?? 20) + 1);
  const byVector = (id: string) => (vectors.has(id) ? cosineScore(near, vectors.get(id)!) : 0);
  const neighbours = oracle
    .search({ filter: query.filter, limit: everything })
    .hits.filter(({ id }) => vectors.has(id) && id !== query.likeId)
    .map(({ id }) => ({ id, score: byVector(id) }))
    .sort(best)
    .slice(0, wanted);
  const words: Query = { ...query, vector: undefined, likeId: undefined, offset: 0, limit: everything };
  if (ratio === 1 || plainQuery(query.text ?? '', true).parts.length === 0) {
    const ids = neighbours.map(({ id }) => id);
    const { facets, stats } = oracle.search({ filter: { in: ['id', ids] }, facets: query.facets, stats: query.stats });
    return { total: ids.length, ranked: neighbours, facets, stats };
  }
  const matched = oracle.search(words);
  const byWords = new Map(matched.hits.map(({ id, score }) => [id, score]));
  const taking = new Set([...matched.hits.slice(0, wanted), ...neighbours].map(({ id }) => id));
  const ranked = [...taking].map((id) => ({ id, score: (1 - ratio) * (byWords.get(id) ?? 0) + ratio * byVector(id) }));
  const beyond = neighbours.filter(({ id }) => !byWords.has(id)).length;
  return { total: matched.total + beyond, ranked: ranked.sort(best), facets: matched.facets, stats: matched.stats };
}
