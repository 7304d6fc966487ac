import { closeSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { EngineError } from '../errors.ts';
import { type Kernels, loadKernels } from '../kernels/index.ts';
import { schemaMark } from '../schema.ts';
import type { Dictionary } from '../text/index.ts';
import type { Schema } from '../types.ts';
import { readSegment } from './check-segment.ts';
import { type KeywordColumn, openColumns, type OrderedColumn, type PointColumn, type StringColumn, type VectorColumn } from './columns.ts';
import { createScratch, type Scratch } from './scratch.ts';
import type { SegmentTable } from './segment-file.ts';

/** A segment in memory, as the search thread uses it. Addresses are byte offsets into its memory; views follow the memory's growth. */
export interface Segment {
  file: string;
  fd: number;
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
  ids: KeywordColumn['strings'];
  prints: KeywordColumn['strings'];
  scratch: Scratch;
  residentBytes: number;
  close(): void;
}

const page = 1 << 16;
const scratchBitmaps = 48;

export async function openSegment(path: string, bytes: number, schema: Schema): Promise<Segment> {
  let memory: WebAssembly.Memory | null = null;
  let view = new Uint8Array(0);
  const table = await readSegment(path, bytes, (found) => {
    if (found.facts.schema !== schemaMark(schema))
      throw new EngineError('corrupt', `Segment ${basename(path)} was written for another schema.`);
    memory = new WebAssembly.Memory({ initial: Math.ceil((found.residentEnd + 64) / page) });
    view = new Uint8Array(memory.buffer);
    return (position, part) => view.set(part, position);
  });
  return assemble(path, table, memory!, schema);
}

function assemble(path: string, table: SegmentTable, memory: WebAssembly.Memory, schema: Schema): Segment {
  const { documents, terms } = table.facts;
  const blocks = Math.max(1, Math.ceil(documents / 128));
  const bitmapBytes = blocks * 16;
  const at = (name: string) => {
    const section = table.sections[name];
    if (!section) throw new EngineError('corrupt', `Segment ${basename(path)} has no "${name}".`);
    return section[0];
  };
  const fd = openSync(path, 'r');
  const segment = {
    file: basename(path),
    fd,
    documents,
    blocks,
    bitmapBytes,
    kernels: loadKernels(memory),
    postings: at('text.postings'),
    postingOffsets: at('text.postingOffsets'),
    codes: at('text.codes'),
    forward: at('text.forward'),
    forwardStarts: at('text.forwardStarts'),
    liveCount: documents,
    close: () => closeSync(fd),
  } as Segment;

  const bind = () => {
    const { buffer } = memory;
    segment.u8 = new Uint8Array(buffer);
    segment.u16 = new Uint16Array(buffer);
    segment.u32 = new Uint32Array(buffer);
    segment.f32 = new Float32Array(buffer);
    segment.f64 = new Float64Array(buffer);
    const [termsAt, termsLength] = table.sections['text.terms']!;
    segment.dictionary = {
      bytes: segment.u8.subarray(termsAt, termsAt + termsLength),
      offsets: new Uint32Array(buffer, at('text.termOffsets'), terms + 1),
      size: terms,
    };
  };
  const growTo = (needed: number) => {
    const missing = Math.ceil(needed / page) - memory.buffer.byteLength / page;
    if (missing > 0) {
      memory.grow(Math.max(missing, Math.ceil((bitmapBytes * 16) / page)));
      bind();
    }
    return memory.buffer.byteLength;
  };
  let top = Math.ceil(table.residentEnd / 64) * 64;
  const reserve = (length: number) => {
    const place = top;
    top += Math.ceil(length / 64) * 64;
    growTo(top);
    return place;
  };
  bind();
  segment.marks = reserve((terms + 2) * 2);
  segment.live = reserve(bitmapBytes);
  segment.kernels.clear(segment.live, blocks);
  segment.kernels.setRange(segment.live, 0, documents);
  openColumns(segment, table, schema, at, reserve);
  segment.residentBytes = top;
  segment.scratch = createScratch(top, growTo(top + bitmapBytes * scratchBitmaps + documents * 4), bitmapBytes, growTo);
  return segment;
}

/** Sets which documents are alive: all but the deleted. */
export function setDeleted(segment: Segment, deleted: Uint32Array): void {
  segment.kernels.clear(segment.live, segment.blocks);
  segment.kernels.setRange(segment.live, 0, segment.documents);
  for (const doc of deleted) segment.u32[(segment.live >>> 2) + (doc >>> 5)]! &= ~(1 << (doc & 31));
  segment.liveCount = segment.documents - deleted.length;
}
