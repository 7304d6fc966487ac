import type { SearchResult, Document, IndexStats, Query } from '@catalog/engine';

/**
 * The search index as the catalog sees it, whichever engine is behind it. It is a disposable projection: everything in it can be made again
 * from the database, and nothing is ever read from it that the database does not also say.
 */
export interface SearchReader {
  /** Repeatable. Throws SearchUnavailable when the index is not there, damaged or out of reach; never anything half right. */
  search(query: Query): Promise<SearchResult>;
  /** Words of the index near a word, best first. */
  suggest(word: string, limit: number): Promise<string[]>;
  /** All ids with their fingerprints in ascending id order, one consistent view. */
  list(): AsyncIterable<{ id: string; fingerprint: string }[]>;
  stats(): Promise<IndexStats>;
  close(): Promise<void>;
}

/** The one writer. At most one exists in a deployment; the projector's lock in the database sees to that. */
export interface SearchWriter {
  /** Durable and visible to readers shortly after it resolves. Repeatable: the same documents again change nothing. */
  write(changes: { upsert: readonly Document[]; remove: readonly string[] }): Promise<void>;
  /** Is there an index of the right shape to write to? False asks for a rebuild. */
  usable(): Promise<boolean>;
  /** Builds a new index beside the old one and swaps: searches go on during all of it. Left-overs of an interrupted one are reaped. */
  rebuild(pages: AsyncIterable<readonly Document[]>): Promise<{ documents: number }>;
  compact(): Promise<IndexStats>;
  stats(): Promise<IndexStats>;
  /** Removes shadow indexes nobody finished, older than this; answers how many. */
  reapShadows(olderThanMs: number): Promise<number>;
  close(): Promise<void>;
}

export class SearchUnavailable extends Error {
  /** True when only a rebuild cures it. */
  readonly rebuild: boolean;
  constructor(message: string, rebuild: boolean) {
    super(message);
    this.rebuild = rebuild;
  }
}
