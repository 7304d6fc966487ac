/**
 * The readers of a single executable. They start processes of their own and load native code, which need files, so the executable carries
 * them as an archive and unpacks it into the data folder when the policy first asks for contents. The folder is named after the archive:
 * an update of the program unpacks its own, and removes the one before.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import { getRawAsset } from 'node:sea';
import type { Readers } from './readers-package.ts';
import { unpackArchive } from './unpack-archive.ts';

export async function loadReaders(dataDir: string): Promise<Readers> {
  const folder = await unpackArchive(Buffer.from(getRawAsset('readers')), dataDir, 'readers-');
  const index = path.join(folder, 'src', 'index.ts');
  return createRequire(index)(index) as Readers;
}
