/** The last bit of the byte that ends the varint of up to four bytes with which `four` begins. */
// @ts-ignore: decorator
@inline
export function lastBit(four: u32): u32 {
  return ctz<u32>(~four & 0x80808080);
}

/** That varint's value, without a branch: which byte ends it is read off the high bits. */
// @ts-ignore: decorator
@inline
export function valueOf(four: u32, last: u32): u32 {
  return ((four & 0x7f) | ((four >> 1) & 0x3f80) | ((four >> 2) & 0x1fc000) | ((four >> 3) & 0xfe00000)) & (0xfffffff >> (28 - (((last + 1) * 7) >> 3)));
}
