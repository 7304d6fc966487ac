import { unitsOf } from '../text/index.ts';
import type { UnitSpans } from './texts.ts';

export const slotBytes = 32;
const shortWord = 16;

/** The words of a kernel's table (`kernels/words.as.ts`) as texts in order of their numbers. */
export function spansOfWords(u8: Uint8Array, u32: Uint32Array, slots: number, size: number, count: number): UnitSpans {
  /** By number: where the word's slot is, in items of `u32`. */
  const slotOf = new Uint32Array(count);
  let bytes = 0;
  for (let slot = slots >>> 2; slot < (slots + size * slotBytes) >>> 2; slot += slotBytes >>> 2) {
    const number = u32[slot + 4]!;
    if (number === 0) continue;
    slotOf[number - 1] = slot;
    bytes += u32[slot + 5]!;
  }
  // A word has no more units than bytes.
  const units = new Uint16Array(bytes);
  const starts = new Uint32Array(count);
  let end = 0;
  for (let number = 0; number < count; number++) {
    const slot = slotOf[number]!;
    const length = u32[slot + 5]!;
    const from = length > shortWord ? u32[slot + 2]! : slot * 4;
    const start = end;
    starts[number] = start;
    let all = 0;
    for (let at = from; at < from + length; at++) {
      all |= u8[at]!;
      units[end++] = u8[at]!;
    }
    if (all < 128) continue;
    const decoded = unitsOf(Buffer.from(u8.buffer, from, length).toString());
    units.set(decoded, start);
    end = start + decoded.length;
  }
  return { units, starts, gap: 0, size: count, end };
}
