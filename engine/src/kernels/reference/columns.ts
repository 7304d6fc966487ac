// biome-ignore-all lint/style/noNonNullAssertion: the kernels' contract says that every address and index is inside the memory
import type { Kernels } from '../kernels.ts';
import { bitCount, memoryViews, referenceBitmaps, setBit } from './bitmaps.ts';

type ColumnKernels = Pick<
  Kernels,
  | 'countDense'
  | 'histogram'
  | 'histogramMany'
  | 'setCodes'
  | 'countNumbers'
  | 'hamming'
  | 'rowsBelow'
  | 'estimateRows'
  | 'dot'
  | 'dotRows'
  | 'largestProducts'
>;

/** Reference implementation of facets.as.ts, numbers.as.ts and vectors.as.ts. */
export function referenceColumns(memory: WebAssembly.Memory): ColumnKernels {
  const views = memoryViews(memory);
  const { andPopcount } = referenceBitmaps(memory);
  const dot = (a: number, b: number, quads: number) => {
    const { f32 } = views();
    const lanes = new Float32Array(4);
    for (let i = 0; i < quads * 4; i++) lanes[i & 3] = lanes[i & 3]! + Math.fround(f32[a / 4 + i]! * f32[b / 4 + i]!);
    return Math.fround(Math.fround(Math.fround(lanes[0]! + lanes[1]!) + lanes[2]!) + lanes[3]!);
  };
  const add = (out: number, index: number, count: number) => {
    const { u32 } = views();
    u32[out / 4 + index] = u32[out / 4 + index]! + count;
  };

  return {
    countDense: (bitmaps, values, mask, blocks, out) => {
      for (let v = 0; v < values; v++) add(out, v, andPopcount(bitmaps + v * blocks * 16, mask, blocks));
    },
    histogram: (list, count, column, width, out) => {
      const { u8, u16, u32 } = views();
      const codes = width === 1 ? u8 : width === 2 ? u16 : u32;
      for (const document of u32.subarray(list / 4, list / 4 + count)) add(out, codes[column / width + document]!, 1);
    },
    histogramMany: (list, count, starts, codes, width, out) => {
      const { u8, u16, u32 } = views();
      const column = width === 1 ? u8 : width === 2 ? u16 : u32;
      for (const document of u32.subarray(list / 4, list / 4 + count)) {
        const to = u32[starts / 4 + document + 1]!;
        for (let at = u32[starts / 4 + document]!; at < to; at++) add(out, column[codes / width + at]!, 1);
      }
    },
    setCodes: (dst, codes, width, documents, from, to) => {
      const { u8, u16, u32 } = views();
      const column = width === 1 ? u8 : width === 2 ? u16 : u32;
      for (let document = 0; document < documents; document++) {
        const code = column[codes / width + document]!;
        if (code >= from && code < to) setBit(u32, dst / 4, document);
      }
    },
    countNumbers: (list, documents, ordinals, width, values, limits, steps, counts, out) => {
      const { u8, u16, u32, f64 } = views();
      const column = width === 1 ? u8 : width === 2 ? u16 : u32;
      const bounds = u32.subarray(limits / 4, limits / 4 + 2 ** steps - 1);
      const found: number[] = [];
      for (const document of u32.subarray(list / 4, list / 4 + documents)) {
        const ordinal = column[ordinals / width + document]!;
        if (ordinal === 0) continue;
        found.push(f64[values / 8 + ordinal - 1]!);
        add(counts, bounds.filter((limit) => limit <= ordinal).length, 1);
      }
      const sum = found.reduce((total, value) => total + value, 0);
      f64.set([Math.min(...found), Math.max(...found), sum, found.length], out / 8);
    },
    hamming: (query, signatures, count, blocks, documents, matches, out, counts) => {
      const { u16, u32 } = views();
      let found = 0;
      for (let i = 0; i < count; i++) {
        const doc = u32[documents / 4 + i]!;
        u16[out / 2 + i] = 0xffff;
        if (((u32[matches / 4 + (doc >>> 5)]! >>> (doc & 31)) & 1) === 0) continue;
        let bits = 0;
        for (let w = 0; w < blocks * 4; w++) bits += bitCount(u32[query / 4 + w]! ^ u32[signatures / 4 + i * blocks * 4 + w]!);
        u16[out / 2 + i] = bits;
        u32[counts / 4 + bits]!++;
        found++;
      }
      return found;
    },
    rowsBelow: (distances, count, limit, out) => {
      const { u16, u32 } = views();
      let found = 0;
      for (let i = 0; i < count; i++) if (u16[distances / 2 + i]! < limit) u32[out / 4 + found++] = i;
      return found;
    },
    estimateRows: (query, signs, strengths, blocks, rows, count, out) => {
      const { u8, u32, f32 } = views();
      for (let i = 0; i < count; i++) {
        const from = u32[rows / 4 + i]! * blocks * 16;
        let sum = 0;
        for (let at = 0; at < blocks * 128; at++) {
          const isSet = (code: number) => ((u8[code + from + (at >> 3)]! >> (at & 7)) & 1) === 1;
          const size = isSet(strengths) ? 10 : 3;
          sum += ((u8[query + at]! << 24) >> 24) * (isSet(signs) ? size : -size);
        }
        f32[out / 4 + i] = sum;
      }
    },
    dot,
    dotRows: (query, vectors, quads, rows, count, out) => {
      const { u32, f32 } = views();
      for (let i = 0; i < count; i++) f32[out / 4 + i] = dot(query, vectors + u32[rows / 4 + i]! * quads * 16, quads);
    },
    largestProducts: (vectors, count, among, rows, quads, out) => {
      const { u32 } = views();
      for (let i = 0; i < count; i++) {
        let best = Number.NEGATIVE_INFINITY;
        u32[out / 4 + i] = 0;
        for (let row = 0; row < rows; row++) {
          const own = dot(vectors + i * quads * 16, among + row * quads * 16, quads);
          if (!(own > best)) continue;
          best = own;
          u32[out / 4 + i] = row;
        }
      }
    },
  };
}
