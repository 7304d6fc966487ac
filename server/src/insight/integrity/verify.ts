import { statSync } from 'node:fs';
import { createHasher, diskPath, type Hasher, type HashResult, limitNs } from '@catalog/scanner';
import { type Clock, systemClock } from '../../platform/clock.ts';
import type { Db } from '../../platform/database/index.ts';
import type { Log } from '../../platform/log/index.ts';
import { raiseSystemEvent } from '../../platform/system-events.ts';
import { closeOpen } from './events.ts';
import {
  budgetLeft,
  insertEvent,
  markVerified,
  type OpenEvent,
  oldestItems,
  openEvents,
  readSettings,
  spend,
  storeReadErrors,
  touchEvent,
  type VerifiableItem,
} from './store.ts';

/** What one run did. */
export interface VerifyDone {
  verified: number;
  bytes: number;
  /** New integrity events. */
  mismatches: number;
  /** Gone and changed files, which the next scan handles, and unreadable ones. */
  skipped: number;
  /** Files whose reading failed, which the log names. */
  unreadable: number;
  closed: number;
}

interface VerifyOptions {
  log: Log;
  clock?: Clock;
  /** Of this worker: files of libraries with other labels are left to other workers. */
  workerLabels?: readonly string[];
  signal?: AbortSignal;
  progress?: (value: Record<string, unknown>) => void;
  /** For tests that need a disk with faults. */
  createHasher?: (bytesPerSecond: number) => Hasher;
}

const batchSize = 20;
const maxOpenPerRun = 1_000;
/** More errors than this are those of a disk that is failing or away, not of its files. */
const maxErrorsPerRun = 100;

/**
 * Reads the files whose last reading is the oldest, until the budget of the day is used up. A file that differs is read a second time, so
 * that an error of memory or network is not taken for decay. Nothing is ever written to a library.
 */
export async function verifyContent(db: Db, options: VerifyOptions): Promise<VerifyDone> {
  const done: VerifyDone = { verified: 0, bytes: 0, mismatches: 0, skipped: 0, unreadable: 0, closed: 0 };
  const { workerLabels = [], clock = systemClock } = options;
  const settings = await readSettings(db);
  if (!settings.enabled) return done;
  const bytesPerSecond = settings.rate_mbps * 1_000_000;
  // One thread, because each thread limits its own rate.
  const hasher = options.createHasher?.(bytesPerSecond) ?? createHasher({ threads: 1, bytesPerSecond });
  const close = (): void => void hasher.close();
  options.signal?.addEventListener('abort', close);
  try {
    const rereadEvents = () => rereadOpen(db, hasher, done, { workerLabels, reserved: settings.bytes_per_day / 2 });
    const eventsFirst = isDayOfEvents(clock.now());
    if (eventsFirst) await rereadEvents();
    // Files that cannot be read now, or are too large for what is left of the budget, are passed over and tried in the next run.
    for (let after: VerifiableItem | undefined; !options.signal?.aborted; ) {
      const page = upToLarge(await oldestItems(db, settings, batchSize, workerLabels, after), settings.bytes_per_day);
      const batch = withinBudget(page, await budgetLeft(db), settings.bytes_per_day);
      if (batch.length === 0) break;
      await verifyBatch(db, hasher, batch, done, options.log);
      options.progress?.({ ...done });
      after = page.at(-1);
    }
    if (!eventsFirst && !options.signal?.aborted) await rereadEvents();
    return done;
  } finally {
    options.signal?.removeEventListener('abort', close);
    await hasher.close();
  }
}

/** Open events come first on every other day only: a file larger than what they leave of the budget can be read on the days between. */
const isDayOfEvents = (now: Date): boolean => Math.floor(now.getTime() / 86_400_000) % 2 === 0;

/** A file larger than the whole budget of a day is read alone, so that it is read at all: the files before it, or only such a file. */
function upToLarge(page: readonly VerifiableItem[], bytesPerDay: number): readonly VerifiableItem[] {
  const large = page.findIndex(({ size }) => size > bytesPerDay);
  return large === -1 ? page : page.slice(0, Math.max(1, large));
}

/** The files that fit what is left of the budget. */
function withinBudget(page: readonly VerifiableItem[], budget: number, bytesPerDay: number): readonly VerifiableItem[] {
  if (budget <= 0) return [];
  let sum = 0;
  return page.filter(({ size }) => {
    if (size <= bytesPerDay && sum + size > budget) return false;
    sum += size;
    return true;
  });
}

const requestFor = (item: Pick<VerifiableItem, 'root_path' | 'rel_path' | 'size' | 'mtime_ns'>) => ({
  path: `${item.root_path}/${item.rel_path}`,
  size: item.size,
  mtimeNs: item.mtime_ns,
  content: true,
});

async function verifyBatch(db: Db, hasher: Hasher, batch: readonly VerifiableItem[], done: VerifyDone, log: Log): Promise<void> {
  const results = await hasher.hash(batch.map(requestFor));
  const equal: VerifiableItem[] = [];
  const failed: ReadError[] = [];
  let bytes = 0;
  for (const [at, item] of batch.entries()) {
    const result = results[at];
    if (!result || result.error !== undefined) {
      done.skipped += 1;
      failed.push(...readErrors(item, result));
      continue;
    }
    bytes += item.size;
    if (result.content === item.content_hash) {
      equal.push(item);
      continue;
    }
    const [again] = await hasher.hash([requestFor(item)]);
    bytes += item.size;
    if (again?.error === undefined && again?.content === item.content_hash) {
      log.warning('A file was read wrongly once and correctly the second time. Check memory, cables and controllers.', {
        path: requestFor(item).path,
      });
      equal.push(item);
    } else if (isUnchanged(item) && again && again.error === undefined && (await recordMismatch(db, item, again))) done.mismatches += 1;
    else {
      done.skipped += 1;
      failed.push(...readErrors(item, again));
    }
  }
  await noteErrors(db, failed, done, log);
  if (equal.length > 0) await markVerified(db, equal);
  if (bytes > 0) await spend(db, bytes);
  done.verified += equal.length;
  done.bytes += bytes;
}

interface ReadError {
  item: VerifiableItem;
  code: string;
}

/** A file that has changed or is gone is left to the next scan. */
function readErrors(item: VerifiableItem, result: HashResult | undefined): ReadError[] {
  const code = result?.error;
  return code === undefined || ['changed', 'ENOENT', 'ENOTDIR'].includes(code) ? [] : [{ item, code }];
}

/** Tells people which files cannot be read, as long as that is not every file of a disk. */
async function noteErrors(db: Db, failed: readonly ReadError[], done: VerifyDone, log: Log): Promise<void> {
  const noted = failed.slice(0, Math.max(0, maxErrorsPerRun - done.unreadable));
  if (noted.length > 0) await storeReadErrors(db, noted);
  for (const { item, code } of noted)
    log.warning('A file could not be read again. Check the disk it is on.', { path: requestFor(item).path, code });
  if (noted.length < failed.length && done.unreadable <= maxErrorsPerRun)
    log.warning(`More than ${maxErrorsPerRun} files could not be read again. Check the disk they are on.`);
  done.unreadable += failed.length;
}

/** Size, time and inode are those of the last scan. The hasher does not compare the time of small files. */
function isUnchanged({ inode, size, mtime_ns, root_path, rel_path }: VerifiableItem): boolean {
  try {
    const now = statSync(diskPath(`${root_path}/${rel_path}`), { bigint: true });
    return String(limitNs(now.mtimeNs)) === mtime_ns && Number(now.size) === size && (inode === null || Number(now.ino) === inode);
  } catch {
    // The file vanished after it was read; the next scan handles it.
    return false;
  }
}

async function recordMismatch(
  db: Db,
  item: VerifiableItem,
  { content, quick }: Extract<HashResult, { error?: undefined }>,
): Promise<boolean> {
  if (content === null) return false;
  return db.transaction().execute(async (transaction) => {
    const event = await insertEvent(transaction, item, { content, quick });
    if (event === null) return false;
    await raiseMismatch(transaction, { ...item, event_id: event, expected_hash: item.content_hash, found_hash: content });
    return true;
  });
}

type Mismatch = Pick<OpenEvent, 'id' | 'library_id' | 'rel_path' | 'event_id' | 'expected_hash' | 'found_hash'>;

function raiseMismatch(transaction: Db, { id, library_id, rel_path, event_id, expected_hash, found_hash }: Mismatch): Promise<void> {
  return raiseSystemEvent(transaction, {
    kind: 'integrity_mismatch',
    subject: id,
    status: 'firing',
    message: `${rel_path} has other content than when it was hashed, although its size and time are the same. Restore it from a copy.`,
    facts: { event_id, expected_hash, found_hash },
    libraryId: library_id,
    itemId: id,
    relPath: rel_path,
  });
}

/** The alert rules are told again, because a rule may be newer than the damage, and its alert may have ended for another reason. */
async function noteStillOpen(db: Db, event: OpenEvent): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    if (await touchEvent(transaction, event.event_id)) await raiseMismatch(transaction, event);
  });
}

/**
 * Open events are read in every run, so that a restored file is noticed. They leave the reserved bytes of the budget of a day to other files:
 * every run reads them, and they may be large.
 */
async function rereadOpen(
  db: Db,
  hasher: Hasher,
  done: VerifyDone,
  { workerLabels, reserved }: { workerLabels: readonly string[]; reserved: number },
): Promise<void> {
  for (const event of await openEvents(db, maxOpenPerRun, workerLabels)) {
    let outcome = outcomeOfScans(event);
    if (outcome === null) {
      if ((await budgetLeft(db)) <= reserved) continue;
      const { content, bytes } = await readContent(hasher, event);
      if (bytes > 0) await spend(db, bytes);
      if (content === event.expected_hash) outcome = 'restored';
    }
    if (outcome === null) await noteStillOpen(db, event);
    else if (
      await closeOpen(db, { id: event.event_id, item_id: event.id, rel_path: event.rel_path, library_id: event.library_id }, outcome, null)
    )
      done.closed += 1;
  }
}

type Closed = 'restored' | 'replaced' | 'gone';

/** What scans have found out since; null where only reading the file tells. */
function outcomeOfScans({ active, mtime_ns, event_mtime_ns, content_hash, expected_hash, found_hash }: OpenEvent): Closed | null {
  if (!active) return 'gone';
  // A scan has seen a new version of the file. One that took over the content found leaves it to a person to decide.
  if (mtime_ns !== event_mtime_ns) return content_hash === expected_hash ? 'restored' : 'replaced';
  return [expected_hash, found_hash, ''].includes(content_hash) ? null : 'replaced';
}

async function readContent(hasher: Hasher, event: OpenEvent): Promise<{ content: string | null; bytes: number }> {
  const [result] = await hasher.hash([requestFor(event)]);
  return !result || result.error !== undefined ? { content: null, bytes: 0 } : { content: result.content, bytes: event.size };
}
