/** Places for the bitmaps and lists of one query. Everything is given back at once when the next query begins. */
export interface Scratch {
  /** A bitmap with unknown contents. */
  bitmap(): number;
  release(bitmap: number): void;
  /** `bytes` bytes on a 16-byte border, unknown contents. */
  bytes(bytes: number): number;
  reset(): void;
}

/** `grow` is asked for more memory when the reserved stretch is used up; untouched pages cost nothing. */
export function createScratch(start: number, end: number, bitmapBytes: number, grow: (needed: number) => number): Scratch {
  let top = start;
  let limit = end;
  let free: number[] = [];
  const take = (bytes: number): number => {
    const at = top;
    top += (bytes + 15) & ~15;
    if (top > limit) limit = grow(top);
    return at;
  };
  return {
    bitmap: () => free.pop() ?? take(bitmapBytes),
    release: (bitmap) => {
      free.push(bitmap);
    },
    bytes: take,
    reset() {
      top = start;
      free = [];
    },
  };
}
