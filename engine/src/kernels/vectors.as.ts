// 1-bit signatures have a whole number of 16-byte blocks; f32 rows have a whole number of four lanes, padded with zeros.

/** The distance of rows whose document does not match: farther than any vector can be. */
const notMatching: u32 = 0xffff;

/**
 * Writes, as u16, the number of bits in which the query differs from each of `count` signatures, or 0xffff for rows whose document is not in
 * the bitmap. Adds the rows of each distance to `counts`, and returns how many documents are in the bitmap.
 */
export function hamming(query: usize, signatures: usize, count: u32, blocks: u32, documents: usize, matches: usize, out: usize, counts: usize): u32 {
  // Vectors of 257 to 384 dimensions, the most common ones, need no loop.
  const isThree = blocks == 3;
  const q0 = v128.load(query);
  const q1 = v128.load(query, 16);
  const q2 = v128.load(query, 32);
  const bytes = (blocks as usize) << 4;
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(documents);
    let distance = notMatching;
    if (((load<u32>(matches + (((doc >>> 5) as usize) << 2)) >>> (doc & 31)) & 1) != 0) {
      distance = isThree ? differingInThree(q0, q1, q2, signatures) : differing(query, signatures, blocks);
      const slot = counts + ((distance as usize) << 2);
      store<u32>(slot, load<u32>(slot) + 1);
      found++;
    }
    store<u16>(out, distance as u16);
    documents += 4; signatures += bytes; out += 2;
  }
  return found;
}

// @ts-ignore: decorator
@inline
function differingInThree(q0: v128, q1: v128, q2: v128, at: usize): u32 {
  const bits = i8x16.add(
    i8x16.add(i8x16.popcnt(v128.xor(q0, v128.load(at))), i8x16.popcnt(v128.xor(q1, v128.load(at, 16)))),
    i8x16.popcnt(v128.xor(q2, v128.load(at, 32))),
  );
  return sumOfLanes(i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bits)));
}

// @ts-ignore: decorator
@inline
function differing(query: usize, at: usize, blocks: u32): u32 {
  let sum = i32x4.splat(0);
  for (let b: u32 = 0; b < blocks; b++) {
    const bits = i8x16.popcnt(v128.xor(v128.load(query), v128.load(at)));
    sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bits)));
    query += 16; at += 16;
  }
  return sumOfLanes(sum);
}

// @ts-ignore: decorator
@inline
function sumOfLanes(sum: v128): u32 {
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
}

/** Writes the ascending u32 indexes of the u16 distances below the limit, and returns how many. Reads up to 14 bytes past the distances. */
export function rowsBelow(distances: usize, count: u32, limit: u32, out: usize): u32 {
  const limits = i16x8.splat(limit as i16);
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i += 8) {
    for (let bits = i16x8.bitmask(i16x8.lt_u(v128.load(distances + ((i as usize) << 1)), limits)); bits != 0; bits &= bits - 1) {
      const row = i + ctz(bits);
      if (row >= count) break;
      store<u32>(out + ((found as usize) << 2), row);
      found++;
    }
  }
  return found;
}

/** Size of weak and strong components in estimates. */
const weak: i8 = 3;
const strong: i8 = 10;

/**
 * Writes, as f32, the product of an i8 query with each of the rows listed in `rows`: a component of a row is 3, or 10 if its bit in
 * `strengths` is set, and negative unless its bit in `signs` is set. Rows have `blocks` × 128 components.
 */
export function estimateRows(query: usize, signs: usize, strengths: usize, blocks: u32, rows: usize, count: u32, out: usize): void {
  const bytes = (blocks as usize) << 4;
  for (let i: u32 = 0; i < count; i++) {
    const row = (load<u32>(rows) as usize) * bytes;
    let sum = i32x4.splat(0);
    for (let b: usize = 0; b < bytes; b += 2) {
      const sizes = v128.bitselect(i8x16.splat(strong), i8x16.splat(weak), setBits(strengths + row + b));
      const negative = v128.not(setBits(signs + row + b));
      const values = i8x16.sub(v128.xor(sizes, negative), negative);
      const own = v128.load(query + (b << 3));
      const products = i16x8.add(i16x8.extmul_low_i8x16_s(own, values), i16x8.extmul_high_i8x16_s(own, values));
      sum = i32x4.add(sum, i32x4.extadd_pairwise_i16x8_s(products));
    }
    store<f32>(out, sumOfLanes(sum) as i32 as f32);
    rows += 4; out += 4;
  }
}

/** Expands 16 bits to 16 bytes, each 255 or 0. */
// @ts-ignore: decorator
@inline
function setBits(at: usize): v128 {
  const bits = i8x16(1, 2, 4, 8, 16, 32, 64, -128, 1, 2, 4, 8, 16, 32, 64, -128);
  const pair = v128.load16_splat(at);
  return i8x16.eq(v128.and(i8x16.shuffle(pair, pair, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1), bits), bits);
}

/** Returns the dot product of two rows; each lane is summed separately, and the lanes are added in order at the end. */
export function dot(a: usize, b: usize, quads: u32): f32 {
  let sum = f32x4.splat(0);
  for (let i: u32 = 0; i < quads; i++) {
    sum = f32x4.add(sum, f32x4.mul(v128.load(a), v128.load(b)));
    a += 16; b += 16;
  }
  return floatSum(sum);
}

// @ts-ignore: decorator
@inline
function floatSum(sum: v128): f32 {
  return f32x4.extract_lane(sum, 0) + f32x4.extract_lane(sum, 1) + f32x4.extract_lane(sum, 2) + f32x4.extract_lane(sum, 3);
}

/** Writes the f32 dot products of the query with the rows listed in `rows`. */
export function dotRows(query: usize, vectors: usize, quads: u32, rows: usize, count: u32, out: usize): void {
  for (let i: u32 = 0; i < count; i++) {
    store<f32>(out, dot(query, vectors + (load<u32>(rows) as usize) * ((quads as usize) << 4), quads));
    rows += 4; out += 4;
  }
}

/**
 * Writes, as u32, which of the `rows` rows at `among` has the largest product with each of `count` vectors; the first of equal ones. The
 * number of rows is a multiple of four, so that four products are summed at once.
 */
export function largestProducts(vectors: usize, count: u32, among: usize, rows: u32, quads: u32, out: usize): void {
  const bytes = (quads as usize) << 4;
  for (let i: u32 = 0; i < count; i++) {
    let best: f32 = -Infinity;
    let found: u32 = 0;
    let a = among;
    for (let r: u32 = 0; r < rows; r += 4) {
      const b = a + bytes;
      const c = b + bytes;
      const d = c + bytes;
      let s0 = f32x4.splat(0);
      let s1 = f32x4.splat(0);
      let s2 = f32x4.splat(0);
      let s3 = f32x4.splat(0);
      for (let q: usize = 0; q < bytes; q += 16) {
        const own = v128.load(vectors + q);
        s0 = f32x4.add(s0, f32x4.mul(own, v128.load(a + q)));
        s1 = f32x4.add(s1, f32x4.mul(own, v128.load(b + q)));
        s2 = f32x4.add(s2, f32x4.mul(own, v128.load(c + q)));
        s3 = f32x4.add(s3, f32x4.mul(own, v128.load(d + q)));
      }
      const p0 = floatSum(s0);
      const p1 = floatSum(s1);
      const p2 = floatSum(s2);
      const p3 = floatSum(s3);
      if (p0 > best) { best = p0; found = r; }
      if (p1 > best) { best = p1; found = r + 1; }
      if (p2 > best) { best = p2; found = r + 2; }
      if (p3 > best) { best = p3; found = r + 3; }
      a = d + bytes;
    }
    store<u32>(out, found);
    vectors += bytes; out += 4;
  }
}
