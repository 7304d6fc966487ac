import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import os from 'node:os';
import { addEntry, type EntryList, fieldAt, entryKinds } from './entries.ts';
import { diskPath, mayHaveLostBytes, pathBytes, pathText } from './path-text.ts';
import { loadStatx } from './statx.ts';

/**
 * All a scan asks of the disk. Calls are synchronous and belong in a thread of their own. Each throws a system error with its `code`;
 * the caller decides what that means. Paths are path text. Nothing follows a symlink at the end of a path. A test hands in a failing one.
 */
export interface WalkFileSystem {
  /** Fills the list with every entry of a folder. An entry that vanished meanwhile is left out; one that cannot be described is marked unreadable. */
  readFolder(folder: string, into: EntryList): void;
  readLink(path: string): string;
  /** The first bytes of a file; shorter at its end. */
  readHead(path: string, length: number): Buffer;
  /** Names and whether each is a folder, without describing them: for counting what was skipped. */
  listOnly(folder: string): { name: string; isFolder: boolean; counts: boolean }[];
}

/** What names alone tell, and the first bytes of a file: no facts, and none of the machinery that reads them. */
export const listedFiles: Pick<WalkFileSystem, 'listOnly' | 'readHead'> = {
  readHead(path, length) {
    const handle = openSync(diskPath(path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const head = Buffer.alloc(length);
      return head.subarray(0, readSync(handle, head, 0, length, 0));
    } finally {
      closeSync(handle);
    }
  },
  listOnly: (folder) =>
    readdirSync(diskPath(folder), { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
      name: pathText(entry.name),
      isFolder: entry.isDirectory(),
      counts: entry.isFile() || entry.isSymbolicLink(),
    })),
};

export function createWalkFileSystem(options: { network: boolean }): WalkFileSystem {
  const statx = loadStatx(options);
  return {
    ...listedFiles,
    readFolder(folder, into) {
      into.names.length = 0;
      into.device = 0;
      const target = diskPath(folder);
      const handle = statx ? openSync(target, constants.O_RDONLY | constants.O_DIRECTORY) : -1;
      try {
        let names: (string | Buffer)[] = readdirSync(target);
        if (mayHaveLostBytes(names.join('/'))) names = readdirSync(target, { encoding: 'buffer' });
        for (const name of names) {
          const shown = typeof name === 'string' ? name : pathText(name);
          const failure = statx ? statx(handle, name, into, shown) : describe(target, name, shown, into);
          if (failure !== 0 && failure !== os.constants.errno.ENOENT) addEntry(into, shown, entryKinds.unreadable);
        }
      } finally {
        if (handle !== -1) closeSync(handle);
      }
    },
    readLink: (path) => pathText(readlinkSync(diskPath(path), 'buffer')),
  };
}

/** The same facts through lstatSync, where statx cannot be called. */
function describe(folder: string | Buffer, name: string | Buffer, shown: string, into: EntryList): number {
  const target =
    typeof folder === 'string' && typeof name === 'string'
      ? `${folder}/${name}`
      : Buffer.concat([bytesOf(folder), Buffer.from('/'), bytesOf(name)]);
  try {
    const facts = lstatSync(target, { bigint: true });
    const kind = facts.isFile()
      ? entryKinds.file
      : facts.isDirectory()
        ? entryKinds.folder
        : facts.isSymbolicLink()
          ? entryKinds.symlink
          : entryKinds.other;
    const start = addEntry(into, shown, kind);
    if (kind === entryKinds.folder || kind === entryKinds.other) return 0;
    const seconds = facts.mtimeNs / 1_000_000_000n - (facts.mtimeNs % 1_000_000_000n < 0n ? 1n : 0n);
    const put = (low: number, value: bigint): void => {
      into.rows[start + low] = Number(BigInt.asUintN(32, value));
      into.rows[start + low + 1] = Number(BigInt.asUintN(32, value >> 32n));
    };
    put(fieldAt.sizeLow, facts.size);
    put(fieldAt.secondsLow, seconds);
    into.rows[start + fieldAt.nanoseconds] = Number(facts.mtimeNs - seconds * 1_000_000_000n);
    put(fieldAt.inodeLow, facts.ino);
    into.rows[start + fieldAt.links] = Number(facts.nlink);
    into.device = Number(facts.dev);
    return 0;
  } catch (error) {
    return Math.abs((error as NodeJS.ErrnoException).errno ?? os.constants.errno.EIO);
  }
}

const bytesOf = (part: string | Buffer): Buffer => (typeof part === 'string' ? pathBytes(part) : part);
