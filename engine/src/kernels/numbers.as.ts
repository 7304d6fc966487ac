// Numeric columns: one f64 a document, NaN where there is none.

/** Writes min, max, sum and count of the mask's values as four f64; without values min is +infinity and max -infinity. */
export function numberStats(mask: usize, blocks: u32, column: usize, out: usize): void {
  let least = f64.POSITIVE_INFINITY, most = f64.NEGATIVE_INFINITY, sum: f64 = 0, count: u32 = 0;
  const words = blocks << 2;
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u32>(mask + ((i as usize) << 2));
    while (word != 0) {
      const value = load<f64>(column + ((((i << 5) + ctz<u32>(word)) as usize) << 3));
      word &= word - 1;
      if (value != value) continue;
      least = min<f64>(least, value);
      most = max<f64>(most, value);
      sum += value;
      count++;
    }
  }
  store<f64>(out, least);
  store<f64>(out, most, 8);
  store<f64>(out, sum, 16);
  store<f64>(out, count as f64, 24);
}

/** Adds one to out[b] for every value of the mask in [bounds[b], bounds[b + 1]); `buckets` + 1 ascending f64 bounds. */
export function bucketCounts(mask: usize, blocks: u32, column: usize, bounds: usize, buckets: u32, out: usize): void {
  const words = blocks << 2;
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u32>(mask + ((i as usize) << 2));
    while (word != 0) {
      const value = load<f64>(column + ((((i << 5) + ctz<u32>(word)) as usize) << 3));
      word &= word - 1;
      // The number of bounds at or below the value, less one, is its bucket. NaN is below none of them.
      let low: u32 = 0, high: u32 = buckets + 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (load<f64>(bounds + ((middle as usize) << 3)) <= value) low = middle + 1;
        else high = middle;
      }
      if (low == 0 || low > buckets) continue;
      const at = out + (((low - 1) as usize) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
}

/** Sets the bit of every document whose value lies within; the bounds are in when `lowIn` and `highIn` say so. */
export function setWithin(dst: usize, column: usize, documents: u32, low: f64, lowIn: bool, high: f64, highIn: bool): void {
  let at = dst;
  for (let base: u32 = 0; base < documents; base += 32) {
    const end = min<u32>(32, documents - base);
    let word: u32 = 0;
    for (let bit: u32 = 0; bit < end; bit++) {
      const value = load<f64>(column);
      column += 8;
      const above = lowIn ? value >= low : value > low;
      const below = highIn ? value <= high : value < high;
      word |= ((above & below) as u32) << bit;
    }
    store<u32>(at, load<u32>(at) | word);
    at += 4;
  }
}
