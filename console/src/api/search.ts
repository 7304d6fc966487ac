import { body, client } from './client.ts';
import type { SavedSearch } from './pending-types.ts';
import { get, patch, post, remove } from './request.ts';
import type { SearchParams, SearchResponse } from './types.ts';

export const search = (query: SearchParams, signal?: AbortSignal): Promise<SearchResponse> =>
  body(client.GET('/api/v1/search', { params: { query }, signal: signal ?? null }));
export const searchTags = async (q: string, signal?: AbortSignal): Promise<{ value: string; count: number }[]> =>
  (await body(client.GET('/api/v1/search/tags', { params: { query: { q, limit: 20 } }, signal: signal ?? null }))).tags;

export const savedSearches = (): Promise<SavedSearch[]> => get('/saved-searches');
export const createSavedSearch = (saved: { name: string; params: Record<string, unknown>; shared?: boolean }): Promise<SavedSearch> =>
  post('/saved-searches', saved);
export const updateSavedSearch = (id: string, change: { name?: string; params?: Record<string, unknown> }): Promise<SavedSearch> =>
  patch(`/saved-searches/${id}`, change);
export const deleteSavedSearch = (id: string): Promise<void> => remove(`/saved-searches/${id}`);
