// 1-bit signatures have a whole number of 16-byte blocks; f32 rows have a whole number of four lanes, padded with zeros.

/** Writes, as u16, the number of bits in which the query differs from each of `count` signatures. */
export function hamming(query: usize, signatures: usize, count: u32, blocks: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    let sum = i32x4.splat(0);
    for (let b: u32 = 0; b < blocks; b++) {
      const bits = i8x16.popcnt(v128.xor(v128.load(query + ((b as usize) << 4)), v128.load(signatures)));
      sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bits)));
      signatures += 16;
    }
    store<u16>(out, (i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3)) as u16);
    out += 2;
  }
}

/** Returns the dot product of two rows; each lane is summed separately, and the lanes are added in order at the end. */
export function dot(a: usize, b: usize, quads: u32): f32 {
  let sum = f32x4.splat(0);
  for (let i: u32 = 0; i < quads; i++) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(a), v128.load(b)));
    a += 16; b += 16;
  }
  return f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3);
}

/** Writes the f32 dot products of the query with the rows listed in `rows`. */
export function dotRows(query: usize, vectors: usize, quads: u32, rows: usize, count: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    store<f32>(out, dot(query, vectors + (load<u32>(rows) as usize) * ((quads as usize) << 4), quads));
    rows += 4; out += 4;
  }
}
