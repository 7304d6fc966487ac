import { MeilisearchApiError } from 'meilisearch';
import { SearchUnavailable } from '../port.ts';

/** Errors that mean the index does not have our settings, so only a rebuild helps. */
const broken = new Set([
  'index_not_found',
  'invalid_search_filter',
  'invalid_search_facets',
  'invalid_search_sort',
  'invalid_search_attributes_to_search_on',
  'index_primary_key_no_candidate_found',
]);

/** Every failure of the server or the connection means that search is unavailable. */
function unavailable(error: unknown): SearchUnavailable {
  if (error instanceof SearchUnavailable) return error;
  const code = error instanceof MeilisearchApiError ? (error.cause?.code ?? '') : '';
  return new SearchUnavailable(`The search server failed: ${(error as Error).message}`, broken.has(code));
}

export async function withUnavailable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // An invalid query is not a failure of the server.
    throw (error as { code?: string }).code === 'bad_query' ? error : unavailable(error);
  }
}
