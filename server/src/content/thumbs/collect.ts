/** Removes thumbnails that no item uses and, when the disk is nearly full, the least recently used ones. */
import type { ThumbFile, ThumbStore } from './store.ts';

export interface RemovedThumbs {
  files: number;
  bytes: number;
}

/**
 * Removes thumbnails whose key no item uses. `needed` is called in batches and returns the keys in use. Thumbnails younger than the grace
 * period stay, because their item may not be written yet.
 */
export async function collectGarbage(
  store: ThumbStore,
  needed: (keys: string[]) => Promise<ReadonlySet<string>>,
  options: { graceMs: number; now?: () => number; batch?: number; signal?: AbortSignal },
): Promise<RemovedThumbs> {
  const now = options.now ?? Date.now;
  const removed: RemovedThumbs = { files: 0, bytes: 0 };
  let batch: ThumbFile[] = [];
  const flush = async (): Promise<void> => {
    const inUse = await needed([...new Set(batch.map((file) => file.key))]);
    for (const file of batch) {
      if (inUse.has(file.key)) continue;
      await store.remove(file.key, file.tier);
      removed.files++;
      removed.bytes += file.bytes;
    }
    batch = [];
  };
  for await (const file of store.walk()) {
    if (options.signal?.aborted) return removed;
    if (now() - file.writtenAt < options.graceMs) continue;
    batch.push(file);
    if (batch.length >= (options.batch ?? 1000)) await flush();
  }
  if (batch.length > 0) await flush();
  return removed;
}

const dayMs = 86_400_000;

/**
 * Yields the least recently used thumbnails, oldest day first, until their sizes add up to `bytes`. A first walk sums the bytes per day of
 * last use to find the days to evict; later walks yield the files of those days. Memory does not grow with the number of thumbnails.
 */
export async function* leastRecentlyUsed(store: ThumbStore, bytes: number): AsyncGenerator<ThumbFile> {
  const perDay = new Map<number, number>();
  for await (const file of store.walk()) {
    const day = Math.floor(file.usedAt / dayMs);
    perDay.set(day, (perDay.get(day) ?? 0) + file.bytes);
  }
  let left = bytes;
  for (const group of daysToEvict(perDay, bytes)) {
    for await (const file of store.walk()) {
      const day = Math.floor(file.usedAt / dayMs);
      if (day < group.from || day > group.to) continue;
      if (left <= 0) return;
      left -= file.bytes;
      yield file;
    }
  }
}

/** One range for the days that are evicted completely, then the day in which the target is reached. */
function daysToEvict(perDay: ReadonlyMap<number, number>, bytes: number): { from: number; to: number }[] {
  const days = [...perDay].sort(([a], [b]) => a - b);
  const complete: number[] = [];
  let sum = 0;
  for (const [day, size] of days) {
    sum += size;
    if (sum >= bytes) return [...rangeOf(complete), { from: day, to: day }];
    complete.push(day);
  }
  return rangeOf(complete);
}

function rangeOf(days: readonly number[]): { from: number; to: number }[] {
  const [from, to] = [days[0], days.at(-1)];
  return from === undefined || to === undefined ? [] : [{ from, to }];
}

/** Removes least recently used thumbnails until about `bytes` are freed. */
export async function evictLeastRecentlyUsed(store: ThumbStore, bytes: number, signal?: AbortSignal): Promise<RemovedThumbs> {
  const removed: RemovedThumbs = { files: 0, bytes: 0 };
  if (bytes <= 0) return removed;
  for await (const file of leastRecentlyUsed(store, bytes)) {
    if (signal?.aborted) break;
    await store.remove(file.key, file.tier);
    removed.files++;
    removed.bytes += file.bytes;
  }
  return removed;
}
