// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table

import { closeSync, fstatSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { EngineError } from '../errors.ts';
import { createMemory, loadKernels } from '../kernels/index.ts';
import { schemaHash } from '../schema.ts';
import type { Schema } from '../types.ts';
import { openColumns } from './columns.ts';
import { createKeptCounts } from './kept-counts.ts';
import { readSegment, verifyRest } from './segment-file.ts';
import { subsetsBytes, termScratchBytes } from './shared-memory.ts';
import type { Scratch, Segment, SharedSegment } from './types.ts';

const page = 1 << 16;
const scratchBitmaps = 48;

/** Reads and verifies a segment file into new shared memory; with `leaveRest` all but large parts that stay on disk. */
export async function openSegment(path: string, bytes: number, schema: Schema, leaveRest = false): Promise<Segment> {
  let memory: WebAssembly.Memory | null = null;
  const { table, isVerified } = await readSegment(
    path,
    bytes,
    (found) => {
      if (found.facts.schema !== schemaHash(schema)) {
        throw new EngineError('corrupt', `Segment ${basename(path)} was written for another schema.`);
      }
      memory = createMemory(found.residentEnd + 64);
      return new Uint8Array(memory.buffer as unknown as ArrayBuffer);
    },
    leaveRest,
  );
  const fd = openSync(path, 'r');
  const segment = createSegment({ path, table, memory: memory!, fd, fileId: fileIdOf(fd) }, fd, schema, true);
  segment.isVerified = isVerified;
  return segment;
}

/** Verifies the parts of these segments that were left when they were opened. */
export async function verifySegments(segments: readonly Segment[]): Promise<void> {
  const unverified = segments.filter(({ isVerified }) => !isVerified);
  // A new snapshot can drop any of them while one is read, so all are retained before the first read.
  for (const segment of unverified) segment.retain();
  try {
    for (const segment of unverified) {
      await verifyRest(segment.fd, segment.shared.table, segment.file);
      segment.isVerified = true;
    }
  } finally {
    for (const segment of unverified) segment.close();
  }
}

/** Opens a segment that another thread of this process has loaded. */
export function shareSegment(shared: SharedSegment, schema: Schema): Segment {
  return createSegment(shared, reopenFile(shared), schema, false);
}

function reopenFile({ path, fd, fileId }: SharedSegment): number {
  try {
    return openSync(path, 'r');
  } catch {
    // A merge may have deleted the file; the other thread's descriptor still gives access to it.
    const reopened = openSync(`/proc/self/fd/${fd}`, 'r');
    if (fileIdOf(reopened) === fileId) return reopened;
    // The other thread has closed the segment, and the number belongs to another file now.
    closeSync(reopened);
    throw new Error(`Segment ${basename(path)} was removed before this thread opened it.`);
  }
}

function fileIdOf(fd: number): string {
  const { dev, ino } = fstatSync(fd, { bigint: true });
  return `${dev}:${ino}`;
}

function createSegment(shared: SharedSegment, fd: number, schema: Schema, first: boolean): Segment {
  const { path, table, memory } = shared;
  const { documents, terms } = table.facts;
  const blocks = Math.max(1, Math.ceil(documents / 128));
  const bitmapBytes = blocks * 16;
  const at = (name: string) => {
    const section = table.sections[name];
    if (!section) throw new EngineError('corrupt', `Segment ${basename(path)} has no "${name}".`);
    return section[0];
  };
  let users = 1;
  const segment = {
    file: basename(path),
    fd,
    shared,
    documents,
    blocks,
    bitmapBytes,
    kernels: loadKernels(memory),
    postings: at('text.postings'),
    postingOffsets: at('text.postingOffsets'),
    codes: at('text.codes'),
    forward: at('text.forward'),
    forwardStarts: at('text.forwardStarts'),
    isVerified: true,
    liveCount: documents,
    keptCounts: createKeptCounts(),
    keptNumbers: createKeptCounts(),
    retain() {
      users++;
    },
    close() {
      if (--users === 0) closeSync(fd);
    },
  } as Segment;

  const bindViews = () => {
    const buffer = memory.buffer as unknown as ArrayBuffer;
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
  /** Allocates memory for this thread. Other threads may grow the memory at the same time; each gets its own range. */
  const growMemory = (bytes: number) => {
    const pages = Math.ceil(bytes / page);
    const start = memory.grow(pages) * page;
    bindViews();
    return { start, end: start + pages * page };
  };
  let top = Math.ceil(table.residentEnd / 64) * 64;
  const reserve = (length: number) => {
    const start = top;
    top += Math.ceil(length / 64) * 64;
    // The first thread allocates this memory before it shares the segment; for the other threads it already exists.
    if (first && top > memory.buffer.byteLength) growMemory(top - memory.buffer.byteLength);
    return start;
  };
  bindViews();
  segment.subsetSlots = reserve(subsetsBytes);
  segment.allocate = (bytes) => growMemory(bytes).start;
  openColumns(segment, table, schema, at, reserve, first);
  const marksBytes = Math.ceil(((terms + 2) * 2) / 64) * 64;
  const own = growMemory(termScratchBytes + marksBytes + bitmapBytes * (scratchBitmaps + 1) + documents * 4 + 64);
  segment.termScratch = own.start;
  segment.marks = own.start + termScratchBytes;
  segment.live = segment.marks + marksBytes;
  segment.scratch = createScratch({ start: segment.live + bitmapBytes, end: own.end }, bitmapBytes, growMemory);
  setDeleted(segment, new Uint32Array(0));
  return segment;
}

/** Marks all documents as live except the deleted ones. */
export function setDeleted(segment: Segment, deleted: Uint32Array): void {
  segment.kernels.clear(segment.live, segment.blocks);
  segment.kernels.setRange(segment.live, 0, segment.documents);
  for (const doc of deleted) segment.u32[(segment.live >>> 2) + (doc >>> 5)]! &= ~(1 << (doc & 31));
  segment.liveCount = segment.documents - deleted.length;
  segment.keptCounts.clear();
  segment.keptNumbers.clear();
}

interface MemoryRange {
  start: number;
  end: number;
}

const minBitmaps = 16;
let tightScratch = false;

/** For tests: every allocation of a query grows the memory. */
export function setTightScratch(tight: boolean): void {
  tightScratch = tight;
}

/** Memory ranges are used one after the other, and `grow` adds a range when all are full. Untouched pages cost no memory. */
function createScratch(first: MemoryRange, bitmapBytes: number, grow: (bytes: number) => MemoryRange): Scratch {
  const ranges = [first];
  let current = 0;
  let top = first.start;
  let free: number[] = [];
  const takeBytes = (bytes: number): number => {
    const needed = (bytes + 15) & ~15;
    if (tightScratch) return grow(needed).start;
    while (top + needed > ranges[current]!.end) {
      current++;
      if (current === ranges.length) ranges.push(grow(Math.max(needed, bitmapBytes * minBitmaps)));
      top = ranges[current]!.start;
    }
    const at = top;
    top += needed;
    return at;
  };
  return {
    bitmap: () => free.pop() ?? takeBytes(bitmapBytes),
    release: (bitmap) => {
      free.push(bitmap);
    },
    bytes: takeBytes,
    reset() {
      current = 0;
      top = first.start;
      free = [];
    },
  };
}
