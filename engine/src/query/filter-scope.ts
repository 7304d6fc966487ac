import { codesView } from '../segment/columns.ts';
import type { Segment } from '../segment/open-segment.ts';
import { byPath } from '../segment/sort-values.ts';
import { lowerString } from './ordinals.ts';

/** Paths are ordered so that everything below a folder is one run of ordinals: each prefix is a range. */
export function filterScope(segment: Segment, prefixes: readonly string[], bitmap: number): void {
  if (prefixes.includes('')) {
    segment.kernels.or(bitmap, bitmap, segment.live, segment.blocks);
    return;
  }
  const column = segment.scope!;
  const allowed = new Uint8Array(column.distinct + 1);
  let any = false;
  for (const prefix of new Set(prefixes)) {
    const wanted = prefix.toWellFormed();
    const from = lowerString(column.strings, wanted, byPath);
    const to = endOfFolder(column.strings, wanted, from);
    allowed.fill(1, from + 1, to + 1);
    any ||= to > from;
  }
  if (!any) return;
  const { u32, documents } = segment;
  const ordinals = codesView(segment, column.ordinals, column.width);
  const bits = bitmap >>> 2;
  for (let base = 0; base < documents; base += 32) {
    let word = 0;
    const last = Math.min(32, documents - base);
    for (let bit = 0; bit < last; bit++) word |= allowed[ordinals[base + bit]!]! << bit;
    u32[bits + (base >>> 5)]! |= word;
  }
}

/** Past the folder itself and all paths below it. */
function endOfFolder(strings: Segment['ids'], folder: string, from: number): number {
  const below = `${folder}/`;
  let low = from;
  let high = strings.size;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const path = strings.get(middle);
    if (path === folder || path.startsWith(below)) low = middle + 1;
    else high = middle;
  }
  return low;
}
