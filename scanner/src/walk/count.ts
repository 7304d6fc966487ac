import { Worker } from 'node:worker_threads';
import { compileIgnore } from '../ignore/index.ts';
import { threadFile } from '../thread-file.ts';
import { cacheTagName, isTaggedCache, type WalkFileSystem } from './file-system.ts';
import { pathBytes } from './path-text.ts';

/** Folders marked as a cache by their own program are left out by every scan. */
export const taggedCache = 'tagged_cache';

export interface FolderCount {
  files: number;
  /** Folders that may not be listed; nobody knows what they hold. */
  unreadable: number;
  /** False when time ran out or a network share was passed by: there are at least so many. */
  complete: boolean;
  /** Every file once, under all the presets that would leave it out; whoever ticks presets can add up for themselves. */
  left_out: { by: string[]; files: number }[];
  /** The folders directly inside. */
  dirs: { name: string; files: number; complete: boolean }[];
}

export interface FolderCountOptions {
  root: string;
  /** Network shares inside the folder: they may not answer, so they are passed by. */
  shares: readonly string[];
  presets: readonly { name: string; patterns: readonly string[] }[];
  milliseconds: number;
  /** Not 0: nobody waits for the answer any more. */
  stop: Int32Array;
}

type Files = Pick<WalkFileSystem, 'listOnly' | 'readHead'>;

/**
 * How many files lie below a folder, and how many of them each preset would leave out. Lists only, opens nothing but cache tags.
 * Time is shared between the folders directly inside, so that one large folder does not leave the others without a number; what is left
 * of it goes to those that need more.
 */
export function countBelow(
  { root, shares, presets, milliseconds, stop }: FolderCountOptions,
  files: Files,
  now: () => number = Date.now,
): FolderCount {
  const leavers = presets.map(({ name, patterns }) =>
    compileIgnore([{ origin: { kind: 'preset', preset: name }, lines: patterns }], pathBytes),
  );
  const cacheBit = 1 << leavers.length;
  const passedBy = new Set(shares);
  const skipped = new Set<string>();
  const bySet = new Map<number, number>();
  const count: FolderCount = { files: 0, unreadable: 0, complete: true, left_out: [], dirs: [] };

  const leftOutBy = (path: string, isFolder: boolean, already: number): number => {
    let set = already;
    leavers.forEach((leaver, index) => {
      if ((set & (1 << index)) === 0 && leaver.decide(path, isFolder)?.excluded) set |= 1 << index;
    });
    return set;
  };

  const absoluteOf = (path: string): string => (path === '' ? root : `${root === '/' ? '' : root}/${path}`);
  const stopped = (): boolean => Atomics.load(stop, 0) !== 0;

  /** Counts the files of one folder and answers the folders in it, each with what leaves it out. */
  const lookInto = (path: string, set: number): [string, number][] => {
    const absolute = absoluteOf(path);
    let entries: ReturnType<Files['listOnly']>;
    try {
      entries = files.listOnly(absolute);
    } catch {
      count.unreadable += 1;
      return [];
    }
    const tagged = path !== '' && entries.some(({ name }) => name === cacheTagName) && isTaggedCache(absolute, files);
    const inherited = tagged ? set | cacheBit : set;
    const inside: [string, number][] = [];
    for (const { name, isFolder, counts } of entries) {
      const child = path === '' ? name : `${path}/${name}`;
      if (!isFolder && !counts) continue;
      const leftOut = leftOutBy(child, isFolder, inherited);
      if (isFolder) inside.push([child, leftOut]);
      else {
        count.files += 1;
        bySet.set(leftOut, (bySet.get(leftOut) ?? 0) + 1);
      }
    }
    return inside;
  };

  const end = now() + milliseconds;
  const top = lookInto('', 0);
  // Of a folder that may not be listed itself nothing is known.
  const listed = count.unreadable === 0;
  const children = top.map(([name, set]) => ({ name, files: 0, open: [[name, set]] as [string, number][] }));
  let unfinished = children;
  while (unfinished.length > 0 && now() < end && !stopped()) {
    unfinished.forEach((child, index) => {
      const until = now() + (end - now()) / (unfinished.length - index);
      const before = count.files;
      while (child.open.length > 0 && now() <= until && !stopped()) {
        const [path, leftOut] = child.open.pop()!;
        if (passedBy.has(absoluteOf(path))) skipped.add(child.name);
        else for (const inside of lookInto(path, leftOut)) child.open.push(inside);
      }
      child.files += count.files - before;
    });
    unfinished = unfinished.filter(({ open }) => open.length > 0);
  }
  for (const { name, files: number, open } of children)
    count.dirs.push({ name, files: number, complete: open.length === 0 && !skipped.has(name) });
  count.complete = listed && count.dirs.every(({ complete }) => complete);

  const names = [...presets.map(({ name }) => name), taggedCache];
  for (const [set, number] of bySet)
    if (set !== 0) count.left_out.push({ by: names.filter((_, index) => set & (1 << index)), files: number });
  return count;
}

const mostAtOnce = 3;
/** Listing one very large folder cannot be interrupted; a share that does not answer by then will not soon. */
const graceMs = 3000;

const nothingKnown = (): FolderCount => ({ files: 0, unreadable: 0, complete: false, left_out: [], dirs: [] });
const startThread = (options: FolderCountOptions): Worker => new Worker(threadFile('count-thread'), { workerData: options });

export interface FolderCounter {
  count(options: Omit<FolderCountOptions, 'stop'>, gone: AbortSignal): Promise<FolderCount>;
  /** Ends what is under way, as soon as the disk lets go of it. */
  close(): Promise<void>;
}

/**
 * Counts for at most so long, and never longer: what is known by then is the answer. A thread is asked to stop and ends by itself. One
 * that hangs in a share that went away ends when the share answers; until then it takes one of the places, and when all are taken nothing
 * is counted, at once.
 */
export function createFolderCounter(start: (options: FolderCountOptions) => Worker = startThread): FolderCounter {
  const running = new Map<Worker, Int32Array>();
  const stop = (thread: Worker): void => {
    const flag = running.get(thread);
    if (flag) Atomics.store(flag, 0, 1);
  };
  return {
    async count(options, gone) {
      if (running.size >= mostAtOnce || gone.aborted) return nothingKnown();
      const flag = new Int32Array(new SharedArrayBuffer(4));
      const thread = start({ ...options, stop: flag });
      running.set(thread, flag);
      thread.once('exit', () => running.delete(thread));
      let timer: NodeJS.Timeout | undefined;
      try {
        return await new Promise<FolderCount>((resolve, reject) => {
          timer = setTimeout(() => resolve(nothingKnown()), options.milliseconds + graceMs);
          gone.addEventListener('abort', () => resolve(nothingKnown()), { once: true });
          thread.once('message', resolve);
          thread.once('error', reject);
        });
      } finally {
        clearTimeout(timer);
        stop(thread);
        thread.unref();
      }
    },
    async close() {
      const ended = [...running.keys()].map((thread) => new Promise<void>((resolve) => void thread.once('exit', () => resolve())));
      for (const thread of running.keys()) stop(thread);
      let timer: NodeJS.Timeout | undefined;
      const late = new Promise<void>((resolve) => {
        timer = setTimeout(resolve, graceMs);
      });
      await Promise.race([Promise.all(ended), late]);
      clearTimeout(timer);
    },
  };
}
