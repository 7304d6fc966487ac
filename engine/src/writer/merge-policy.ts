import type { WriterSegment } from './writer-segment.ts';

/** Merge this many segments of similar size, so that each document is rewritten only a few times. */
const segmentsPerMerge = 5;
const smallestTier = 2000;
const tierFactor = 5;
/** A segment with more than this share of deleted documents is rewritten alone. */
const maxDeletedShare = 0.4;
/**
 * Upper limit of a merged segment: it must fit into the 4 GB a kernel can address, and the merge into the memory of an ordinary machine.
 */
export const maxSegmentBytes = 1.5e9;

/** Uncommitted deletes cannot be merged away yet. */
const committedDeletes = (segment: WriterSegment) => segment.deletedCount - segment.pending.length;
const liveDocuments = (segment: WriterSegment) => segment.entry.documents - segment.deletedCount;

/** Returns the next segments worth merging, or an empty list. */
export function chooseMerge(segments: readonly WriterSegment[]): WriterSegment[] {
  const candidates = segments.filter((segment) => segment.committed && segment.entry.bytes < maxSegmentBytes);
  const tiers = new Map<number, WriterSegment[]>();
  for (const segment of candidates) {
    const tier = Math.floor(Math.log(Math.max(1, liveDocuments(segment) / smallestTier)) / Math.log(tierFactor));
    tiers.set(tier, [...(tiers.get(tier) ?? []), segment]);
  }
  for (const [, tier] of [...tiers].sort(([a], [b]) => a - b)) {
    const members = smallestThatFit(tier);
    if (members.length >= segmentsPerMerge) return members;
  }
  const worst = candidates.filter((segment) => committedDeletes(segment) > segment.entry.documents * maxDeletedShare);
  return worst.slice(0, 1);
}

/** Returns the next segments of a full compaction, which ends with as few segments as possible and no deleted documents. */
export function chooseCompaction(segments: readonly WriterSegment[]): WriterSegment[] {
  const candidates = segments.filter((segment) => segment.committed);
  const members = smallestThatFit(candidates);
  if (members.length > 1) return members;
  return candidates.filter((segment) => committedDeletes(segment) > 0).slice(0, 1);
}

/** Returns the smallest segments that fit into one segment together. */
function smallestThatFit(members: readonly WriterSegment[]): WriterSegment[] {
  const chosen: WriterSegment[] = [];
  let bytes = 0;
  for (const member of [...members].sort((a, b) => a.entry.bytes - b.entry.bytes)) {
    bytes += member.entry.bytes;
    if (bytes > maxSegmentBytes) break;
    chosen.push(member);
  }
  return chosen;
}
