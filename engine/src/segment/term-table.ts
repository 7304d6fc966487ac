// biome-ignore-all lint/style/noNonNullAssertion: indexes are below lengths stored with the arrays or in the verified section table
import { loadWords, type WordKernels } from '../kernels/words.ts';
import { fromCodeUnits, maxTokens, toCodeUnits, tokenizeInto } from '../text/index.ts';
import { extraMark, firstCode } from './draft.ts';
import type { GrowingU32 } from './growing-arrays.ts';
import { createReferenceTermTable, type TermTable } from './reference-term-table.ts';
import type { TextSpans } from './sort-texts.ts';

export function createTermTable(): TermTable {
  const memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
  const kernels = loadWords(memory);
  return kernels === null ? createReferenceTermTable() : createKernelTermTable(memory, kernels);
}

const page = 65_536;
const firstSlots = 1 << 12;
/** Longer values are tokenised in TypeScript, which stops at the token limit. */
const maxKernelTextLength = 1 << 20;
/** A larger table is not kept for reuse. */
const maxKeptBytes = 1 << 23;
const encoder = new TextEncoder();

/** A block of memory that is replaced by a larger one when it is too small. */
interface MemoryBlock {
  at: number;
  bytes: number;
}

function createKernelTermTable(firstMemory: WebAssembly.Memory, firstKernels: WordKernels): TermTable {
  let memory = firstMemory;
  let kernels = firstKernels;
  let top = 64;
  let u8 = new Uint8Array(0);
  let u32 = new Uint32Array(0);
  let slots: MemoryBlock = { at: 0, bytes: 0 };
  let kept: MemoryBlock = { at: 0, bytes: 0 };
  let input: MemoryBlock = { at: 0, bytes: 0 };
  let work: MemoryBlock = { at: 0, bytes: 0 };
  let out: MemoryBlock = { at: 0, bytes: 0 };
  let loaded: Uint16Array | null = null;

  const allocateBlock = (bytes: number): MemoryBlock => {
    const at = top;
    top += Math.ceil(bytes / 64) * 64;
    const missing = top - memory.buffer.byteLength;
    if (missing > 0) memory.grow(Math.ceil(missing / page));
    u8 = new Uint8Array(memory.buffer as unknown as ArrayBuffer);
    u32 = new Uint32Array(memory.buffer as unknown as ArrayBuffer);
    return { at, bytes };
  };
  const reset = () => {
    top = 64;
    slots = allocateBlock(firstSlots * slotBytes);
    kept = allocateBlock(page);
    input = work = out = { at: 0, bytes: 0 };
    loaded = null;
    kernels.useTable(slots.at, firstSlots, kept.at);
  };
  reset();

  const ensureBlock = (block: MemoryBlock, bytes: number): MemoryBlock =>
    bytes <= block.bytes ? block : allocateBlock(Math.max(bytes, block.bytes * 2));
  /** Ensures capacity for all terms of a text with this many code units. */
  const prepare = (units: number) => {
    // Including forms without suffix and whole chunks, a token yields at most two and a half terms, and a code unit fewer than two.
    const most = kernels.wordCount() + Math.min(units * 2, maxTokens * 3) + 2;
    while (most * slotBytes * 4 > slots.bytes * 3) {
      slots = allocateBlock(slots.bytes * 2);
      kernels.moveTable(slots.at, slots.bytes / slotBytes);
    }
    const needed = Math.min(units, maxTokens * 64) * 4 + 256;
    if (kernels.keptEnd() + needed > kept.at + kept.bytes) {
      kept = allocateBlock(Math.max(needed, page));
      kernels.keepAt(kept.at);
    }
    work = ensureBlock(work, units * 1.5 + 512);
    out = ensureBlock(out, (Math.min(units * 4, maxTokens * 6) + 16) * 4);
  };
  const load = (units: Uint16Array) => {
    input = ensureBlock(input, units.length * 2 + 64);
    new Uint16Array(memory.buffer as unknown as ArrayBuffer, input.at, units.length).set(units);
    loaded = units;
  };
  const entryOf = (term: string) => {
    prepare(256);
    // Case-folded terms are mostly ASCII, even in texts that are not.
    let length = 0;
    for (; length < term.length; length++) {
      const unit = term.charCodeAt(length);
      if (unit > 127) break;
      u8[work.at + length] = unit;
    }
    if (length < term.length) length = encoder.encodeInto(term, u8.subarray(work.at, work.at + work.bytes)).written;
    return kernels.numberOf(work.at, length) - 1 + firstCode;
  };
  const addAnyText = (stream: GrowingU32, text: string) => {
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
      if (length > maxKernelTextLength) return addAnyText(stream, fromCodeUnits(units, from, to));
      if (loaded !== units) load(units);
      prepare(length);
      const entries = kernels.addText(input.at + from * 2, length, work.at, out.at);
      if (entries < 0) return addAnyText(stream, fromCodeUnits(units, from, to));
      stream.grow(stream.length + entries);
      const { items } = stream;
      const start = out.at >>> 2;
      if (entries > 64) items.set(u32.subarray(start, start + entries), stream.length);
      else for (let at = 0, end = stream.length; at < entries; at++) items[end + at] = u32[start + at]!;
      stream.length += entries;
    },
    spans: () => spansOfWords(u8, u32, slots.at, slots.bytes / slotBytes, kernels.wordCount()),
    clear() {
      if (memory.buffer.byteLength > maxKeptBytes) {
        memory = new WebAssembly.Memory({ initial: 1, maximum: 65_536 });
        kernels = loadWords(memory)!;
      } else u8.fill(0);
      reset();
    },
  };
}

const slotBytes = 32;
const shortWord = 16;

/** Returns the words of a kernel's table (`kernels/words.as.ts`) in order of their numbers. */
function spansOfWords(u8: Uint8Array, u32: Uint32Array, slots: number, size: number, count: number): TextSpans {
  /** By word number: the index of its slot in `u32`. */
  const slotOf = new Uint32Array(count);
  let bytes = 0;
  for (let slot = slots >>> 2; slot < (slots + size * slotBytes) >>> 2; slot += slotBytes >>> 2) {
    const number = u32[slot + 4]!;
    if (number === 0) continue;
    slotOf[number - 1] = slot;
    bytes += u32[slot + 5]!;
  }
  // A word has no more code units than bytes.
  const units = new Uint16Array(bytes);
  const starts = new Uint32Array(count);
  let end = 0;
  for (let number = 0; number < count; number++) {
    const slot = slotOf[number]!;
    const length = u32[slot + 5]!;
    const from = length > shortWord ? u32[slot + 2]! : slot * 4;
    const start = end;
    starts[number] = start;
    let all = 0;
    for (let at = from; at < from + length; at++) {
      all |= u8[at]!;
      units[end++] = u8[at]!;
    }
    if (all < 128) continue;
    const decoded = toCodeUnits(Buffer.from(u8.buffer, from, length).toString());
    units.set(decoded, start);
    end = start + decoded.length;
  }
  return { units, starts, gap: 0, size: count, end };
}
