import { checkQueryShape } from '../check-query.ts';
import { EngineError } from '../errors.ts';
import { mergeParts } from '../query/merge.ts';
import type { AnswerPart } from '../query/execute.ts';
import type { SearchResult, IndexStats, Query, IndexReader, ReaderOptions } from '../types.ts';
import { divisible, startSearchThreads } from './search-threads.ts';
import { unpack } from './result-columns.ts';

export async function openReader(directory: string, options: ReaderOptions = {}): Promise<IndexReader> {
  const threads = await startSearchThreads(directory, options);
  const { first } = threads;
  /** Facets too wide to be handed over; the same fields are asked again and again, so they are not tried each time. */
  const wide = new Set<string>();
  const isNarrow = ({ facets }: Query) => !facets?.some((facet) => wide.has(typeof facet === 'string' ? facet : facet?.field));
  const answer = async (query: Query): Promise<SearchResult> => {
    const packed = divisible(query) && isNarrow(query) ? await threads.askEach(query) : null;
    const parts = packed?.map((part) => unpack<AnswerPart>(part)) ?? null;
    for (const part of parts ?? []) for (const field of part.wide) wide.add(field);
    return parts && isNarrow(query) ? mergeParts(query, parts) : unpack<SearchResult>(await threads.ask<string>('search', query));
  };
  return {
    async search(query: Query) {
      checkQueryShape(query);
      return answer(query).catch(explainClone);
    },
    async suggest(word, limit = 10) {
      if (typeof word !== 'string' || !Number.isSafeInteger(limit)) {
        throw new EngineError('bad_query', 'Suggestions need a word and a whole number as limit.');
      }
      return threads.ask<string[]>('suggest', { word: word.slice(0, 1000), limit: Math.min(limit, 1000) });
    },
    stats: () => first.call<IndexStats>('stats'),
    async *list() {
      const listing = await first.call<number>('openListing');
      try {
        for (;;) {
          const page = await first.call<{ id: string; fingerprint: string }[]>('pageListing', listing);
          if (page.length === 0) return;
          yield page;
        }
      } finally {
        await first.call('closeListing', listing).catch(() => undefined);
      }
    },
    async refresh() {
      await first.call('refresh');
      await threads.settled();
    },
    close: () => threads.close(),
  };
}

function explainClone(error: unknown): never {
  if (error instanceof Error && error.name === 'DataCloneError') {
    throw new EngineError('bad_query', `The query holds something that is no data: ${error.message}`);
  }
  throw error;
}
