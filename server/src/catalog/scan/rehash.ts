import type { Db } from '../../platform/database/index.ts';
import { createHasher, type Hasher } from '@catalog/scanner';
import { isOnNetwork } from '@catalog/scanner';
import { type HashRule, hashRule, needsContentHash } from '@catalog/scanner';
import { hashPolicyVersion } from '@catalog/scanner';
import {
  findHashedLibrary,
  type HashableItem,
  type HashedLibrary,
  localLibraries,
  pageStale,
  pageWithoutContent,
  storeHashes,
} from './hash-store.ts';

export interface HashWorkOptions {
  /** Average reading speed in MB/s; 0 does not throttle. */
  rateMbps: number;
  hashFullMaxBytes: number;
  createHasher?: (bytesPerSecond: number) => Hasher;
  isOnNetwork?: (path: string) => boolean;
  signal?: AbortSignal;
  progress?: (value: Record<string, unknown>) => void;
}

export interface HashWorkDone {
  hashed: number;
  bytes: number;
  /** Gone, changed or unreadable: the next scan sees to them. */
  skipped: number;
  /** Content hashes of an older scheme that the policy would not compute again. */
  cleared: number;
}

const nil = '00000000-0000-0000-0000-000000000000';
const pageSize = 200;

/** Computes the hashes of a library's stale items again, and nothing else. */
export async function rehashLibrary(db: Db, libraryId: string, options: HashWorkOptions): Promise<HashWorkDone> {
  const library = await findHashedLibrary(db, libraryId);
  const done: HashWorkDone = { hashed: 0, bytes: 0, skipped: 0, cleared: 0 };
  if (!library || library.source_agent_id !== null) return done;
  return withHasher(options, async (hasher) => {
    const rule = hashRuleOf(library, options);
    for (let after = nil; !options.signal?.aborted; ) {
      const page = await pageStale(db, libraryId, after, pageSize);
      if (page.length === 0) break;
      after = page.at(-1)!.id;
      await hashPage(db, library, page, (size) => needsContentHash(size, rule), hasher, done);
      options.progress?.({ ...done });
    }
    return done;
  });
}

/** Adds content hashes where the policy asks for quick hashes only, up to a budget of bytes. */
export async function backfillContentHashes(db: Db, options: HashWorkOptions & { maxBytes: number }): Promise<HashWorkDone> {
  const done: HashWorkDone = { hashed: 0, bytes: 0, skipped: 0, cleared: 0 };
  return withHasher(options, async (hasher) => {
    for (const library of await localLibraries(db)) {
      const rule = hashRuleOf(library, options);
      if (rule.full) continue;
      for (let after = nil; !options.signal?.aborted && done.bytes < options.maxBytes; ) {
        const page = await pageWithoutContent(db, library.id, rule.ceiling, after, pageSize);
        if (page.length === 0) break;
        after = page.at(-1)!.id;
        await hashPage(db, library, withinBudget(page, options.maxBytes - done.bytes), () => true, hasher, done);
        options.progress?.({ ...done });
      }
    }
    return done;
  });
}

function hashRuleOf(library: HashedLibrary, options: HashWorkOptions): HashRule {
  const network = (options.isOnNetwork ?? isOnNetwork)(library.root_path);
  return hashRule(library.hash_policy, { network, ceiling: library.hash_full_max_bytes ?? options.hashFullMaxBytes });
}

/** The first items whose bytes fit; at least one, or a budget below one file would never be spent. */
function withinBudget(page: HashableItem[], budget: number): HashableItem[] {
  let sum = 0;
  return page.filter(({ size }, index) => {
    sum += size;
    return index === 0 || sum <= budget;
  });
}

async function withHasher<T>(options: HashWorkOptions, work: (hasher: Hasher) => Promise<T>): Promise<T> {
  const bytesPerSecond = options.rateMbps * 1_000_000;
  // One thread: the rate is kept by the thread that reads.
  const hasher = options.createHasher?.(bytesPerSecond) ?? createHasher({ threads: 1, bytesPerSecond });
  const close = (): void => void hasher.close();
  options.signal?.addEventListener('abort', close);
  try {
    return await work(hasher);
  } finally {
    options.signal?.removeEventListener('abort', close);
    await hasher.close();
  }
}

async function hashPage(
  db: Db,
  library: HashedLibrary,
  page: readonly HashableItem[],
  wants: (size: number) => boolean,
  hasher: Hasher,
  done: HashWorkDone,
): Promise<void> {
  // Small batches: what is done is stored even when the work is broken off.
  for (let at = 0; at < page.length; at += 20) {
    const part = page.slice(at, at + 20);
    const results = await hasher.hash(
      part.map(({ rel_path, size, mtime_ns }) => ({
        path: `${library.root_path}/${rel_path}`,
        size,
        mtimeNs: mtime_ns,
        content: wants(size),
      })),
    );
    for (const [index, item] of part.entries()) {
      const result = results[index]!;
      if (result.error !== undefined) {
        done.skipped += 1;
        continue;
      }
      const hashes = { quick: result.quick, content: result.content, policyVersion: hashPolicyVersion(result.content !== null) };
      if (!(await storeHashes(db, item, hashes))) {
        done.skipped += 1;
        continue;
      }
      done.hashed += 1;
      done.bytes += result.content === null ? Math.min(item.size, 196_608) : item.size;
      if (item.content_hash !== null && result.content === null) done.cleared += 1;
    }
  }
}
