/** Returns the highest bit index of the byte that ends the varint at the start of `four` (up to four bytes). */
// @ts-ignore: decorator
@inline
export function lastBit(four: u32): u32 {
  return ctz<u32>(~four & 0x80808080);
}

/** Returns the value of that varint without a branch: the high bits show which byte ends it. */
// @ts-ignore: decorator
@inline
export function valueOf(four: u32, last: u32): u32 {
  return ((four & 0x7f) | ((four >> 1) & 0x3f80) | ((four >> 2) & 0x1fc000) | ((four >> 3) & 0xfe00000)) & (0xfffffff >> (28 - (((last + 1) * 7) >> 3)));
}
