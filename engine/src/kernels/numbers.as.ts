// Numeric columns: one ordinal a document (u8, u16 or u32 by width), 0 where there is no value; ordinal o stands for values[o - 1].

// @ts-ignore: decorator
@inline
function ordinalAt(ordinals: usize, width: u32, doc: u32): u32 {
  if (width == 4) return load<u32>(ordinals + ((doc as usize) << 2));
  return width == 2 ? load<u16>(ordinals + ((doc as usize) << 1)) : load<u8>(ordinals + (doc as usize));
}

/** Writes min, max, sum and count of the mask's values as four f64; without values min is +infinity and max -infinity. */
export function numberStats(mask: usize, blocks: u32, ordinals: usize, width: u32, values: usize, out: usize): void {
  let least: u32 = 0xffffffff, most: u32 = 0, sum: f64 = 0, count: u32 = 0;
  const words = blocks << 2;
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u32>(mask + ((i as usize) << 2));
    while (word != 0) {
      const ordinal = ordinalAt(ordinals, width, (i << 5) + ctz<u32>(word));
      word &= word - 1;
      if (ordinal == 0) continue;
      least = min<u32>(least, ordinal);
      most = max<u32>(most, ordinal);
      sum += load<f64>(values + (((ordinal - 1) as usize) << 3));
      count++;
    }
  }
  store<f64>(out, count > 0 ? load<f64>(values + (((least - 1) as usize) << 3)) : f64.POSITIVE_INFINITY);
  store<f64>(out, count > 0 ? load<f64>(values + (((most - 1) as usize) << 3)) : f64.NEGATIVE_INFINITY, 8);
  store<f64>(out, sum, 16);
  store<f64>(out, count as f64, 24);
}

/** Adds one to out[b] for every document of the mask whose ordinal lies in limits[b] … limits[b + 1] - 1; limits ascend, from 1. */
export function bucketCounts(mask: usize, blocks: u32, ordinals: usize, width: u32, limits: usize, buckets: u32, out: usize): void {
  const words = blocks << 2;
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u32>(mask + ((i as usize) << 2));
    while (word != 0) {
      const ordinal = ordinalAt(ordinals, width, (i << 5) + ctz<u32>(word));
      word &= word - 1;
      // The number of limits at or below the ordinal, less one, is its bucket. The missing are below all of them.
      let low: u32 = 0, high: u32 = buckets + 1;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (load<u32>(limits + ((middle as usize) << 2)) <= ordinal) low = middle + 1;
        else high = middle;
      }
      if (low == 0 || low > buckets) continue;
      const at = out + (((low - 1) as usize) << 2);
      store<u32>(at, load<u32>(at) + 1);
    }
  }
}
