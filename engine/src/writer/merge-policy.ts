import type { HeldSegment } from './writer-segment.ts';

/** Segments of similar size are merged when there are this many of them, so that a document is rewritten a few times in its life. */
const together = 5;
const smallest = 2000;
const growth = 5;
/** A segment with this share of deleted documents is rewritten alone. */
const wasted = 0.4;
/** No merge makes a larger one: a segment must fit the 4 GB a kernel can address, and a merge the memory of an ordinary machine. */
export const largestBytes = 1.5e9;

/** Deletes that wait for their commit cannot be merged away yet. */
const gone = (segment: HeldSegment) => segment.deletedCount - segment.pending.length;
const living = (segment: HeldSegment) => segment.entry.documents - segment.deletedCount;

/** The next segments worth merging; an empty list when all is well. */
export function chooseMerge(segments: readonly HeldSegment[]): HeldSegment[] {
  const candidates = segments.filter((segment) => segment.committed && segment.entry.bytes < largestBytes);
  const tiers = new Map<number, HeldSegment[]>();
  for (const segment of candidates) {
    const tier = Math.floor(Math.log(Math.max(1, living(segment) / smallest)) / Math.log(growth));
    tiers.set(tier, [...(tiers.get(tier) ?? []), segment]);
  }
  for (const tier of [...tiers.keys()].sort((a, b) => a - b)) {
    const members = fitting(tiers.get(tier)!);
    if (members.length >= together) return members;
  }
  const worst = candidates.filter((segment) => gone(segment) > segment.entry.documents * wasted);
  return worst.slice(0, 1);
}

/** The next group for a complete compaction: everything in as few segments as can be, none with deleted documents. */
export function chooseCompaction(segments: readonly HeldSegment[]): HeldSegment[] {
  const candidates = segments.filter((segment) => segment.committed);
  const members = fitting(candidates);
  if (members.length > 1) return members;
  return candidates.filter((segment) => gone(segment) > 0).slice(0, 1);
}

/** The smallest that can be one segment together. */
function fitting(members: readonly HeldSegment[]): HeldSegment[] {
  const chosen: HeldSegment[] = [];
  let bytes = 0;
  for (const member of [...members].sort((a, b) => a.entry.bytes - b.entry.bytes)) {
    bytes += member.entry.bytes;
    if (bytes > largestBytes) break;
    chosen.push(member);
  }
  return chosen;
}
