// Postings: ascending u32 document ids.

/** Sets the bit of every posting. */
export function orPostings(dst: usize, postings: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(postings);
    const at = dst + ((doc >> 5) << 2);
    store<u32>(at, load<u32>(at) | (1 << (doc & 31)));
    postings += 4;
  }
}

/** Sets the bit of every posting whose flag byte shares a bit with `wanted`. */
export function orPostingsWhere(dst: usize, postings: usize, flags: usize, count: u32, wanted: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(postings);
    const at = dst + ((doc >> 5) << 2);
    const hit: u32 = (load<u8>(flags) as u32) & wanted ? 1 : 0;
    store<u32>(at, load<u32>(at) | (hit << (doc & 31)));
    postings += 4;
    flags++;
  }
}

/** How many postings have their bit set in `mask`. */
export function countPostings(mask: usize, postings: usize, count: u32): u32 {
  let found: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(postings);
    found += (load<u32>(mask + ((doc >> 5) << 2)) >> (doc & 31)) & 1;
    postings += 4;
  }
  return found;
}

/** Keeps the postings whose bit is set in `mask`; answers how many were written. */
export function filterPostings(mask: usize, postings: usize, count: u32, out: usize): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(postings);
    store<u32>(out + ((kept as usize) << 2), doc);
    kept += (load<u32>(mask + ((doc >> 5) << 2)) >> (doc & 31)) & 1;
    postings += 4;
  }
  return kept;
}

/** Walks documents in a given order and writes those whose bit is set, leaving out the first `skip`, at most `most`. */
export function takeOrdered(order: usize, count: u32, mask: usize, skip: u32, most: u32, out: usize): u32 {
  let taken: u32 = 0;
  for (let i: u32 = 0; i < count && taken < most; i++) {
    const doc = load<u32>(order);
    order += 4;
    if (((load<u32>(mask + ((doc >> 5) << 2)) >> (doc & 31)) & 1) == 0) continue;
    if (skip > 0) { skip--; continue; }
    store<u32>(out + ((taken as usize) << 2), doc);
    taken++;
  }
  return taken;
}
