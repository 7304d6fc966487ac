import { andPopcount } from './bitmaps.as';

// 16 KB of the mask stay in the L1 cache while every value's bitmap is intersected with them.
const blocksPerPass: u32 = 1024;

/** Adds the size of mask AND bitmap v to out[v], for consecutive bitmaps. */
export function countDense(bitmaps: usize, values: u32, mask: usize, blocks: u32, out: usize): void {
  const stride = (blocks as usize) << 4;
  for (let done: u32 = 0; done < blocks; done += blocksPerPass) {
    const run = min<u32>(blocksPerPass, blocks - done);
    const offset = (done as usize) << 4;
    for (let v: u32 = 0; v < values; v++) {
      const at = out + ((v as usize) << 2);
      store<u32>(at, load<u32>(at) + andPopcount(mask + offset, bitmaps + (v as usize) * stride + offset, run));
    }
  }
}

// @ts-ignore: decorator
@inline
function bump(out: usize, value: u32): void {
  const at = out + ((value as usize) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

// @ts-ignore: decorator
@inline
function codeAt<T>(codes: usize, index: u32): u32 {
  return load<T>(codes + (index as usize) * sizeof<T>()) as u32;
}

function countColumn<T>(list: usize, count: u32, column: usize, out: usize): void {
  const end = list + ((count as usize) << 2);
  for (; list < end; list += 4) bump(out, codeAt<T>(column, load<u32>(list)));
}

/** Adds one to out[column[d]] for every document of the list. The column holds u8 (width 1), u16 (2) or u32 (4) codes. */
export function histogram(list: usize, count: u32, column: usize, width: u32, out: usize): void {
  if (width == 1) countColumn<u8>(list, count, column, out);
  else if (width == 2) countColumn<u16>(list, count, column, out);
  else countColumn<u32>(list, count, column, out);
}

function countMany<T>(list: usize, count: u32, starts: usize, codes: usize, out: usize): void {
  const end = list + ((count as usize) << 2);
  for (; list < end; list += 4) {
    const at = starts + ((load<u32>(list) as usize) << 2);
    const to = load<u32>(at, 4);
    for (let k = load<u32>(at); k < to; k++) bump(out, codeAt<T>(codes, k));
  }
}

/** The same for multi-valued columns: codes[starts[d] … starts[d + 1]), u32 starts. */
export function histogramMany(list: usize, count: u32, starts: usize, codes: usize, width: u32, out: usize): void {
  if (width == 1) countMany<u8>(list, count, starts, codes, out);
  else if (width == 2) countMany<u16>(list, count, starts, codes, out);
  else countMany<u32>(list, count, starts, codes, out);
}

function setBetween<T>(dst: usize, codes: usize, documents: u32, from: u32, to: u32): void {
  for (let base: u32 = 0; base < documents; base += 32) {
    const end = min<u32>(32, documents - base);
    let word: u32 = 0;
    for (let bit: u32 = 0; bit < end; bit++) word |= ((codeAt<T>(codes, base + bit) - from < to - from) as u32) << bit;
    const at = dst + ((base >> 5) << 2);
    store<u32>(at, load<u32>(at) | word);
  }
}

/** Sets the bit of every document whose code is in from … to - 1. */
export function setCodes(dst: usize, codes: usize, width: u32, documents: u32, from: u32, to: u32): void {
  if (from >= to) return;
  if (width == 1) setBetween<u8>(dst, codes, documents, from, to);
  else if (width == 2) setBetween<u16>(dst, codes, documents, from, to);
  else setBetween<u32>(dst, codes, documents, from, to);
}
