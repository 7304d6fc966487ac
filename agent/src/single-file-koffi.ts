/**
 * Access lists are read with koffi. Its native code needs a file, so a single executable for Linux carries it as an archive and unpacks it
 * into the data folder, where only the user of the agent can read or write it.
 */
import { getAssetKeys, getRawAsset, isSea } from 'node:sea';
import { setKoffiFolder } from '@catalog/scanner';
import { unpackPrivately } from './unpack-archive.ts';

/** Returns why it cannot be used, or null. Does nothing in a run of the sources, and on systems without access lists that koffi can read. */
export async function unpackKoffi(dataDir: string): Promise<string | null> {
  if (!isSea() || !getAssetKeys().includes('koffi')) return null;
  try {
    setKoffiFolder(await unpackPrivately(Buffer.from(getRawAsset('koffi')), dataDir, 'koffi-'));
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
