import type { Kernels } from './kernels.ts';
import { bitCount, hasBit, setBit, viewsOf } from './views.ts';

type BitmapKernels = Pick<
  Kernels,
  'and' | 'andNot' | 'or' | 'xor' | 'clear' | 'setRange' | 'popcount' | 'andCount' | 'andNotCount' | 'andPopcount' | 'takeBits'
>;

/** Plain twins of bitmaps.as.ts. */
export function plainBitmaps(memory: WebAssembly.Memory): BitmapKernels {
  const views = viewsOf(memory);
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
  /** Writes from a stream of documents what is left after `skip`, up to `most`. */
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
