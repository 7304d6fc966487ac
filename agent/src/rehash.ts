/**
 * Reads the bytes of files again and compares them with the hashes in the index, to find files that changed without a new size or time. It
 * goes on where the last sweep ended, in batches between scans. What differs is reported like any change. Files with another size or time
 * are left to the next scan.
 */
import { lstat } from 'node:fs/promises';
import { createHasher, hashPolicyVersion, hashRule, isOnNetwork } from '@catalog/scanner';
import type { Command, CommandContext } from './commands.ts';
import type { AgentConfig } from './config.ts';
import { hashRows } from './file-rows.ts';
import type { Pace } from './pace.ts';
import type { Policy } from './policy.ts';
import type { ReadMeter } from './read-meter.ts';
import { requireInside } from './roots.ts';
import { entryOf, type FileRow, type Store } from './store.ts';

interface Sweep {
  agent: { store: Store; pace: Pace; config: AgentConfig; readMeter: ReadMeter };
  policy: Policy;
  roots: readonly string[];
  /** Runs a batch while nothing else uses the whole index. */
  alone<T>(work: () => Promise<T>): Promise<T>;
}

interface SweepResult {
  seen: number;
  verified: number;
  changed: number;
  /** They had a hash of an earlier kind, which was replaced. */
  refreshed: number;
  /** They have another size or time now. */
  skipped: number;
  failed: number;
  /** At most twenty paths of files that changed or could not be read. */
  sample: string[];
  /** False when the limit of files ended it; the next sweep goes on from there. */
  complete: boolean;
}

const filesAtOnce = 64;
const maxSample = 20;

export async function sweepHashes(sweep: Sweep, { payload }: Command, { signal, progress }: CommandContext): Promise<SweepResult> {
  const { agent, policy, roots } = sweep;
  const { store, config } = agent;
  const band = [Number(payload['min_size'] ?? 0), Number(payload['max_size'] ?? Number.MAX_SAFE_INTEGER)] as const;
  const limit = Number(payload['max_items'] ?? Number.POSITIVE_INFINITY);
  const result: SweepResult = { seen: 0, verified: 0, changed: 0, refreshed: 0, skipped: 0, failed: 0, sample: [], complete: true };
  const hasher = agent.readMeter.count(
    createHasher({
      threads: config.limits.hashThreads,
      bytesPerSecond: policy.read_bytes_per_second ?? config.limits.readBytesPerSecond,
    }),
  );
  try {
    for (const root of roots) {
      const rule = hashRule('auto', { network: isOnNetwork(root), ceiling: policy.content_hash_max_bytes });
      const key = `rehash ${root}`;
      if (payload['force'] === true) store.run('delete from meta where key = ?', key);
      for (;;) {
        await agent.pace.turn(policy, signal);
        const count = Math.min(filesAtOnce, limit - result.seen);
        const rows = count > 0 ? nextRows(store, root, store.meta(key), band, count) : [];
        const last = rows.at(-1);
        if (!last) {
          if (count > 0) store.run('delete from meta where key = ?', key);
          else result.complete = false;
          break;
        }
        await sweep.alone(() => compare({ store, root, hasher, rule }, rows, result));
        store.setMeta(key, JSON.stringify([last.dir, last.name]));
        progress(result.seen, null);
      }
    }
    return result;
  } finally {
    await hasher.close();
  }
}

function nextRows(store: Store, root: string, cursor: string | null, [min, max]: readonly [number, number], count: number): FileRow[] {
  const [dir, name] = cursor === null ? ['', ''] : (JSON.parse(cursor) as [string, string]);
  return store.all<FileRow>(
    `select ${store.columns} from files where root = ? and (dir, name) > (?, ?) and symlink_target is null and quick_hash is not null
      and size between ? and ? order by dir, name limit ?`,
    root,
    dir,
    name,
    min,
    max,
    count,
  );
}

type Comparison = Parameters<typeof hashRows>[0] & { store: Store };

async function compare({ store, ...hashing }: Comparison, rows: readonly FileRow[], result: SweepResult): Promise<void> {
  const { root } = hashing;
  const note = (row: FileRow): void => {
    if (result.sample.length < maxSample) result.sample.push(pathOf(row));
  };
  result.seen += rows.length;
  const present: { before: FileRow; now: FileRow }[] = [];
  for (const before of rows) {
    if (await isAsScanned(root, before)) present.push({ before, now: { ...before } });
    else result.skipped += 1;
  }
  await hashRows(
    hashing,
    present.map(({ now }) => now),
  );
  store.transaction(() => {
    for (const { before, now } of present) {
      if (now.hash_error !== null) {
        result.failed += 1;
        note(before);
        continue;
      }
      if (isEqual(before, now)) {
        result.verified += 1;
        continue;
      }
      if (isOlder(before)) result.refreshed += 1;
      else {
        result.changed += 1;
        note(before);
      }
      store.put('files', root, now);
      store.add(entryOf(root, 'modified', now));
    }
  });
}

const isOlder = ({ policy_version, content_hash }: FileRow): boolean => policy_version !== hashPolicyVersion(content_hash !== null);

/** A hash that only one of them has says nothing: the rules may ask for more or fewer hashes than before. */
const isEqual = (before: FileRow, now: FileRow): boolean =>
  !isOlder(before) &&
  now.quick_hash === before.quick_hash &&
  (now.content_hash === null || before.content_hash === null || now.content_hash === before.content_hash);

const pathOf = ({ dir, name }: FileRow): string => (dir === '' ? name : `${dir}/${name}`);

async function isAsScanned(root: string, row: FileRow): Promise<boolean> {
  try {
    const facts = await lstat(await requireInside(root, pathOf(row)), { bigint: true });
    return facts.isFile() && Number(facts.size) === row.size && String(facts.mtimeNs) === row.mtime_ns;
  } catch {
    // Gone or moved: the next scan reports it.
    return false;
  }
}
