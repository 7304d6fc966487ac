/**
 * Unpacks an archive that the build has made (scripts/lib/reader-archive.mjs): the length of a list, the list as JSON, and the contents of
 * its files one after the other, each packed with zstd. A folder gets its name only when all its files are on disk, so one that was left
 * half done by a kill or a full disk is never used.
 */
import { createHash } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { zstdDecompressSync } from 'node:zlib';

interface ArchiveList {
  /** Digest of the contents. */
  id: string;
  files: { path: string; mode: number; size: number }[];
}

function readList(archive: Buffer): ArchiveList & { end: number } {
  const end = 4 + archive.readUInt32LE(0);
  return { ...(JSON.parse(archive.toString('utf8', 4, end)) as ArchiveList), end };
}

/**
 * Returns the folder `parent/<prefix><id>`. Folders of other archives, and those left half done, are removed once it exists. By default
 * everybody can read it, because readers run as another user where the agent is root.
 */
export async function unpackArchive(archive: Buffer, parent: string, prefix: string, folderMode = 0o755): Promise<string> {
  const { id, files, end } = readList(archive);
  const folder = path.join(parent, `${prefix}${id}`);
  if (existsSync(folder)) return folder;
  const partial = mkdtempSync(path.join(parent, `${prefix}partial-`));
  try {
    let at = end;
    const folders = new Set([partial]);
    for (const { path: name, mode, size } of files) {
      const file = path.join(partial, name);
      for (let above = path.dirname(file); !folders.has(above); above = path.dirname(above)) folders.add(above);
      mkdirSync(path.dirname(file), { recursive: true });
      writeDurably(file, zstdDecompressSync(archive.subarray(at, at + size)), mode);
      at += size;
      // The rest of the program goes on meanwhile.
      await setImmediate();
    }
    // Whatever the umask is.
    for (const each of folders) chmodSync(each, folderMode);
    if (!existsSync(folder)) renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
  for (const name of readdirSync(parent))
    if (name.startsWith(prefix) && name !== path.basename(folder)) rmSync(path.join(parent, name), { recursive: true, force: true });
  return folder;
}

/**
 * Unpacks native code that the agent itself loads. Throws when another user could replace it; a folder that was changed since it was
 * unpacked is removed and unpacked again.
 */
export async function unpackPrivately(archive: Buffer, parent: string, prefix: string): Promise<string> {
  refuseForeignWriters(parent);
  const list = readList(archive);
  const folder = path.join(parent, `${prefix}${list.id}`);
  if (lstatSync(folder, { throwIfNoEntry: false }) && !isIntact(folder, list)) rmSync(folder, { recursive: true });
  await unpackArchive(archive, parent, prefix, 0o700);
  if (!isIntact(folder, list)) throw new Error(`What was unpacked into ${folder} is damaged.`);
  return folder;
}

/** As sshd checks keys: a folder that others can write to, or one above it, lets them replace everything below, unless it is sticky. */
function refuseForeignWriters(folder: string): void {
  for (let at = realpathSync(folder); ; at = path.dirname(at)) {
    const { uid, mode } = statSync(at);
    const isOwn = uid === 0 || uid === process.getuid?.();
    if (!isOwn || ((mode & 0o022) !== 0 && (mode & 0o1000) === 0)) throw new Error(`Other users can write to ${at}.`);
    if (at === path.dirname(at)) return;
  }
}

/** The build computes `id` in the same way (scripts/lib/reader-archive.mjs). */
function isIntact(folder: string, { id, files }: ArchiveList): boolean {
  const facts = lstatSync(folder);
  if (!facts.isDirectory() || facts.uid !== process.getuid?.() || (facts.mode & 0o077) !== 0) return false;
  const digest = createHash('sha256');
  for (const { path: name, mode } of files) {
    const file = path.join(folder, name);
    if (!lstatSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    const content = readFileSync(file);
    digest.update(`${name}\0${mode}\0${content.length}\0`).update(content);
  }
  return digest.digest('hex').startsWith(id);
}

function writeDurably(file: string, content: Buffer, mode: number): void {
  const handle = openSync(file, 'w', mode);
  try {
    writeFileSync(handle, content);
    fchmodSync(handle, mode);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
