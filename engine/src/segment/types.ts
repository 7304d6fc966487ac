import type { Kernels } from '../kernels/index.ts';
import type { Dictionary } from '../text/index.ts';
import type { Schema } from '../types.ts';
import type { DiskStrings } from './disk-strings.ts';
import type { SegmentTable } from './segment-file.ts';

export interface View {
  generation: number;
  schema: Schema;
  segments: Segment[];
}

/** Codes 1 … values of a keyword field, 0 for none. */
export interface KeywordColumn {
  multi: boolean;
  values: number;
  codes: number;
  width: number;
  /** Of multi-valued fields: where each document's codes start. */
  starts: number;
  frequency: number;
  lists: number;
  listOffsets: number;
  /** Frequent values, in order of code, and the first of their bitmaps, which stand one after the other. */
  dense: Uint32Array;
  bitmaps: number;
  strings: DiskStrings;
}

/** Ordinals 1 … values in ascending order, and the documents that have one in order of (ordinal, document). */
export interface OrderedColumn {
  ordinals: number;
  width: number;
  order: number;
  present: number;
  /** Distinct values, ascending: addresses of f64. Strings have none here. */
  values: number;
  distinct: number;
}

export interface StringColumn extends OrderedColumn {
  strings: DiskStrings;
}

export interface PointColumn {
  documents: number;
  lat: number;
  lng: number;
  count: number;
}

export interface VectorColumn {
  documents: number;
  count: number;
  dimension: number;
  /** Address of 1-bit codes, and bytes of each; null when vectors are held whole. */
  codes: { at: number; bytes: number } | null;
  /** Address when held in memory; position in the file when quantised. */
  floats: number;
}

/** A segment in memory, as the search thread uses it. Addresses are byte offsets into its memory; views follow the memory's growth. */
export interface Segment {
  file: string;
  fd: number;
  shared: SharedSegment;
  documents: number;
  /** 16-byte blocks of a bitmap over the documents. */
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
  /** Codes of the forward streams by place of the term. */
  codes: number;
  forward: number;
  forwardStarts: number;
  /** By code: which kinds of match of the query at hand the term is (u16); all zero between queries. */
  marks: number;
  live: number;
  liveCount: number;
  keywords: KeywordColumn[];
  numbers: OrderedColumn[];
  sortables: StringColumn[];
  scope: StringColumn | null;
  geo: PointColumn | null;
  vectors: VectorColumn | null;
  ids: DiskStrings;
  prints: DiskStrings;
  scratch: Scratch;
  /** Where the threads tell each other of the subsets of terms they have made (`term-subset.ts`). */
  subsets: number;
  /** Room of this thread for looking up terms (`term-room.ts`). */
  termRoom: number;
  /** Makes room that is kept as long as the segment: an address on a 64-byte border, all zero. */
  keepBytes(bytes: number): number;
  residentBytes: number;
  /** Whoever uses the segment besides the view it was opened for says so, and closes it as well. */
  hold(): void;
  close(): void;
}

/** What the threads of a reader share of a segment: its memory, filled once and then only read, and where things lie in it. */
export interface SharedSegment {
  path: string;
  table: SegmentTable;
  memory: WebAssembly.Memory;
  /** A descriptor of the thread that loaded it; through it others reach the file even after its name is gone. */
  fd: number;
}

/** Places for the bitmaps and lists of one query. Everything is given back at once when the next query begins. */
export interface Scratch {
  /** A bitmap with unknown contents. */
  bitmap(): number;
  release(bitmap: number): void;
  /** `bytes` bytes on a 16-byte border, unknown contents. */
  bytes(bytes: number): number;
  reset(): void;
}
