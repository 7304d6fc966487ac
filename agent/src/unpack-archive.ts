/**
 * Unpacks an archive that the build has made (scripts/lib/reader-archive.mjs): the length of a list, the list as JSON, and the contents of
 * its files one after the other, each packed with zstd. A folder gets its name only when all its files are on disk, so one that was left
 * half done by a kill or a full disk is never used.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  fchmodSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
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

/** Returns the folder `parent/<prefix><id>`. Folders of other archives, and those left half done, are removed once it exists. */
export async function unpackArchive(archive: Buffer, parent: string, prefix: string): Promise<string> {
  const listEnd = 4 + archive.readUInt32LE(0);
  const { id, files } = JSON.parse(archive.toString('utf8', 4, listEnd)) as ArchiveList;
  const folder = path.join(parent, `${prefix}${id}`);
  if (existsSync(folder)) return folder;
  const partial = mkdtempSync(path.join(parent, `${prefix}partial-`));
  try {
    let at = listEnd;
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
    // Readers run as another user where the agent is root, whatever its umask is.
    for (const each of folders) chmodSync(each, 0o755);
    if (!existsSync(folder)) renameSync(partial, folder);
  } catch (error) {
    rmSync(partial, { recursive: true, force: true });
    throw error;
  }
  for (const name of readdirSync(parent))
    if (name.startsWith(prefix) && name !== path.basename(folder)) rmSync(path.join(parent, name), { recursive: true, force: true });
  return folder;
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
