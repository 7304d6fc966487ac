import { GrowingBytes } from './growing-arrays.ts';

/** Documents of a term that have it in the same fields. */
export interface PostingGroup {
  mask: number;
  previous: number;
  gaps: GrowingBytes;
}

/**
 * Writes the postings from … to − 1 of one term, document and mask each, grouped by their masks as FORMAT.md says. `groups` is room that
 * all terms use, empty before the first.
 */
export function writeGroups(bytes: GrowingBytes, groups: PostingGroup[], postings: Uint32Array, from: number, to: number): void {
  if (writeAlike(bytes, postings, from, to)) return;
  let used = 0;
  let group: PostingGroup | undefined;
  for (let at = from; at < to; at++) {
    const mask = postings[at * 2 + 1]!;
    if (group?.mask !== mask) {
      let found = 0;
      while (found < used && groups[found]!.mask !== mask) found++;
      group = groups[found] ?? { mask, previous: -1, gaps: new GrowingBytes() };
      groups[found] = group;
      if (found === used) {
        group.mask = mask;
        group.previous = -1;
        group.gaps.length = 0;
        used++;
      }
    }
    group.gaps.reserve(5);
    group.gaps.varint(postings[at * 2]! - group.previous - 1);
    group.previous = postings[at * 2]!;
  }
  for (let at = 0; at < used; at++) {
    const { mask, gaps } = groups[at]!;
    const isLast = at === used - 1;
    bytes.reserve(15 + gaps.length);
    writeHead(bytes, mask, isLast);
    if (!isLast) bytes.varint(gaps.length);
    bytes.append(gaps.view());
  }
}

function writeHead(bytes: GrowingBytes, mask: number, isLast: boolean): void {
  const only = mask >>> 16;
  bytes.varint((mask & 0xffff) * 4 + (only === 0 ? 0 : 2) + (isLast ? 1 : 0));
  if (only !== 0) bytes.varint(only);
}

/** Most terms have one mask in all their documents, and so one group, which is written in place. False when there are several. */
function writeAlike(bytes: GrowingBytes, postings: Uint32Array, from: number, to: number): boolean {
  const mask = postings[from * 2 + 1]!;
  for (let at = from + 1; at < to; at++) if (postings[at * 2 + 1] !== mask) return false;
  bytes.reserve(10 + (to - from) * 5);
  writeHead(bytes, mask, true);
  let previous = -1;
  for (let at = from; at < to; at++) {
    bytes.varint(postings[at * 2]! - previous - 1);
    previous = postings[at * 2]!;
  }
  return true;
}
