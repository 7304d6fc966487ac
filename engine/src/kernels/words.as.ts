// Splits ASCII text into words, case-folds them, and numbers them in a table of all words seen before. `segment/reference-term-table.ts`
// does the same unit by unit; here a text becomes three rows of bits (capital, small letter, digit), word boundaries are computed by
// shifts, and a word of up to sixteen bytes is hashed and compared as two integers.
// 
// A slot of the table holds the first and second eight bytes of the word (for a longer word: its hash, and the address of its bytes), its
// number from 1, its length, and its hash. Number and length are 0 in a free slot.
const slotBits: usize = 5;
const short: u32 = 16;
const maxTermLength: u32 = 64;
const maxWholeChunkLength: u32 = 40;
const maxTokens: u32 = 65535;
const sharp: u32 = 0x23;
const plus: u32 = 0x2b;

let slots: usize = 0;
let mask: u32 = 0;
let count: u32 = 0;
/** Address of the next long word's bytes. */
let longWordsEnd: usize = 0;
let output: usize = 0;

/** Starts with an empty, zeroed table of `size` slots, a power of two. */
export function useTable(at: usize, size: u32, keep: usize): void {
  slots = at;
  mask = size - 1;
  count = 0;
  longWordsEnd = keep;
}

export function wordCount(): u32 {
  return count;
}

export function keptEnd(): usize {
  return longWordsEnd;
}

/** Sets where further long words are stored. */
export function keepAt(at: usize): void {
  longWordsEnd = at;
}

/** Moves the words to a larger, zeroed table. */
export function moveTable(to: usize, size: u32): void {
  const from = slots;
  const end = from + (((mask as usize) + 1) << slotBits);
  mask = size - 1;
  slots = to;
  for (let slot = from; slot < end; slot += 32) {
    if (load<u32>(slot, 16) == 0) continue;
    let place = load<u32>(slot, 24) & mask;
    while (load<u32>(to + ((place as usize) << slotBits), 16) != 0) place = (place + 1) & mask;
    const free = to + ((place as usize) << slotBits);
    v128.store(free, v128.load(slot));
    v128.store(free, v128.load(slot, 16), 16);
  }
}

/** Returns the `length` bytes (1 to 8) at the end of a word, padded with zeros. */
// @ts-ignore: decorator
@inline
function lastBytes(at: usize, length: u32): u64 {
  const shift = (64 - (length << 3)) as u64;
  return (load<u64>(at) << shift) >> shift;
}

// @ts-ignore: decorator
@inline
function mix(hash: u64, bytes: u64): u64 {
  const mixed = (hash ^ bytes) * 0x9e3779b97f4a7c15;
  return mixed ^ (mixed >> 32);
}

/** Returns the number of the word of `length` ≥ 1 bytes, adding it when it is new. Up to 8 bytes behind it are read. */
export function numberOf(at: usize, length: u32): u32 {
  let first: u64;
  let second: u64 = 0;
  let hash: u64 = (length as u64) * 0xc2b2ae3d27d4eb4f;
  if (length <= 8) {
    first = lastBytes(at, length);
    hash = mix(hash, first);
  } else if (length <= short) {
    first = load<u64>(at);
    second = lastBytes(at + 8, length - 8);
    hash = mix(mix(hash, first), second);
  } else {
    let from: u32 = 0;
    for (; length - from > 8; from += 8) hash = mix(hash, load<u64>(at + (from as usize)));
    hash = mix(hash, lastBytes(at + (from as usize), length - from));
    first = hash;
  }
  const own = (hash ^ (hash >> 29)) as u32;
  let place = own & mask;
  while (true) {
    const slot = slots + ((place as usize) << slotBits);
    const number = load<u32>(slot, 16);
    if (number == 0) return add(slot, at, length, first, second, own);
    if (load<u64>(slot) == first && load<u32>(slot, 20) == length) {
      if (length <= short ? load<u64>(slot, 8) == second : memory.compare(load<u32>(slot, 8) as usize, at, length as usize) == 0) return number;
    }
    place = (place + 1) & mask;
  }
}

function add(slot: usize, at: usize, length: u32, first: u64, second: u64, own: u32): u32 {
  store<u64>(slot, first);
  if (length > short) {
    memory.copy(longWordsEnd, at, length as usize);
    store<u64>(slot, longWordsEnd as u64, 8);
    longWordsEnd += length as usize;
  } else store<u64>(slot, second, 8);
  store<u32>(slot, ++count, 16);
  store<u32>(slot, length, 20);
  store<u32>(slot, own, 24);
  return count;
}

// @ts-ignore: decorator
@inline
function put(entry: u32): void {
  store<u32>(output, entry);
  output += 4;
}

/** Writes a stream entry: word numbers count from 1, entries from 2. */
// @ts-ignore: decorator
@inline
function putWord(at: usize, length: u32): void {
  put(numberOf(at, min<u32>(length, maxTermLength)) + 1);
}

function putExtra(at: usize, length: u32, back: u32): void {
  put(0);
  putWord(at, length);
  put(back);
}

/** Case-folds sixteen code units to bytes at `to`, and writes their bits, two bytes in each of three rows. */
// @ts-ignore: decorator
@inline
function caseFold(low: v128, high: v128, to: usize, bits: usize, row: usize): void {
  const bytes = i8x16.narrow_i16x8_u(low, high);
  const capital = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(65)), i8x16.splat(26));
  const small = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(97)), i8x16.splat(26));
  const digit = i8x16.lt_u(i8x16.sub(bytes, i8x16.splat(48)), i8x16.splat(10));
  v128.store(to, v128.or(bytes, v128.and(capital, i8x16.splat(32))));
  store<u16>(bits, i8x16.bitmask(capital) as u16);
  store<u16>(bits + row, i8x16.bitmask(small) as u16);
  store<u16>(bits + row * 2, i8x16.bitmask(digit) as u16);
}

/** Case-folds all code units; returns false when one of them is not ASCII. Bits after the last unit are zero. */
function caseFoldAll(units: usize, length: u32, bytes: usize, bits: usize, row: usize): bool {
  let all = i16x8.splat(0);
  let at: u32 = 0;
  for (; at + 16 <= length; at += 16) {
    const low = v128.load(units + ((at as usize) << 1));
    const high = v128.load(units + ((at as usize) << 1), 16);
    all = v128.or(all, v128.or(low, high));
    caseFold(low, high, bytes + (at as usize), bits + ((at as usize) >> 3), row);
  }
  const last = bytes + (at as usize) + 32;
  memory.fill(last, 0, 32);
  memory.copy(last, units + ((at as usize) << 1), ((length - at) as usize) << 1);
  const low = v128.load(last);
  const high = v128.load(last, 16);
  all = v128.or(all, v128.or(low, high));
  caseFold(low, high, bytes + (at as usize), bits + ((at as usize) >> 3), row);
  for (at += 16; (at & 63) != 0; at += 16) {
    for (let each: usize = 0; each < 3; each++) store<u16>(bits + ((at as usize) >> 3) + row * each, 0);
  }
  return !v128.any_true(v128.and(all, i16x8.splat(-128)));
}

/** Implements `WordKernels.addText`. The table must have space for all words. work: 1.375 × `length` + 256 bytes. */
export function addText(units: usize, length: u32, work: usize, out: usize): i32 {
  const words = (length >> 6) + 1;
  const row = (words as usize) << 3;
  const bits = work;
  const bytes = work + row * 3;
  if (!caseFoldAll(units, length, bytes, bits, row)) return -1;
  output = out;
  let tokens: u32 = 0;
  let first: u32 = 0;
  let inside = false;
  let chunk: usize = 0;
  let part: usize = 0;
  let beforeCapital: u64 = 0;
  let beforeDigit: u64 = 0;
  let beforeAny: u64 = 0;
  const end = bytes + (length as usize);
  for (let word: u32 = 0; word < words; word++) {
    const at = bits + ((word as usize) << 3);
    const capital = load<u64>(at);
    const small = load<u64>(at + row);
    const digit = load<u64>(at + row * 2);
    const any = capital | small | digit;
    const nextSmall = (small >> 1) | (word + 1 < words ? load<u64>(at + row + 8) << 63 : 0);
    const capitalBefore = (capital << 1) | beforeCapital;
    const digitBefore = (digit << 1) | beforeDigit;
    const anyBefore = (any << 1) | beforeAny;
    beforeCapital = capital >> 63;
    beforeDigit = digit >> 63;
    beforeAny = any >> 63;
    const splits = ((capital & (~capitalBefore | nextSmall)) | (~capital & (digit ^ digitBefore))) & any & anyBefore;
    const ends = ~any & anyBefore;
    const base = bytes + ((word as usize) << 6);
    for (let events = splits | (any ^ anyBefore); events != 0; events &= events - 1) {
      const bit = ctz<u64>(events);
      const here = base + (bit as usize);
      if (!inside) {
        if (tokens >= maxTokens) return ((output - out) >> 2) as i32;
        inside = true;
        chunk = here;
        part = here;
        first = tokens;
        continue;
      }
      if (((ends >> bit) & 1) == 0) {
        if (tokens < maxTokens) {
          putWord(part, (here - part) as u32);
          tokens++;
        }
        part = here;
        continue;
      }
      inside = false;
      const suffix = here < end ? suffixAt(here, end) : 0;
      if (tokens < maxTokens) {
        putWord(part, (here - part) as u32 + suffix);
        tokens++;
        if (suffix != 0 && ((here - part) as u32) < maxTermLength) putExtra(part, (here - part) as u32, 1);
      }
      if (part == chunk) continue;
      const whole = (here - chunk) as u32;
      if (suffix != 0 && whole + suffix <= maxWholeChunkLength) putExtra(chunk, whole + suffix, tokens - first);
      if (whole <= maxWholeChunkLength) putExtra(chunk, whole, tokens - first);
    }
  }
  return ((output - out) >> 2) as i32;
}

/** `++` or `#` directly after a letter belongs to the word. */
// @ts-ignore: decorator
@inline
function suffixAt(at: usize, end: usize): u32 {
  const byte = load<u8>(at) as u32;
  if (byte != sharp && byte != plus) return 0;
  const before = load<u8>(at - 1) as u32;
  if (before - 48 < 10) return 0;
  if (byte == sharp) return 1;
  return at + 1 < end && (load<u8>(at + 1) as u32) == plus ? 2 : 0;
}
