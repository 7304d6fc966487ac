/** Places for the bitmaps and lists of one query. Everything is given back at once when the next query begins. */
export interface Scratch {
  /** A bitmap with unknown contents. */
  bitmap(): number;
  release(bitmap: number): void;
  /** `bytes` bytes on a 16-byte border, unknown contents. */
  bytes(bytes: number): number;
  reset(): void;
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
