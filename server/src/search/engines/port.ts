import type { Document, IndexStats, Query, Schema, SearchResult } from '@catalog/engine';

/**
 * The search index behind a common interface for all engines. The index is disposable: everything in it can be rebuilt from the database, and
 * shown data is always read from the database.
 */
export interface SearchReader {
  /** Throws SearchUnavailable when the index is missing, damaged or unreachable; never returns a partial result without `degraded`. */
  search(query: Query): Promise<SearchResult>;
  /** Words of the index that start like the given word, best first. */
  suggest(word: string, limit: number): Promise<string[]>;
  /** All ids with their fingerprints in ascending id order, from one consistent snapshot. */
  list(): AsyncIterable<{ id: string; fingerprint: string }[]>;
  stats(): Promise<IndexStats>;
  /** What was written before this call is found afterwards. Without it, that may take a second. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

/** At most one writer exists in a deployment, which the projector's database lock guarantees. */
export interface SearchWriter {
  /** The schema of the documents that follow. An index of another schema is unusable until it is rebuilt. */
  setSchema(schema: Schema): Promise<void>;
  /** Durable, and visible to readers shortly after it resolves. Idempotent. */
  write(changes: { upsert: readonly Document[]; remove: readonly string[] }): Promise<void>;
  /** Why a rebuild is needed: there is no index, it is of another schema version, or it is damaged. Null for a usable index. */
  unusable(): Promise<SearchUnavailable | null>;
  /** Builds a new index beside the old one and swaps them while searches continue. reapShadows removes what an interrupted rebuild left. */
  rebuild(pages: AsyncIterable<readonly Document[]>): Promise<{ documents: number }>;
  compact(): Promise<IndexStats>;
  stats(): Promise<IndexStats>;
  /** Removes unfinished shadow indexes older than this; returns how many. */
  reapShadows(olderThanMs: number): Promise<number>;
  close(): Promise<void>;
}

export class SearchUnavailable extends Error {
  /** True when only a rebuild helps. */
  readonly rebuild: boolean;
  /** True when the index was there and has lost data, which is never normal. */
  readonly damaged: boolean;
  constructor(message: string, rebuild: boolean, damaged = false) {
    super(message);
    this.rebuild = rebuild;
    this.damaged = damaged;
  }
}
