import { checkQueryShape } from '../check-query.ts';
import { EngineError } from '../errors.ts';
import { mergeParts } from '../query/merge-parts.ts';
import type { AnswerPart } from '../query/part.ts';
import type { SearchResult, IndexStats, Query, IndexReader } from '../types.ts';
import { divisible } from './divide.ts';
import { unpack } from './packed.ts';
import { startSearchThreads } from './search-threads.ts';

export interface ReaderOptions {
  /** Search threads at most (default 2, and never more than the machine has processors). */
  threads?: number;
  /** Cells up to this size are ordered by comparing documents (default 200). For tests: small indexes then go the ways of large ones. */
  smallCell?: number;
  /** Questions over at least so many documents are divided among idle threads (default 50,000). For tests: small indexes then go that way too, from the first question on. */
  divideFrom?: number;
}

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
