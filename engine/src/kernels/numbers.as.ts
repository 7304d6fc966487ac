// Numeric columns hold one ordinal per document (u8, u16 or u32 by width), 0 for no value; ordinal o stands for values[o - 1].

// @ts-ignore: decorator
@inline
function count<T>(
  list: usize, count: u32, ordinals: usize, values: usize, limits: usize, steps: u32, counts: usize, out: usize,
): void {
  let least: u32 = 0xffffffff, most: u32 = 0, sum: f64 = 0, found: u32 = 0;
  const end = list + ((count as usize) << 2);
  const half: u32 = steps == 0 ? 0 : 1 << (steps - 1);
  for (; list < end; list += 4) {
    const ordinal: u32 = load<T>(ordinals + (load<u32>(list) as usize) * sizeof<T>()) as u32;
    if (ordinal == 0) continue;
    least = min<u32>(least, ordinal);
    most = max<u32>(most, ordinal);
    sum += load<f64>(values + (((ordinal - 1) as usize) << 3));
    found++;
    // Branch-free count of the limits that are ≤ the ordinal.
    let below: u32 = 0;
    for (let step = half; step > 0; step >>= 1) {
      below += select<u32>(step, 0, load<u32>(limits + (((below + step - 1) as usize) << 2)) <= ordinal);
    }
    const at = counts + ((below as usize) << 2);
    store<u32>(at, load<u32>(at) + 1);
  }
  store<f64>(out, found > 0 ? load<f64>(values + (((least - 1) as usize) << 3)) : f64.POSITIVE_INFINITY);
  store<f64>(out, found > 0 ? load<f64>(values + (((most - 1) as usize) << 3)) : f64.NEGATIVE_INFINITY, 8);
  store<f64>(out, sum, 16);
  store<f64>(out, found as f64, 24);
}

/** Implements `Kernels.countNumbers`. */
export function countNumbers(
  list: usize, documents: u32, ordinals: usize, width: u32, values: usize, limits: usize, steps: u32, counts: usize, out: usize,
): void {
  if (width == 1) count<u8>(list, documents, ordinals, values, limits, steps, counts, out);
  else if (width == 2) count<u16>(list, documents, ordinals, values, limits, steps, counts, out);
  else count<u32>(list, documents, ordinals, values, limits, steps, counts, out);
}
