import type { HeldSegment } from './held-segment.ts';

/** Segments of similar size are merged when there are this many of them, so that a document is rewritten a few times in its life. */
const together = 5;
const smallest = 2000;
const growth = 5;
/** A segment with this share of deleted documents is rewritten alone. */
const wasted = 0.4;
/** Larger ones are left alone: a segment must fit the 4 GB a kernel can address. */
const largestBytes = 1.5e9;

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
    const members = tiers.get(tier)!;
    if (members.length >= together) return fitting(members);
  }
  const worst = candidates.filter((segment) => segment.deletedCount > segment.entry.documents * wasted);
  return worst.slice(0, 1);
}

/** Groups for a complete compaction: everything in as few segments as can be addressed. */
export function chooseCompaction(segments: readonly HeldSegment[]): HeldSegment[] {
  const members = fitting(segments.filter((segment) => segment.committed));
  return members.length > 1 || members.some((segment) => segment.deletedCount > 0) ? members : [];
}

function fitting(members: readonly HeldSegment[]): HeldSegment[] {
  const chosen: HeldSegment[] = [];
  let bytes = 0;
  for (const member of [...members].sort((a, b) => a.entry.bytes - b.entry.bytes)) {
    if (chosen.length > 1 && bytes + member.entry.bytes > 2 * largestBytes) break;
    bytes += member.entry.bytes;
    chosen.push(member);
  }
  return chosen;
}
