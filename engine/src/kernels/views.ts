/** Typed views over a memory; taken anew after it has grown, which detaches the old buffer. */
export interface Views {
  u8: Uint8Array;
  u16: Uint16Array;
  u32: Uint32Array;
  f32: Float32Array;
  f64: Float64Array;
}

export function viewsOf(memory: WebAssembly.Memory): () => Views {
  let buffer: SharedArrayBuffer | undefined;
  let views: Views;
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

/** Bits of a 32-bit word that are set. */
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

/** Pairs of u32 that stand at an address. */
export function pairsAt(u32: Uint32Array, address: number, count: number): [number, number][] {
  return Array.from({ length: count }, (_, index) => [u32[address / 4 + index * 2]!, u32[address / 4 + index * 2 + 1]!]);
}
