import type { Filter, Query, SearchResult } from '@catalog/engine';
import type { Action, ScopeNode, Visibility } from '../../people/access/index.ts';
import { problem } from '../../platform/problem.ts';
import { contentFields, metadataFields, nameFields } from '../documents/index.ts';
import { type SearchReader, SearchUnavailable } from '../engines/index.ts';

/**
 * A part of what a caller may see, with the text fields that words may match there (null means all). The partitions of a caller do not
 * overlap, so their counts add up. A caller who may read content in only some visible folders has two: in one, words match content; in the
 * other, only names and facts. So neither hits nor totals, facets or suggestions reveal content the caller may not read.
 */
export interface Partition {
  fields: readonly string[] | null;
  filter: Filter | null;
}

interface PartitionOptions {
  searchIn?: 'all' | 'content' | 'names' | undefined;
  /** Without words no text field matters, so one partition is enough. */
  hasWords: boolean;
  ceiling: number;
}

export function partitionsFor(visibility: Visibility, { searchIn = 'all', hasWords, ceiling }: PartitionOptions): Partition[] {
  const seen = scopeFilter(visibility, ceiling);
  if (seen === null) return [{ fields: { all: null, content: contentFields, names: nameFields }[searchIn], filter: null }];
  if (searchIn === 'names') return [{ fields: nameFields, filter: seen }];
  const read = scopeFilter(visibility, ceiling, 'search_content') ?? seen;
  if (searchIn === 'content') return [{ fields: contentFields, filter: { and: [seen, read] } }];
  if (!hasWords || isSameFilter(seen, read)) return [{ fields: null, filter: seen }];
  if (visibility.scope('search_content')?.length === 0) return [{ fields: metadataFields, filter: seen }];
  return [
    { fields: null, filter: { and: [seen, read] } },
    { fields: metadataFields, filter: { and: [seen, { not: read }] } },
  ];
}

function isSameFilter(a: Filter, b: Filter): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** A vector is made from content too, so it counts only where words may match every field. */
function restrictTo({ vector, ...query }: Query, { fields, filter }: Partition): Query {
  return {
    ...query,
    ...(vector && fields === null ? { vector } : {}),
    ...(fields ? { fields } : {}),
    ...(filter ? { filter: query.filter ? { and: [query.filter, filter] } : filter } : {}),
  };
}

/** The vector of a query fits the newest index, which another process has built, but this one still serves the index before it. */
export const isOfOtherModel = (error: unknown, { vector }: Query): boolean =>
  vector !== undefined && (error as { code?: string }).code === 'bad_query';

/** All searches go through here: an unavailable index becomes 503, an invalid query 422. */
export async function searchIndex(reader: SearchReader, query: Query): Promise<SearchResult> {
  try {
    return await reader.search(query);
  } catch (error) {
    if (error instanceof SearchUnavailable) throw problem('search_unavailable');
    if ((error as { code?: string }).code === 'cursor_expired') throw problem('cursor_expired');
    if (isOfOtherModel(error, query)) throw problem('search_unavailable');
    if ((error as { code?: string }).code === 'bad_query')
      throw query.after !== undefined ? problem('cursor_invalid') : problem('query_invalid', (error as Error).message);
    throw error;
  }
}

export async function searchPartition(reader: SearchReader, partition: Partition, query: Query): Promise<SearchResult> {
  return searchIndex(reader, restrictTo(query, partition));
}

/** Counts the matches that the caller may see. */
export async function countMatches(reader: SearchReader, partitions: readonly Partition[], query: Query): Promise<number> {
  const { text = '', filter } = query;
  const counted: Query = { text, ...(filter ? { filter } : {}), limit: 0 };
  const results = await Promise.all(partitions.map((partition) => searchPartition(reader, partition, counted)));
  return results.reduce((sum, { total }) => sum + total, 0);
}

/** A caller's rights as an index filter; null when unrestricted. A filter above the ceiling is rejected, never shortened. */
export function scopeFilter(visibility: Visibility, ceiling: number, action: Action = 'search_metadata'): Filter | null {
  const forest = visibility.scope(action);
  if (forest === null) return null;
  if (lengthOf(forest) > ceiling) throw problem('scope_filter_too_long');
  return forestFilter(forest);
}

function forestFilter(forest: readonly ScopeNode[]): Filter {
  const plain = forest.filter((node) => node.children.length === 0).map(scopePath);
  const nested = forest
    .filter((node) => node.children.length > 0)
    .map((node): Filter => ({ and: [{ scope: [scopePath(node)] }, { not: forestFilter(node.children) }] }));
  if (nested.length === 0) return { scope: plain };
  return { or: [...(plain.length > 0 ? [{ scope: plain } as Filter] : []), ...nested] };
}

function scopePath({ libraryId, path }: ScopeNode): string {
  return path === '' ? libraryId : `${libraryId}/${path}`;
}

/** The approximate length of the filter: eight characters for each library id, plus the paths. */
function lengthOf(forest: readonly ScopeNode[]): number {
  return forest.reduce((sum, node) => sum + 8 + node.path.length + lengthOf(node.children), 0);
}
