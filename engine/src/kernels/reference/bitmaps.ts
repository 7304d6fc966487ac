// biome-ignore-all lint/style/noNonNullAssertion: the kernels' contract says that every address and index is inside the memory
import type { Kernels } from '../kernels.ts';

/** Typed views of a memory. They are renewed after the memory has grown, which detaches the old buffer. */
export interface MemoryViews {
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
}

export function memoryViews(memory: WebAssembly.Memory): () => MemoryViews {
  let buffer: SharedArrayBuffer | undefined;
  let views: MemoryViews;
  return () => {
    if (memory.buffer !== buffer) {
      buffer = memory.buffer;
      views = {
        u8: new Uint8Array(buffer),
        u16: new Uint16Array(buffer),
        u32: new Uint32Array(buffer),
        f32: new Float32Array(buffer),
        f64: new Float64Array(buffer),
      };
    }
    return views;
  };
}

/** Returns the number of bits set in a 32-bit word. */
export function bitCount(word: number): number {
  let x = word - ((word >>> 1) & 0x55555555);
  x = (x & 0x33333333) + ((x >>> 2) & 0x33333333);
  return Math.imul((x + (x >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}

export function hasBit(u32: Uint32Array, start: number, bit: number): boolean {
  return ((u32[start + (bit >>> 5)]! >>> (bit & 31)) & 1) === 1;
}

export function setBit(u32: Uint32Array, start: number, bit: number): void {
  u32[start + (bit >>> 5)] = u32[start + (bit >>> 5)]! | (1 << (bit & 31));
}

/** Returns the pairs of u32 at an address. */
export function pairsAt(u32: Uint32Array, address: number, count: number): [number, number][] {
  return Array.from({ length: count }, (_, index) => [u32[address / 4 + index * 2]!, u32[address / 4 + index * 2 + 1]!]);
}

type BitmapKernels = Pick<
  Kernels,
  'and' | 'andNot' | 'or' | 'xor' | 'clear' | 'setRange' | 'popcount' | 'andCount' | 'andNotCount' | 'andPopcount' | 'takeBits'
>;

/** Reference implementation of bitmaps.as.ts. */
export function referenceBitmaps(memory: WebAssembly.Memory): BitmapKernels {
  const views = memoryViews(memory);
  const combine = (operation: (a: number, b: number) => number) => (dst: number, a: number, b: number, blocks: number) => {
    const { u32 } = views();
    for (let i = 0; i < blocks * 4; i++) u32[dst / 4 + i] = operation(u32[a / 4 + i]!, u32[b / 4 + i]!);
  };
  const and = combine((a, b) => a & b);
  const andNot = combine((a, b) => a & ~b);
  const andPopcount = (a: number, b: number, blocks: number) => {
    const { u32 } = views();
    let count = 0;
    for (let i = 0; i < blocks * 4; i++) count += bitCount(u32[a / 4 + i]! & u32[b / 4 + i]!);
    return count;
  };
  /** Writes documents to `out` after the first `skip`, up to `most`. */
  const takeInto = (skip: number, most: number, out: number) => {
    const { u32 } = views();
    let seen = 0;
    return {
      taken: () => Math.max(0, seen - skip),
      full: () => seen >= skip + most,
      give: (document: number) => {
        if (seen >= skip) u32[out / 4 + seen - skip] = document;
        seen++;
      },
    };
  };

  return {
    and,
    andNot,
    or: combine((a, b) => a | b),
    xor: combine((a, b) => a ^ b),
    clear: (dst, blocks) => void views().u8.fill(0, dst, dst + blocks * 16),
    setRange: (dst, from, to) => {
      for (let bit = from; bit < to; bit++) setBit(views().u32, dst / 4, bit);
    },
    popcount: (a, blocks) => andPopcount(a, a, blocks),
    andCount: (dst, a, b, blocks) => {
      and(dst, a, b, blocks);
      return andPopcount(dst, dst, blocks);
    },
    andNotCount: (dst, a, b, blocks) => {
      andNot(dst, a, b, blocks);
      return andPopcount(dst, dst, blocks);
    },
    andPopcount,
    takeBits: (src, blocks, skip, most, out) => {
      const { u32 } = views();
      const target = takeInto(skip, most, out);
      for (let bit = 0; bit < blocks * 128 && !target.full(); bit++) if (hasBit(u32, src / 4, bit)) target.give(bit);
      return target.taken();
    },
  };
}
