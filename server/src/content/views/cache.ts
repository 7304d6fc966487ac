/**
 * A disk cache of pictures drawn on demand: `{folder}/ab/<key>.webp`, up to `maxBytes`, evicting the least recently used. Each process keeps its
 * own count; a file that another process removed is drawn again. The cache may be lost at any time.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface ViewCache {
  /** Null when it is not cached. */
  read(key: string): Promise<Buffer | null>;
  /** Never throws: a picture that cannot be stored is only drawn again. */
  write(key: string, picture: Buffer): Promise<void>;
  totals(): Promise<{ files: number; bytes: number }>;
}

const keyPattern = /^[0-9a-f]{32}$/;
/** Eviction goes down to this fraction of the limit, so that it does not run on every write. */
const evictTo = 0.8;

export function createViewCache({ folder, maxBytes }: { folder: string; maxBytes: number }): ViewCache {
  /** Size by key, least recently used first. */
  let known: Promise<Map<string, number>> | undefined;
  let bytes = 0;
  const pathOf = (key: string): string => {
    if (!keyPattern.test(key)) throw new TypeError('A key has 32 hexadecimal digits.');
    return join(folder, key.slice(0, 2), `${key}.webp`);
  };
  const load = (): Promise<Map<string, number>> => {
    known ??= findAll(folder).then((found) => {
      for (const size of found.values()) bytes += size;
      return found;
    });
    return known;
  };
  const drop = (files: Map<string, number>, key: string): void => {
    bytes -= files.get(key) ?? 0;
    files.delete(key);
  };

  return {
    async read(key) {
      const files = await load();
      // A file that cannot be read is a cache miss.
      const picture = await readFile(pathOf(key)).catch(() => null);
      const size = files.get(key);
      if (picture === null) drop(files, key);
      else if (size !== undefined) {
        files.delete(key);
        files.set(key, size);
      }
      return picture;
    },
    async write(key, picture) {
      const files = await load();
      const path = pathOf(key);
      const partial = join(folder, `.writing-${randomUUID()}`);
      try {
        await mkdir(join(path, '..'), { recursive: true });
        await writeFile(partial, picture, { flag: 'wx' });
        await rename(partial, path);
      } catch {
        // Leftovers are removed at the next start.
        await rm(partial, { force: true }).catch(() => {});
        return;
      }
      drop(files, key);
      files.set(key, picture.length);
      bytes += picture.length;
      if (bytes <= maxBytes) return;
      for (const old of files.keys()) {
        if (bytes <= maxBytes * evictTo || old === key) break;
        drop(files, old);
        // A file that cannot be removed is found again by the next start.
        await rm(pathOf(old), { force: true }).catch(() => {});
      }
    },
    async totals() {
      const files = await load();
      return { files: files.size, bytes };
    },
  };
}

/** The files of earlier runs, oldest first. Temporary files of a crashed process are removed; unreadable folders count as empty. */
async function findAll(folder: string): Promise<Map<string, number>> {
  const found: { key: string; size: number; at: number }[] = [];
  for (const first of await readdir(folder).catch(() => [])) {
    if (first.startsWith('.writing-')) await rm(join(folder, first), { force: true }).catch(() => {});
    if (!/^[0-9a-f]{2}$/.test(first)) continue;
    for (const name of await readdir(join(folder, first)).catch(() => [])) {
      const key = name.slice(0, -'.webp'.length);
      const facts = keyPattern.test(key) ? await stat(join(folder, first, name)).catch(() => null) : null;
      if (facts) found.push({ key, size: facts.size, at: facts.mtimeMs });
    }
  }
  return new Map(found.sort((a, b) => a.at - b.at).map(({ key, size }) => [key, size]));
}
