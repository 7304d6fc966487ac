import { setTimeout as sleep } from 'node:timers/promises';
import type { Hit, Query, Schema, SearchResult } from '@catalog/engine';
import type { Meilisearch } from 'meilisearch';
import { type SearchReader, SearchUnavailable } from '../port.ts';
import { withUnavailable } from './failure.ts';
import { type ServerFilter, serverFilter } from './filter.ts';
import { numberHistograms, numberStats } from './numbers.ts';
import { maxFacetValues, meaningField } from './settings.ts';

/** The parts of a search response that the adapter uses. */
interface ServerResponse {
  hits: {
    id: string;
    _rankingScore?: number;
    /** Of a hybrid search: has a similarity when the vector found the document. */
    _rankingScoreDetails?: { vectorSort?: { similarity: number | null } };
    _geoDistance?: number;
    _formatted?: Record<string, unknown>;
  }[];
  totalHits?: number;
  estimatedTotalHits?: number;
  processingTimeMs: number;
  facetDistribution?: Record<string, Record<string, number>>;
  facetStats?: Record<string, { min: number; max: number }>;
}

const listPage = 10_000;
/** Short, because whoever asks can come again, and others may wait behind it. */
const refreshWaitMs = 2_000;

/**
 * Reads a Meilisearch index. If a field has too many values to list, histograms are counted with one query per bar and sums are NaN.
 * There are no word suggestions, because the server does not expose its dictionary.
 */
export function meilisearchReader(client: Meilisearch, uid: string, schema: Schema, cutoffMs: number): SearchReader {
  const index = client.index(uid);

  async function search(query: Query): Promise<SearchResult> {
    const limit = query.limit ?? 20;
    const offset = query.after === undefined ? (query.offset ?? 0) : offsetOf(query.after);
    const prefixed = (query.facets ?? []).filter((facet) => typeof facet === 'object' && facet.prefix) as {
      field: string;
      limit?: number;
      prefix: string;
    }[];
    const counted = (query.facets ?? []).filter((facet) => typeof facet === 'string' || !facet.prefix);
    const filter = serverFilter(query.filter);
    const matches = query.matches ?? [];
    const response = (await index.search(query.text ?? '', {
      filter,
      ...(query.fields ? { attributesToSearchOn: [...query.fields] } : {}),
      matchingStrategy: query.matching ?? 'all',
      sort: sortOf(query, schema),
      facets: [
        ...new Set([
          ...counted.map((facet) => (typeof facet === 'string' ? facet : facet.field)),
          ...(query.stats ?? []),
          ...(query.histograms ?? []).map(({ field }) => field),
        ]),
      ],
      attributesToRetrieve: ['id'],
      attributesToHighlight: [...matches],
      attributesToCrop: [...matches],
      cropLength: 60,
      highlightPreTag: openMark,
      highlightPostTag: closeMark,
      showRankingScore: true,
      ...(query.vector
        ? {
            vector: [...query.vector.near],
            hybrid: { embedder: meaningField, semanticRatio: query.vector.ratio },
            showRankingScoreDetails: true,
          }
        : {}),
      // The server returns an exact total only for page-based requests.
      ...(limit > 0 && offset % limit === 0 ? { page: offset / limit + 1, hitsPerPage: limit } : { offset, limit }),
    })) as unknown as ServerResponse;
    if (!Array.isArray(response.hits)) throw new SearchUnavailable('The search server returned an unexpected response to a search.', false);
    // By vector alone, the server adds the documents without a vector at the end.
    const hits =
      query.vector?.ratio === 1
        ? response.hits.filter((hit) => typeof hit._rankingScoreDetails?.vectorSort?.similarity === 'number')
        : response.hits;
    const total = hits.length < response.hits.length ? offset + hits.length : (response.totalHits ?? response.estimatedTotalHits ?? 0);
    const facets: SearchResult['facets'] = {};
    for (const facet of counted) {
      const { field, limit: most = 100 } = typeof facet === 'string' ? { field: facet } : facet;
      facets[field] = byCount(response.facetDistribution?.[field] ?? {}).slice(0, most);
    }
    for (const facet of prefixed) facets[facet.field] = await valuesWithPrefix(facet, filter);
    return {
      hits: hits.map((hit) => ({ ...hitOf(hit, matches), ...(query.vector ? { parts: partsOf(hit, matches) } : {}) })),
      total,
      facets,
      stats: numberStats(response, query.stats ?? [], total),
      histograms: await numberHistograms(response, query.histograms ?? [], (field, ranges) => countBetween(query, filter, field, ranges)),
      after: hits.length > 0 && offset + hits.length < total ? cursorOf(offset + hits.length) : null,
      degraded: response.processingTimeMs >= cutoffMs,
      tookMs: response.processingTimeMs,
    };
  }

  /** Counts the matches in each range with one combined request. */
  async function countBetween(query: Query, filter: ServerFilter, field: string, ranges: readonly { gte: number; lt: number }[]) {
    const { results } = await client.multiSearch({
      queries: ranges.map((bounds) => ({
        indexUid: uid,
        q: query.text ?? '',
        filter: [...filter, ...serverFilter({ range: [field, bounds] })],
        ...(query.fields ? { attributesToSearchOn: [...query.fields] } : {}),
        matchingStrategy: query.matching ?? 'all',
        attributesToRetrieve: ['id'],
        page: 1,
        hitsPerPage: 1,
      })),
    });
    return results.map((result) => Number((result as { totalHits?: number }).totalHits ?? 0));
  }

  /** The server also finds similar values; only those with the prefix are returned. */
  async function valuesWithPrefix({ field, prefix, limit = 100 }: { field: string; prefix: string; limit?: number }, filter: ServerFilter) {
    const { facetHits } = await index.searchForFacetValues({ facetName: field, facetQuery: prefix, filter });
    return byCount(
      Object.fromEntries(facetHits.filter(({ value }) => value.startsWith(prefix)).map(({ value, count }) => [value, count])),
    ).slice(0, limit);
  }

  /** Neighbours by vector under the filter, without the document itself. */
  async function searchSimilar(query: Query, id: string): Promise<SearchResult> {
    const { hits, processingTimeMs } = (await index.searchSimilarDocuments({
      id,
      embedder: meaningField,
      limit: query.limit ?? 20,
      filter: serverFilter(query.filter),
      attributesToRetrieve: ['id'],
      showRankingScore: true,
    })) as unknown as ServerResponse;
    return {
      hits: hits.map((hit) => hitOf(hit, [])),
      total: hits.length,
      facets: {},
      stats: {},
      histograms: {},
      after: null,
      degraded: processingTimeMs >= cutoffMs,
      tookMs: processingTimeMs,
    };
  }

  /** A write is confirmed after SVC_SEARCH_WRITE_ACK_SECONDS even if its task still waits. The tasks of an index are done in their order. */
  async function waitForWrites(): Promise<void> {
    const { results } = await client.tasks.getTasks({ indexUids: [uid], statuses: ['enqueued', 'processing'], limit: 1 });
    const newest = results[0];
    for (const end = Date.now() + refreshWaitMs; newest; ) {
      const { status } = await client.tasks.getTask(newest.uid);
      if (status !== 'enqueued' && status !== 'processing') return;
      if (Date.now() >= end) throw new SearchUnavailable('The search server is still busy with earlier writes.', false);
      await sleep(50);
    }
  }

  return {
    search: (query) => withUnavailable(() => (query.likeId === undefined ? search(query) : searchSimilar(query, query.likeId))),
    suggest: async () => [],
    async *list() {
      for (let offset = 0; ; offset += listPage) {
        const page = await withUnavailable(() =>
          index.getDocuments({ fields: ['id', 'fingerprint'], sort: ['id:asc'], limit: listPage, offset }),
        );
        if (page.results.length > 0)
          yield page.results.map(({ id, fingerprint }) => ({ id: String(id), fingerprint: String(fingerprint ?? '') }));
        if (page.results.length < listPage) return;
      }
    },
    stats: () => withUnavailable(() => statsOf(client, uid)),
    refresh: () => withUnavailable(waitForWrites),
    async close() {},
  };
}

export async function statsOf(client: Meilisearch, uid: string) {
  const { numberOfDocuments } = await client.index(uid).getStats();
  const whole = (await client.getStats()) as { databaseSize: number; usedDatabaseSize?: number };
  return {
    documents: numberOfDocuments,
    deleted: 0,
    segments: 1,
    storeBytes: whole.databaseSize,
    usedBytes: whole.usedDatabaseSize ?? whole.databaseSize,
    generation: 0,
  };
}

/** The server does not tell the score of the words of a document that the vector found, only which words it has. */
function partsOf(hit: ServerResponse['hits'][number], matches: readonly string[]): NonNullable<Hit['parts']> {
  const vector = hit._rankingScoreDetails?.vectorSort?.similarity ?? 0;
  const hasWords = Object.keys(markedTerms(hit._formatted ?? {}, matches)).length > 0;
  return { words: vector === 0 || hasWords ? (hit._rankingScore ?? 1) : 0, vector };
}

function hitOf({ id, _rankingScore, _geoDistance, _formatted }: ServerResponse['hits'][number], matches: readonly string[]): Hit {
  const terms = markedTerms(_formatted ?? {}, matches);
  return {
    id,
    score: Math.min(1, Math.max(0, _rankingScore ?? 1)),
    ...(matches.length > 0 ? { matchedTerms: terms } : {}),
    ...(_geoDistance === undefined ? {} : { distance: _geoDistance }),
  };
}

function sortOf({ sort = [] }: Query, { geo = '_geo' }: Schema): string[] {
  return sort.map((key) =>
    'geo' in key ? `_geoPoint(${key.geo.lat}, ${key.geo.lng}):${key.order}`.replace('_geo', geo) : `${key.field}:${key.order}`,
  );
}

function byCount(values: Record<string, number>): { value: string; count: number }[] {
  return Object.entries(values)
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
    .slice(0, maxFacetValues);
}

function cursorOf(offset: number): string {
  return `m${offset}`;
}

function offsetOf(cursor: string): number {
  const match = /^m(\d{1,9})$/.exec(cursor);
  if (!match) throw Object.assign(new Error('The cursor does not belong to this query.'), { code: 'bad_query' });
  return Number(match[1]);
}

/** Private-use characters that mark matched words in responses; no text contains them. */
const openMark = '\u{e000}';
const closeMark = '\u{e001}';

/** The words that the server marked, by field, case-folded as the highlighter expects them. */
function markedTerms(formatted: Record<string, unknown>, fields: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const field of fields) {
    const text = Array.isArray(formatted[field]) ? formatted[field].join(' ') : formatted[field];
    if (typeof text !== 'string') continue;
    const words = [...text.matchAll(new RegExp(`${openMark}([^${closeMark}]+)${closeMark}`, 'gu'))].map(([, word = '']) => fold(word));
    if (words.length > 0) found[field] = [...new Set(words)];
  }
  return found;
}

function fold(word: string): string {
  return word
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .toLowerCase();
}
