// Packed postings and lists as FORMAT.md lays them: varints of gaps, low seven bits first. The decoding stands in every loop on
// purpose: the place in memory is then a local, which is half of the speed.

// @ts-ignore: decorator
@inline
function setBit(dst: usize, doc: u32): void {
  const at = dst + ((doc >> 5) << 2);
  store<u32>(at, load<u32>(at) | (1 << (doc & 31)));
}

/** Sets the bit of every document that has one of the terms from … to - 1 in a field of the mask. */
export function orPacked(offsets: usize, from: u32, to: u32, postings: usize, mask: u32, dst: usize): void {
  let at = postings + (load<u32>(offsets + ((from as usize) << 2)) as usize);
  for (let term = from; term < to; term++) {
    const end = postings + (load<u32>(offsets + ((term as usize) << 2), 4) as usize);
    let doc: u32 = -1, held: u32 = 0;
    while (at < end) {
      let value: u32 = load<u8>(at++);
      if (value > 127) {
        value &= 127;
        let shift: u32 = 7, byte: u32 = 0;
        do {
          byte = load<u8>(at++);
          value |= (byte & 127) << shift;
          shift += 7;
        } while (byte > 127);
      }
      doc += (value >> 1) + 1;
      if (value & 1) {
        let fields: u32 = load<u8>(at++);
        if (fields > 127) {
          fields &= 127;
          let shift: u32 = 7, byte: u32 = 0;
          do {
            byte = load<u8>(at++);
            fields |= (byte & 127) << shift;
            shift += 7;
          } while (byte > 127);
        }
        held = fields;
      }
      if (held & mask) setBit(dst, doc);
    }
  }
}

/** The same with one bitmap per field: the bit is set in bitmap f (at dst + f × stride) of the first field within the mask. */
export function orPackedByField(offsets: usize, from: u32, to: u32, postings: usize, mask: u32, dst: usize, stride: u32): void {
  let at = postings + (load<u32>(offsets + ((from as usize) << 2)) as usize);
  for (let term = from; term < to; term++) {
    const end = postings + (load<u32>(offsets + ((term as usize) << 2), 4) as usize);
    let doc: u32 = -1, held: u32 = 0;
    while (at < end) {
      let value: u32 = load<u8>(at++);
      if (value > 127) {
        value &= 127;
        let shift: u32 = 7, byte: u32 = 0;
        do {
          byte = load<u8>(at++);
          value |= (byte & 127) << shift;
          shift += 7;
        } while (byte > 127);
      }
      doc += (value >> 1) + 1;
      if (value & 1) {
        let fields: u32 = load<u8>(at++);
        if (fields > 127) {
          fields &= 127;
          let shift: u32 = 7, byte: u32 = 0;
          do {
            byte = load<u8>(at++);
            fields |= (byte & 127) << shift;
            shift += 7;
          } while (byte > 127);
        }
        held = fields;
      }
      if (held & mask) setBit(dst + (ctz<u32>(held & mask) as usize) * (stride as usize), doc);
    }
  }
}

/** Sets the bit of every document of the packed list between the two addresses. */
export function orList(at: usize, end: usize, dst: usize): void {
  let doc: u32 = -1;
  while (at < end) {
    let gap: u32 = load<u8>(at++);
    if (gap > 127) {
      gap &= 127;
      let shift: u32 = 7, byte: u32 = 0;
      do {
        byte = load<u8>(at++);
        gap |= (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
    }
    doc += gap + 1;
    setBit(dst, doc);
  }
}

/** How many documents of the packed list have their bit set. */
export function countList(at: usize, end: usize, mask: usize): u32 {
  let doc: u32 = -1, found: u32 = 0;
  while (at < end) {
    let gap: u32 = load<u8>(at++);
    if (gap > 127) {
      gap &= 127;
      let shift: u32 = 7, byte: u32 = 0;
      do {
        byte = load<u8>(at++);
        gap |= (byte & 127) << shift;
        shift += 7;
      } while (byte > 127);
    }
    doc += gap + 1;
    found += (load<u32>(mask + ((doc >> 5) << 2)) >> (doc & 31)) & 1;
  }
  return found;
}

/** Adds to out[v] how many documents of the packed list v are in the mask; list v lies at lists + offsets[v] … offsets[v + 1]. */
export function countLists(offsets: usize, from: u32, to: u32, lists: usize, mask: usize, out: usize): void {
  for (let v = from; v < to; v++) {
    const at = offsets + ((v as usize) << 2);
    const counter = out + ((v as usize) << 2);
    store<u32>(counter, load<u32>(counter) + countList(lists + load<u32>(at), lists + load<u32>(at, 4), mask));
  }
}
