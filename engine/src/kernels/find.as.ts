// Finding a few bytes among millions: sixteen places at a time by the first and the last of them.

// @ts-ignore: decorator
@inline
function same(a: usize, b: usize, length: u32): bool {
  for (let i: u32 = 0; i < length; i++) if (load<u8>(a + i) != load<u8>(b + i)) return false;
  return true;
}

/** The first address in from … end - 1 at which the `length` bytes at `needle` stand, all of them before `end`; 0xffffffff when none. */
export function findBytes(from: usize, end: usize, needle: usize, length: u32): u32 {
  if (length == 0) return from;
  const reach = (length - 1) as usize;
  const first = i8x16.splat(load<i8>(needle)), last = i8x16.splat(load<i8>(needle + reach));
  let at = from;
  while (at + reach + 16 <= end) {
    const both = v128.and(i8x16.eq(v128.load(at), first), i8x16.eq(v128.load(at + reach), last));
    if (v128.any_true(both)) {
      for (let bits = i8x16.bitmask(both); bits != 0; bits &= bits - 1) {
        const place = at + (ctz<i32>(bits) as usize);
        if (same(place, needle, length)) return place as u32;
      }
    }
    at += 16;
  }
  for (; at + reach < end; at++) if (same(at, needle, length)) return at as u32;
  return 0xffffffff;
}
