import { andPopcount } from './bitmaps.as';
import { countPostings } from './postings.as';

// 16 KB of the mask stay in the first cache while every value's bitmap is held against them.
const stretch: u32 = 1024;

/** Adds to out[v] the size of mask AND bitmap v, for bitmaps that stand one after the other. */
export function countDense(bitmaps: usize, values: u32, mask: usize, blocks: u32, out: usize): void {
  const stride = (blocks as usize) << 4;
  for (let done: u32 = 0; done < blocks; done += stretch) {
    const run = min<u32>(stretch, blocks - done);
    const offset = (done as usize) << 4;
    for (let v: u32 = 0; v < values; v++) {
      const at = out + ((v as usize) << 2);
      store<u32>(at, load<u32>(at) + andPopcount(mask + offset, bitmaps + (v as usize) * stride + offset, run));
    }
  }
}

/** Adds to out[v] how many of the postings lists[offsets[v] … offsets[v + 1]) are in the mask. */
export function countSparse(lists: usize, offsets: usize, values: u32, mask: usize, out: usize): void {
  for (let v: u32 = 0; v < values; v++) {
    const from = load<u32>(offsets + ((v as usize) << 2)), to = load<u32>(offsets + ((v as usize) << 2), 4);
    const at = out + ((v as usize) << 2);
    store<u32>(at, load<u32>(at) + countPostings(mask, lists + ((from as usize) << 2), to - from));
  }
}

// @ts-ignore: decorator
@inline
function bump(out: usize, value: u32): void {
  const at = out + ((value as usize) << 2);
  store<u32>(at, load<u32>(at) + 1);
}

/** Adds one to out[column[d]] for every document of the mask. The column holds u8 (width 1), u16 (2) or u32 (4) codes. */
export function histogram(mask: usize, blocks: u32, column: usize, width: u32, out: usize): void {
  const words = blocks << 2;
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u32>(mask + ((i as usize) << 2));
    const base = i << 5;
    while (word != 0) {
      const doc = (base + ctz<u32>(word)) as usize;
      word &= word - 1;
      if (width == 1) bump(out, load<u8>(column + doc));
      else if (width == 2) bump(out, load<u16>(column + (doc << 1)));
      else bump(out, load<u32>(column + (doc << 2)));
    }
  }
}

/** The same for columns of many values a document: codes[offsets[d] … offsets[d + 1]), u32 offsets and u32 codes. */
export function histogramMany(mask: usize, blocks: u32, offsets: usize, codes: usize, out: usize): void {
  const words = blocks << 2;
  for (let i: u32 = 0; i < words; i++) {
    let word = load<u32>(mask + ((i as usize) << 2));
    const base = i << 5;
    while (word != 0) {
      const doc = (base + ctz<u32>(word)) as usize;
      word &= word - 1;
      const from = load<u32>(offsets + (doc << 2)), to = load<u32>(offsets + (doc << 2), 4);
      for (let k = from; k < to; k++) bump(out, load<u32>(codes + ((k as usize) << 2)));
    }
  }
}
