import type { Query } from '../types.ts';

/** Below this many documents one thread is done before another has heard of the question. */
const leastDocuments = 50_000;
/** A page beyond these many hits would be handed over by every thread. */
const mostHits = 1000;

/**
 * Divides segments over threads, by their documents: the largest goes to whoever has least so far. Null when the thread with the most
 * would have nearly all the work anyway, unless `least` is 0: then whatever can be divided is.
 */
export function divide(documents: readonly number[], threads: number, least = leastDocuments): number[][] | null {
  const sum = documents.reduce((total, count) => total + count, 0);
  if (threads < 2 || documents.length < 2 || sum < least) return null;
  const shares = Array.from({ length: threads }, () => ({ segments: [] as number[], documents: 0 }));
  const largestFirst = documents.map((_, index) => index).sort((a, b) => documents[b]! - documents[a]!);
  for (const index of largestFirst) {
    const idlest = shares.reduce((best, share) => (share.documents < best.documents ? share : best));
    idlest.segments.push(index);
    idlest.documents += documents[index]!;
  }
  const most = Math.max(...shares.map((share) => share.documents));
  return least > 0 && most > sum * 0.8
    ? null
    : shares.map((share) => share.segments.sort((a, b) => a - b)).filter((segments) => segments.length > 0);
}

/** Whether a question is worth dividing: sorted pages without words or counts take less time than handing them over. */
export function divisible({ text, facets, stats, histograms, vector, likeId, offset, limit }: Query): boolean {
  if (vector !== undefined || likeId !== undefined || (offset ?? 0) + (limit ?? 0) > mostHits) return false;
  return Boolean(text?.trim()) || [facets, stats, histograms].some((list) => (list?.length ?? 0) > 0);
}
