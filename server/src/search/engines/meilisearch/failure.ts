import { MeilisearchApiError } from 'meilisearch';
import { SearchUnavailable } from '../port.ts';

/** Codes that say the index is not the one we made: only a rebuild helps. */
const broken = new Set([
  'index_not_found',
  'invalid_search_filter',
  'invalid_search_facets',
  'invalid_search_sort',
  'invalid_search_attributes_to_search_on',
  'index_primary_key_no_candidate_found',
]);

/** Whatever goes wrong on the way to the server or inside it, search is unavailable; it is never half right. */
export function unavailable(error: unknown): SearchUnavailable {
  if (error instanceof SearchUnavailable) return error;
  const code = error instanceof MeilisearchApiError ? (error.cause?.code ?? '') : '';
  return new SearchUnavailable(`The search server does not answer as expected: ${(error as Error).message}`, broken.has(code));
}

export async function withUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A mistake of the question is not one of the server.
    throw (error as { code?: string }).code === 'bad_query' ? error : unavailable(error);
  }
}
