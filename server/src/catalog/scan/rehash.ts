import {
  createHasher,
  type Hasher,
  type HashRule,
  hashPolicyVersion,
  hashRule,
  hashScheme,
  isOnNetwork,
  needsContentHash,
} from '@catalog/scanner';
import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../platform/database/index.ts';
import '../tables.ts';
import { maintenanceMode } from '../../platform/maintenance-mode.ts';
import { notFound, problem } from '../../platform/problem.ts';
import { enqueue, type Task } from '../../platform/queue/index.ts';

interface HashWorkOptions {
  /** Average read rate in MB/s; 0 means no limit. */
  rateMbps: number;
  hashFullMaxBytes: number;
  /** Of this worker: files of libraries with other labels are left to other workers. */
  workerLabels?: readonly string[];
  createHasher?: (bytesPerSecond: number) => Hasher;
  isOnNetwork?: (path: string) => boolean;
  signal?: AbortSignal;
  progress?: (value: Record<string, unknown>) => void;
}

interface HashWorkDone {
  hashed: number;
  bytes: number;
  /** Missing, changed or unreadable files, which the next scan handles. */
  skipped: number;
  /** Removed content hashes of an older scheme that the current policy does not compute. */
  cleared: number;
}

const firstId = '00000000-0000-0000-0000-000000000000';
const pageSize = 200;

/** Recomputes the hashes of items that were hashed with an older scheme. */
export async function rehashLibrary(db: Db, libraryId: string, options: HashWorkOptions): Promise<HashWorkDone> {
  const library = await findHashedLibrary(db, libraryId);
  const done: HashWorkDone = { hashed: 0, bytes: 0, skipped: 0, cleared: 0 };
  if (!library || library.source_agent_id !== null) return done;
  return withHasher(options, async (hasher) => {
    const rule = hashRuleOf(library, options);
    for (let after = firstId; !options.signal?.aborted; ) {
      const page = await pageStale(db, libraryId, after, pageSize);
      const last = page.at(-1);
      if (!last) break;
      after = last.id;
      await hashPage(db, library, page, (size) => needsContentHash(size, rule), hasher, done);
      options.progress?.({ ...done });
    }
    return done;
  });
}

/** Files of at most this size are hashed again at night, because that costs little more than opening them. */
const smallFileBytes = 131_072;

/** Like `rehashLibrary` for small files of all libraries on this machine, up to a number of files. */
export async function rehashSmallFiles(db: Db, options: HashWorkOptions & { maxFiles: number }): Promise<HashWorkDone> {
  const done: HashWorkDone = { hashed: 0, bytes: 0, skipped: 0, cleared: 0 };
  return withHasher(options, async (hasher) => {
    for (const library of await localLibraries(db, options)) {
      const rule = hashRuleOf(library, options);
      for (let after = firstId; !options.signal?.aborted && done.hashed + done.skipped < options.maxFiles; ) {
        const page = await pageStale(db, library.id, after, pageSize, smallFileBytes);
        const last = page.at(-1);
        if (!last) break;
        after = last.id;
        await hashPage(db, library, page, (size) => needsContentHash(size, rule), hasher, done);
        options.progress?.({ ...done });
      }
    }
    return done;
  });
}

/** Adds content hashes to libraries whose policy computes only quick hashes, up to a byte budget. */
export async function backfillContentHashes(db: Db, options: HashWorkOptions & { maxBytes: number }): Promise<HashWorkDone> {
  const done: HashWorkDone = { hashed: 0, bytes: 0, skipped: 0, cleared: 0 };
  return withHasher(options, async (hasher) => {
    for (const library of await localLibraries(db, options)) {
      const rule = hashRuleOf(library, options);
      if (rule.full) continue;
      for (let after = firstId; !options.signal?.aborted && done.bytes < options.maxBytes; ) {
        const page = await pageWithoutContent(db, library.id, rule.ceiling, after, pageSize);
        const last = page.at(-1);
        if (!last) break;
        after = last.id;
        await hashPage(db, library, withinBudget(page, options.maxBytes - done.bytes), () => true, hasher, done);
        options.progress?.({ ...done });
      }
    }
    return done;
  });
}

/** Reads these items in full, whatever the policy of their library, and stores their hashes. */
export async function addContentHashes(db: Db, pages: AsyncIterable<readonly string[]>, options: HashWorkOptions): Promise<HashWorkDone> {
  const done: HashWorkDone = { hashed: 0, bytes: 0, skipped: 0, cleared: 0 };
  return withHasher(options, async (hasher) => {
    for await (const ids of pages) {
      for (const library of await localLibraries(db, options)) {
        if (options.signal?.aborted) return done;
        await hashPage(db, library, await chosenItems(db, library.id, ids), () => true, hasher, done);
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

/** The items that fit the budget, and always the first one, so that a budget below its size still makes progress. */
function withinBudget(page: HashableItem[], budget: number): HashableItem[] {
  let sum = 0;
  return page.filter(({ size }, index) => {
    sum += size;
    return index === 0 || sum <= budget;
  });
}

async function withHasher<T>(options: HashWorkOptions, work: (hasher: Hasher) => Promise<T>): Promise<T> {
  const bytesPerSecond = options.rateMbps * 1_000_000;
  // One thread, because each thread limits its own rate.
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
  // Small batches, so that finished hashes are stored even when the job is aborted.
  for (let at = 0; at < page.length; at += 20) {
    const batch = page.slice(at, at + 20);
    const results = await hasher.hash(
      batch.map(({ rel_path, size, mtime_ns }) => ({
        path: `${library.root_path}/${rel_path}`,
        size,
        mtimeNs: mtime_ns,
        content: wants(size),
      })),
    );
    for (const [index, item] of batch.entries()) {
      const result = results[index];
      if (!result || result.error !== undefined) {
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

interface HashableItem {
  id: string;
  rel_path: string;
  size: number;
  mtime_ns: string;
  quick_hash: string | null;
  content_hash: string | null;
}

interface HashedLibrary {
  id: string;
  name: string;
  root_path: string;
  hash_policy: 'auto' | 'full' | 'quick_only';
  hash_full_max_bytes: number | null;
  source_agent_id: string | null;
}

/** Active items hashed with an older scheme. It must equal the condition of the index items_stale_hash, or the index is not used. */
const stale = sql`status = 'active' and quick_hash is not null and (policy_version is null or policy_version not like ${sql.lit(`${hashScheme}:%`)})`;

async function findHashedLibrary(db: Db, id: string): Promise<HashedLibrary | undefined> {
  const { rows } = await sql<HashedLibrary>`
    select id, name, root_path, hash_policy, hash_full_max_bytes, source_agent_id from libraries where id = ${id}`.execute(db);
  return rows[0];
}

/** Enabled libraries on this machine. */
async function localLibraries(db: Db, { workerLabels = [] }: HashWorkOptions): Promise<HashedLibrary[]> {
  const { rows } = await sql<HashedLibrary>`
    select id, name, root_path, hash_policy, hash_full_max_bytes, source_agent_id from libraries
    where source_agent_id is null and enabled and place_served(id, ${workerLabels}::text[]) order by id`.execute(db);
  return rows;
}

async function pageStale(
  db: Db,
  libraryId: string,
  after: string,
  limit: number,
  maxBytes = Number.MAX_SAFE_INTEGER,
): Promise<HashableItem[]> {
  const { rows } = await sql<HashableItem>`
    select id, rel_path, size, mtime_ns::text, quick_hash, content_hash from items
    where library_id = ${libraryId} and symlink_target is null and ${stale} and size <= ${maxBytes} and id > ${after} order by id limit ${limit}`.execute(
    db,
  );
  return rows;
}

async function pageWithoutContent(db: Db, libraryId: string, ceiling: number, after: string, limit: number): Promise<HashableItem[]> {
  const { rows } = await sql<HashableItem>`
    select id, rel_path, size, mtime_ns::text, quick_hash, content_hash from items
    where library_id = ${libraryId} and status = 'active' and symlink_target is null and content_hash is null and quick_hash is not null
      and size <= ${ceiling} and id > ${after} order by id limit ${limit}`.execute(db);
  return rows;
}

async function chosenItems(db: Db, libraryId: string, ids: readonly string[]): Promise<HashableItem[]> {
  const { rows } = await sql<HashableItem>`
    select id, rel_path, size, mtime_ns::text, quick_hash, content_hash from items
    where id = any(${ids}::uuid[]) and library_id = ${libraryId} and status = 'active' and symlink_target is null and content_hash is null`.execute(
    db,
  );
  return rows;
}

/** Stores hashes unless the item has changed since the file was read; returns whether it did. A trigger updates the search index. */
async function storeHashes(
  db: Db,
  item: Pick<HashableItem, 'id' | 'size' | 'mtime_ns'>,
  hashes: { quick: string; content: string | null; policyVersion: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update items set quick_hash = ${hashes.quick}, content_hash = ${hashes.content}, policy_version = ${hashes.policyVersion}, hash_error = null
    where id = ${item.id} and size = ${item.size} and mtime_ns = ${item.mtime_ns}`.execute(db);
  return (numAffectedRows ?? 0n) > 0n;
}

interface HashStatusRow {
  library_id: string;
  name: string;
  agent_owned: boolean;
  stale: number;
  rehash_pending: boolean;
  hash_scheme: string;
}

/** The number of items of each library that were hashed with an older scheme. */
export async function hashStatus(db: Db): Promise<HashStatusRow[]> {
  const { rows } = await sql<HashStatusRow>`
    select l.id as library_id, l.name, l.source_agent_id is not null as agent_owned,
      (select count(*) from items where library_id = l.id and ${stale}) as stale,
      exists (select from jobs j where j.lock = 'rehash_library:' || l.id and j.state in ('todo', 'doing', 'aborting')) as rehash_pending,
      ${hashScheme} as hash_scheme
    from libraries l order by lower(l.name)`.execute(db);
  return rows;
}

export const rehashPayload = Type.Object({ library_id: Type.String() });

export const rehashJob = {
  name: 'rehash_library',
  queue: 'maintenance',
  payload: rehashPayload,
  attempts: 1,
  ageExempt: true,
  placeField: 'library_id',
} as const;

const rehashTask: Task<typeof rehashPayload> = {
  ...rehashJob,
  perform: async () => {
    throw new Error('Only a worker rehashes libraries.');
  },
};

/** Queues a rehash. Refused in maintenance mode, where the job would do nothing, and for the library of an agent, because its agent hashes it. */
export async function startRehash(db: Db, libraryId: string): Promise<{ job_id: string } | { job_id: null; already_queued: true }> {
  const library = await findHashedLibrary(db, libraryId);
  if (!library) throw notFound('library');
  if (library.source_agent_id !== null) throw problem('library_agent_owned');
  if ((await maintenanceMode(db)).active) throw problem('maintenance_mode');
  const jobId = await enqueue(db, rehashTask, { library_id: libraryId }, { lock: `rehash_library:${libraryId}` });
  return jobId === null ? { job_id: null, already_queued: true } : { job_id: jobId };
}
