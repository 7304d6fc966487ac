/** A small seeded generator (mulberry32): the same corpus on every machine. */
export interface Random {
  /** 0 up to but not including 1. */
  next(): number;
  /** 0 up to but not including `below`. */
  below(below: number): number;
  pick<T>(list: readonly T[]): T;
}

export function seeded(seed: number): Random {
  let state = seed | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (limit: number) => Math.floor(next() * limit);
  return { next, below, pick: (list) => list[below(list.length)]! };
}

/** Draws places 0 … count - 1 with the frequencies of words in a language. */
export function zipf(count: number, exponent: number): (random: Random) => number {
  const sums = new Float64Array(count);
  let total = 0;
  for (let place = 0; place < count; place++) {
    total += 1 / (place + 2.7) ** exponent;
    sums[place] = total;
  }
  return (random) => {
    const drawn = random.next() * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < drawn) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}
