import { search } from '../../api/search.ts';
import type { SearchHit, SearchParams } from '../../api/types.ts';

/** As many as the service gives at once. */
const PAGE = 200;

/**
 * Every hit of a question, page by page, in the order of their paths so that an edit on the way moves nothing.
 * Ends when the signal does; what came until then counts.
 */
export async function* walkHits(params: SearchParams, signal: AbortSignal): AsyncGenerator<SearchHit[]> {
  let cursor: string | undefined;
  do {
    const answer = await search({ ...params, sort: 'path:asc', facets: false, limit: PAGE, ...(cursor ? { cursor } : {}) }, signal);
    if (answer.hits.length > 0) yield answer.hits;
    cursor = answer.next_cursor ?? undefined;
  } while (cursor && !signal.aborted);
}

/** Runs over a list a few at a time. The first failure ends it. */
export async function inParallel<T>(
  list: readonly T[],
  atOnce: number,
  signal: AbortSignal,
  run: (one: T) => Promise<void>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < list.length && !signal.aborted) {
      const one = list[next]!;
      next += 1;
      await run(one);
    }
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, list.length) }, worker));
}
