import { checkQueryShape } from '../check-query.ts';
import { EngineError } from '../errors.ts';
import { isByVector, type PartialResult } from '../query/execute.ts';
import { mergePartialResults } from '../query/merge.ts';
import { mergeNeighbours, type NearDocument } from '../query/vectors.ts';
import type { IndexReader, IndexStats, Query, ReaderOptions, SearchResult } from '../types.ts';
import { createQuickQueries } from './quick-queries.ts';
import { unpackResult } from './result-columns.ts';
import { isDivisible, startSearchThreads } from './search-threads.ts';

export async function openReader(directory: string, options: ReaderOptions = {}): Promise<IndexReader> {
  const threads = await startSearchThreads(directory, options);
  const { first } = threads;
  /** Damage found after opening in a part of a segment that stays on disk. From then on every call fails with it. */
  let damage: unknown = null;
  const verified = first.call('verify').catch((error: unknown) => {
    damage = error;
  });
  const throwDamage = (): void => {
    if (damage !== null) throw damage;
  };
  /** Facets with too many values to merge across threads. Remembered, because the same fields recur in most queries. */
  const wideFacets = new Set<string>();
  const isNarrow = ({ facets }: Query) => !facets?.some((facet) => wideFacets.has(typeof facet === 'string' ? facet : facet?.field));
  // Tests set `divideFrom` to have every query divided, also quick ones.
  const quick = options.divideFrom === undefined ? createQuickQueries() : null;
  /** All threads compare vectors, then one of them runs the query with the neighbours found. Null when the work cannot be divided. */
  const runByVector = async (query: Query): Promise<SearchResult | null> => {
    const started = performance.now();
    const shares = await threads.runOnAll<{ generation: number; found: NearDocument[] }>('nearest', (part, parts, generation) => ({
      query,
      share: { part, parts },
      generation,
    }));
    if (!shares?.[0]) return null;
    const found = mergeNeighbours(
      query,
      shares.map((share) => share.found),
    );
    const packed = await threads.run<string | null>('searchNear', { query, found, generation: shares[0].generation });
    return packed === null ? null : { ...unpackResult<SearchResult>(packed), tookMs: performance.now() - started };
  };
  const runQuery = async (query: Query): Promise<SearchResult> => {
    const near = isByVector(query) ? await runByVector(query) : null;
    if (near) return near;
    const divisible = isDivisible(query);
    const packed = divisible && isNarrow(query) && !quick?.has(query) ? await threads.runOnShares(query) : null;
    const partials = packed?.map((part) => unpackResult<PartialResult>(part)) ?? null;
    for (const part of partials ?? []) for (const field of part.wideFacets) wideFacets.add(field);
    const merged = partials && isNarrow(query) ? mergePartialResults(query, partials) : null;
    const result = merged ?? unpackResult<SearchResult>(await threads.run<string>('search', query));
    if (divisible) quick?.note(query, merged && partials ? partials.length : 1, result);
    return result;
  };
  return {
    async search(query: Query) {
      throwDamage();
      checkQueryShape(query);
      return runQuery(query).catch(explainCloneError);
    },
    async suggest(word, limit = 10) {
      throwDamage();
      if (typeof word !== 'string' || !Number.isSafeInteger(limit)) {
        throw new EngineError('bad_query', 'Suggestions need a word and a whole number as limit.');
      }
      return threads.run<string[]>('suggest', { word: word.slice(0, 1000), limit: Math.min(limit, 1000) });
    },
    stats: () => first.call<IndexStats>('stats'),
    async *list() {
      throwDamage();
      const listing = await first.call<number>('openListing');
      try {
        for (;;) {
          const page = await first.call<{ id: string; fingerprint: string }[]>('pageListing', listing);
          if (page.length === 0) return;
          yield page;
        }
      } finally {
        // This fails only when the reader was closed, which has closed the listing too.
        await first.call('closeListing', listing).catch(() => undefined);
      }
    },
    async refresh() {
      await verified;
      throwDamage();
      await first.call('refresh');
      await threads.allAdopted();
    },
    close: () => threads.close(),
  };
}

function explainCloneError(error: unknown): never {
  if (error instanceof Error && error.name === 'DataCloneError') {
    throw new EngineError('bad_query', `The query contains a value that cannot be cloned: ${error.message}`);
  }
  throw error;
}
