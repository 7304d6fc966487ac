// biome-ignore-all lint/style/noNonNullAssertion: every index is drawn below the length of its array

/** A seeded generator (mulberry32), so that every machine gets the same corpus. */
export interface Random {
  /** From 0 up to, but not including, 1. */
  next(): number;
  /** An integer from 0 up to, but not including, `limit`. */
  below(limit: number): number;
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

/** Draws ranks from 0 to count - 1, distributed like word frequencies in natural language. */
export function zipf(count: number, exponent: number): (random: Random) => number {
  const sums = new Float64Array(count);
  let total = 0;
  for (let rank = 0; rank < count; rank++) {
    total += 1 / (rank + 2.7) ** exponent;
    sums[rank] = total;
  }
  return (random) => {
    const target = random.next() * total;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (sums[middle]! < target) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

const onsets = ['', ...'b br c ch cl d dr f fl g gr h j k l m n p pl pr qu r s sh sp st str t th tr v w z'.split(' ')];
const vowels = ['a', 'a', 'e', 'e', 'e', 'i', 'i', 'o', 'o', 'u', 'ai', 'ea', 'ee', 'io', 'ou', 'y'];
const codas = ['', '', '', 'b', 'ck', 'd', 'g', 'l', 'll', 'm', 'n', 'nd', 'ng', 'nt', 'p', 'r', 'rd', 'rt', 's', 'ss', 'st', 't', 'x'];
const endings = ['', '', '', 'ed', 'er', 'ing', 'ion', 'ly', 'ment', 'ness', 's', 's'];

/** Distinct lower-case words of 3 to 14 letters that share stems and endings, like those of a natural language. */
export function makeWords(count = 72_000): string[] {
  const random = seeded(0x5eed);
  const found = new Set<string>();
  while (found.size < count) {
    let word = '';
    for (let syllables = 1 + random.below(3); syllables > 0; syllables--)
      word += random.pick(onsets) + random.pick(vowels) + random.pick(codas);
    word += random.pick(endings);
    if (word.length >= 3 && word.length <= 14) found.add(word);
  }
  return [...found];
}
