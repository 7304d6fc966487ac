/** The public types of the engine. RULES.md defines their meaning. The engine knows nothing about files or catalogs. */

/** A text field. Fields are listed in order of importance, most important first. */
export interface TextField {
  name: string;
  /** Typo tolerance in this field (default true). */
  typos?: boolean;
  /** Match terms that contain the word, at the lowest level (default false; meant for names). */
  infix?: boolean;
  /** A shorter form of another field, such as a name without its extension: a query that equals it counts less (default false). */
  variant?: boolean;
}

export interface Schema {
  /** Incremented by the owner when the meaning of the fields changes. A writer refuses an index of another version. */
  version: number;
  text: TextField[];
  /** Exact values for filters and facets. `multi` allows several values per document. */
  keyword: { name: string; multi?: boolean }[];
  /** Float64 fields for ranges, sorting and statistics. */
  number: string[];
  /** String fields for sorting. */
  sortable: string[];
  /** Name of the geo point field, if any. */
  geo?: string;
  /** Name of the path scope field, if any (`library/folder/file`). */
  scope?: string;
  vector?: { name: string; dimension: number; quantise?: boolean };
}

export type FieldValue = string | readonly string[] | number | { lat: number; lng: number } | Float32Array | null | undefined;

/** `id` has 1 to 128 code units. `fingerprint` (at most 16 characters, chosen by the owner) is stored and listed, for drift checks. */
export interface Document {
  id: string;
  fingerprint?: string;
  [field: string]: FieldValue;
}

export type Filter =
  | { and: Filter[] }
  | { or: Filter[] }
  | { not: Filter }
  | { eq: [field: string, value: string | number] }
  | { in: [field: string, values: readonly (string | number)[]] }
  | { range: [field: string, bounds: { gte?: number; gt?: number; lte?: number; lt?: number }] }
  | { exists: string }
  | { geoRadius: { lat: number; lng: number; metres: number } }
  | { geoBox: { top: number; right: number; bottom: number; left: number } }
  | { scope: readonly string[] };

export type SortKey = { field: string; order: 'asc' | 'desc' } | { geo: { lat: number; lng: number }; order: 'asc' | 'desc' };

export interface Query {
  text?: string;
  /** Text fields to search; all when absent. */
  fields?: readonly string[];
  prefix?: boolean;
  matching?: 'all' | 'last';
  filter?: Filter;
  sort?: readonly SortKey[];
  /** Numeric field that orders documents of equal rank, such as the modification time. */
  tieBreak?: { field: string; order: 'asc' | 'desc' };
  /** Facet counts of these keyword fields: `limit` values each (default 100), most frequent first, then by value. */
  facets?: readonly (string | { field: string; limit?: number; prefix?: string })[];
  /** min, max, sum and count of these numeric fields over the matches. */
  stats?: readonly string[];
  /** The `stats` fields whose sum is needed (default: all). Sums are the most expensive part; the others are returned as 0. */
  sums?: readonly string[];
  /** Counts per bucket of a numeric field. `bounds` ascend; bucket i is [bounds[i], bounds[i + 1]). */
  histograms?: readonly { field: string; bounds: readonly number[] }[];
  offset?: number;
  limit?: number;
  /** Opaque cursor from an earlier result of the same query; takes precedence over `offset`. */
  after?: string;
  /** Wall-clock budget in milliseconds; a result that exceeds it is marked as degraded. */
  deadlineMs?: number;
  /** Return the matched terms of these fields, for highlighting. */
  matches?: readonly string[];
  /** Nearest by vector, mixed with words by a ratio from 0 (words only) to 1 (vector only). */
  vector?: { near: Float32Array; ratio: number };
  /** Documents similar to this one by vector, without the document itself. */
  likeId?: string;
}

export interface Hit {
  id: string;
  score: number;
  /** The terms of the index that matched, by field, for highlighting in the stored text. */
  matchedTerms?: Record<string, string[]>;
  /** Metres, when sorted by distance. */
  distance?: number;
  /** What the score of a search by vector consists of, each from 0 to 1: 0 words when the words do not match, 0 vector without a vector. */
  parts?: { words: number; vector: number };
}

export interface SearchResult {
  hits: Hit[];
  total: number;
  facets: Record<string, { value: string; count: number }[]>;
  stats: Record<string, { min: number; max: number; sum: number; count: number }>;
  histograms: Record<string, number[]>;
  after: string | null;
  degraded: boolean;
  tookMs: number;
}

export interface IndexStats {
  documents: number;
  deleted: number;
  segments: number;
  /** Bytes on disk, and the share of them that live documents need. */
  storeBytes: number;
  usedBytes: number;
  generation: number;
}

/** A reader can be used by many callers at once and follows the writer's commits automatically. Every call may be retried. */
export interface IndexReader {
  search(query: Query): Promise<SearchResult>;
  suggest(word: string, limit?: number): Promise<string[]>;
  stats(): Promise<IndexStats>;
  /** Pages of ids and fingerprints in ascending id order, all from one snapshot. */
  list(): AsyncIterable<{ id: string; fingerprint: string }[]>;
  /** Resolves once the newest commit is being served and all segments are verified. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** Maximum number of search threads (default 2, at most the number of processors). */
  threads?: number;
  /** Cells up to this size are sorted by comparison (default 200). Tests lower it to run the code paths of large indexes. */
  smallCell?: number;
  /** Queries over at least this many documents are divided among idle threads (default 50,000). Tests lower it. */
  divideFrom?: number;
  /** Every allocation of a query gets new memory, so that a view kept across one is seen to be too short. Set by tests only. */
  tightScratch?: boolean;
}

/** The only writer of an index. Nothing is visible or durable before `commit` resolves; a crash loses uncommitted changes only. */
export interface IndexWriter {
  upsert(documents: readonly Document[]): Promise<void>;
  delete(ids: readonly string[]): Promise<void>;
  commit(): Promise<IndexStats>;
  compact(): Promise<IndexStats>;
  stats(): Promise<IndexStats>;
  close(): Promise<void>;
}

export type EngineErrorCode =
  | 'bad_document'
  | 'bad_query'
  | 'bad_schema'
  | 'locked'
  | 'corrupt'
  | 'foreign_format'
  | 'newer_format'
  | 'schema_mismatch'
  | 'no_index'
  | 'closed'
  | 'disk';

/*
 * Functions of the package (index.ts):
 *  createIndex(dir, schema): Promise<void>             creates an empty index; refuses a directory with other files
 *  openWriter(dir, schema): Promise<IndexWriter>       acquires the lock and removes leftovers of a crash
 *  openReader(dir, options?): Promise<IndexReader>     runs in worker threads and never blocks the caller
 *  shadowPath(dir): string                             a new sibling directory name for a shadow index
 *  swapIndex(dir, shadow): Promise<void>               atomic; close both writers first; readers of dir follow automatically
 *  listShadows(dir): Promise<{ path, ageMs }[]>        and removeShadow(path)
 */
