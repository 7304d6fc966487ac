/** The engine's public vocabulary. RULES.md says what each of these means; nothing here knows of files or catalogs. */

/** Text fields stand in order of weight: the first is the most telling. */
export interface TextField {
  name: string;
  /** Typo tolerance on this field (default true). */
  typos?: boolean;
  /** Infix matches as the last tier (default false; meant for names). */
  infix?: boolean;
}

export interface Schema {
  /** Raised by the owner when its meaning of the fields changes; an index of another version is refused. */
  version: number;
  text: TextField[];
  /** Exact values: filter and facet. `multi` holds many values a document. */
  keyword: { name: string; multi?: boolean }[];
  /** Float64: range, sort, statistics. */
  number: string[];
  /** Strings that can be sorted by. */
  sortable: string[];
  /** Name of the geo point field, if any. */
  geo?: string;
  /** Name of the path-scope field, if any (`library/folder/file`). */
  scope?: string;
  vector?: { name: string; dimension: number; quantise?: boolean };
}

export type FieldValue = string | readonly string[] | number | { lat: number; lng: number } | Float32Array | null | undefined;

/** `id` is 1 to 128 code units. `fingerprint` (at most 16 characters, owner's choice) is kept and can be listed, for drift checks. */
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
  /** Text fields searched; absent means all. */
  fields?: readonly string[];
  prefix?: boolean;
  matching?: 'all' | 'last';
  filter?: Filter;
  sort?: readonly SortKey[];
  /** Numeric field that decides between equals, e.g. recency. */
  tieBreak?: { field: string; order: 'asc' | 'desc' };
  /** Facet counts for these keyword fields; `limit` values each (default 100), most frequent first, then by value. */
  facets?: readonly (string | { field: string; limit?: number; prefix?: string })[];
  /** min, max, sum and count of numeric fields over the matches. */
  stats?: readonly string[];
  /** Of which of these the sum is wanted (default: all). It costs most of all; where it is not wanted it is 0. */
  sums?: readonly string[];
  /** Counts per bucket of a numeric field: `bounds` ascending, bucket i is [bounds[i], bounds[i+1]). */
  histograms?: readonly { field: string; bounds: readonly number[] }[];
  offset?: number;
  limit?: number;
  /** Opaque keyset cursor from an earlier answer of the same query; wins over offset. */
  after?: string;
  /** Wall-clock budget in milliseconds; past it the answer is marked degraded. */
  deadlineMs?: number;
  /** Positions of matched terms for highlighting in these fields. */
  matches?: readonly string[];
  /** Nearest by vector, mixed with words by ratio 0 (words only) to 1 (vector only). */
  vector?: { near: Float32Array; ratio: number };
  /** Documents like this one, by vector (the document itself is left out). */
  likeId?: string;
}

export interface Hit {
  id: string;
  score: number;
  /** Terms of the index that matched, per field, for highlighting on the stored text. */
  matchedTerms?: Record<string, string[]>;
  /** Metres, when sorted by distance. */
  distance?: number;
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
  /** Bytes on disk, and the part of them that live documents need. */
  storeBytes: number;
  usedBytes: number;
  generation: number;
}

/** A reader: safe for many callers at once; follows the writer's commits by itself; every call may be repeated. */
export interface IndexReader {
  search(query: Query): Promise<SearchResult>;
  suggest(word: string, limit?: number): Promise<string[]>;
  stats(): Promise<IndexStats>;
  /** Ids and fingerprints in ascending id order, in pages; the whole listing is one consistent view. */
  list(): AsyncIterable<{ id: string; fingerprint: string }[]>;
  /** Returns once the newest commit is being served. */
  refresh(): Promise<void>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** Search threads at most (default 2, and never more than the machine has processors). */
  threads?: number;
  /** Cells up to this size are ordered by comparing documents (default 200). For tests: small indexes then go the ways of large ones. */
  smallCell?: number;
  /** Questions over at least so many documents are divided among idle threads (default 50,000). For tests: small indexes then go that way too, from the first question on. */
  divideFrom?: number;
}

/** The one writer. Nothing is visible or durable before `commit` resolves; a crash loses what was not committed, nothing else. */
export interface IndexWriter {
  upsert(documents: readonly Document[]): Promise<void>;
  delete(ids: readonly string[]): Promise<void>;
  commit(): Promise<IndexStats>;
  compact(): Promise<IndexStats>;
  stats(): Promise<IndexStats>;
  close(): Promise<void>;
}

/** Codes of EngineError. */
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
 *   createIndex(dir, schema): Promise<void>            an empty index; refuses a non-empty foreign directory
 *   openWriter(dir, schema): Promise<Writer>           takes the lock, heals leftovers of a crash
 *   openReader(dir, { threads }?): Promise<Reader>     runs in worker threads (two at most by default), never blocks the caller
 *   shadowPath(dir): string                              a fresh sibling directory name for a shadow build
 *   swapIndex(dir, shadow): Promise<void>              atomic; both writers closed before; readers of dir follow by themselves
 *   listShadows(dir): Promise<{ path, ageMs }[]>       and removeShadow(path)
 */
