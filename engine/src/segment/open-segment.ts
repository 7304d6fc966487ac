import { closeSync, openSync } from 'node:fs';
import { basename } from 'node:path';
import { EngineError } from '../errors.ts';
import { createMemory, loadKernels } from '../kernels/index.ts';
import { schemaMark } from '../schema.ts';
import type { Schema } from '../types.ts';
import type { Segment, SharedSegment, Scratch } from './types.ts';
import { readSegment } from './segment-file.ts';
import { openColumns } from './columns.ts';
import { subsetsBytes, termRoomBytes } from './shared-memory.ts';

const page = 1 << 16;
const scratchBitmaps = 48;

/** Reads and checks a segment file; the answer is this thread's own view and what other threads need for theirs. */
export async function openSegment(path: string, bytes: number, schema: Schema): Promise<Segment> {
  let memory: WebAssembly.Memory | null = null;
  let view = new Uint8Array(0);
  const table = await readSegment(path, bytes, (found) => {
    if (found.facts.schema !== schemaMark(schema)) {
      throw new EngineError('corrupt', `Segment ${basename(path)} was written for another schema.`);
    }
    memory = createMemory(found.residentEnd + 64);
    view = new Uint8Array(memory.buffer as unknown as ArrayBuffer);
    return (position, part) => view.set(part, position);
  });
  const fd = openSync(path, 'r');
  return assemble({ path, table, memory: memory!, fd }, fd, schema, true);
}

/** A view of a segment that another thread of this process has loaded. */
export function shareSegment(shared: SharedSegment, schema: Schema): Segment {
  return assemble(shared, openAgain(shared), schema, false);
}

function openAgain({ path, fd }: SharedSegment): number {
  try {
    return openSync(path, 'r');
  } catch {
    return openSync(`/proc/self/fd/${fd}`, 'r');
  }
}

function assemble(shared: SharedSegment, fd: number, schema: Schema, first: boolean): Segment {
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
    liveCount: documents,
    hold() {
      users++;
    },
    close() {
      if (--users === 0) closeSync(fd);
    },
  } as Segment;

  const bind = () => {
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
  /** Memory of this thread alone. Another thread may grow the memory at the same time: each gets a stretch of its own. */
  const growBy = (bytes: number) => {
    const pages = Math.ceil(bytes / page);
    const start = memory.grow(pages) * page;
    bind();
    return { start, end: start + pages * page };
  };
  let top = Math.ceil(table.residentEnd / 64) * 64;
  const reserve = (length: number) => {
    const place = top;
    top += Math.ceil(length / 64) * 64;
    // The first thread makes the room before anyone else knows of the memory; the others find it there.
    if (first && top > memory.buffer.byteLength) growBy(top - memory.buffer.byteLength);
    return place;
  };
  bind();
  segment.subsets = reserve(subsetsBytes);
  segment.keepBytes = (bytes) => growBy(bytes).start;
  openColumns(segment, table, schema, at, reserve, first);
  const marksBytes = Math.ceil(((terms + 2) * 2) / 64) * 64;
  const own = growBy(termRoomBytes + marksBytes + bitmapBytes * (scratchBitmaps + 1) + documents * 4 + 64);
  segment.termRoom = own.start;
  segment.marks = own.start + termRoomBytes;
  segment.live = segment.marks + marksBytes;
  segment.residentBytes = top + marksBytes + bitmapBytes;
  segment.scratch = createScratch({ start: segment.live + bitmapBytes, end: own.end }, bitmapBytes, growBy);
  setDeleted(segment, new Uint32Array(0));
  return segment;
}

/** Sets which documents are alive: all but the deleted. */
export function setDeleted(segment: Segment, deleted: Uint32Array): void {
  segment.kernels.clear(segment.live, segment.blocks);
  segment.kernels.setRange(segment.live, 0, segment.documents);
  for (const doc of deleted) segment.u32[(segment.live >>> 2) + (doc >>> 5)]! &= ~(1 << (doc & 31));
  segment.liveCount = segment.documents - deleted.length;
}

export interface Stretch {
  start: number;
  end: number;
}

const leastBitmaps = 16;

/** Stretches of memory are used one after the other; `grow` is asked for another when all are full. Untouched pages cost nothing. */
export function createScratch(first: Stretch, bitmapBytes: number, grow: (bytes: number) => Stretch): Scratch {
  const stretches = [first];
  let current = 0;
  let top = first.start;
  let free: number[] = [];
  const take = (bytes: number): number => {
    const needed = (bytes + 15) & ~15;
    while (top + needed > stretches[current]!.end) {
      current++;
      if (current === stretches.length) stretches.push(grow(Math.max(needed, bitmapBytes * leastBitmaps)));
      top = stretches[current]!.start;
    }
    const at = top;
    top += needed;
    return at;
  };
  return {
    bitmap: () => free.pop() ?? take(bitmapBytes),
    release: (bitmap) => {
      free.push(bitmap);
    },
    bytes: take,
    reset() {
      current = 0;
      top = first.start;
      free = [];
    },
  };
}
