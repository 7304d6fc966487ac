import type { SearchResult, Query } from '../types.ts';
import { searchWords, type View } from './execute.ts';
import { searchVectors } from './execute-vector.ts';

/** Answers a checked query on a view. */
export function searchView(view: View, query: Query): SearchResult {
  const byVector = query.likeId !== undefined || (query.vector !== undefined && query.vector.ratio > 0);
  return byVector ? searchVectors(view, query) : searchWords(view, query);
}
