import type { Answer, Query } from '../types.ts';
import { searchWords, type View } from './execute.ts';

/** Answers a checked query on a view. */
export function searchView(view: View, query: Query): Answer {
  return searchWords(view, query);
}
