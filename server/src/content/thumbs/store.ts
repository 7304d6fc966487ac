import { createHash, randomUUID } from 'node:crypto';
import { mkdir, opendir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import path, { join } from 'node:path';
import type { ThumbTier } from '@catalog/readers';
import { cachedFor } from '../../platform/cached-for.ts';
import { probeDisks } from '../../platform/disk.ts';
import type { Settings } from '../../settings/index.ts';

/**
 * Thumbnails on disk: `{folder}/ab/cd/<key>.<tier>.webp`, two levels of 256 folders each. A key is the hash of everything the picture depends
 * on, so files never change: identical content shares one picture, and a new renderer or tier size means a new key. A file is written under
 * a temporary name and renamed, so a reader sees all of it or nothing. Lost thumbnails are drawn again, so nothing is flushed with fsync.
 */

const thumbTiers: readonly ThumbTier[] = ['grid', 'preview'];

export interface ThumbKeyInput {
  contentHash: string;
  renderer: { name: string; version: number };
  sizes: { gridPx: number; previewPx: number };
}

export interface ThumbFile {
  key: string;
  tier: ThumbTier;
  bytes: number;
  /** When it was last read, as far as recorded, or written, in milliseconds. */
  usedAt: number;
  writtenAt: number;
}

export interface ThumbStore {
  /** Null when there is none; throws on other disk errors. */
  read(key: string, tier: ThumbTier): Promise<Buffer | null>;
  has(key: string): Promise<boolean>;
  /** Writes both tiers. Can be repeated; a failure leaves no partial file. */
  write(key: string, tiers: Record<ThumbTier, Buffer>): Promise<void>;
  /** Records a read for eviction, at most once a day per file. */
  touch(key: string, tier: ThumbTier): Promise<void>;
  remove(key: string, tier?: ThumbTier): Promise<void>;
  /** Every thumbnail, folder by folder in key order, with bounded memory. */
  walk(): AsyncGenerator<ThumbFile>;
  totals(): Promise<{ files: number; bytes: number }>;
  /** Removes temporary files that a crash left behind; returns how many. */
  removeTemporaryFiles(olderThanMs: number): Promise<number>;
}

const keyPattern = /^[0-9a-f]{32}$/;
const namePattern = /^([0-9a-f]{32})\.(grid|preview)\.webp$/;
const temporary = '.writing-';
const dayMs = 86_400_000;

/** 128 bits of SHA-256 over everything the pixels depend on. */
export function thumbKey(parts: ThumbKeyInput): string {
  const text = [parts.contentHash, parts.renderer.name, parts.renderer.version, parts.sizes.gridPx, parts.sizes.previewPx].join('\0');
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

export function createThumbStore(options: { folder: string; now?: () => number }): ThumbStore {
  const now = options.now ?? Date.now;
  const folderOf = (key: string): string => {
    // A path is built from the key, so anything that is not one of our hashes is rejected.
    if (!keyPattern.test(key)) throw new TypeError('A thumbnail key has 32 hexadecimal digits.');
    return join(options.folder, key.slice(0, 2), key.slice(2, 4));
  };
  const pathOf = (key: string, tier: ThumbTier): string => join(folderOf(key), `${key}.${tier}.webp`);

  async function writeOne(key: string, tier: ThumbTier, bytes: Buffer): Promise<void> {
    const partial = join(folderOf(key), `${temporary}${randomUUID()}`);
    try {
      await writeFile(partial, bytes, { flag: 'wx' });
      await rename(partial, pathOf(key, tier));
    } catch (error) {
      // The original error matters more; removeTemporaryFiles deletes what remains.
      await rm(partial, { force: true }).catch(() => {});
      throw error;
    }
  }

  async function* walk(): AsyncGenerator<ThumbFile> {
    for await (const folder of leafFolders(options.folder)) {
      for await (const name of namesIn(folder)) {
        const [, key, tier] = namePattern.exec(name) ?? [];
        if (key === undefined) continue;
        const facts = await stat(join(folder, name)).catch(ignoreMissing);
        if (!facts) continue;
        yield { key, tier: tier as ThumbTier, bytes: facts.size, usedAt: Math.max(facts.atimeMs, facts.mtimeMs), writtenAt: facts.mtimeMs };
      }
    }
  }

  return {
    walk,
    async read(key, tier) {
      return (await readFile(pathOf(key, tier)).catch(ignoreMissing)) ?? null;
    },
    async has(key) {
      const found = await Promise.all(thumbTiers.map((tier) => stat(pathOf(key, tier)).catch(ignoreMissing)));
      return found.every((facts) => facts !== undefined);
    },
    async write(key, tiers) {
      await mkdir(folderOf(key), { recursive: true });
      for (const tier of thumbTiers) await writeOne(key, tier, tiers[tier]);
    },
    async touch(key, tier) {
      const path = pathOf(key, tier);
      const facts = await stat(path).catch(ignoreMissing);
      if (facts && now() - facts.atimeMs > dayMs) await utimes(path, new Date(now()), facts.mtime).catch(ignoreMissing);
    },
    async remove(key, tier) {
      for (const each of tier === undefined ? thumbTiers : [tier]) await rm(pathOf(key, each), { force: true });
    },
    async totals() {
      const sum = { files: 0, bytes: 0 };
      for await (const file of walk()) {
        sum.files++;
        sum.bytes += file.bytes;
      }
      return sum;
    },
    async removeTemporaryFiles(olderThanMs) {
      let removed = 0;
      for await (const folder of leafFolders(options.folder)) {
        for await (const name of namesIn(folder)) {
          if (!name.startsWith(temporary)) continue;
          const facts = await stat(join(folder, name)).catch(ignoreMissing);
          if (!facts || now() - facts.mtimeMs < olderThanMs) continue;
          await rm(join(folder, name), { force: true });
          removed++;
        }
      }
      return removed;
    },
  };
}

function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return undefined;
  throw error;
}

/** Every second-level folder in order; other names are skipped. */
async function* leafFolders(root: string): AsyncGenerator<string> {
  const twoDigits = /^[0-9a-f]{2}$/;
  for (const first of await sorted(root)) {
    if (!twoDigits.test(first)) continue;
    for (const second of await sorted(join(root, first))) if (twoDigits.test(second)) yield join(root, first, second);
  }
}

async function sorted(folder: string): Promise<string[]> {
  const names: string[] = [];
  for await (const name of namesIn(folder)) names.push(name);
  return names.sort();
}

async function* namesIn(folder: string): AsyncGenerator<string> {
  const directory = await opendir(folder).catch(ignoreMissing);
  if (!directory) return;
  for await (const entry of directory) yield entry.name;
}

export function openThumbStore({ configDir }: Settings): ThumbStore {
  return createThumbStore({ folder: path.join(configDir, 'thumbs') });
}

/** Returns a check that is false while the disk of the config folder is critically full; no thumbnail or view is written then. */
export function mayWritePictures(settings: Settings): () => Promise<boolean> {
  const disk = cachedFor(5000, () => probeDisks(settings));
  return async () => !(await disk()).paths.some(({ label, status }) => label === 'config' && status === 'critical');
}
