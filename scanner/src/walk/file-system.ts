// biome-ignore-all lint/style/noNonNullAssertion: indexes into the statx result are constants below its length.
import { closeSync, constants, lstatSync, openSync, readdirSync, readlinkSync, readSync } from 'node:fs';
import os from 'node:os';
import { loadKoffi } from '../koffi.ts';
import { createAclReader, noAclAttributes } from '../permissions/attributes.ts';
import type { FileOwnership } from '../permissions/file-acl.ts';
import { attributesKey } from '../permissions/folder-reader.ts';
import {
  addAllocated,
  addEntry,
  entryFieldOffset as at,
  createEntryList,
  type EntryKind,
  type EntryList,
  entryKinds,
  formatInt64,
} from './entries.ts';
import { diskPath, mayHaveLostBytes, pathBytes, pathText } from './path-text.ts';

/**
 * All file system access of a scan; tests pass in a failing one. Calls are synchronous and belong in a thread of their own. Each throws a
 * system error with its `code`, and the caller decides how to handle it. Paths are path text. A symlink at the end of a path is never
 * followed.
 */
export interface WalkFileSystem {
  /** Fills the list with the entries of a folder. Omits entries that vanish meanwhile; marks those that cannot be read as unreadable. */
  readFolder(folder: string, into: EntryList): void;
  readLink(path: string): string;
  /** The first `length` bytes of a file, or fewer when it is shorter. */
  readHead(path: string, length: number): Buffer;
  /** Names and entry types without a stat per entry. `isCountable` is true for files and symlinks. */
  listNames(folder: string): { name: string; isFolder: boolean; isCountable: boolean }[];
}

/** The part of the file system that needs no native code. */
export const namesOnlyFileSystem: Pick<WalkFileSystem, 'listNames' | 'readHead'> = {
  readHead(path, length) {
    const handle = openSync(diskPath(path), constants.O_RDONLY | constants.O_NOFOLLOW);
    try {
      const head = Buffer.alloc(length);
      return head.subarray(0, readSync(handle, head, 0, length, 0));
    } finally {
      closeSync(handle);
    }
  },
  listNames: (folder) =>
    readdirSync(diskPath(folder), { withFileTypes: true, encoding: 'buffer' }).map((entry) => ({
      name: pathText(entry.name),
      isFolder: entry.isDirectory(),
      isCountable: entry.isFile() || entry.isSymbolicLink(),
    })),
};

export interface WalkFileSystemOptions {
  network: boolean;
  /** Read inode change times too. Set it only where they are stable (see hasStableIds); otherwise unchanged folders would look changed. */
  stableIds?: boolean;
  /** Read owners, modes and the access control lists of folders too. */
  permissions?: boolean;
  /** See unlistedAclAttribute. */
  unlistedAcl?: string | null;
}

export function createWalkFileSystem(options: WalkFileSystemOptions): WalkFileSystem {
  const statx = loadStatx(options);
  const lists = options.permissions ? createAclReader({ unlisted: options.unlistedAcl ?? null }) : null;
  // Where change times are not kept, only the lists themselves tell that one of them has changed.
  const readsEntryLists = lists !== null && !options.stableIds;
  return {
    ...namesOnlyFileSystem,
    readFolder(folder, into) {
      into.names.length = 0;
      into.device = 0;
      into.folderInode = '0';
      into.folderOwnership = null;
      into.folderLists = noAclAttributes;
      into.entryLists = '';
      into.allocated.clear();
      const target = diskPath(folder);
      const handle = statx ? openSync(target, constants.O_RDONLY | constants.O_DIRECTORY) : -1;
      try {
        into.folderInode = statx ? statx.inodeOf(handle) : String(lstatSync(target, { bigint: true }).ino);
        if (options.permissions) {
          into.folderOwnership = statx ? statx.ownership() : lstatSync(target);
          if (handle !== -1) into.folderLists = lists?.ofHandle(handle) ?? noAclAttributes;
        }
        let names: (string | Buffer)[] = readdirSync(target);
        if (mayHaveLostBytes(names.join('/'))) names = readdirSync(target, { encoding: 'buffer' });
        for (const name of names) {
          const text = typeof name === 'string' ? name : pathText(name);
          const errno = statx ? statx.add(handle, name, into, text) : addByLstat(target, name, text, into, options);
          if (errno !== 0 && errno !== os.constants.errno.ENOENT) {
            // On its own line, because it may replace the rows by longer ones.
            const start = addEntry(into, text, entryKinds.unreadable);
            into.rows[start + at.sizeLow] = errno;
          }
          if (!readsEntryLists) continue;
          const own = lists.ofPath(`${folder}/${text}`);
          if (own !== noAclAttributes) into.entryLists += `${text}\0${attributesKey(own)}\0`;
        }
      } finally {
        if (handle !== -1) closeSync(handle);
      }
    },
    readLink: (path) => pathText(readlinkSync(diskPath(path), 'buffer')),
  };
}

/** Adds an entry through lstatSync, where statx cannot be called. Returns 0 or an error number. */
function addByLstat(
  folder: string | Buffer,
  name: string | Buffer,
  text: string,
  into: EntryList,
  { stableIds = false, permissions = false }: WalkFileSystemOptions,
): number {
  const target =
    typeof folder === 'string' && typeof name === 'string'
      ? `${folder}/${name}`
      : Buffer.concat([toBytes(folder), Buffer.from('/'), toBytes(name)]);
  try {
    const stats = lstatSync(target, { bigint: true });
    const kind = stats.isFile()
      ? entryKinds.file
      : stats.isDirectory()
        ? entryKinds.folder
        : stats.isSymbolicLink()
          ? entryKinds.symlink
          : entryKinds.other;
    const start = addEntry(into, text, kind);
    if (kind === entryKinds.folder || kind === entryKinds.other) return 0;
    const seconds = stats.mtimeNs / 1_000_000_000n - (stats.mtimeNs % 1_000_000_000n < 0n ? 1n : 0n);
    const putInt64 = (low: number, value: bigint): void => {
      into.rows[start + low] = Number(BigInt.asUintN(32, value));
      into.rows[start + low + 1] = Number(BigInt.asUintN(32, value >> 32n));
    };
    putInt64(at.sizeLow, stats.size);
    putInt64(at.secondsLow, seconds);
    into.rows[start + at.nanoseconds] = Number(stats.mtimeNs - seconds * 1_000_000_000n);
    putInt64(at.inodeLow, stats.ino);
    into.rows[start + at.links] = Number(stats.nlink);
    if (stableIds) {
      into.rows[start + at.changeSeconds] = Number(BigInt.asUintN(32, stats.ctimeNs / 1_000_000_000n));
      into.rows[start + at.changeNanoseconds] = Number(BigInt.asUintN(32, stats.ctimeNs % 1_000_000_000n));
    }
    if (permissions) putOwnership(into.rows, start, Number(stats.mode), Number(stats.uid), Number(stats.gid));
    if (kind === entryKinds.file) addAllocated(into, text, Number(stats.size), Number(stats.blocks) * blockBytes);
    into.device = Number(stats.dev);
    return 0;
  } catch (error) {
    return Math.abs((error as NodeJS.ErrnoException).errno ?? os.constants.errno.EIO);
  }
}

function putOwnership(rows: Uint32Array, start: number, mode: number, uid: number, gid: number): void {
  rows[start + at.mode] = mode & 0o7777;
  rows[start + at.uid] = uid;
  rows[start + at.gid] = gid;
}

const toBytes = (part: string | Buffer): Buffer => (typeof part === 'string' ? pathBytes(part) : part);

const AT_FDCWD = -100;
const AT_SYMLINK_NOFOLLOW = 0x100;
const AT_EMPTY_PATH = 0x1000;
const AT_STATX_DONT_SYNC = 0x4000;
const statxMask = 0x1 | 0x2 | 0x4 | 0x8 | 0x10 | 0x40 | 0x80 | 0x100 | 0x200 | 0x400; // type, mode, links, uid, gid, mtime, ctime, inode, size, blocks
/** The unit of block counts, whatever the block size of the file system. */
const blockBytes = 512;
/** 2^32 */
const highHalf = 0x1_0000_0000;

interface Statx {
  /** Adds one name of an open folder to the list. Returns 0 or an error number. */
  add(folder: number, name: string | Buffer, list: EntryList, text: string): number;
  /** The inode of an open folder; '0' when it cannot be read. */
  inodeOf(folder: number): string;
  /** Owner, group and mode of the folder that inodeOf() was called for last. */
  ownership(): FileOwnership;
}

const kindByFormat: Readonly<Record<number, EntryKind>> = { 32768: entryKinds.file, 16384: entryKinds.folder, 40960: entryKinds.symlink };

/**
 * Calls statx(2) directly, which takes half the time of lstatSync because it builds no object per file. The result has the same layout on
 * every architecture. Returns null, and lstatSync is used instead, where the call is missing or a sandbox forbids it.
 */
function loadStatx({ network, stableIds = false, permissions = false }: WalkFileSystemOptions): Statx | null {
  if (process.platform !== 'linux') return null;
  try {
    const koffi = loadKoffi();
    const library = koffi.load(null as unknown as string);
    const statxText = library.func('int statx(int folder, const char *name, int flags, uint32_t mask, void *out)');
    const statxBytes = library.func('statx', 'int', ['int', 'void *', 'int', 'uint32_t', 'void *']);
    const out = new Uint32Array(64);
    const out16 = new Uint16Array(out.buffer);
    const flags = AT_SYMLINK_NOFOLLOW | (network ? 0 : AT_STATX_DONT_SYNC);
    const add: Statx['add'] = (folder, name, list, text) => {
      const result =
        typeof name === 'string'
          ? statxText(folder, name, flags, statxMask, out)
          : statxBytes(folder, Buffer.concat([name, Buffer.of(0)]), flags, statxMask, out);
      if (result !== 0) return koffi.errno();
      const kind = kindByFormat[out16[14]! & 0xf000] ?? entryKinds.other;
      const start = addEntry(list, text, kind);
      // A folder's size and mtime change with its contents, so its parent's fingerprint covers only its name and kind.
      if (kind === entryKinds.folder || kind === entryKinds.other) return 0;
      const { rows } = list;
      rows[start + at.sizeLow] = out[10]!;
      rows[start + at.sizeHigh] = out[11]!;
      rows[start + at.secondsLow] = out[28]!;
      rows[start + at.secondsHigh] = out[29]!;
      rows[start + at.nanoseconds] = out[30]!;
      rows[start + at.inodeLow] = out[8]!;
      rows[start + at.inodeHigh] = out[9]!;
      rows[start + at.links] = out[4]!;
      if (stableIds) {
        rows[start + at.changeSeconds] = out[24]!;
        rows[start + at.changeNanoseconds] = out[26]!;
      }
      if (permissions) putOwnership(rows, start, out16[14]!, out[5]!, out[6]!);
      if (kind === entryKinds.file) addAllocated(list, text, out[11]! * highHalf + out[10]!, (out[13]! * highHalf + out[12]!) * blockBytes);
      list.device = out[34]! * 0x10_0000 + out[35]!;
      return 0;
    };
    const probe = createEntryList();
    if (add(AT_FDCWD, '/', probe, '/') !== 0 || probe.rows[0] !== entryKinds.folder) return null;
    return {
      add,
      inodeOf: (folder) => (statxText(folder, '', flags | AT_EMPTY_PATH, statxMask, out) === 0 ? formatInt64(out[8]!, out[9]!) : '0'),
      ownership: () => ({ mode: out16[14]! & 0o7777, uid: out[5]!, gid: out[6]! }),
    };
  } catch {
    // koffi is not installed for this platform, or the C library has no statx.
    return null;
  }
}

/** The signature with which programs mark a folder as a cache that need not be kept (bford.info/cachedir). */
const cacheTagSignature = 'Signature: 8a477f597d28d172789f06886806bc55';
export const cacheTagName = 'CACHEDIR.TAG';

/** Whether a folder that contains a file of the tag's name is marked as a cache. An unreadable tag does not count. */
export function isTaggedCache(folder: string, files: Pick<WalkFileSystem, 'readHead'>): boolean {
  try {
    return files.readHead(`${folder}/${cacheTagName}`, cacheTagSignature.length).toString('latin1') === cacheTagSignature;
  } catch {
    return false;
  }
}
