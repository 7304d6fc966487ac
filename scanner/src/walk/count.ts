import { Worker } from 'node:worker_threads';
import { compileIgnore } from '../ignore/ignore.ts';
import { threadFile } from '../thread-file.ts';
import { cacheTagName, isTaggedCache, type WalkFileSystem } from './file-system.ts';
import { pathBytes } from './path-text.ts';

/** Listed among the presets in `left_out`: folders with a cache tag are excluded from every scan. */
const taggedCache = 'tagged_cache';

export interface FolderCount {
  files: number;
  /** Folders that could not be listed. */
  unreadable: number;
  /** False when time ran out or a network share was skipped; `files` is then a lower bound. */
  complete: boolean;
  /** Every excluded file once, grouped by the set of presets that would exclude it, so that any selection of presets can be summed up. */
  left_out: { by: string[]; files: number }[];
  /** The folders directly inside. */
  dirs: { name: string; files: number; complete: boolean }[];
}

export interface FolderCountOptions {
  root: string;
  /** Network shares inside the folder. They are skipped, because they may never respond. */
  shares: readonly string[];
  presets: readonly { name: string; patterns: readonly string[] }[];
  milliseconds: number;
  /** Shared memory; a value other than 0 stops the count. */
  stop: Int32Array;
}

type NamesOnly = Pick<WalkFileSystem, 'listNames' | 'readHead'>;
/** A folder still to be listed, and the bit set of presets that exclude it. */
type PendingFolder = [path: string, excludedBy: number];

/**
 * Counts the files below a folder, and how many of them each preset would exclude. Only lists folders; opens no file but cache tags.
 * Time is divided evenly among the folders directly inside, so that each gets a number; time that one leaves over goes to the others.
 */
export function countBelow(
  { root, shares, presets, milliseconds, stop }: FolderCountOptions,
  files: NamesOnly,
  now: () => number = Date.now,
): FolderCount {
  const presetRules = presets.map(({ name, patterns }) =>
    compileIgnore([{ origin: { kind: 'preset', preset: name }, lines: patterns }], pathBytes),
  );
  const cacheBit = 1 << presetRules.length;
  const shareSet = new Set(shares);
  const withSkippedShare = new Set<string>();
  const filesByPresets = new Map<number, number>();
  const count: FolderCount = { files: 0, unreadable: 0, complete: true, left_out: [], dirs: [] };

  const excludingPresets = (path: string, isFolder: boolean, inherited: number): number => {
    let bits = inherited;
    presetRules.forEach((rules, index) => {
      if ((bits & (1 << index)) === 0 && rules.decide(path, isFolder)?.excluded) bits |= 1 << index;
    });
    return bits;
  };

  const toAbsolute = (path: string): string => (path === '' ? root : `${root === '/' ? '' : root}/${path}`);
  const isStopped = (): boolean => Atomics.load(stop, 0) !== 0;

  /** Counts the files of one folder and returns the folders in it. */
  const countFolder = (path: string, excludedBy: number): PendingFolder[] => {
    const absolute = toAbsolute(path);
    let entries: ReturnType<NamesOnly['listNames']>;
    try {
      entries = files.listNames(absolute);
    } catch {
      count.unreadable += 1;
      return [];
    }
    const tagged = path !== '' && entries.some(({ name }) => name === cacheTagName) && isTaggedCache(absolute, files);
    const inherited = tagged ? excludedBy | cacheBit : excludedBy;
    const folders: PendingFolder[] = [];
    for (const { name, isFolder, isCountable } of entries) {
      const child = path === '' ? name : `${path}/${name}`;
      if (!isFolder && !isCountable) continue;
      const bits = excludingPresets(child, isFolder, inherited);
      if (isFolder) folders.push([child, bits]);
      else {
        count.files += 1;
        filesByPresets.set(bits, (filesByPresets.get(bits) ?? 0) + 1);
      }
    }
    return folders;
  };

  const deadline = now() + milliseconds;
  const top = countFolder('', 0);
  const rootListed = count.unreadable === 0;
  const children = top.map(([name, excludedBy]) => ({ name, files: 0, pending: [[name, excludedBy]] as PendingFolder[] }));
  let unfinished = children;
  while (unfinished.length > 0 && now() < deadline && !isStopped()) {
    unfinished.forEach((child, index) => {
      const childDeadline = now() + (deadline - now()) / (unfinished.length - index);
      const before = count.files;
      while (child.pending.length > 0 && now() <= childDeadline && !isStopped()) {
        const [path, excludedBy] = child.pending.pop() as PendingFolder;
        if (shareSet.has(toAbsolute(path))) withSkippedShare.add(child.name);
        else for (const folder of countFolder(path, excludedBy)) child.pending.push(folder);
      }
      child.files += count.files - before;
    });
    unfinished = unfinished.filter(({ pending }) => pending.length > 0);
  }
  for (const { name, files: fileCount, pending } of children)
    count.dirs.push({ name, files: fileCount, complete: pending.length === 0 && !withSkippedShare.has(name) });
  count.complete = rootListed && count.dirs.every(({ complete }) => complete);

  const names = [...presets.map(({ name }) => name), taggedCache];
  for (const [bits, fileCount] of filesByPresets)
    if (bits !== 0) count.left_out.push({ by: names.filter((_, index) => bits & (1 << index)), files: fileCount });
  return count;
}

const maxThreads = 3;
/** Allowed past the time limit, because listing one very large folder cannot be interrupted. */
const graceMs = 3000;

const unknownCount = (): FolderCount => ({ files: 0, unreadable: 0, complete: false, left_out: [], dirs: [] });
const startThread = (options: FolderCountOptions): Worker => new Worker(threadFile('count-thread'), { workerData: options });

export interface FolderCounter {
  count(options: Omit<FolderCountOptions, 'stop'>, signal: AbortSignal): Promise<FolderCount>;
  /** Stops all counts and waits for their threads, but no longer than the grace period. */
  close(): Promise<void>;
}

/**
 * Counts in threads, each for at most `milliseconds` plus a grace period; after that the result is an incomplete count of 0. Threads are
 * never killed; a stop flag makes each exit when its current system call returns. A thread blocked by an unreachable share therefore
 * lives until the share responds. While `maxThreads` are alive, new counts return an incomplete count of 0 at once.
 */
export function createFolderCounter(start: (options: FolderCountOptions) => Worker = startThread): FolderCounter {
  const running = new Map<Worker, Int32Array>();
  const requestStop = (thread: Worker): void => {
    const flag = running.get(thread);
    if (flag) Atomics.store(flag, 0, 1);
  };
  return {
    async count(options, signal) {
      if (running.size >= maxThreads || signal.aborted) return unknownCount();
      const stop = new Int32Array(new SharedArrayBuffer(4));
      const thread = start({ ...options, stop });
      running.set(thread, stop);
      thread.once('exit', () => running.delete(thread));
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<FolderCount>((resolve, reject) => {
          timer = setTimeout(() => resolve(unknownCount()), options.milliseconds + graceMs);
          signal.addEventListener('abort', () => resolve(unknownCount()), { once: true });
          thread.once('message', resolve);
          thread.once('error', reject);
        });
      } finally {
        clearTimeout(timer);
        requestStop(thread);
        thread.unref();
      }
    },
    async close() {
      const exits = [...running.keys()].map((thread) => new Promise<void>((resolve) => void thread.once('exit', () => resolve())));
      for (const thread of running.keys()) requestStop(thread);
      let timer: NodeJS.Timeout | undefined;
      const timeout = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(exits), timeout]);
      clearTimeout(timer);
    },
  };
}
