import { loadWords, type WordKernels } from '../kernels/words.ts';
import { mostTokens, textOf, tokenizeInto } from '../text/index.ts';
import { extraMark, firstCode } from './draft.ts';
import type { GrowingU32 } from './growing-arrays.ts';
import { createPlainTermTable } from './plain-term-table.ts';
import type { UnitSpans } from './texts.ts';
import { slotBytes, spansOfWords } from './word-spans.ts';

/** The terms of a collector, numbered as they come. */
export interface TermTable {
  /** How many there are. */
  count(): number;
  /** Adds the tokens of a value, units[from … to), to the stream. The units may not change while their array is in use. */
  addValue(stream: GrowingU32, units: Uint16Array, from: number, to: number): void;
  /** The terms in order of number. */
  spans(): UnitSpans;
  /** Forgets all terms. */
  clear(): void;
}

export function createTermTable(): TermTable {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
  const kernels = loadWords(memory);
  return kernels === null ? createPlainTermTable() : createKernelTermTable(memory, kernels);
}

const page = 65_536;
const firstSlots = 1 << 12;
/** Longer values go the long way, which ends at the last token that counts. */
const longestText = 1 << 20;
/** A table of more than this is not kept for the next terms. */
const largestKept = 1 << 23;
const encoder = new TextEncoder();

/** A stretch of memory that is given up for a larger one when it is too small. */
interface Room {
  at: number;
  bytes: number;
}

function createKernelTermTable(firstMemory: WebAssembly.Memory, firstKernels: WordKernels): TermTable {
  let memory = firstMemory;
  let kernels = firstKernels;
  let top = 64;
  let u8 = new Uint8Array(0);
  let u32 = new Uint32Array(0);
  let slots: Room = { at: 0, bytes: 0 };
  let kept: Room = { at: 0, bytes: 0 };
  let input: Room = { at: 0, bytes: 0 };
  let work: Room = { at: 0, bytes: 0 };
  let out: Room = { at: 0, bytes: 0 };
  let loaded: Uint16Array | null = null;

  const take = (bytes: number): Room => {
    const at = top;
    top += Math.ceil(bytes / 64) * 64;
    const missing = top - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / page));
    u8 = new Uint8Array(memory.buffer as unknown as ArrayBuffer);
    u32 = new Uint32Array(memory.buffer as unknown as ArrayBuffer);
    return { at, bytes };
  };
  const begin = () => {
    top = 64;
    slots = take(firstSlots * slotBytes);
    kept = take(page);
    input = work = out = { at: 0, bytes: 0 };
    loaded = null;
    kernels.useTable(slots.at, firstSlots, kept.at);
  };
  begin();

  const withRoom = (room: Room, bytes: number): Room => (bytes <= room.bytes ? room : take(Math.max(bytes, room.bytes * 2)));
  /** Makes room for the terms of a text of so many units, whichever they are. */
  const prepare = (units: number) => {
    // With its forms without suffix and the whole of its chunk a token gives two and a half terms at most, and a unit fewer than two.
    const most = kernels.wordCount() + Math.min(units * 2, mostTokens * 3) + 2;
    while (most * slotBytes * 4 > slots.bytes * 3) {
      slots = take(slots.bytes * 2);
      kernels.moveTable(slots.at, slots.bytes / slotBytes);
    }
    const needed = Math.min(units, mostTokens * 64) * 4 + 256;
    if (kernels.keptEnd() + needed > kept.at + kept.bytes) {
      kept = take(Math.max(needed, page));
      kernels.keepAt(kept.at);
    }
    work = withRoom(work, units * 1.5 + 512);
    out = withRoom(out, (Math.min(units * 4, mostTokens * 6) + 16) * 4);
  };
  const load = (units: Uint16Array) => {
    input = withRoom(input, units.length * 2 + 64);
    new Uint16Array(memory.buffer as unknown as ArrayBuffer, input.at, units.length).set(units);
    loaded = units;
  };
  const entryOf = (term: string) => {
    prepare(256);
    // Folded terms are mostly plain, also those of texts that are not.
    let length = 0;
    for (; length < term.length; length++) {
      const unit = term.charCodeAt(length);
      if (unit > 127) break;
      u8[work.at + length] = unit;
    }
    if (length < term.length) length = encoder.encodeInto(term, u8.subarray(work.at, work.at + work.bytes)).written;
    return kernels.numberOf(work.at, length) - 1 + firstCode;
  };
  const addAny = (stream: GrowingU32, text: string) => {
    let next = 0;
    tokenizeInto(text, (term, position, extra) => {
      if (extra) {
        stream.push(extraMark);
        stream.push(entryOf(term));
        stream.push(next - position);
      } else {
        stream.push(entryOf(term));
        next = position + 1;
      }
    });
  };

  return {
    count: () => kernels.wordCount(),
    addValue(stream, units, from, to) {
      const length = to - from;
      if (length > longestText) return addAny(stream, textOf(units, from, to));
      if (loaded !== units) load(units);
      prepare(length);
      const entries = kernels.addText(input.at + from * 2, length, work.at, out.at);
      if (entries < 0) return addAny(stream, textOf(units, from, to));
      stream.grow(stream.length + entries);
      const { items } = stream;
      const start = out.at >>> 2;
      if (entries > 64) items.set(u32.subarray(start, start + entries), stream.length);
      else for (let at = 0, end = stream.length; at < entries; at++) items[end + at] = u32[start + at]!;
      stream.length += entries;
    },
    spans: () => spansOfWords(u8, u32, slots.at, slots.bytes / slotBytes, kernels.wordCount()),
    clear() {
      if (memory.buffer.byteLength > largestKept) {
        memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
        kernels = loadWords(memory)!;
      } else u8.fill(0);
      begin();
    },
  };
}
