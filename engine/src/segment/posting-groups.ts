import { GrowingBytes } from './growing-arrays.ts';

/** Documents of a term that have it in the same fields. */
export interface PostingGroup {
  mask: number;
  previous: number;
  gaps: GrowingBytes;
}

/**
 * Writes the documents from … to − 1 of one term, grouped by their masks as FORMAT.md says. `groups` is room that all terms use, empty
 * before the first.
 */
export function writeGroups(
  bytes: GrowingBytes,
  groups: PostingGroup[],
  documents: Uint32Array,
  masks: Uint32Array,
  from: number,
  to: number,
): void {
  let used = 0;
  let group: PostingGroup | undefined;
  for (let at = from; at < to; at++) {
    const mask = masks[at]!;
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
    group.gaps.varint(documents[at]! - group.previous - 1);
    group.previous = documents[at]!;
  }
  for (let at = 0; at < used; at++) {
    const { mask, gaps } = groups[at]!;
    const only = mask >>> 16;
    const isLast = at === used - 1;
    bytes.reserve(15 + gaps.length);
    bytes.varint((mask & 0xffff) * 4 + (only === 0 ? 0 : 2) + (isLast ? 1 : 0));
    if (only !== 0) bytes.varint(only);
    if (!isLast) bytes.varint(gaps.length);
    bytes.append(gaps.view());
  }
}
