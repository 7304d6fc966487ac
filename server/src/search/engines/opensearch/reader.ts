import { caseFold, type Hit, type Query, type Schema, type SearchResult } from '@catalog/engine';
import { type SearchReader, SearchUnavailable } from '../port.ts';
import { type Cluster, isFromAllShards, type NodeResponse, requireOk } from './client.ts';
import { cursorOf } from './cursor.ts';
import { wordsField } from './mapping.ts';
import { facetsOf, marks, type SearchRequest, searchRequest } from './request.ts';
import { closeSnapshot, fromSnapshot, openSnapshot, openSnapshots } from './snapshots.ts';
import { meaningField, missingVector, mixedHits, vectorOfBytes, vectorQuery } from './vectors.ts';
import { escaped } from './words.ts';

/** The parts of a response that the adapter uses. */
interface ServerHit {
  _id: string;
  _score: number | null;
  sort: unknown[];
  _source?: Record<string, string | string[]>;
  highlight?: Record<string, string[]>;
  fields?: Record<string, unknown[]>;
}
interface ServerResponse {
  took: number;
  timed_out: boolean;
  hits: { total: { value: number }; hits: ServerHit[] };
  // biome-ignore lint/suspicious/noExplicitAny: the shape depends on the kind of aggregation
  aggregations?: Record<string, any>;
}

const listPage = 10_000;

/**
 * Reads an OpenSearch index. A response that lacks the documents of a shard is not used: the search is repeated, and then reported as
 * unavailable. A search that reached its time limit is returned as degraded.
 */
export function openSearchIndexReader(cluster: Cluster, alias: string, schema: Schema): SearchReader {
  const snapshots = openSnapshots(cluster, alias);

  async function ask(path: string, body: unknown): Promise<ServerResponse> {
    // The index that the alias named a moment ago may have been replaced by a rebuild, or a shard may be moving to another node.
    let response: NodeResponse | null = null;
    for (let attempt = 0; attempt < 2; attempt++) {
      response = await cluster(path, { method: 'POST', body });
      if (response.status === 200 && isFromAllShards(response.body) && Array.isArray(response.body.hits?.hits)) return response.body;
    }
    requireOk(response as NodeResponse);
    const { total = 0, successful = 0 } = response?.body?._shards ?? {};
    throw new SearchUnavailable(
      successful < total
        ? `${total - successful} shards of the search index did not answer. Check the nodes of the cluster.`
        : 'The search server returned an unexpected response to a search.',
      false,
    );
  }

  async function searchWords(query: Query): Promise<SearchResult> {
    const request = searchRequest(query, schema);
    const { response, snapshot } = await readPage(request);
    const page = response.hits.hits.slice(0, request.limit);
    const last = page.at(-1);
    const hasMore = response.hits.hits.length > request.limit;
    if (snapshot !== null && !hasMore) snapshots.finish(snapshot);
    return {
      hits: page.map((hit) => hitOf(hit, request, query.matches ?? [])),
      total: response.hits.total.value,
      ...countsOf(query, response),
      after: last && hasMore ? cursorOf({ order: request.order, snapshot, values: last.sort }) : null,
      degraded: response.timed_out,
      tookMs: response.took,
    };
  }

  /** A page that continues another is read from a snapshot, so that documents written meanwhile neither repeat nor hide hits. */
  async function readPage(request: SearchRequest): Promise<{ response: ServerResponse; snapshot: string | null }> {
    const opened = request.continues ? (request.snapshot ?? (await snapshots.open())) : null;
    if (opened === null) return { response: await ask(`/${alias}/_search`, request.body), snapshot: null };
    const { body, snapshot } = await snapshots.search(opened, request.body);
    return { response: body, snapshot };
  }

  async function vectorOf(id: string): Promise<Float32Array> {
    const { hits } = await ask(`/${alias}/_search`, {
      query: { ids: { values: [id] } },
      _source: false,
      docvalue_fields: [meaningField],
    });
    const bytes = hits.hits[0]?.fields?.[meaningField]?.[0];
    if (typeof bytes !== 'string') throw missingVector(id);
    return vectorOfBytes(bytes);
  }

  /** Implements engine/RULES.md §7: nearest by vector, or a mix of words and vectors. */
  async function searchVectors(query: Query, vector: Float32Array): Promise<SearchResult> {
    const { wanted, ratio, script, body } = vectorQuery(query, vector, schema);
    const { after: _, ...first } = { ...query, offset: 0, limit: wanted, sort: [] };
    const request = searchRequest(first, schema);
    const hasWords = ratio < 1 && request.words.parts > 0;
    const nearest = await ask(`/${alias}/_search`, body);
    const near = new Map(nearest.hits.hits.map(({ _id, _score }) => [_id, _score ?? 0]));
    // With words, facets and numbers cover the documents that match them, else the neighbours.
    const within = { filter: [{ ids: { values: [...near.keys()] } }] };
    const counted = await ask(`/${alias}/_search`, {
      ...request.body,
      ...(hasWords
        ? { script_fields: { [meaningField]: { script } } }
        : { size: 0, sort: [], highlight: undefined, query: { bool: within } }),
    });
    const byWords = hasWords ? counted.hits.hits.slice(0, wanted) : [];
    const known = new Set(byWords.map(({ _id }) => _id));
    const others = [...near.keys()].filter((id) => !known.has(id));
    const alsoByWords =
      hasWords && others.length > 0
        ? await ask(`/${alias}/_search`, {
            ...request.body,
            query: { bool: { must: [request.words.clause], filter: [{ ids: { values: others } }] } },
            size: others.length,
            aggs: {},
          })
        : null;
    const wordHits = [...byWords, ...(alsoByWords?.hits.hits ?? [])].map((hit) => {
      const shown = hitOf(hit, request, query.matches ?? []);
      return { ...shown, parts: { words: shown.score, vector: near.get(hit._id) ?? Number(hit.fields?.[meaningField]?.[0] ?? 0) } };
    });
    const matching = new Set(wordHits.map(({ id }) => id));
    const onlyNear = [...near]
      .filter(([id]) => !matching.has(id))
      .map(([id, score]) => ({ id, score, parts: { words: 0, vector: score } }));
    const hits = mixedHits([...wordHits, ...onlyNear], hasWords ? ratio : 1);
    const from = query.offset ?? 0;
    return {
      hits: hits.slice(from, from + (query.limit ?? 20)),
      total: (hasWords ? counted.hits.total.value : 0) + onlyNear.length,
      ...countsOf(query, counted),
      after: null,
      degraded: [nearest, counted, alsoByWords].some((response) => response?.timed_out),
      tookMs: [nearest, counted, alsoByWords].reduce((sum, response) => sum + (response?.took ?? 0), 0),
    };
  }

  const refresh = async (): Promise<void> => requireOk(await cluster(`/${alias}/_refresh`, { method: 'POST' }));

  /** Pages through a snapshot, so that documents written meanwhile change nothing, and all written before are in it. */
  async function* list(): AsyncGenerator<{ id: string; fingerprint: string }[]> {
    await refresh();
    let snapshot = await openSnapshot(cluster, alias);
    try {
      for (let after: unknown[] | null = null; ; ) {
        const response: ServerResponse & { pit_id?: string } = await ask('/_search', {
          size: listPage,
          ...fromSnapshot(snapshot),
          sort: [{ id: 'asc' }],
          track_total_hits: false,
          _source: ['fingerprint'],
          ...(after ? { search_after: after } : {}),
        });
        snapshot = response.pit_id ?? snapshot;
        const page = response.hits.hits;
        if (page.length > 0) yield page.map(({ _id, _source }) => ({ id: _id, fingerprint: String(_source?.['fingerprint'] ?? '') }));
        after = page.at(-1)?.sort ?? null;
        if (page.length < listPage) return;
      }
    } finally {
      await closeSnapshot(cluster, snapshot);
    }
  }

  return {
    async search(query) {
      if (query.likeId !== undefined) return searchVectors(query, await vectorOf(query.likeId));
      return query.vector && query.vector.ratio > 0 ? searchVectors(query, query.vector.near) : searchWords(query);
    },
    async suggest(word, limit) {
      const beginning = caseFold(word.toWellFormed());
      const response = await ask(`/${alias}/_search`, {
        size: 0,
        query: { prefix: { [wordsField]: { value: beginning } } },
        aggs: { words: { terms: { field: wordsField, size: limit, include: `${escaped(beginning)}.*` } } },
      });
      return (response.aggregations?.['words']?.buckets ?? []).map(({ key }: { key: string }) => key);
    },
    list,
    refresh,
    stats: () => indexStats(cluster, alias),
    close: () => snapshots.close(),
  };
}

export async function indexStats(cluster: Cluster, alias: string) {
  const response = await cluster(`/${alias}/_stats/docs,store,segments`);
  requireOk(response);
  const { docs, store, segments } = response.body._all.primaries;
  const documents = Number(docs?.count ?? 0);
  const deleted = Number(docs?.deleted ?? 0);
  const storeBytes = Number(store?.size_in_bytes ?? 0);
  return {
    documents,
    deleted,
    segments: Number(segments?.count ?? 0),
    storeBytes,
    usedBytes: deleted === 0 ? storeBytes : Math.round((storeBytes * documents) / (documents + deleted)),
    generation: 0,
  };
}

function hitOf(hit: ServerHit, { words, distanceAt }: SearchRequest, matches: readonly string[]): Hit {
  const distance = distanceAt < 0 ? Number.NaN : Number(hit.sort[distanceAt]);
  return {
    id: hit._id,
    score: words.parts === 0 ? 1 : words.weights.score(hit._score ?? 0, words.parts),
    ...(matches.length > 0 ? { matchedTerms: matchedTerms(hit, words.infixes) } : {}),
    ...(Number.isFinite(distance) ? { distance } : {}),
  };
}

/** The terms that the server marked, and those that contain a word of the query. */
function matchedTerms({ highlight = {}, _source = {} }: ServerHit, infixes: readonly string[]): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  const add = (field: string, term: string): void => {
    found[field] ??= [];
    if (!found[field].includes(term)) found[field].push(term);
  };
  const marked = new RegExp(`${marks.open}([^${marks.close}]+)${marks.close}`, 'gu');
  for (const [field, fragments] of Object.entries(highlight))
    for (const [, tokens = ''] of fragments.join(' ').matchAll(marked)) for (const term of tokens.split(/[ |]/)) add(field, term);
  for (const [field, value] of Object.entries(_source))
    for (const term of [value].flat().join(' ').split(/[ |]/)) if (infixes.some((word) => term.includes(word))) add(field, term);
  return found;
}

function countsOf(query: Query, { aggregations = {} }: ServerResponse): Pick<SearchResult, 'facets' | 'stats' | 'histograms'> {
  const facets: SearchResult['facets'] = {};
  for (const { field, limit } of facetsOf(query))
    facets[field] = aggregations[`facet:${field}`].buckets
      .slice(0, limit)
      .map(({ key, doc_count }: { key: string; doc_count: number }) => ({ value: key, count: doc_count }));
  const stats: SearchResult['stats'] = {};
  for (const field of query.stats ?? []) {
    const { min, max, sum, count } = aggregations[`stats:${field}`];
    stats[field] = { min: min ?? Number.POSITIVE_INFINITY, max: max ?? Number.NEGATIVE_INFINITY, sum: sum ?? 0, count };
  }
  const histograms: SearchResult['histograms'] = {};
  for (const { field, bounds } of query.histograms ?? []) {
    const counts = bounds.slice(1).map(() => 0);
    for (const { key, doc_count } of aggregations[`histogram:${field}`].buckets) counts[Number(key)] = doc_count;
    histograms[field] = counts;
  }
  return { facets, stats, histograms };
}
