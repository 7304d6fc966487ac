import { body, client } from './client.ts';
import type { QueryParams, RequestBody, SavedSearch, SearchParams, SearchResponse, SearchTimeline } from './types.ts';

export const search = (query: SearchParams, signal?: AbortSignal): Promise<SearchResponse> =>
  body(client.GET('/api/v1/search', { params: { query }, signal: signal ?? null }));
/** How many hits each month has. */
export const searchTimeline = (query: QueryParams<'/api/v1/search/timeline', 'get'>, signal?: AbortSignal): Promise<SearchTimeline> =>
  body(client.GET('/api/v1/search/timeline', { params: { query }, signal: signal ?? null }));
export const searchTags = async (q: string, signal?: AbortSignal): Promise<{ value: string; count: number }[]> =>
  (await body(client.GET('/api/v1/search/tags', { params: { query: { q, limit: 20 } }, signal: signal ?? null }))).tags;

/** Passages that contain the words or mean the same, grouped by file. */
export const searchPassages = (query: { q: string; limit: number; semantic: number }, signal?: AbortSignal) =>
  body(client.GET('/api/v1/search/passages', { params: { query }, signal: signal ?? null }));

/** Translates a plain-language question into the filter language. */
export const assistQuery = (text: string, signal?: AbortSignal) =>
  body(client.POST('/api/v1/query/assist', { body: { text }, signal: signal ?? null }));

const saved = (search_id: string) => ({ path: { search_id } });

export const savedSearches = (): Promise<SavedSearch[]> => body(client.GET('/api/v1/saved-searches'));
export const createSavedSearch = (search: RequestBody<'/api/v1/saved-searches', 'post'>): Promise<SavedSearch> =>
  body(client.POST('/api/v1/saved-searches', { body: search }));
export const updateSavedSearch = (id: string, change: RequestBody<'/api/v1/saved-searches/{search_id}', 'patch'>): Promise<SavedSearch> =>
  body(client.PATCH('/api/v1/saved-searches/{search_id}', { params: saved(id), body: change }));
export const deleteSavedSearch = (id: string) => body(client.DELETE('/api/v1/saved-searches/{search_id}', { params: saved(id) }));
