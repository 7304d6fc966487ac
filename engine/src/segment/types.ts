import type { Kernels } from '../kernels/index.ts';
import type { Dictionary } from '../text/index.ts';
import type { Schema } from '../types.ts';
import type { DiskStrings } from './disk-strings.ts';
import type { KeptCounts } from './kept-counts.ts';
import type { SegmentTable } from './segment-file.ts';

export interface IndexSnapshot {
  generation: number;
  schema: Schema;
  segments: Segment[];
}

/** A keyword column. Codes count from 1; 0 means no value. */
export interface KeywordColumn {
  multi: boolean;
  values: number;
  codes: number;
  width: number;
  /** For multi-valued fields: the start of each document's codes. */
  starts: number;
  frequency: number;
  lists: number;
  listOffsets: number;
  /** Codes of the frequent values in ascending order, and the address of the first of their consecutive bitmaps. */
  dense: Uint32Array;
  bitmaps: number;
  strings: DiskStrings;
}

/**
 * A sortable column. Ordinals count from 1 in ascending order of value; `order` lists the documents with a value by (ordinal, document).
 */
export interface OrderedColumn {
  ordinals: number;
  width: number;
  order: number;
  present: number;
  /** Address of the distinct values as ascending f64; 0 for strings. */
  values: number;
  distinct: number;
}

export interface StringColumn extends OrderedColumn {
  strings: DiskStrings;
}

interface PointColumn {
  documents: number;
  lat: number;
  lng: number;
  count: number;
}

export interface VectorColumn {
  /** The documents of the rows: in ascending order in each list, or all together if there are no lists. */
  documents: number;
  count: number;
  dimension: number;
  /** Addresses of the signs and strengths, one bit for each component, and their size; null when memory holds the full vectors. */
  codes: { at: number; strengths: number; bytes: number } | null;
  /** Addresses of the first row of each list, of its centres, and of the rows in order of their documents; null in small segments. */
  lists: { starts: number; count: number; centres: number; rowsByDocument: number } | null;
  /** An address in memory, or a position in the file when quantised. */
  floats: number;
}

/** A segment as one search thread uses it. Addresses are byte offsets into its memory; views are renewed when the memory grows. */
export interface Segment {
  file: string;
  fd: number;
  shared: SharedSegment;
  /** False until the parts that stay on disk are verified; only the thread that opened the segment keeps track. */
  isVerified: boolean;
  documents: number;
  /** Number of 16-byte blocks in a bitmap over the documents. */
  blocks: number;
  bitmapBytes: number;
  kernels: Kernels;
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
  dictionary: Dictionary;
  postings: number;
  postingOffsets: number;
  /** Forward-stream codes by dictionary index. */
  codes: number;
  forward: number;
  forwardStarts: number;
  /** By code: the mark of the term for the current query (u16), all zero between queries. */
  marks: number;
  live: number;
  liveCount: number;
  /** Facet counts of recent queries without words, valid as long as the same documents are deleted (`kept-counts.ts`). */
  keptCounts: KeptCounts<Uint32Array>;
  /** Likewise minimum, maximum, sum and count of a number, followed by the counts of its buckets. */
  keptNumbers: KeptCounts<Float64Array>;
  keywords: KeywordColumn[];
  numbers: OrderedColumn[];
  sortables: StringColumn[];
  scope: StringColumn | null;
  geo: PointColumn | null;
  vectors: VectorColumn | null;
  ids: DiskStrings;
  fingerprints: DiskStrings;
  scratch: Scratch;
  /** Where threads publish the term subsets they have created (`term-subset.ts`). */
  subsetSlots: number;
  /** This thread's scratch memory for term lookups (`shared-memory.ts`). */
  termScratch: number;
  /** Allocates zeroed, 64-byte aligned memory that is kept as long as the segment. */
  allocate(bytes: number): number;
  /** Adds a user of the segment. Each user must call `close`. */
  retain(): void;
  close(): void;
}

/** The part of a segment that all threads of a reader share: its read-only memory, and where the sections are in it. */
export interface SharedSegment {
  path: string;
  table: SegmentTable;
  memory: WebAssembly.Memory;
  /** The file descriptor of the thread that loaded the segment. Other threads open the file through it after the file has been deleted. */
  fd: number;
  /** Device and inode, because the number of a closed descriptor is given to the next file. */
  fileId: string;
}

/** Temporary memory for the bitmaps and lists of one query. All of it is released when the next query starts. */
export interface Scratch {
  /** Returns a bitmap with undefined contents. */
  bitmap(): number;
  release(bitmap: number): void;
  /** Returns 16-byte aligned memory with undefined contents. */
  bytes(bytes: number): number;
  reset(): void;
}
