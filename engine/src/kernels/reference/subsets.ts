// biome-ignore-all lint/style/noNonNullAssertion: the kernels' contract says that every address and index is inside the memory
import type { Kernels } from '../kernels.ts';
import { memoryViews } from './bitmaps.ts';

/** Reference implementation of subsets.as.ts. */
export function referenceSubsets(
  memory: WebAssembly.Memory,
): Pick<Kernels, 'listTerms' | 'bytesOfTerms' | 'copyTerms' | 'sharedPrefixes' | 'fillTrigrams'> {
  const views = memoryViews(memory);
  return {
    listTerms: (postings, offsets, terms, fields, out) => {
      const { u8, u32 } = views();
      let count = 0;
      let at = 0;
      const next = (): number => {
        let value = 0;
        for (let shift = 0; ; shift += 7) {
          const byte = u8[at++]!;
          value |= (byte & 127) << shift;
          if (byte < 128) return value;
        }
      };
      for (let term = 0; term < terms; term++) {
        const end = postings + u32[offsets / 4 + term + 1]!;
        at = postings + u32[offsets / 4 + term]!;
        while (at < end) {
          const head = next();
          if (((head >>> 2) & fields) !== 0) {
            u32[out / 4 + count++] = term;
            break;
          }
          if ((head & 1) === 1) break;
          if ((head & 2) === 2) next();
          const length = next();
          at += length;
        }
      }
      return count;
    },
    bytesOfTerms: (offsets, listed, count) => {
      const { u32 } = views();
      let bytes = 0;
      for (const term of u32.subarray(listed / 4, listed / 4 + count)) bytes += u32[offsets / 4 + term + 1]! - u32[offsets / 4 + term]!;
      return bytes;
    },
    copyTerms: (terms, offsets, listed, count, toTerms, toOffsets) => {
      const { u8, u32 } = views();
      let end = 0;
      u32[toOffsets / 4] = 0;
      for (let at = 0; at < count; at++) {
        const term = u32[listed / 4 + at]!;
        const bytes = u8.slice(terms + u32[offsets / 4 + term]!, terms + u32[offsets / 4 + term + 1]!);
        u8.set(bytes, toTerms + end);
        end += bytes.length;
        u32[toOffsets / 4 + at + 1] = end;
      }
    },
    sharedPrefixes: (terms, offsets, size, out) => {
      const { u8, u32 } = views();
      let before = new Uint8Array(0);
      for (let term = 0; term < size; term++) {
        const bytes = u8.slice(terms + u32[offsets / 4 + term]!, terms + u32[offsets / 4 + term + 1]!);
        const differs = bytes.findIndex((byte, index) => byte !== before[index]);
        u8[out + term] = differs < 0 ? bytes.length : differs;
        before = bytes;
      }
    },
    fillTrigrams: (terms, offsets, size, trigramIndex, words) => {
      const { u8, u32 } = views();
      for (let term = 0; term < size; term++) {
        const group = Math.floor(term / groupTerms);
        const end = terms + u32[offsets / 4 + term + 1]!;
        for (let at = terms + u32[offsets / 4 + term]! + 2; at < end; at++) {
          const slot = slotOf(u8[at - 2]!, u8[at - 1]!, u8[at]!);
          u32[trigramIndex / 4 + slot * words + (group >>> 5)]! |= 1 << (group & 31);
        }
      }
    },
  };
}

/** Terms per bit of the trigram index. */
const groupTerms = 16;
const slotOf = (a: number, b: number, c: number) => Math.imul((a << 16) | (b << 8) | c, 0x9e3779b1) >>> 22;
