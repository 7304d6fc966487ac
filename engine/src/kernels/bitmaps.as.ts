// A bitmap is 16-byte aligned and has a whole number of 16-byte blocks; document d is bit (d & 31) of the little-endian word d >> 5.

export function and(dst: usize, a: usize, b: usize, blocks: u32): void {
  for (let i: u32 = 0; i < blocks; i++) {
    v128.store(dst, v128.and(v128.load(a), v128.load(b)));
    dst += 16; a += 16; b += 16;
  }
}

export function andNot(dst: usize, a: usize, b: usize, blocks: u32): void {
  for (let i: u32 = 0; i < blocks; i++) {
    v128.store(dst, v128.andnot(v128.load(a), v128.load(b)));
    dst += 16; a += 16; b += 16;
  }
}

export function or(dst: usize, a: usize, b: usize, blocks: u32): void {
  for (let i: u32 = 0; i < blocks; i++) {
    v128.store(dst, v128.or(v128.load(a), v128.load(b)));
    dst += 16; a += 16; b += 16;
  }
}

export function xor(dst: usize, a: usize, b: usize, blocks: u32): void {
  for (let i: u32 = 0; i < blocks; i++) {
    v128.store(dst, v128.xor(v128.load(a), v128.load(b)));
    dst += 16; a += 16; b += 16;
  }
}

// @ts-ignore: decorator
@inline
function widen(bytes: v128): v128 {
  return i32x4.extadd_pairwise_i16x8_u(i16x8.extadd_pairwise_i8x16_u(bytes));
}

// @ts-ignore: decorator
@inline
function lanes(sum: v128): u32 {
  return i32x4.extract_lane(sum, 0) + i32x4.extract_lane(sum, 1) + i32x4.extract_lane(sum, 2) + i32x4.extract_lane(sum, 3);
}

export function popcount(a: usize, blocks: u32): u32 {
  let sum = i32x4.splat(0);
  while (blocks > 0) {
    // A byte lane can hold the counts of 31 blocks before it overflows.
    const run = min<u32>(blocks, 31);
    let bytes = i8x16.splat(0);
    for (let i: u32 = 0; i < run; i++) {
      bytes = i8x16.add(bytes, i8x16.popcnt(v128.load(a)));
      a += 16;
    }
    sum = i32x4.add(sum, widen(bytes));
    blocks -= run;
  }
  return lanes(sum);
}

/** Like `and`, and returns the number of bits set. */
export function andCount(dst: usize, a: usize, b: usize, blocks: u32): u32 {
  let sum = i32x4.splat(0);
  while (blocks > 0) {
    const run = min<u32>(blocks, 31);
    let bytes = i8x16.splat(0);
    for (let i: u32 = 0; i < run; i++) {
      const both = v128.and(v128.load(a), v128.load(b));
      v128.store(dst, both);
      bytes = i8x16.add(bytes, i8x16.popcnt(both));
      dst += 16; a += 16; b += 16;
    }
    sum = i32x4.add(sum, widen(bytes));
    blocks -= run;
  }
  return lanes(sum);
}

/** Like `andNot`, and returns the number of bits set. */
export function andNotCount(dst: usize, a: usize, b: usize, blocks: u32): u32 {
  let sum = i32x4.splat(0);
  while (blocks > 0) {
    const run = min<u32>(blocks, 31);
    let bytes = i8x16.splat(0);
    for (let i: u32 = 0; i < run; i++) {
      const rest = v128.andnot(v128.load(a), v128.load(b));
      v128.store(dst, rest);
      bytes = i8x16.add(bytes, i8x16.popcnt(rest));
      dst += 16; a += 16; b += 16;
    }
    sum = i32x4.add(sum, widen(bytes));
    blocks -= run;
  }
  return lanes(sum);
}

export function andPopcount(a: usize, b: usize, blocks: u32): u32 {
  let sum = i32x4.splat(0);
  while (blocks >= 28) {
    let bytes = i8x16.splat(0);
    for (let i: u32 = 0; i < 7; i++) {
      bytes = i8x16.add(bytes, i8x16.popcnt(v128.and(v128.load(a), v128.load(b))));
      bytes = i8x16.add(bytes, i8x16.popcnt(v128.and(v128.load(a, 16), v128.load(b, 16))));
      bytes = i8x16.add(bytes, i8x16.popcnt(v128.and(v128.load(a, 32), v128.load(b, 32))));
      bytes = i8x16.add(bytes, i8x16.popcnt(v128.and(v128.load(a, 48), v128.load(b, 48))));
      a += 64; b += 64;
    }
    sum = i32x4.add(sum, widen(bytes));
    blocks -= 28;
  }
  let rest = i8x16.splat(0);
  for (let i: u32 = 0; i < blocks; i++) {
    rest = i8x16.add(rest, i8x16.popcnt(v128.and(v128.load(a), v128.load(b))));
    a += 16; b += 16;
  }
  return lanes(i32x4.add(sum, widen(rest)));
}

export function clear(dst: usize, blocks: u32): void {
  memory.fill(dst, 0, (blocks as usize) << 4);
}

/** Sets the bits from … to - 1. */
export function setRange(dst: usize, from: u32, to: u32): void {
  if (from >= to) return;
  const first = from >> 5, last = (to - 1) >> 5;
  const head: u32 = 0xffffffff << (from & 31), tail: u32 = 0xffffffff >> (31 - ((to - 1) & 31));
  const start = dst + ((first as usize) << 2), end = dst + ((last as usize) << 2);
  if (first == last) {
    store<u32>(start, load<u32>(start) | (head & tail));
    return;
  }
  store<u32>(start, load<u32>(start) | head);
  memory.fill(start + 4, 0xff, end - start - 4);
  store<u32>(end, load<u32>(end) | tail);
}

/** Writes at most `most` set bits in ascending order after skipping the first `skip`, and returns how many were written. */
export function takeBits(src: usize, blocks: u32, skip: u32, most: u32, out: usize): u32 {
  let at = out;
  const end = out + ((most as usize) << 2);
  const words = blocks << 1;
  for (let i: u32 = 0; i < words && at < end; ) {
    // Bitmaps are often sparse, so empty blocks of two words are skipped.
    if ((i & 1) == 0 && !v128.any_true(v128.load(src + ((i as usize) << 3)))) {
      i += 2;
      continue;
    }
    let word = load<u64>(src + ((i as usize) << 3));
    const base = i << 6;
    i++;
    if (skip > 0) {
      const bits = popcnt<u64>(word) as u32;
      if (bits <= skip) {
        skip -= bits;
        continue;
      }
      for (; skip > 0; skip--) word &= word - 1;
    }
    for (; word != 0 && at < end; word &= word - 1) {
      store<u32>(at, base + (ctz<u64>(word) as u32));
      at += 4;
    }
  }
  return ((at - out) >> 2) as u32;
}
