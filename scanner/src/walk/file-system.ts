import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import os from 'node:os';
import { createRequire } from 'node:module';
import { addEntry, type EntryList, fieldAt, entryKinds, entryFieldCount, type EntryKind } from './entries.ts';
import { diskPath, mayHaveLostBytes, pathBytes, pathText } from './path-text.ts';

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

/**
 * statx(2) called directly: half the time of lstatSync, which builds an object a file. The structure has one fixed layout on every
 * architecture. Missing on this platform, or refused by a sandbox: `loadStatx` answers null and lstatSync is used instead.
 */
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_STATX_DONT_SYNC = 0x4000;
const wanted = 0x1 | 0x2 | 0x4 | 0x40 | 0x100 | 0x200; // type, mode, links, mtime, inode, size

/** Describes one name of an open folder; answers 0 or an error number. */
export type Statx = (folder: number, name: string | Buffer, list: EntryList, shown: string) => number;

const formats: Readonly<Record<number, EntryKind>> = { 32768: entryKinds.file, 16384: entryKinds.folder, 40960: entryKinds.symlink };

export function loadStatx(options: { network: boolean }): Statx | null {
  if (process.platform !== 'linux') return null;
  try {
    // Loaded where it is needed only: a thread that hashes reads names by the same room and calls nothing of this.
    const koffi = createRequire(import.meta.url)('koffi') as typeof import('koffi');
    const library = koffi.load(null as unknown as string);
    const byText = library.func('int statx(int folder, const char *name, int flags, uint32_t mask, void *out)');
    const byBytes = library.func('statx', 'int', ['int', 'void *', 'int', 'uint32_t', 'void *']);
    const out = new Uint32Array(64);
    const half = new Uint16Array(out.buffer);
    const flags = AT_SYMLINK_NOFOLLOW | (options.network ? 0 : AT_STATX_DONT_SYNC);
    const call: Statx = (folder, name, list, shown) => {
      const result =
        typeof name === 'string'
          ? byText(folder, name, flags, wanted, out)
          : byBytes(folder, Buffer.concat([name, Buffer.of(0)]), flags, wanted, out);
      if (result !== 0) return koffi.errno();
      const kind = formats[half[14]! & 0xf000] ?? entryKinds.other;
      const start = addEntry(list, shown, kind);
      // A folder's own numbers change with what lies deeper; only its name and kind belong to its parent.
      if (kind === entryKinds.folder || kind === entryKinds.other) return 0;
      const { rows } = list;
      rows[start + fieldAt.sizeLow] = out[10]!;
      rows[start + fieldAt.sizeHigh] = out[11]!;
      rows[start + fieldAt.secondsLow] = out[28]!;
      rows[start + fieldAt.secondsHigh] = out[29]!;
      rows[start + fieldAt.nanoseconds] = out[30]!;
      rows[start + fieldAt.inodeLow] = out[8]!;
      rows[start + fieldAt.inodeHigh] = out[9]!;
      rows[start + fieldAt.links] = out[4]!;
      list.device = out[34]! * 0x10_0000 + out[35]!;
      return 0;
    };
    return works(call) ? call : null;
  } catch {
    return null;
  }
}

/** Asks about the root folder once: a sandbox that forbids the call is found out here. */
function works(call: Statx): boolean {
  const list: EntryList = { names: [], rows: new Uint32Array(entryFieldCount), device: 0 };
  return call(-100, '/', list, '/') === 0 && list.rows[0] === entryKinds.folder;
}

/** The first bytes of a tag file by which programs mark a folder as a cache that need not be kept. */
const signature = 'Signature: 8a477f597d28d172789f06886806bc55';
export const cacheTagName = 'CACHEDIR.TAG';

/** Is this folder, which holds a file of the tag's name, marked as a cache? A tag that cannot be read marks nothing. */
export function isTaggedCache(folder: string, files: Pick<WalkFileSystem, 'readHead'>): boolean {
  try {
    return files.readHead(`${folder}/${cacheTagName}`, signature.length).toString('latin1') === signature;
  } catch {
    return false;
  }
}
