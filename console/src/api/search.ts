import { get, patch, post, remove } from './request.ts';
import type { SavedSearch, SearchResponse } from './types.ts';

/** The parameters of GET /search, by the names the service knows. */
export interface SearchParams {
  q?: string;
  library?: string[];
  file_category?: string[];
  file_group?: string[];
  extension?: string[];
  tags?: string;
  status?: string;
  size_gte?: number;
  size_lte?: number;
  mtime_gte?: number;
  mtime_lte?: number;
  path?: string;
  sort?: string;
  semantic?: number;
  geo_top_lat?: number;
  geo_right_lng?: number;
  geo_bottom_lat?: number;
  geo_left_lng?: number;
  limit?: number;
  cursor?: string;
  offset?: number;
}

export const search = (params: SearchParams, signal?: AbortSignal): Promise<SearchResponse> => get('/search', params, signal);
export const searchTags = async (q: string, signal?: AbortSignal): Promise<{ value: string; count: number }[]> =>
  (await get<{ tags: { value: string; count: number }[] }>('/search/tags', { q, limit: 20 }, signal)).tags;

export const savedSearches = (): Promise<SavedSearch[]> => get('/saved-searches');
export const createSavedSearch = (body: { name: string; params: Record<string, unknown>; shared?: boolean }): Promise<SavedSearch> =>
  post('/saved-searches', body);
export const updateSavedSearch = (id: string, body: { name?: string; params?: Record<string, unknown> }): Promise<SavedSearch> =>
  patch(`/saved-searches/${id}`, body);
export const deleteSavedSearch = (id: string): Promise<void> => remove(`/saved-searches/${id}`);
