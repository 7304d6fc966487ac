// Creates term subsets (segment/term-subset.ts), which the first search of a field waits for.

let place: usize = 0;

/** Reads the varint at `place` and moves on. */
// @ts-ignore: decorator
@inline
function nextVarint(): u32 {
  let byte: u32 = load<u8>(place++);
  let value: u32 = byte & 127;
  for (let shift: u32 = 7; byte > 127; shift += 7) {
    byte = load<u8>(place++);
    value |= (byte & 127) << shift;
  }
  return value;
}

/** Implements `Kernels.listTerms`. */
export function listTerms(postings: usize, offsets: usize, terms: u32, fields: u32, out: usize): u32 {
  let next = out;
  for (let term: u32 = 0; term < terms; term++) {
    const head = offsets + ((term as usize) << 2);
    const end = postings + (load<u32>(head, 4) as usize);
    place = postings + (load<u32>(head) as usize);
    while (place < end) {
      const group = nextVarint();
      if (((group >> 2) & fields) != 0) {
        store<u32>(next, term);
        next += 4;
        break;
      }
      if ((group & 1) == 1) break;
      if ((group & 2) == 2) nextVarint();
      const length = nextVarint();
      place += length as usize;
    }
  }
  return ((next - out) >> 2) as u32;
}

/** Implements `Kernels.copyTerms`. */
export function copyTerms(terms: usize, offsets: usize, listed: usize, count: u32, toTerms: usize, toOffsets: usize): void {
  let to = toTerms;
  store<u32>(toOffsets, 0);
  for (let i: u32 = 0; i < count; i++) {
    const head = offsets + ((load<u32>(listed + ((i as usize) << 2)) as usize) << 2);
    const from = terms + (load<u32>(head) as usize);
    const length = load<u32>(head, 4) - load<u32>(head);
    let at: u32 = 0;
    for (; at + 16 <= length; at += 16) v128.store(to + at, v128.load(from + at));
    for (; at + 4 <= length; at += 4) store<u32>(to + at, load<u32>(from + at));
    for (; at < length; at++) store<u8>(to + at, load<u8>(from + at));
    to += length as usize;
    store<u32>(toOffsets + ((i as usize) << 2), (to - toTerms) as u32, 4);
  }
}

/** Implements `Kernels.sharedPrefixes`. */
export function sharedPrefixes(terms: usize, offsets: usize, size: u32, out: usize): void {
  let before = terms, beforeLength: u32 = 0;
  for (let term: u32 = 0; term < size; term++) {
    const head = offsets + ((term as usize) << 2);
    const at = terms + (load<u32>(head) as usize);
    const length = load<u32>(head, 4) - load<u32>(head);
    const most = min<u32>(length, beforeLength);
    let shared: u32 = 0;
    while (shared < most && load<u8>(before + shared) == load<u8>(at + shared)) shared++;
    store<u8>(out + term, shared as u8);
    before = at;
    beforeLength = length;
  }
}

/** Implements `Kernels.bytesOfTerms`. */
export function bytesOfTerms(offsets: usize, listed: usize, count: u32): u32 {
  let bytes: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const head = offsets + ((load<u32>(listed + ((i as usize) << 2)) as usize) << 2);
    bytes += load<u32>(head, 4) - load<u32>(head);
  }
  return bytes;
}

const slots: u32 = 1024;
const termsPerWord: u32 = 512;

/** Implements `Kernels.fillTrigrams`. The bits of 32 groups are collected in `work` first, because the rows are far apart. */
export function fillTrigrams(terms: usize, offsets: usize, size: u32, trigramIndex: usize, words: u32, work: usize): void {
  for (let word: u32 = 0; word < words; word++) {
    memory.fill(work, 0, slots << 2);
    const last = min<u32>(size, (word + 1) * termsPerWord);
    for (let term = word * termsPerWord; term < last; term++) {
      const head = offsets + ((term as usize) << 2);
      const end = terms + (load<u32>(head, 4) as usize);
      const bit: u32 = 1 << ((term >> 4) & 31);
      for (let at = terms + (load<u32>(head) as usize) + 2; at < end; at++) {
        const trigram: u32 = ((load<u8>(at - 2) as u32) << 16) | ((load<u8>(at - 1) as u32) << 8) | load<u8>(at);
        const slot = work + ((((trigram * 0x9e3779b1) >> 22) as usize) << 2);
        store<u32>(slot, load<u32>(slot) | bit);
      }
    }
    const column = trigramIndex + ((word as usize) << 2);
    for (let slot: u32 = 0; slot < slots; slot++) {
      const bits = load<u32>(work + ((slot as usize) << 2));
      if (bits != 0) store<u32>(column + (((slot * words) as usize) << 2), bits);
    }
  }
}
