/** Keeping the folder of thumbnails small: removing what nothing points to any more, and, when the disk is nearly full, what was not looked at for longest. */
import type { ThumbFile, ThumbStore } from './store.ts';

export interface RemovedThumbs {
  files: number;
  bytes: number;
}

/**
 * Removes thumbnails whose key no item needs. `needed` is asked in batches and answers which keys are in use. A thumbnail younger than
 * the grace period stays: its item may be about to be written.
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
 * Gives the least recently used thumbnails, oldest day first, until their sizes add up to `bytes`. One walk adds up bytes per day of
 * last use, which is enough to know the last day that must go; further walks, one per day, give the files. Memory does not grow with
 * the number of thumbnails.
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

/** The days that go whole are walked together; the day in which the target is reached comes last, by itself. */
function daysToEvict(perDay: ReadonlyMap<number, number>, bytes: number): { from: number; to: number }[] {
  const days = [...perDay.keys()].sort((a, b) => a - b);
  let sum = 0;
  for (const [index, day] of days.entries()) {
    sum += perDay.get(day) ?? 0;
    if (sum < bytes) continue;
    const whole = index === 0 ? [] : [{ from: days[0]!, to: days[index - 1]! }];
    return [...whole, { from: day, to: day }];
  }
  return days.length === 0 ? [] : [{ from: days[0]!, to: days.at(-1)! }];
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
