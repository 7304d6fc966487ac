import { createWriteStream, existsSync, statfsSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FolderConfig, Transport } from './transport.ts';

/** A folder that the operator has mounted, such as a network drive. It is never created: without its mount there would be an empty folder. */
export function openFolder({ path: folder }: FolderConfig): Transport {
  const requireFolder = (): void => {
    if (!existsSync(folder)) throw new Error(`The folder ${folder} does not exist. Mount the drive, or correct the path.`);
  };
  return {
    async put(name, source, signal) {
      requireFolder();
      const [file, partial] = [path.join(folder, name), path.join(folder, `${name}.partial`)];
      let bytes = 0;
      source.on('data', (chunk: Buffer) => {
        bytes += chunk.length;
      });
      try {
        await pipeline(source, createWriteStream(partial, { mode: 0o600 }), { signal });
        const handle = await open(partial, 'r');
        await handle.sync().finally(() => handle.close());
        await rename(partial, file);
        return bytes;
      } catch (error) {
        await rm(partial, { force: true }).catch(() => {
          // The drive is gone; the next attempt overwrites the file.
        });
        throw explain(error, folder);
      }
    },
    async remove(name) {
      requireFolder();
      await rm(path.join(folder, name), { force: true });
    },
  };
}

function explain(error: unknown, folder: string): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  if (code === 'ENOSPC') {
    const { bavail, bsize } = statfsSync(folder);
    return new Error(
      `The drive of ${folder} is full (${Math.round((bavail * bsize) / 1e6)} MB free). Free some space, or keep fewer copies.`,
    );
  }
  if (code === 'EACCES' || code === 'EROFS' || code === 'EPERM')
    return new Error(`The service may not write to ${folder}. Give its user the right to.`);
  return code === undefined ? (error as Error) : new Error(`The copy to ${folder} failed: ${message}`);
}
