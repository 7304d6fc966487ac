import { lastBit, valueOf } from './varint.as';

// Packed postings and lists as FORMAT.md describes: gaps as varints, low seven bits first.

// @ts-ignore: decorator
@inline
function setBit(dst: usize, doc: u32): void {
  const at = dst + ((doc >> 5) << 2);
  store<u32>(at, load<u32>(at) | (1 << (doc & 31)));
}

// @ts-ignore: decorator
@inline
function bitAt(mask: usize, doc: u32): u32 {
  return (load<u32>(mask + ((doc >> 5) << 2)) >> (doc & 31)) & 1;
}

/** Sets the bit of every document in the packed list between two addresses. */
export function orList(at: usize, end: usize, dst: usize): void {
  let doc: u32 = -1;
  while (at < end) {
    if (at + 8 <= end) {
      // In the lists of frequent values nearly every gap is one byte, so eight are decoded at a time.
      let eight = load<u64>(at);
      if ((eight & 0x8080808080808080) == 0) {
        for (let k = 0; k < 8; k++) {
          doc += ((eight as u32) & 127) + 1;
          setBit(dst, doc);
          eight >>= 8;
        }
        at += 8;
        continue;
      }
    }
    const four = load<u32>(at), last = lastBit(four);
    at += ((last >> 3) + 1) as usize;
    doc += valueOf(four, last) + 1;
    setBit(dst, doc);
  }
}

/** Returns how many documents of the packed list have their bit set. */
export function countList(at: usize, end: usize, mask: usize): u32 {
  let doc: u32 = -1, found: u32 = 0;
  while (at < end) {
    if (at + 8 <= end) {
      let eight = load<u64>(at);
      if ((eight & 0x8080808080808080) == 0) {
        for (let k = 0; k < 8; k++) {
          doc += ((eight as u32) & 127) + 1;
          found += bitAt(mask, doc);
          eight >>= 8;
        }
        at += 8;
        continue;
      }
    }
    const four = load<u32>(at), last = lastBit(four);
    at += ((last >> 3) + 1) as usize;
    doc += valueOf(four, last) + 1;
    found += bitAt(mask, doc);
  }
  return found;
}

/**
 * Reads the posting groups of the terms from … to - 1. Sets the bit of every document that contains one of the terms in a field of the
 * mask: in one bitmap (stride 0), or in the bitmaps of all fields that the group and the mask share, at dst + f × stride. Those bitmaps are
 * cleared before first use; `used` is the bit mask of bitmaps in use, and the updated mask is returned.
 */
function orGroups(offsets: usize, from: u32, to: u32, postings: usize, mask: u32, dst: usize, stride: u32, used: u32): u32 {
  let at = postings + (load<u32>(offsets + ((from as usize) << 2)) as usize);
  for (let term = from; term < to; term++) {
    const end = postings + (load<u32>(offsets + ((term as usize) << 2), 4) as usize);
    while (at < end) {
      let four = load<u32>(at), last = lastBit(four);
      at += ((last >> 3) + 1) as usize;
      const head = valueOf(four, last);
      let fields = head >> 2, stop = end;
      if (head & 2) {
        four = load<u32>(at);
        last = lastBit(four);
        at += ((last >> 3) + 1) as usize;
        fields |= valueOf(four, last) << 16;
      }
      if (!(head & 1)) {
        four = load<u32>(at);
        last = lastBit(four);
        at += ((last >> 3) + 1) as usize;
        stop = at + (valueOf(four, last) as usize);
      }
      fields &= mask;
      if (stride == 0) {
        if (fields) orList(at, stop, dst);
      } else {
        for (; fields != 0; fields &= fields - 1) {
          const field = ctz<u32>(fields), bitmap = dst + (field as usize) * (stride as usize);
          if (((used >> field) & 1) == 0) {
            memory.fill(bitmap, 0, stride);
            used |= 1 << field;
          }
          orList(at, stop, bitmap);
        }
      }
      at = stop;
    }
  }
  return used;
}

export function orPacked(offsets: usize, from: u32, to: u32, postings: usize, mask: u32, dst: usize): void {
  orGroups(offsets, from, to, postings, mask, dst, 0, 0);
}

export function orPackedRanges(offsets: usize, ranges: usize, count: u32, postings: usize, mask: u32, dst: usize): void {
  const end = ranges + ((count as usize) << 3);
  for (; ranges < end; ranges += 8) orGroups(offsets, load<u32>(ranges), load<u32>(ranges, 4), postings, mask, dst, 0, 0);
}

export function orPackedByField(offsets: usize, ranges: usize, count: u32, postings: usize, mask: u32, dst: usize, stride: u32): u32 {
  let used: u32 = 0;
  const end = ranges + ((count as usize) << 3);
  for (; ranges < end; ranges += 8) used = orGroups(offsets, load<u32>(ranges), load<u32>(ranges, 4), postings, mask, dst, stride, used);
  return used;
}

/** Adds to out[v] how many documents of packed list v are in the mask; list v is at lists + offsets[v] … offsets[v + 1]. */
export function countLists(offsets: usize, from: u32, to: u32, lists: usize, mask: usize, out: usize): void {
  for (let v = from; v < to; v++) {
    const at = offsets + ((v as usize) << 2);
    const counter = out + ((v as usize) << 2);
    store<u32>(counter, load<u32>(counter) + countList(lists + load<u32>(at), lists + load<u32>(at, 4), mask));
  }
}
